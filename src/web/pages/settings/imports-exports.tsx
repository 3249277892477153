import * as z from 'zod'
import { combineQueries, execute } from '../../../db/query'
import { type TransferKind, transferKinds } from '../../../db/schema/transfers'
import { cellsOf, headingsOf } from '../../../domain/imports-exports/entries'
import { failuresOf, importsOf, type ListedImport } from '../../../domain/imports-exports/find'
import { countExportEntries, findExportEntries } from '../../../domain/imports-exports/find-exports'
import { discardImport, startImport, storeImport, undoImport } from '../../../domain/imports-exports/imports'
import type { WebSession } from '../../../domain/sessions/web-session'
import { Invalid, NotFound } from '../../../errors'
import { formatCsv } from '../../../lib/csv'
import type { AccountId } from '../../../lib/ids'
import type { TextKey, TranslateText } from '../../../lib/translate'
import type { AppContext } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { Button } from '../../components/button'
import { Command, Confirm } from '../../components/confirm'
import { Day } from '../../components/day'
import { FileField, SelectField } from '../../components/field'
import { PostForm } from '../../components/form'
import { SettingsLayout } from '../../components/settings-layout'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { idInPath, requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'

const title = 'settings.importsExports.importAndExport'

/** Names of the files, as Mastodon has them. */
const fileNames: Readonly<Record<TransferKind, string>> = {
  following: 'follows',
  lists: 'lists',
  blocks: 'blocks',
  mutes: 'mutes',
  domain_blocks: 'domain_blocks',
  bookmarks: 'bookmarks',
}

const form = z.object({ kind: textField(), mode: textField(), file: textField() })

export const importsExportsPage = memberPage({
  kind: 'settings',
  path: paths.transfers,
  title,
  access: 'signed-in',
  isBeforeTerms: true,
  menu: { group: 'posts', topic: 'copies', label: title, order: 80 },
  words: [
    'settings.importsExports.export',
    'settings.importsExports.peopleYouFollow',
    'settings.importsExports.peopleYouMute',
    'settings.importsExports.peopleYouBlock',
    'settings.importsExports.serversYouBlock',
    'settings.importsExports.bookmarks',
    'settings.importsExports.yourImports',
    'settings.lists',
  ],
  form,
  fileFields: ['file'],
  submissions: [
    { access: 'active', run: acceptUpload },
    step('start', startImport, 'started'),
    step('discard', discardImport, 'discarded'),
    step('undo', undoImport, 'undoing'),
  ],
  notices: {
    started: 'settings.importsExports.fileWorkedThroughBackground',
    discarded: 'settings.importsExports.fileDiscardedNothingHas',
    undoing: 'settings.importsExports.importTakenBackBackground',
  },
  redirectsFrom: ['/settings/export'],
  downloads: [
    { path: `${paths.transfers}/:id/failures.csv`, send: sendFailures },
    ...transferKinds.map((kind) => ({
      path: exportPath(kind),
      send: (c: AppContext, { accountId }: WebSession) =>
        sendFile(csvOf(c.get('ctx'), accountId, kind), `${fileNames[kind]}.csv`),
    })),
  ],
  load: (ctx, { session }) =>
    execute(
      ctx.db,
      combineQueries({
        counts: countExportEntries(ctx, session.accountId),
        imports: importsOf(ctx, session.accountId),
      }),
    ),
  view: ({ typed, found: { counts, imports } }) => (
    <ImportsExportsPage
      imports={imports}
      chosen={{ kind: typed('kind'), mode: typed('mode') }}
      files={transferKinds.map((kind) => ({ kind, count: counts[kind], path: exportPath(kind) }))}
    />
  ),
})

async function acceptUpload({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const kind = transferKinds.find((one) => one === input.kind)
  if (kind === undefined) throw new Invalid('not_in_list', { field: 'type' })
  const order = { kind, text: input.file, overwrite: input.mode === 'overwrite' }
  await storeImport(ctx, session.accountId, order)
  return { redirectTo: `${paths.transfers}#waiting` }
}

type Notice = 'started' | 'discarded' | 'undoing'

/** A step of an import that its owner takes, at an address of its own. */
function step(name: string, act: (ctx: Ctx, owner: AccountId, id: number) => Promise<void>, notice: Notice) {
  return {
    path: `${paths.transfers}/:id/${name}`,
    isCommand: true as const,
    access: 'active' as const,
    run: async ({ c, ctx, session }: SubmissionCall<z.output<typeof form>>) => {
      await act(ctx, session.accountId, requireIdInPath(c))
      return { notice }
    },
  }
}

function exportPath(kind: TransferKind): string {
  return `${paths.exports}/${fileNames[kind]}.csv`
}

async function sendFailures(c: AppContext, session: WebSession): Promise<Response> {
  const ctx = c.get('ctx')
  const id = idInPath(c)
  if (id === null) throw new NotFound()
  const failures = await execute(ctx.db, failuresOf(ctx, session.accountId, id))
  if (failures === null) throw new NotFound()
  return sendFile(formatCsv(failures), 'failures.csv')
}

const entriesAtOnce = 1_000

/** Streams an export page by page, so that no list is too long for memory. */
function csvOf(ctx: Ctx, owner: AccountId, kind: TransferKind): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let after = 0
  return new ReadableStream({
    start(controller) {
      const headings = headingsOf[kind]
      if (headings !== null) controller.enqueue(encoder.encode(formatCsv([headings])))
    },
    async pull(controller) {
      const held = await execute(ctx.db, findExportEntries(ctx, { owner, kind, after, limit: entriesAtOnce }))
      const text = formatCsv(held.map(({ entry }) => cellsOf(entry, ctx.config.domain)))
      if (text !== '') controller.enqueue(encoder.encode(text))
      after = held.at(-1)?.cursor ?? after
      if (held.length < entriesAtOnce) controller.close()
    },
  })
}

function sendFile(body: BodyInit, name: string): Response {
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

export interface ImportsExportsPageProps {
  /** Choices in a refused form. */
  readonly chosen: { readonly kind: string; readonly mode: string }
  readonly files: readonly { readonly kind: TransferKind; readonly count: number; readonly path: string }[]
  readonly imports: readonly ListedImport[]
}

const names: Readonly<Record<TransferKind, TextKey>> = {
  following: 'settings.importsExports.peopleYouFollow',
  lists: 'settings.lists',
  blocks: 'settings.importsExports.peopleYouBlock',
  mutes: 'settings.importsExports.peopleYouMute',
  domain_blocks: 'settings.importsExports.serversYouBlock',
  bookmarks: 'settings.importsExports.bookmarks',
}

/** Exports the lists of an account, and imports them from other servers. */
export function ImportsExportsPage(props: ImportsExportsPageProps) {
  const { imports } = props
  const waiting = imports.find(({ state }) => state === 'waiting')
  const others = imports.filter(({ state }) => state !== 'waiting')
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      {waiting !== undefined && <PreviewSection waiting={waiting} />}
      <ExportSection {...props} />
      <ImportSection {...props} />
      {others.length > 0 && <ProgressSection imports={others} />}
    </SettingsLayout>
  )
}

function ExportSection({ files }: ImportsExportsPageProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="export">
      <h2 id="export">{t('settings.importsExports.export')}</h2>
      <p>{t('settings.importsExports.filesServerMastodonRead')}</p>
      <ul class="entries">
        {files.map(({ kind, count, path }) => (
          <li>
            <a href={path} download>
              {t(names[kind])}
            </a>{' '}
            <span class="quiet small">{t('common.count', { count })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ImportSection({ chosen }: ImportsExportsPageProps) {
  const t = useTranslation()
  const kinds = Object.entries(names).map(([value, text]) => ({ value, text: t(text) }))
  return (
    <section class="block" aria-labelledby="import">
      <h2 id="import">{t('common.import')}</h2>
      <PostForm action={paths.transfers} hasFiles>
        <SelectField
          name="kind"
          label={t('settings.importsExports.whatFile')}
          value={chosen.kind}
          options={kinds}
        />
        <SelectField
          name="mode"
          label={t('settings.importsExports.whatAboutWhatHave')}
          value={chosen.mode}
          options={[
            { value: 'merge', text: t('settings.importsExports.keepAddFile') },
            { value: 'overwrite', text: t('settings.importsExports.removeWhatNotFile') },
          ]}
        />
        <FileField
          name="file"
          label={t('field.file')}
          hint={t('settings.importsExports.file.hint')}
          accept=".csv,text/csv"
        />
        <Button>{t('common.import')}</Button>
      </PostForm>
    </section>
  )
}

interface PreviewProps {
  readonly waiting: ListedImport
}

/** Question whether to import a file, with what it would change. */
function PreviewSection({ waiting }: PreviewProps) {
  const t = useTranslation()
  const { id, kind, total, failed, present, surplus } = waiting
  const counts: readonly { readonly label: TextKey; readonly value: number }[] = [
    { label: 'settings.importsExports.new', value: total - failed - present },
    { label: 'settings.importsExports.hereAlready', value: present },
    { label: 'settings.importsExports.removedBecauseFileLacks', value: surplus },
    { label: 'settings.importsExports.linesCannotRead', value: failed },
  ]
  return (
    <section class="block" id="waiting" aria-labelledby="preview">
      <h2 id="preview">{t('settings.importsExports.importFileKind', { kind: t(names[kind]) })}</h2>
      <p>{t('settings.importsExports.nothingHasChangedYet')}</p>
      <dl class="numbers">
        {counts.map(
          ({ label, value }, index) =>
            (index === 0 || value > 0) && (
              <div>
                <dt>{t(label)}</dt>
                <dd>{t('common.count', { count: value })}</dd>
              </div>
            ),
        )}
      </dl>
      <div class="actions">
        <PostForm action={`${paths.transfers}/${id}/start`} class="inline">
          <Button>{t('settings.importsExports.startTheImport')}</Button>
        </PostForm>
        <Command action={`${paths.transfers}/${id}/discard`}>
          {t('settings.importsExports.discardTheFile')}
        </Command>
      </div>
    </section>
  )
}

interface ProgressProps {
  readonly imports: readonly ListedImport[]
}

function ProgressSection({ imports }: ProgressProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="progress">
      <h2 id="progress">{t('settings.importsExports.yourImports')}</h2>
      <ul class="entries">
        {imports.map((one) => (
          <li>
            <strong>{t(names[one.kind])}</strong>{' '}
            <span class="quiet small">
              <Day at={one.createdAt} withTime />
            </span>
            <p>
              {stateText(t, one)}{' '}
              {one.finishedAt === null && (
                <progress max={one.total} value={one.done + one.failed}>
                  {t('settings.importsExports.doneOfTotal', {
                    done: one.done + one.failed,
                    total: one.total,
                  })}
                </progress>
              )}
              {one.failed > 0 && (
                <a href={`${paths.transfers}/${one.id}/failures.csv`} download>
                  {t('settings.importsExports.whatFailedWhy')}
                </a>
              )}
            </p>
            {one.state === 'finished' && one.undoable && (
              <Confirm
                action={`${paths.transfers}/${one.id}/undo`}
                label={t('settings.importsExports.undo')}
                about={t(names[one.kind])}
                effect={t('settings.importsExports.whatImportAddedRemoved')}
                button={t('settings.importsExports.undoTheImport')}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function stateText(t: TranslateText, { state, total, done, failed }: ListedImport): string {
  if (state === 'clearing') return t('settings.importsExports.removingWhatNotFile')
  if (state === 'undoing') return t('settings.importsExports.beingUndone')
  if (state === 'undone') return t('settings.importsExports.undone')
  const counts = { total, done, failed }
  if (state === 'adding')
    return failed === 0
      ? t('settings.importsExports.doneTotalDone', counts)
      : t('settings.importsExports.doneTotalDoneFailed', counts)
  return failed === 0
    ? t('settings.importsExports.finishedDoneDone', counts)
    : t('settings.importsExports.finishedDoneDoneFailed', counts)
}
