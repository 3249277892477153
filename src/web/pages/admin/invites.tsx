import * as z from 'zod'
import { execute } from '../../../db/query'
import { type AnyInvite, expireAllInvites, expireInvite, findInvites } from '../../../domain/users/invites'
import { storedText, type TextKey } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { More, Panel } from '../../components/admin/panel'
import { Command } from '../../components/confirm'
import { Day } from '../../components/day'
import { useTranslation } from '../../i18n/context'
import type { PageQuery, PageView } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { fixedQuestion } from '../../member-pages/question'
import { moderatorOf } from '../../moderator'
import { pageBehind, readMaxId } from '../../pagination'

const path = '/admin/invites'
const title = 'common.invitations'
const pageLength = 40

/** Invitations of all members. */
export const moderatedInvitesPage = memberPage({
  kind: 'admin',
  path,
  title,
  access: 'manageInvites',
  menu: { label: title, order: 60 },
  form: z.object({}),
  submissions: [
    {
      path: `${path}/deactivate_all`,
      isCommand: true,
      ask: fixedQuestion('admin.invites.endAllInvitations', 'admin.invites.noInvitationWorksAnyMore'),
      run: async ({ c, ctx, session }) => {
        await expireAllInvites(ctx, moderatorOf(c, session))
        return { notice: 'allEnded' as const }
      },
    },
    {
      path: `${path}/:id/end`,
      isCommand: true,
      run: async ({ c, ctx, session }) => {
        await expireInvite(ctx, moderatorOf(c, session), requireIdInPath(c))
        return { notice: 'ended' as const }
      },
    },
  ],
  notices: {
    ended: 'common.invitationNoLongerWorks',
    allEnded: 'admin.invites.noInvitationWorksAny',
  },
  load: loadInvites,
  view: (page) => <InvitesView page={page} />,
})

type Found = Awaited<ReturnType<typeof loadInvites>>

function InvitesView({ page }: { readonly page: PageView<Found> }) {
  const t = useTranslation()
  return (
    <Panel title={t(title)} current={path}>
      {page.found.invites.length === 0 ? (
        <p class="quiet small">{t('admin.invites.nobodyHasInvitedAnybody')}</p>
      ) : (
        <>
          <Command action={`${path}/deactivate_all`} asks>
            {t('admin.invites.endAll')}
          </Command>
          <ul class="entries block">
            {page.found.invites.map((invite) => (
              <li>
                <Invite invite={invite} />
              </li>
            ))}
          </ul>
        </>
      )}
      <More olderUrl={page.found.olderUrl} />
    </Panel>
  )
}

async function loadInvites(ctx: Ctx, { query }: PageQuery) {
  const maxId = readMaxId(query('max_id'))
  const invites = await execute(ctx.db, findInvites(ctx, { limit: pageLength, maxId }))
  const last = invites.length < pageLength ? undefined : invites.at(-1)?.id
  return { invites, olderUrl: pageBehind(path, last) }
}

const stateTexts: Readonly<Record<string, TextKey>> = {
  usable: 'admin.invites.usable',
  expired: 'common.expired',
  'used up': 'common.usedUp',
}

function Invite({ invite }: { readonly invite: AnyInvite }) {
  const t = useTranslation()
  const { id, inviter, state, uses, maxUses, expiresAt } = invite
  return (
    <>
      <p>
        <bdi>@{inviter}</bdi>{' '}
        <span class={state === 'usable' ? 'tag' : 'tag warn'}>{storedText(t, stateTexts[state], state)}</span>{' '}
        <span class="quiet small">
          {maxUses === null
            ? t('admin.invites.usedTimes', { uses })
            : t('admin.invites.usedUsesMostTimes', { uses, most: maxUses })}
          {expiresAt !== null && (
            <>
              {' · '}
              {t.rich('admin.until', { day: () => <Day at={expiresAt} /> })}
            </>
          )}
        </span>
      </p>
      {state === 'usable' && (
        <Command action={`${path}/${id}/end`} about={`@${inviter}`}>
          {t('admin.invites.end')}
        </Command>
      )}
    </>
  )
}
