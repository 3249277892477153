import { execute } from '../../../db/query'
import { blocklists } from '../../../db/schema'
import type { Job } from '../../../messages/jobs'
import type { Ctx } from '../../../ports/ctx'
import { archivesFolder } from '../../../ports/files'
import { recordAudit } from '../../core/audit'
import { Changes, commit, done, ignored, type Outcome } from '../../core/changes'
import type { Moderator } from '../../core/viewer'
import { allLimits } from '../../servers/limits'
import { type LimitEffects, previewEffects } from '../preview-effects'
import { type Classified, classify, storeEntries } from './compare'
import { exceptedDomains } from './find'
import { formatBlocklist, type ListedLimit, parseBlocklist } from './parse'

/** Preview of an import: changes by the file, and accounts affected by its suspensions. */
export interface ImportPreview extends Classified {
  readonly effects: LimitEffects
}

/** Compares a file with the limits that exist; changes nothing. `Invalid` with the numbers of malformed lines. */
export async function previewImport(ctx: Ctx, text: string): Promise<ImportPreview> {
  const listed = parseBlocklist(ctx.config, text)
  const classified = await compare(ctx, listed)
  const limited = [...classified.added, ...classified.conflicts.map((conflict) => conflict.listed)]
  const suspended = limited.filter(({ severity }) => severity === 'suspend')
  const effects = await previewEffects(
    ctx,
    suspended.map(({ domain }) => domain),
  )
  return { ...classified, effects }
}

/** Numbers of an import: limits added and changed, and lines that change nothing. */
export interface ImportCounts {
  readonly id: number
  readonly added: number
  readonly changed: number
  readonly skipped: number
}

/**
 * Imports a file: a job stores its lines, and makes their limits in parts. Existing limits with other values are changed
 * only with `overwrite`; their comments stay. `Invalid` with the numbers of malformed lines: then nothing is imported.
 */
export async function importFile(
  ctx: Ctx,
  moderator: Moderator,
  text: string,
  { overwrite }: { readonly overwrite: boolean },
): Promise<ImportCounts> {
  const listed = parseBlocklist(ctx.config, text)
  const { added, conflicts } = await compare(ctx, listed)
  const id = ctx.ids.next()
  const changed = overwrite ? conflicts.length : 0
  const counts = { id, added: added.length, changed, skipped: listed.length - added.length - changed }
  if (counts.added + counts.changed === 0) return counts
  const key = `${archivesFolder}blocklists/${id}-${ctx.random.token()}.csv`
  const changes = new Changes().enqueue({ kind: 'import-blocklist', blocklistId: id, key, overwrite })
  recordAudit(ctx, changes, moderator, {
    action: 'import',
    target: { type: 'blocklist', id, label: titleOf(ctx) },
    after: {
      added: counts.added,
      changed: counts.changed,
      domains: added.slice(0, 100).map(({ domain }) => domain),
    },
  })
  await ctx.files.put(key, new TextEncoder().encode(text), 'text/csv')
  await commit(ctx, changes)
  return counts
}

type Import = Job & { readonly kind: 'import-blocklist' }

/** Stores the lines of an uploaded file as approved entries of a list, which a job applies. May run twice. */
export async function storeImport(ctx: Ctx, { blocklistId, key, overwrite }: Import): Promise<Outcome> {
  const text = await readFile(ctx, key)
  if (text === null) return ignored('the file was imported')
  const { added, conflicts } = await compare(ctx, parseBlocklist(ctx.config, text))
  const list = { id: blocklistId, title: titleOf(ctx), createdAt: ctx.clock.now() }
  const changes = new Changes().add(ctx.db.insert(blocklists).values(list).onConflictDoNothing())
  const approved = { state: 'approved' as const }
  storeEntries(ctx, changes, blocklistId, [
    ...added.map((line) => ({ line, change: 'add' as const, ...approved })),
    ...(overwrite ? conflicts : []).map(({ listed }) => ({
      line: listed,
      change: 'change' as const,
      ...approved,
    })),
  ])
  await commit(ctx, changes.enqueue({ kind: 'apply-blocklist', blocklistId }))
  await ctx.files.delete([key])
  return done
}

async function readFile(ctx: Ctx, key: string): Promise<string | null> {
  const stored = await ctx.files.get(key)
  return stored === null ? null : new Response(stored.body).text()
}

const titleOf = (ctx: Ctx) => `Import of ${ctx.clock.now().toISOString().slice(0, 10)}`

/** Every limit as a file in Mastodon's format; private comments stay here. */
export async function exportLimits(ctx: Ctx): Promise<string> {
  return formatBlocklist(await allLimits(ctx))
}

/** Compares with all limits that exist, which a file of thousands of lines does with the fewest rows. */
async function compare(ctx: Ctx, listed: readonly ListedLimit[]): Promise<Classified> {
  const limits = await allLimits(ctx)
  const excepted = await execute(ctx.db, exceptedDomains(ctx))
  return classify(listed, new Map(limits.map((limit) => [limit.domain, limit])), excepted)
}
