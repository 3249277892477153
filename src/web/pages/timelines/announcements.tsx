import { Hono } from 'hono'
import { isCurrent } from '../../../domain/announcements/find'
import {
  dismissAnnouncement,
  reactToAnnouncement,
  unreactToAnnouncement,
} from '../../../domain/announcements/react'
import { NotFound } from '../../../errors'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { loadAnnouncements } from '../../../view/load/announcements'
import { presentAnnouncement } from '../../../view/present/announcement'
import { Empty, Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { showMemberView } from '../../member-view'
import { paths } from '../../paths'
import { Announcements, type AnnouncementsProps } from '../../posts/announcement'
import { announcementView } from '../../posts/announcement-view'
import { refuse } from '../people/refusal'
import { act } from './acts'

/** Announcements of the operators, which members dismiss and react to. */
export function announcementRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.announcements, showAnnouncements)
  app.post(`${paths.announcements}/:id{[0-9]{1,16}}`, (c) =>
    act(
      c,
      async (ctx, viewer, form) => {
        if (form('act') !== 'dismiss') throw new NotFound()
        await dismissAnnouncement(ctx, viewer, requireIdInPath(c))
      },
      refuse,
    ),
  )
  app.post(`${paths.announcements}/:id{[0-9]{1,16}}/reactions`, (c) =>
    act(
      c,
      async (ctx, viewer, form) => {
        const id = requireIdInPath(c)
        const [added, removed] = [form('add') || form('emoji').trim(), form('remove')]
        if (added !== '') await reactToAnnouncement(ctx, viewer, { id, name: added })
        // A form without an emoji leads back, to be filled in.
        else if (removed !== '') await unreactToAnnouncement(ctx, viewer, { id, name: removed })
      },
      refuse,
    ),
  )
  return app
}

function showAnnouncements(c: AppContext): Promise<Response> {
  const { config } = c.get('ctx')
  return showMemberView(c, {
    read: (ctx, as) => loadAnnouncements(ctx, as, isCurrent(ctx.clock.now())),
    show: (_, found) => (
      <AnnouncementsPage
        announcements={found
          .toReversed()
          .map((facts) => announcementView(presentAnnouncement(config, facts)))}
      />
    ),
  })
}

export function AnnouncementsPage({ announcements }: AnnouncementsProps) {
  const t = useTranslation()
  return (
    <Shell title={t('client.announcements')} place="notifications" isPrivate>
      <ViewHead title={t('client.announcements')} back={paths.notifications} />
      {announcements.length === 0 ? (
        <Empty title={t('client.nothingHereYet')}>
          <p>{t('client.announcementsOfThisServer')}</p>
        </Empty>
      ) : (
        <Announcements announcements={announcements} />
      )}
    </Shell>
  )
}
