import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { execute, first, rows } from '../../db/query'
import {
  accounts,
  allowedDomains,
  domainLimits,
  domainSuspensions,
  emojiReactions,
  statuses,
} from '../../db/schema'
import type { DomainSeverity } from '../../db/schema/federation'
import { NotFound, validationFailed } from '../../errors'
import type { Ctx } from '../../platform/ports'
import { rebuildCachedList } from '../core/cached-lists'
import { Changes, commit } from '../core/changes'
import { invalidateLimits } from '../instance/limits'
import { picturedReactions } from '../interactions/find-reactions'
import { uncountReactions } from '../interactions/reaction-counts'
import { statusesWithImagesBy } from '../statuses/find'
import { domainsUnder } from './find-domains'
import { continueSuspension, startSuspension } from './suspend-domain'

export interface LimitRequest {
  readonly domain: string
  /** `suspend`: no federation; `silence`: shown to followers only; `noop`: only the other settings apply. */
  readonly severity: DomainSeverity
  readonly rejectMedia: boolean
  readonly rejectReports: boolean
  readonly obfuscate: boolean
  readonly privateComment: string
  readonly publicComment: string
}

/**
 * Limits a server and all its subdomains, or changes its limit. Its accounts get the timestamp of the limit, so
 * that lifting it affects those and no others. A suspension ends all follows, records the severed relationships,
 * and notifies their owners: as much as is quick at once, the rest in parts by jobs, see `continueSuspension`.
 *
 * A limit of the same severity again keeps its time, and with it the timestamps. `Invalid` for this server's own
 * domain. Emits `domain.limited` where media have to be deleted.
 */
export async function limitDomain(ctx: Ctx, order: LimitRequest): Promise<void> {
  const { domain, severity } = order
  if (ctx.config.ownDomains.includes(domain)) throw validationFailed('Domain is that of this server')
  const current = await findLimit(ctx, domain)
  const isSame = current?.severity === severity
  const since = isSame ? current.createdAt : ctx.clock.now()
  const changes = new Changes()
  if (current !== null && !isSame) clearLimit(ctx, changes, current)
  const row = { ...order, createdAt: since }
  changes.add(
    ctx.db
      .insert(domainLimits)
      .values({ ...row, id: ctx.ids.next() })
      .onConflictDoUpdate({ target: domainLimits.domain, set: row }),
  )
  if (severity === 'silence')
    changes.add(
      ctx.db
        .update(accounts)
        .set({ silencedAt: since })
        .where(sql`${isOnDomain(domain)} and silenced_at is null`),
    )
  if (severity === 'suspend') startSuspension(ctx, changes, domain, since)
  if (order.rejectMedia || severity === 'suspend') changes.emit({ kind: 'domain.limited', domain })
  await commit(ctx, changes)
  invalidateLimits(ctx)
  if (severity === 'suspend') await continueSuspension(ctx, domain)
  await rebuildCachedList(ctx, 'limits')
}

/** Lifts the limit of a domain. Severed relationships do not return. `NotFound` where there is none. */
export async function liftLimit(ctx: Ctx, domain: string): Promise<void> {
  const current = await findLimit(ctx, domain)
  if (current === null) throw new NotFound()
  const changes = new Changes()
  clearLimit(ctx, changes, current)
  await commit(ctx, changes.add(ctx.db.delete(domainLimits).where(eq(domainLimits.domain, domain))))
  invalidateLimits(ctx)
  await rebuildCachedList(ctx, 'limits')
}

/** Limits by domain; suspensions in progress with how many accounts are done, and of how many. */
export function listLimits(ctx: Ctx) {
  const { accountsCount, accountsDone } = domainSuspensions
  const listed = ctx.db
    .select({ ...getTableColumns(domainLimits), accountsCount, accountsDone })
    .from(domainLimits)
    .leftJoin(domainSuspensions, eq(domainSuspensions.domain, domainLimits.domain))
    .orderBy(domainLimits.domain)
  return execute(ctx.db, rows(listed))
}

/** Adds a domain to the allow-list of limited federation mode. */
export async function allowDomain(ctx: Ctx, domain: string): Promise<void> {
  const row = { domain, id: ctx.ids.next(), createdAt: ctx.clock.now() }
  await commit(ctx, new Changes().add(ctx.db.insert(allowedDomains).values(row).onConflictDoNothing()))
}

/** Removes a domain from the allow-list. `NotFound` when it is not on it. */
export async function disallowDomain(ctx: Ctx, domain: string): Promise<void> {
  const [gone] = await commit(
    ctx,
    new Changes().add(ctx.db.delete(allowedDomains).where(eq(allowedDomains.domain, domain))),
  )
  if (gone === 0) throw new NotFound()
}

/** Domains on the allow-list. */
export async function listAllowed(ctx: Ctx): Promise<readonly string[]> {
  const found = rows(ctx.db.select({ domain: allowedDomains.domain }).from(allowedDomains))
  return (await execute(ctx.db, found)).map(({ domain }) => domain).sort()
}

/** Statuses per run that lose their attachments. */
const chunk = 500
/** Statuses per run that lose reactions. */
const reactedAtOnce = 100

/**
 * Deletes the pictures of a domain whose media are rejected, or which is suspended: of profiles, names, statuses
 * and reactions. Works in batches; the rest is left to a job. Idempotent.
 */
export async function removeMediaOf(ctx: Ctx, domain: string): Promise<void> {
  const limit = await findLimit(ctx, domain)
  if (limit === null || (!limit.rejectMedia && limit.severity !== 'suspend')) return
  const authors = sql`select id from accounts where ${isOnDomain(domain)}`
  const withPictures = statusesWithImagesBy(authors, chunk)
  const reactions = picturedReactions(authors, domain, reactedAtOnce)
  const [, stripped = 0, , dropped = 0] = await commit(
    ctx,
    new Changes().add(
      ctx.db
        .update(accounts)
        .set({ avatar: null, header: null, emojis: [] })
        .where(sql`${isOnDomain(domain)} and (avatar is not null or header is not null or emojis <> '[]')`),
      ctx.db.update(statuses).set({ attachments: [], emojis: [] }).where(sql`id in (${withPictures})`),
      uncountReactions(ctx, reactions),
      ctx.db.delete(emojiReactions).where(sql`id in (${reactions})`),
    ),
  )
  if (stripped === chunk || dropped > 0) await ctx.jobs.send({ kind: 'delete-domain-media', domain })
}

function findLimit(ctx: Ctx, domain: string) {
  return execute(ctx.db, first(ctx.db.select().from(domainLimits).where(eq(domainLimits.domain, domain))))
}

/** Clears the timestamps of a limit from its accounts, and ends a suspension in progress that still sets them. */
function clearLimit(
  ctx: Ctx,
  changes: Changes,
  { domain, createdAt }: { domain: string; createdAt: Date },
): void {
  const at = createdAt.getTime()
  changes.add(
    ctx.db.delete(domainSuspensions).where(eq(domainSuspensions.domain, domain)),
    ctx.db
      .update(accounts)
      .set({ silencedAt: null })
      .where(sql`${isOnDomain(domain)} and silenced_at = ${at}`),
    ctx.db
      .update(accounts)
      .set({ suspendedAt: null })
      .where(sql`${isOnDomain(domain)} and suspended_at = ${at}`),
  )
}

/** Condition on a query over `accounts` alone: the account is of this domain or a subdomain. */
function isOnDomain(domain: string): SQL {
  return sql`domain in (${domainsUnder(domain)})`
}
