import { gt, sql } from 'drizzle-orm'
import { both, execute, rows } from '../../../db/query'
import { blocklists, domainLimits } from '../../../db/schema'
import type { Ctx } from '../../../platform/ports'
import { recordAudit } from '../../core/audit'
import { Changes, commit } from '../../core/changes'
import type { Moderator } from '../../core/moderator'
import { type LimitEffects, previewEffects } from '../preview-effects'
import { type Classified, classify } from './classify'
import { exceptedDomains, limitsAround, readInParts } from './find'
import { formatBlocklist, type ListedLimit, parseBlocklist } from './parse'
import { storeEntries } from './store'

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
 * Imports a file: its limits are made in parts by a job. Existing limits with other values are changed only with
 * `overwrite`; their comments stay. `Invalid` with the numbers of malformed lines: then nothing is imported.
 */
export async function importFile(
  ctx: Ctx,
  moderator: Moderator,
  text: string,
  { overwrite }: { readonly overwrite: boolean },
): Promise<ImportCounts> {
  const listed = parseBlocklist(ctx.config, text)
  const { added, conflicts } = await compare(ctx, listed)
  const changed = overwrite ? conflicts : []
  const now = ctx.clock.now()
  const id = ctx.ids.next()
  const counts = {
    id,
    added: added.length,
    changed: changed.length,
    skipped: listed.length - added.length - changed.length,
  }
  if (counts.added + counts.changed === 0) return counts
  const title = `Import of ${now.toISOString().slice(0, 10)}`
  const changes = new Changes().add(ctx.db.insert(blocklists).values({ id, title, createdAt: now }))
  storeEntries(ctx, changes, id, [
    ...added.map((line) => ({ line, change: 'add' as const, state: 'approved' as const })),
    ...changed.map((conflict) => ({
      line: conflict.listed,
      change: 'change' as const,
      state: 'approved' as const,
    })),
  ])
  recordAudit(ctx, changes, moderator, {
    action: 'import',
    target: { type: 'blocklist', id, label: title },
    after: {
      added: counts.added,
      changed: counts.changed,
      domains: added.slice(0, 100).map(({ domain }) => domain),
    },
  })
  await commit(ctx, changes.enqueue({ kind: 'apply-blocklist', blocklistId: id }))
  return counts
}

/** Every limit as a file in Mastodon's format, read in parts; private comments stay here. */
export async function exportLimits(ctx: Ctx): Promise<string> {
  const found = await readInParts(ctx, '', {
    part: (after, limit) =>
      rows(
        ctx.db
          .select()
          .from(domainLimits)
          .where(gt(domainLimits.domain, after))
          .orderBy(sql`${domainLimits.domain} ${limit}`),
      ),
    keyOf: ({ domain }) => domain,
  })
  return formatBlocklist(found)
}

async function compare(ctx: Ctx, listed: readonly ListedLimit[]): Promise<Classified> {
  const domains = listed.map(({ domain }) => domain)
  const [limits, excepted] = await execute(ctx.db, both(limitsAround(ctx, domains), exceptedDomains(ctx)))
  return classify(listed, limits, excepted)
}
