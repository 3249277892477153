import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  both,
  combineQueries,
  execute,
  inList,
  jsonRows,
  limitTo,
  map,
  type Query,
  rows,
} from '../../../db/query'
import {
  accounts,
  blocklistEntries,
  blocklists,
  domainLimits,
  domainSuspensions,
  knownDomains,
} from '../../../db/schema'
import { Conflict } from '../../../errors'
import type { Ctx } from '../../../ports/ctx'
import { rebuildCachedList } from '../../core/cached-lists'
import { Changes, commit } from '../../core/changes'
import { invalidateLimits } from '../../servers/limits'
import type { DomainLimitRow } from '../find-limits'
import { type BlocklistEntry, blocklistById, exceptedDomains, limitsAround } from './find'
import { type Plan, planPart, serversUnder } from './plan'

/** Entries of one part: one list of the known servers serves them all. */
const entriesPerPart = 500
/** Limits, and entries, that one part of the end of a list takes from it: some four rows each. */
const releasedAtOnce = 1_000

/**
 * Applies the approved entries of a list in parts, each of one batch, and queues the next. Rows read per part: twelve an
 * entry, and one for each known server. Of an ended subscription every entry is one to lift. At the end the list of an
 * uploaded file, or of an ended subscription, is deleted in parts, and limits that it still holds become the moderators'
 * own.
 *
 * A part that runs twice at once fails with `Conflict` once, and finds nothing when it is retried.
 */
export async function applyBlocklist(ctx: Ctx, blocklistId: number): Promise<void> {
  const { list, entries, excepted } = await execute(
    ctx.db,
    combineQueries({
      list: blocklistById(ctx, blocklistId),
      entries: nextEntries(ctx, blocklistId),
      excepted: exceptedDomains(ctx),
    }),
  )
  if (list === null) return
  if (entries.length === 0) {
    const isOver = list.url === null || list.endedAt !== null
    await (isOver ? deletePart(ctx, blocklistId) : rebuildCachedList(ctx, 'limits'))
    return
  }
  const domains = entries.map(({ domain }) => domain)
  const around = await execute(
    ctx.db,
    combineQueries({
      limits: limitsAround(ctx, domains),
      others: listedElsewhere(ctx, blocklistId, domains),
      known: rows(ctx.db.select({ name: knownDomains.name }).from(knownDomains)),
    }),
  )
  const at = { now: ctx.clock.now(), nextId: () => ctx.ids.next() }
  const plan = planPart({ list, entries, excepted, ...around }, at)
  const known = around.known.map(({ name }) => name)
  const changes = new Changes().require(areUnchanged(entries), new Conflict('list_being_applied'))
  writeLimits(ctx, changes, plan)
  writeEffects(ctx, changes, plan, known)
  const applied = new Set(plan.applied.map(({ id }) => id))
  const over = entries.filter(({ id }) => !applied.has(id)).map(({ id }) => id)
  changes.add(
    ctx.db
      .update(blocklistEntries)
      .set({ state: 'applied' })
      .where(inList(blocklistEntries.id, [...applied])),
    ctx.db.delete(blocklistEntries).where(inList(blocklistEntries.id, over)),
  )
  await commit(ctx, changes.enqueue({ kind: 'apply-blocklist', blocklistId }))
  invalidateLimits(ctx)
}

/** Takes some limits and entries from a list, and deletes it where none are left; jobs continue. May run twice. */
async function deletePart(ctx: Ctx, blocklistId: number): Promise<void> {
  const some = (key: SQL, table: SQLiteTable) =>
    sql`${key} in (select ${key} from ${table} where blocklist_id = ${blocklistId} ${limitTo(releasedAtOnce)})`
  const isEmpty = (table: SQLiteTable) =>
    sql`not exists (select 1 from ${table} where blocklist_id = ${blocklistId})`
  const isLeft = sql`exists (select 1 from blocklists where id = ${blocklistId})`
  const changes = new Changes()
    .add(
      ctx.db.update(domainLimits).set({ blocklistId: null }).where(some(sql`domain`, domainLimits)),
      ctx.db.delete(blocklistEntries).where(some(sql`id`, blocklistEntries)),
      ctx.db
        .delete(blocklists)
        .where(sql`id = ${blocklistId} and ${isEmpty(domainLimits)} and ${isEmpty(blocklistEntries)}`),
    )
    .enqueueWhere(isLeft, { kind: 'apply-blocklist', blocklistId })
    .enqueueWhere(sql`not ${isLeft}`, { kind: 'rebuild-cached-list', list: 'limits' })
  await commit(ctx, changes)
}

/** Entries of the next part. */
function nextEntries(ctx: Ctx, blocklistId: number): Query<readonly BlocklistEntry[]> {
  const isEnded = sql`exists (select 1 from blocklists where id = ${blocklistId} and ended_at is not null)`
  const part = (which: SQL) =>
    rows(
      ctx.db
        .select()
        .from(blocklistEntries)
        .where(sql`blocklist_id = ${blocklistId} and ${which}`)
        // As the index on states is, or each part reads all entries of an ended list.
        .orderBy(sql`state, ${blocklistEntries.id} ${limitTo(entriesPerPart)}`),
    )
  const found = both(part(sql`state = 'approved' and not ${isEnded}`), part(isEnded))
  return map(found, ([approved, ended]) => [
    ...approved,
    ...ended.map((entry) => ({ ...entry, change: 'remove' as const })),
  ])
}

/** Other lists in effect on the domains, one for each domain. */
function listedElsewhere(
  ctx: Ctx,
  blocklistId: number,
  domains: readonly string[],
): Query<ReadonlyMap<string, number>> {
  const { domain, blocklistId: other } = blocklistEntries
  const found = ctx.db
    .select({ domain, other })
    .from(blocklistEntries)
    .where(sql`${inList(domain, domains)} and state = 'applied' and blocklist_id <> ${blocklistId}`)
  return map(rows(found), (list) => new Map(list.map((row) => [row.domain, row.other])))
}

function areUnchanged(entries: readonly BlocklistEntry[]) {
  const read = entries.map(({ id, state }) => ({ id, state }))
  return sql`not exists (select 1 from ${jsonRows(read)} where not exists
    (select 1 from blocklist_entries e where e.id = item.value ->> 'id' and e.state = item.value ->> 'state'))`
}

function writeLimits(ctx: Ctx, changes: Changes, { created, changed, lifted, handedOver }: Plan): void {
  const stored = (limit: DomainLimitRow) => ({ ...limit, createdAt: limit.createdAt.getTime() })
  changes.add(
    ctx.db.run(sql`insert into ${domainLimits} (domain, id, severity, reject_media, reject_reports, obfuscate,
        private_comment, public_comment, created_at, blocklist_id)
      select item.value ->> 'domain', item.value ->> 'id', item.value ->> 'severity', item.value ->> 'rejectMedia',
        item.value ->> 'rejectReports', item.value ->> 'obfuscate', item.value ->> 'privateComment',
        item.value ->> 'publicComment', item.value ->> 'createdAt', item.value ->> 'blocklistId'
      from ${jsonRows(created.map(stored))} where true on conflict (domain) do nothing`),
    ctx.db.run(sql`update ${domainLimits} set
        severity = item.value ->> 'severity', reject_media = item.value ->> 'rejectMedia',
        reject_reports = item.value ->> 'rejectReports', obfuscate = item.value ->> 'obfuscate',
        public_comment = item.value ->> 'publicComment', created_at = item.value ->> 'createdAt'
      from ${jsonRows(changed.map(({ after }) => stored(after)))} where domain_limits.id = item.value ->> 'id'`),
    ctx.db.run(sql`update ${domainLimits} set blocklist_id = item.value ->> 'blocklistId'
      from ${jsonRows(handedOver)} where domain_limits.id = item.value ->> 'id'`),
    ctx.db.delete(domainLimits).where(
      inList(
        domainLimits.id,
        lifted.map(({ id }) => id),
      ),
    ),
  )
}

/** Adds what the limits do to accounts of known servers. */
function writeEffects(ctx: Ctx, changes: Changes, plan: Plan, known: readonly string[]): void {
  const moved = plan.changed.filter(({ before, after }) => before.severity !== after.severity)
  const ended = [...plan.lifted, ...moved.map(({ before }) => before)]
  const begun = [...plan.created, ...moved.map(({ after }) => after)]
  const servers = serversUnder(
    [...ended, ...begun, ...plan.changed.map(({ after }) => after)].map(({ domain }) => domain),
    known,
  )
  const under = ({ domain }: DomainLimitRow) => servers.get(domain) ?? []
  clearAccounts(
    ctx,
    changes,
    ended.flatMap((limit) => under(limit).map((server) => [server, limit.createdAt.getTime()] as const)),
  )
  changes.add(
    ctx.db.delete(domainSuspensions).where(
      inList(
        domainSuspensions.domain,
        ended.map(({ domain }) => domain),
      ),
    ),
  )
  const silenced = begun.filter(({ severity }) => severity === 'silence').flatMap(under)
  if (silenced.length > 0)
    changes.add(
      ctx.db
        .update(accounts)
        .set({ silencedAt: ctx.clock.now() })
        .where(sql`${inList(accounts.domain, silenced)} and silenced_at is null`),
    )
  const suspended = begun.filter((limit) => limit.severity === 'suspend' && under(limit).length > 0)
  if (suspended.length > 0)
    startSuspensions(
      ctx,
      changes,
      suspended.map((limit) => ({ domain: limit.domain, servers: under(limit) })),
    )
  for (const limit of [...plan.created, ...plan.changed.map(({ after }) => after)])
    if ((limit.rejectMedia || limit.severity === 'suspend') && under(limit).length > 0)
      changes.enqueue({ kind: 'delete-domain-media', domain: limit.domain })
}

function clearAccounts(ctx: Ctx, changes: Changes, stamps: readonly (readonly [string, number])[]): void {
  if (stamps.length === 0) return
  for (const column of [sql.raw('silenced_at'), sql.raw('suspended_at')])
    changes.add(
      ctx.db.run(sql`update ${accounts} set ${column} = null from ${jsonRows(stamps)}
        where accounts.domain = item.value ->> 0 and accounts.${column} = item.value ->> 1`),
    )
}

/** As `startSuspension`, for many servers at once. */
function startSuspensions(
  ctx: Ctx,
  changes: Changes,
  suspended: readonly { readonly domain: string; readonly servers: readonly string[] }[],
): void {
  const now = ctx.clock.now().getTime()
  const started = suspended.map((one) => ({ ...one, eventId: ctx.ids.next() }))
  changes.add(
    ctx.db.run(sql`insert into ${domainSuspensions}
        (domain, event_id, suspended_at, domains, accounts_count, progressed_at)
      select item.value ->> 'domain', item.value ->> 'eventId', ${now}, item.value -> 'servers',
        coalesce((select sum((select count(*) from accounts there where there.domain = server.value))
          from json_each(item.value -> 'servers') server), 0), ${now}
      from ${jsonRows(started)} where true on conflict do nothing`),
  )
  for (const { domain } of suspended) changes.enqueue({ kind: 'continue-suspension', domain })
}
