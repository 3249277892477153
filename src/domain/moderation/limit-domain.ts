import { eq, sql } from 'drizzle-orm'
import type { Config } from '../../config'
import { parseServer } from '../../contract/handle'
import { execute, first, orNotFound } from '../../db/query'
import { allowedDomains, domainLimits } from '../../db/schema'
import { Conflict, Invalid, NotFound } from '../../errors'
import { isPublicSuffix } from '../../lib/registrable-domain'
import type { Ctx } from '../../ports/ctx'
import { changedValues, recordAudit } from '../core/audit'
import { outdateCachedList } from '../core/cached-lists'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { invalidateLimits } from '../servers/limits'
import {
  type AllowedDomainRow,
  allowedById,
  type DomainLimitRow,
  limitById,
  limitOn,
  limitsAbove,
} from './find-limits'
import { clearLimit, startLimit } from './limit-effects'
import { continueSuspension } from './suspend-domain'

/**
 * Values of a limit. Severity `suspend`: no federation; `silence`: shown to followers only; `noop`: only the other
 * settings apply.
 */
export type LimitValues = Omit<DomainLimitRow, 'id' | 'domain' | 'createdAt' | 'blocklistId'>

const defaults: LimitValues = {
  severity: 'silence',
  rejectMedia: false,
  rejectReports: false,
  obfuscate: false,
  privateComment: '',
  publicComment: '',
}

/** Refusal to limit a domain: `existing` is a limit on it, or one on a parent that is no less strict. */
export class AlreadyLimited extends Invalid {
  override readonly name = 'AlreadyLimited'
  readonly existing: DomainLimitRow

  constructor(existing: DomainLimitRow) {
    super('stricter_limit', { domain: existing.domain })
    this.existing = existing
  }
}

/**
 * Limits a server and all its subdomains. Its accounts get the timestamp of the limit, so that lifting it affects
 * those and no others. A suspension ends all follows, records the severed relationships, and notifies their owners: as
 * much as is quick at once, the rest in parts by jobs, see `continueSuspension`.
 *
 * `AlreadyLimited` where the domain has a limit, or a parent has one that is as strict. `Invalid` for public suffixes
 * and this server's own domains. Emits `domain.limited` where media have to be deleted.
 */
export async function createLimit(
  ctx: Ctx,
  moderator: Moderator,
  name: string,
  values: Partial<LimitValues>,
): Promise<DomainLimitRow> {
  const domain = requireLimitableDomain(ctx.config, name)
  const row = {
    ...defaults,
    ...values,
    domain,
    id: ctx.ids.next(),
    createdAt: ctx.clock.now(),
    blocklistId: null,
  }
  const known = await execute(ctx.db, limitsAbove(ctx, domain))
  const covering = known.find((limit) => limit.domain === domain || !isStricter(row, limit))
  if (covering !== undefined) throw new AlreadyLimited(covering)
  const changes = new Changes()
    .require(
      sql`not exists (select 1 from domain_limits where domain = ${domain})`,
      new Conflict('domain_limited'),
    )
    .add(ctx.db.insert(domainLimits).values(row))
  startLimit(ctx, changes, row)
  recordAudit(ctx, changes, moderator, {
    action: 'create',
    target: targetOf(row),
    after: valuesOf(row),
  })
  await apply(ctx, changes, row)
  return row
}

/**
 * Changes a limit; values that are left out stay. With another severity its accounts change along and its time is
 * renewed. `NotFound` where there is none, `Conflict` where another moderator changed it meanwhile.
 */
export async function updateLimit(
  ctx: Ctx,
  moderator: Moderator,
  id: number,
  values: Partial<LimitValues>,
): Promise<DomainLimitRow> {
  const current = await execute(ctx.db, orNotFound(limitById(ctx, id)))
  return change(ctx, moderator, current, values)
}

/** Limits a domain, or changes the limit on it. */
export async function limitDomain(
  ctx: Ctx,
  moderator: Moderator,
  name: string,
  values: Partial<LimitValues>,
): Promise<DomainLimitRow> {
  const current = await execute(ctx.db, limitOn(ctx, requireLimitableDomain(ctx.config, name)))
  return current === null
    ? createLimit(ctx, moderator, name, values)
    : change(ctx, moderator, current, values)
}

/** Lifts a limit, by its id or domain. `NotFound` where there is none. */
export async function liftLimit(ctx: Ctx, moderator: Moderator, which: number | string): Promise<void> {
  const query = typeof which === 'number' ? limitById(ctx, which) : limitOn(ctx, requireDomainName(which))
  const current = await execute(ctx.db, orNotFound(query))
  const changes = new Changes().require(isUnchanged(current), changedMeanwhile())
  clearLimit(ctx, changes, current)
  changes.add(ctx.db.delete(domainLimits).where(eq(domainLimits.id, current.id)))
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: targetOf(current),
    before: valuesOf(current),
  })
  await commit(ctx, changes)
  invalidateLimits(ctx)
  await outdateCachedList(ctx, 'limits')
}

async function change(
  ctx: Ctx,
  moderator: Moderator,
  current: DomainLimitRow,
  values: Partial<LimitValues>,
): Promise<DomainLimitRow> {
  const isSame = values.severity === undefined || values.severity === current.severity
  const createdAt = isSame ? current.createdAt : ctx.clock.now()
  // A limit that a moderator changed is their own: the list it came from cannot retract it.
  const row = { ...current, ...values, createdAt, blocklistId: null }
  const changed = changedValues(valuesOf(current), valuesOf(row))
  if (Object.keys(changed.after ?? {}).length === 0) return current
  const changes = new Changes().require(isUnchanged(current), changedMeanwhile())
  if (!isSame) clearLimit(ctx, changes, current)
  changes.add(ctx.db.update(domainLimits).set(row).where(eq(domainLimits.id, current.id)))
  if (!isSame) startLimit(ctx, changes, row)
  recordAudit(ctx, changes, moderator, { action: 'update', target: targetOf(row), ...changed })
  await apply(ctx, changes, row)
  return row
}

async function apply(
  ctx: Ctx,
  changes: Changes,
  { domain, severity, rejectMedia }: DomainLimitRow,
): Promise<void> {
  if (rejectMedia || severity === 'suspend') changes.emit({ kind: 'domain.limited', domain })
  await commit(ctx, changes)
  invalidateLimits(ctx)
  if (severity === 'suspend') await continueSuspension(ctx, domain)
  await outdateCachedList(ctx, 'limits')
}

function isUnchanged({ id, severity, rejectMedia, rejectReports, createdAt }: DomainLimitRow) {
  return sql`exists (select 1 from domain_limits where id = ${id} and severity = ${severity}
    and reject_media = ${rejectMedia ? 1 : 0} and reject_reports = ${rejectReports ? 1 : 0}
    and created_at = ${createdAt.getTime()})`
}

function changedMeanwhile(): Conflict {
  return new Conflict('limit_changed')
}

function valuesOf({
  id: _id,
  domain: _domain,
  createdAt: _at,
  blocklistId: _list,
  ...values
}: DomainLimitRow): LimitValues {
  return values
}

function targetOf({ id, domain }: DomainLimitRow) {
  return { type: 'domain_block' as const, id, label: domain }
}

type Strictness = Pick<DomainLimitRow, 'severity' | 'rejectMedia' | 'rejectReports'>

const rank = { noop: 0, silence: 1, suspend: 2 } as const

/**
 * Whether `limit` does everything that `other` does, and more. The strictest limit on a name counts alone, so a milder
 * one adds nothing to it. A suspension rejects everything.
 */
export function isStricter(limit: Strictness, other: Strictness): boolean {
  const [own, others] = [rank[limit.severity], rank[other.severity]]
  if (own !== others && (own < others || limit.severity === 'suspend')) return own > others
  if (limit.severity === 'suspend') return false
  const includes = (limit.rejectMedia || !other.rejectMedia) && (limit.rejectReports || !other.rejectReports)
  if (!includes) return false
  return own > others || hasMoreFlags(limit, other)
}

function hasMoreFlags(limit: Strictness, other: Strictness): boolean {
  return (limit.rejectMedia && !other.rejectMedia) || (limit.rejectReports && !other.rejectReports)
}

/**
 * The domain in ASCII and lower case. `Invalid` for an invalid domain, for a public suffix, and for domains that hold
 * for this server itself: its own ones and their parents.
 */
export function requireLimitableDomain(config: Pick<Config, 'ownDomains'>, text: string): string {
  const domain = requireDomainName(text)
  const problem = problemOfDomain(config, domain)
  if (problem !== null) throw new Invalid(problem, { field: 'domain' })
  return domain
}

/** The domain in ASCII and lower case, without a port: limits hold for all ports. `Invalid` for an invalid domain. */
export function requireDomainName(text: string): string {
  if (text.trim() === '') throw new Invalid('blank', { field: 'domain' })
  const domain = parseLimitedDomain(text)
  if (domain === null) throw new Invalid('invalid_domain', { field: 'domain' })
  return domain
}

/** The domain as limits name it; null for what is none. */
export function parseLimitedDomain(text: string): string | null {
  const domain = parseServer(text)
  return domain === null || domain.includes(':') ? null : domain
}

/** Code of the reason why a domain cannot be limited; null where it can. */
export function problemOfDomain(
  { ownDomains }: Pick<Config, 'ownDomains'>,
  domain: string,
): 'own_domain' | 'public_suffix' | null {
  const isOwn = ownDomains.some((own) => own === domain || own.endsWith(`.${domain}`))
  if (isOwn) return 'own_domain'
  return isPublicSuffix(domain) ? 'public_suffix' : null
}

/** Adds a domain to the allow-list of limited federation mode; returns the entry, also one that existed. */
export async function allowDomain(ctx: Ctx, moderator: Moderator, name: string): Promise<AllowedDomainRow> {
  const domain = requireDomainName(name)
  const known = await execute(ctx.db, allowedOn(ctx, domain))
  if (known !== null) return known
  const row = { domain, id: ctx.ids.next(), createdAt: ctx.clock.now() }
  const changes = new Changes().add(ctx.db.insert(allowedDomains).values(row).onConflictDoNothing())
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'create', target: allowedDomainOf(row) }))
  return row
}

/** Removes an entry from the allow-list. `NotFound` when it is not on it. */
export async function disallowDomain(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const row = await execute(ctx.db, orNotFound(allowedById(ctx, id)))
  const changes = new Changes()
    .require(sql`exists (select 1 from allowed_domains where id = ${row.id})`, new NotFound())
    .add(ctx.db.delete(allowedDomains).where(eq(allowedDomains.id, row.id)))
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'delete', target: allowedDomainOf(row) }))
}

function allowedOn(ctx: Ctx, domain: string) {
  return first(ctx.db.select().from(allowedDomains).where(eq(allowedDomains.domain, domain)))
}

function allowedDomainOf({ id, domain }: AllowedDomainRow) {
  return { type: 'domain_allow' as const, id, label: domain }
}
