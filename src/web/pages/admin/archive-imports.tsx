import * as z from 'zod'
import { execute } from '../../../db/query'
import { removeImport } from '../../../domain/cleanup/remove-archive-import'
import { type AnyImport, findImportById, findImports } from '../../../domain/statuses/archived/find-imports'
import { NotFound } from '../../../errors'
import type { Ctx } from '../../../ports/ctx'
import { More, Panel } from '../../components/admin/panel'
import { Command } from '../../components/confirm'
import { Day } from '../../components/day'
import { useTranslation } from '../../i18n/context'
import { sizeText } from '../../i18n/names'
import type { PageQuery, PageView, SubmissionCall } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import type { QuestionWords } from '../../member-pages/question'
import { moderatorOf } from '../../moderator'
import { pageBehind, readMaxId } from '../../pagination'

const path = '/admin/archive_imports'
const title = 'admin.archiveImports.importedArchives'
const pageLength = 40

/** Archives of other servers that members imported. */
export const archiveImportsPage = memberPage({
  kind: 'admin',
  path,
  title,
  access: 'manageUsers',
  menu: { label: title, order: 62 },
  form: z.object({}),
  submissions: [
    {
      path: `${path}/:id/delete`,
      isCommand: true,
      ask: askRemoval,
      run: async ({ c, ctx, session }) => {
        await removeImport(ctx, moderatorOf(c, session), requireIdInPath(c))
        return { notice: 'removed' as const }
      },
    },
  ],
  notices: { removed: 'admin.archiveImports.importedPostsBeingDeleted' },
  load: loadImports,
  view: (page) => <ImportsView page={page} />,
})

async function askRemoval({ c, ctx }: SubmissionCall<unknown>): Promise<QuestionWords> {
  const found = await execute(ctx.db, findImportById(ctx, requireIdInPath(c)))
  if (found === null) throw new NotFound()
  return (t) => ({
    title: t('admin.archiveImports.deleteImportedPostsHandle', { handle: `@${found.username}` }),
    effects: [t('admin.archiveImports.allPostsArchiveDeleted')],
    facts: [
      [t('field.posts'), t('common.count', { count: found.imported })],
      [t('field.files'), t('common.count', { count: found.files })],
    ],
    button: t('admin.archiveImports.deleteImportedPosts'),
  })
}

type Found = Awaited<ReturnType<typeof loadImports>>

async function loadImports(ctx: Ctx, { query }: PageQuery) {
  const maxId = readMaxId(query('max_id'))
  const imports = await execute(ctx.db, findImports(ctx, { limit: pageLength, maxId }))
  const last = imports.length < pageLength ? undefined : imports.at(-1)?.id
  return { imports, olderUrl: pageBehind(path, last) }
}

function ImportsView({ page }: { readonly page: PageView<Found> }) {
  const t = useTranslation()
  return (
    <Panel title={t(title)} current={path}>
      {page.found.imports.length === 0 ? (
        <p class="quiet small">{t('admin.archiveImports.nobodyHasImportedArchive')}</p>
      ) : (
        <ul class="entries block">
          {page.found.imports.map((one) => (
            <li>
              <Import {...one} />
            </li>
          ))}
        </ul>
      )}
      <More olderUrl={page.found.olderUrl} />
    </Panel>
  )
}

function Import(props: AnyImport & {}) {
  const t = useTranslation()
  const { id, username, actorUri, proof, progressedAt, removedAt } = props
  return (
    <>
      <p>
        <a href={`/@${username}`}>
          <bdi>@{username}</bdi>
        </a>{' '}
        <span class={proof === null ? 'tag warn' : 'tag ok'}>
          {proof === null ? t('admin.archiveImports.notVerified') : t('common.verified')}
        </span>{' '}
        {actorUri !== '' && <bdi class="quiet small">{actorUri}</bdi>}
      </p>
      <p class="quiet small">
        <ImportSize {...props} />
        {' · '}
        {t.rich('admin.archiveImports.lastOn', { day: () => <Day at={progressedAt} /> })}
      </p>
      {removedAt === null ? (
        <Command action={`/admin/archive_imports/${id}/delete`} asks>
          {t('common.remove')}
        </Command>
      ) : (
        <p class="quiet small">
          {t.rich('admin.archiveImports.removedOn', { day: () => <Day at={removedAt} /> })}
        </p>
      )}
    </>
  )
}

function ImportSize({ imported, files, bytes, fileBytes }: AnyImport) {
  const t = useTranslation()
  return (
    <>
      {t('common.posts2', { count: imported })}
      {files > 0 && <> · {t('admin.files', { count: files })}</>} · {sizeText(t, bytes + fileBytes)}
    </>
  )
}
