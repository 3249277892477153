import { sql } from 'drizzle-orm'
import type { Child } from 'hono/jsx'
import * as z from 'zod'
import { execute } from '../../../db/query'
import type { WebSession } from '../../../domain/sessions/web-session'
import { archiveKey } from '../../../domain/statuses/archive-export/pack-archive'
import {
  type AccountArchive,
  archiveMilliseconds,
  archivesOf,
  readyArchive,
  requestArchive,
} from '../../../domain/statuses/archive-export/request-archive'
import { NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import { Button } from '../../components/button'
import { Day } from '../../components/day'
import { PostForm } from '../../components/form'
import { SettingsLayout } from '../../components/settings-layout'
import { useTranslation } from '../../i18n/context'
import { sizeText } from '../../i18n/names'
import { idInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'

const title = 'settings.archive.yourArchive'

export const archivePage = memberPage({
  kind: 'settings',
  path: paths.archive,
  title,
  access: 'active',
  menu: { group: 'posts', topic: 'copies', label: title, order: 81 },
  words: ['settings.archive.everythingYouWrote', 'settings.archive.download'],
  form: z.object({}),
  submissions: [
    {
      isCommand: true,
      run: async ({ ctx, session }) => {
        await requestArchive(ctx, session.accountId)
        return { notice: ctx.mailer === null ? 'requested-without-mail' : 'requested' }
      },
    },
  ],
  notices: {
    requested: 'settings.archive.archiveBeingMadeGet',
    'requested-without-mail': 'settings.archive.archiveBeingMadeCome',
  },
  downloads: [{ path: `${paths.archive}/:id/archive.tar.gz`, send: sendArchive }],
  load: async (ctx, { session }) => {
    const archives = await execute(ctx.db, archivesOf(ctx, sql`${session.accountId}`))
    const since = ctx.clock.now().getTime() - archiveMilliseconds
    return { archives, mayRequest: archives.every(({ createdAt }) => createdAt.getTime() <= since) }
  },
  view: ({ found }) => <ArchivePage {...found} />,
})

async function sendArchive(c: AppContext, session: WebSession): Promise<Response> {
  const ctx = c.get('ctx')
  const id = idInPath(c)
  const archive = id === null ? null : await execute(ctx.db, readyArchive(ctx, session.accountId, id))
  const file = archive === null ? null : await ctx.files.get(archiveKey(archive))
  if (file === null) throw new NotFound()
  return new Response(file.body, {
    headers: {
      'Content-Type': 'application/gzip',
      'Content-Disposition': 'attachment; filename="archive.tar.gz"',
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

export interface ArchivePageProps {
  readonly archives: readonly Pick<AccountArchive, 'id' | 'createdAt' | 'readyAt' | 'sizeBytes'>[]
  readonly mayRequest: boolean
}

/** Requests and gives the archive of an account. */
export function ArchivePage({ archives, mayRequest }: ArchivePageProps) {
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      <section class="block" aria-labelledby="archive">
        <h2 id="archive">{t('settings.archive.everythingYouWrote')}</h2>
        <p>{t('settings.archive.postsAlsoFewPictures')}</p>
        {mayRequest ? (
          <PostForm action={paths.archive}>
            <Button>{t('settings.archive.requestYourArchive')}</Button>
          </PostForm>
        ) : (
          <p class="quiet small">{t('settings.archive.canRequestArchiveOnce')}</p>
        )}
        {archives.length > 0 && (
          <ul class="entries">
            {archives.map((archive) => (
              <li>
                <ArchiveLine {...archive} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </SettingsLayout>
  )
}

function ArchiveLine({ id, createdAt, readyAt, sizeBytes }: ArchivePageProps['archives'][number]) {
  const t = useTranslation()
  const day = <Day at={createdAt} withTime />
  if (readyAt === null)
    return t.rich('settings.archive.dayBeingMade', {
      day,
      muted: (words: Child[]) => <span class="quiet small">{words}</span>,
    })
  const until = <Day at={new Date(readyAt.getTime() + archiveMilliseconds)} />
  return (
    <>
      {day}{' '}
      <a href={`${paths.archive}/${id}/archive.tar.gz`} download>
        {t('settings.archive.download')}
      </a>{' '}
      <span class="quiet small">
        {t.rich('settings.archive.sizeUntilDay', { size: sizeText(t, sizeBytes), day: until })}
      </span>
    </>
  )
}
