import { Hono } from 'hono'
import { combineQueries, execute } from '../../db/query'
import { type TransferKind, transferKinds } from '../../db/schema/transfers'
import { cellsOf, headingsOf } from '../../domain/imports-exports/entries'
import { failuresOf, importsOf } from '../../domain/imports-exports/find'
import { countExportEntries, findExportEntries } from '../../domain/imports-exports/find-exports'
import { startImport } from '../../domain/imports-exports/imports'
import { NotFound } from '../../errors'
import { formatCsv } from '../../lib/csv'
import type { AccountId } from '../../lib/ids'
import type { AppContext, AppEnv } from '../../platform/app-env'
import type { Ctx } from '../../platform/ports'
import type { FormErrors } from '../components/form'
import { csrfTokenFor, type Form, readCsrfFields } from '../csrf'
import { formErrors } from '../form-errors'
import { showInactiveAccount } from '../inactive-account'
import { showPage } from '../page'
import { openPage, type PageRequest } from '../page-request'
import { paths } from '../paths'
import { type ImportField, ImportsExportsPage } from '../settings/imports-exports'
import { toSignIn } from './sign-in'

/** Names of the files, as Mastodon has them. */
const fileNames: Readonly<Record<TransferKind, string>> = {
  following: 'follows',
  lists: 'lists',
  blocks: 'blocks',
  mutes: 'mutes',
  domain_blocks: 'domain_blocks',
  bookmarks: 'bookmarks',
}

export function importExportRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.transfers, async (c) => showForm(c, await openPage(c), {}, () => ''))
  app.get('/settings/export', (c) => c.redirect(paths.transfers))
  app.post(paths.transfers, acceptUpload)
  app.get(`${paths.transfers}/:id/failures.csv`, sendFailures)
  for (const kind of transferKinds)
    app.get(`${paths.exports}/${fileNames[kind]}.csv`, (c) => sendExport(c, kind))
  return app
}

async function acceptUpload(c: AppContext) {
  const visit = await openPage(c)
  const { form, file } = await readCsrfFields(c, visit)
  if (visit.session === null) return toSignIn(c)
  const waiting = await showInactiveAccount(c, visit, visit.session)
  if (waiting !== null) return waiting
  const kind = transferKinds.find((one) => one === form('kind')) ?? 'following'
  try {
    const order = { kind, text: file('file'), overwrite: form('mode') === 'overwrite' }
    await startImport(c.get('ctx'), visit.session.accountId, order)
  } catch (failure) {
    return showForm(c, visit, formErrors(failure, ['file']), form)
  }
  return c.redirect(`${paths.transfers}?done=started`, 303)
}

async function showForm(c: AppContext, visit: PageRequest, errors: FormErrors<ImportField>, form: Form) {
  const ctx = c.get('ctx')
  const { site, viewer, session } = visit
  if (viewer === null || session === null) return toSignIn(c)
  const { held, imports } = await execute(
    ctx.db,
    combineQueries({
      held: countExportEntries(ctx, session.accountId),
      imports: importsOf(ctx, session.accountId),
    }),
  )
  const page = {
    ...{ site, viewer, errors, imports, csrfToken: await csrfTokenFor(c, visit) },
    chosen: { kind: form('kind'), mode: form('mode') },
    hasStarted: c.req.query('done') === 'started',
    files: transferKinds.map((kind) => ({
      ...{ kind, count: held[kind], path: `${paths.exports}/${fileNames[kind]}.csv` },
    })),
  }
  return showPage(c, <ImportsExportsPage {...page} />, {
    status: Object.keys(errors).length === 0 ? 200 : 422,
  })
}

async function sendFailures(c: AppContext) {
  const visit = await openPage(c)
  if (visit.session === null) return toSignIn(c)
  const ctx = c.get('ctx')
  const id = Number(c.req.param('id'))
  if (!Number.isSafeInteger(id)) throw new NotFound()
  const failures = await execute(ctx.db, failuresOf(ctx, visit.session.accountId, id))
  if (failures === null) throw new NotFound()
  return sendFile(formatCsv(failures), 'failures.csv')
}

async function sendExport(c: AppContext, kind: TransferKind) {
  const visit = await openPage(c)
  if (visit.session === null) return toSignIn(c)
  return sendFile(csvOf(c.get('ctx'), visit.session.accountId, kind), `${fileNames[kind]}.csv`)
}

const entriesAtOnce = 1_000

/** A page after the other, so that no list is too long for memory. */
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
