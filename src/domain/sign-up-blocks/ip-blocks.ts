import { eq, lte, sql } from 'drizzle-orm'
import * as z from 'zod'
import { execute, first, map, orNotFound, type Query, rows } from '../../db/query'
import { ipBlocks } from '../../db/schema'
import { type IpBlockSeverity, ipBlockSeverities } from '../../db/schema/blocks'
import { Conflict, Invalid, NotFound } from '../../errors'
import { problem, tooLong } from '../../errors/sentences'
import { addressKey, joinRanges, parseNetwork, rangesInclude } from '../../lib/network'
import type { Ctx } from '../../ports/ctx'
import { changedValues, recordAudit } from '../core/audit'
import { outdateCachedList, readCachedList } from '../core/cached-lists'
import { Changes, commit } from '../core/changes'
import { idPage, newestFirst, type Page } from '../core/page'
import type { Moderator } from '../core/viewer'

export type IpBlockRow = typeof ipBlocks.$inferSelect

/** Fields of a block as moderators send them. */
export interface IpBlockOrder {
  /** Address, or network in CIDR notation. */
  readonly ip: string
  readonly severity: string
  readonly comment: string
  /** Seconds from now; null: for good. */
  readonly expiresIn: number | null
}

const mostCommentCharacters = 2_000

/** A hundred years. */
const mostSeconds = 3_155_760_000

/** A page of blocks, newest first. One statement. */
export function findIpBlocks(ctx: Ctx, page: Page): Query<readonly IpBlockRow[]> {
  const { bounds, order } = idPage(page, sql`${ipBlocks.id}`)
  return map(rows(ctx.db.select().from(ipBlocks).where(bounds).orderBy(order)), newestFirst)
}

export function findIpBlock(ctx: Ctx, id: number): Query<IpBlockRow | null> {
  return first(ctx.db.select().from(ipBlocks).where(eq(ipBlocks.id, id)))
}

/** Blocks a network. `Invalid` for bad fields, a network that is blocked already, and one that shuts the moderator out. */
export async function createIpBlock(
  ctx: Ctx,
  moderator: Moderator,
  order: Partial<IpBlockOrder>,
): Promise<IpBlockRow> {
  const fields = checked(ctx, { ip: '', severity: '', comment: '', expiresIn: null, ...order })
  const row = { id: ctx.ids.next(), ...fields, createdAt: ctx.clock.now() }
  requireOwnAccess(moderator, row)
  const changes = new Changes()
    .require(isFree(ctx, row), taken())
    .add(deleteEnded(ctx, row), ctx.db.insert(ipBlocks).values(row))
  recordAudit(ctx, changes, moderator, { action: 'create', target: targetOf(row), after: auditValues(row) })
  await apply(ctx, changes)
  return row
}

/**
 * Changes the fields given; a lifetime counts from now. Errors as for creating; `NotFound` for an unknown block,
 * `Conflict` where another moderator changed it meanwhile.
 */
export async function updateIpBlock(
  ctx: Ctx,
  moderator: Moderator,
  id: number,
  patch: Partial<IpBlockOrder>,
): Promise<IpBlockRow> {
  const current = await execute(ctx.db, orNotFound(findIpBlock(ctx, id)))
  const { ip, severity, comment } = current
  const fields = checked(ctx, { ip, severity, comment, expiresIn: null, ...patch })
  const expiresAt = patch.expiresIn === undefined ? current.expiresAt : fields.expiresAt
  const row = { ...current, ...fields, expiresAt }
  requireOwnAccess(moderator, row)
  const changed = changedValues(auditValues(current), auditValues(row))
  if (Object.keys(changed.after ?? {}).length === 0) return current
  const changes = new Changes()
    .require(isUnchanged(current), new Conflict('block_changed'))
    .require(isFree(ctx, row), taken())
    .add(deleteEnded(ctx, row), ctx.db.update(ipBlocks).set(row).where(eq(ipBlocks.id, id)))
  recordAudit(ctx, changes, moderator, { action: 'update', target: targetOf(row), ...changed })
  await apply(ctx, changes)
  return row
}

/** Lifts a block. `NotFound` where there is none. */
export async function deleteIpBlock(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const current = await execute(ctx.db, orNotFound(findIpBlock(ctx, id)))
  const changes = new Changes()
    .require(sql`exists (select 1 from ip_blocks where id = ${id})`, new NotFound())
    .add(ctx.db.delete(ipBlocks).where(eq(ipBlocks.id, id)))
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: targetOf(current),
    before: auditValues(current),
  })
  await apply(ctx, changes)
}

/** Deletes blocks that ended: a periodic task. They have no effect from their end on. */
export async function pruneIpBlocks(ctx: Ctx): Promise<void> {
  const ended = ctx.db.delete(ipBlocks).where(lte(ipBlocks.expiresAt, ctx.clock.now()))
  await commit(ctx, new Changes().add(ended))
}

async function apply(ctx: Ctx, changes: Changes): Promise<void> {
  await commit(ctx, changes)
  await outdateCachedList(ctx, 'networks')
  await refreshBlockedNetworks(ctx)
}

function checked(ctx: Ctx, order: IpBlockOrder) {
  const network = parseNetwork(order.ip)
  const severity = ipBlockSeverities.find((name) => name === order.severity)
  const { comment, expiresIn } = order
  const problems = [
    ...(network === null
      ? [problem(order.ip.trim() === '' ? 'blank' : 'invalid_network', { field: 'ip' })]
      : []),
    ...(severity === undefined
      ? [problem(order.severity === '' ? 'blank' : 'not_in_list', { field: 'severity' })]
      : []),
    ...tooLong('comment', comment, mostCommentCharacters),
    ...(expiresIn !== null && (expiresIn <= 0 || expiresIn > mostSeconds)
      ? [problem('out_of_bounds_seconds', { field: 'expires_in', max: mostSeconds })]
      : []),
  ]
  if (network === null || severity === undefined || problems.length > 0) throw new Invalid(problems)
  const expiresAt = expiresIn === null ? null : new Date(ctx.clock.now().getTime() + expiresIn * 1000)
  return { ip: network.cidr, severity, comment, expiresAt }
}

/** Refuses a block that would shut out the moderator who makes it. */
function requireOwnAccess(
  { ip }: Moderator,
  row: { readonly ip: string; readonly severity: IpBlockSeverity },
): void {
  const own = ip === null ? null : addressKey(ip)
  const network = parseNetwork(row.ip)
  if (row.severity !== 'no_access' || own === null || network === null) return
  if (rangesInclude(joinRanges([network]), own)) throw new Invalid('own_network', { field: 'ip' })
}

/** Makes room for a block of a network whose former block ended. */
function deleteEnded(ctx: Ctx, { id, ip }: Pick<IpBlockRow, 'id' | 'ip'>) {
  const now = ctx.clock.now().getTime()
  const ended = sql`${ipBlocks.ip} = ${ip} and ${ipBlocks.id} <> ${id} and ${ipBlocks.expiresAt} <= ${now}`
  return ctx.db.delete(ipBlocks).where(ended)
}

function isFree(ctx: Ctx, { id, ip }: Pick<IpBlockRow, 'id' | 'ip'>) {
  return sql`not exists (select 1 from ip_blocks where ip = ${ip} and id <> ${id}
    and (expires_at is null or expires_at > ${ctx.clock.now().getTime()}))`
}

function isUnchanged({ id, ip, severity, comment, expiresAt }: IpBlockRow) {
  return sql`exists (select 1 from ip_blocks where id = ${id} and ip = ${ip} and severity = ${severity}
    and comment = ${comment} and expires_at is ${expiresAt?.getTime() ?? null})`
}

function taken() {
  return new Invalid('taken', { field: 'ip' })
}

function auditValues({ ip, severity, comment, expiresAt }: Omit<IpBlockRow, 'id' | 'createdAt'>) {
  return { ip, severity, comment, expiresAt: expiresAt?.toISOString() ?? null }
}

function targetOf({ id, ip }: Pick<IpBlockRow, 'id' | 'ip'>) {
  return { type: 'ip_block' as const, id, label: ip }
}

/** Network without access, and the end of its block in milliseconds; null: for good. */
const Entry = z.tuple([z.string(), z.number().nullable()])

export const blockedNetworksKey = 'blocked networks'

/** Seconds that an isolate caches the networks without access. */
const cacheSeconds = 60

/**
 * Whether the network of an address has no access. At most one round trip per isolate and minute; a block that ends
 * shortens that minute.
 *
 * False while the list cannot be read: a failing database must not refuse requests that do without it.
 */
export async function isNetworkBlocked(ctx: Ctx, ip: string): Promise<boolean> {
  const ranges = ctx.memory.get(blockedNetworksKey) ?? (await readRanges(ctx))
  if (ranges === '') return false
  const address = addressKey(ip)
  return address !== null && rangesInclude(ranges, address)
}

async function readRanges(ctx: Ctx): Promise<string> {
  try {
    return await refreshBlockedNetworks(ctx)
  } catch (cause) {
    ctx.log.error('The networks without access could not be read', { cause })
    return ''
  }
}

/** Reads the networks without access into this isolate's cache; other isolates follow within a minute. */
async function refreshBlockedNetworks(ctx: Ctx): Promise<string> {
  const now = ctx.clock.now().getTime()
  const listed = await execute(ctx.db, readCachedList(ctx, 'networks', Entry))
  const active = listed.filter(([, until]) => until === null || until > now)
  const ranges = joinRanges(active.flatMap(([cidr]) => parseNetwork(cidr) ?? []))
  const ends = active.flatMap(([, until]) => (until === null ? [] : [(until - now) / 1000]))
  ctx.memory.set(blockedNetworksKey, ranges, Math.min(cacheSeconds, ...ends))
  return ranges
}
