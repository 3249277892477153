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
  /** `suspend`: nothing is exchanged; `disconnectAll`: shown to followers only; `noop`: only what else is said here. */
  readonly severity: DomainSeverity
  readonly rejectMedia: boolean
  readonly rejectReports: boolean
  readonly obfuscate: boolean
  readonly privateComment: string
  readonly publicComment: string
}

/**
 * Limits a server and all its subdomains, or changes its limit. Its accounts are marked with the time of the limit,
 * so that lifting it frees those and no others. A suspension ends all follows, keeps who lost which, and tells them:
 * at once as far as that is quick, the rest in parts by jobs, see `continueSuspension`.
 *
 * A limit of the same severity again keeps its time, and with it the marks.
 * `Invalid` for this server's own domain. Emits `domain.limited` where pictures have to go.
 */
export async function limitDomain(ctx: Ctx, order: LimitRequest): Promise<void> {
  const { domain, severity } = order
  if (ctx.config.ownDomains.includes(domain)) throw validationFailed('Domain is that of this server')
  const known = await findLimit(ctx, domain)
  const isSame = known?.severity === severity
  const since = isSame ? known.createdAt : ctx.clock.now()
  const changes = new Changes()
  if (known !== null && !isSame) clearLimit(ctx, changes, known)
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

/** Lifts the limit of a domain. What it ended does not return. `NotFound` where there is none. */
export async function liftLimit(ctx: Ctx, domain: string): Promise<void> {
  const known = await findLimit(ctx, domain)
  if (known === null) throw new NotFound()
  const changes = new Changes()
  clearLimit(ctx, changes, known)
  await commit(ctx, changes.add(ctx.db.delete(domainLimits).where(eq(domainLimits.domain, domain))))
  invalidateLimits(ctx)
  await rebuildCachedList(ctx, 'limits')
}

/** All limits by domain; of suspensions in progress with how many accounts are done, and of how many. */
export function listLimits(ctx: Ctx) {
  const { accountsCount, accountsDone } = domainSuspensions
  const listed = ctx.db
    .select({ ...getTableColumns(domainLimits), accountsCount, accountsDone })
    .from(domainLimits)
    .leftJoin(domainSuspensions, eq(domainSuspensions.domain, domainLimits.domain))
    .orderBy(domainLimits.domain)
  return execute(ctx.db, rows(listed))
}

/** Lets a domain in where only listed servers are spoken with. */
export async function allowDomain(ctx: Ctx, domain: string): Promise<void> {
  const row = { domain, id: ctx.ids.next(), createdAt: ctx.clock.now() }
  await commit(ctx, new Changes().add(ctx.db.insert(allowedDomains).values(row).onConflictDoNothing()))
}

/** Takes a domain off that list. `NotFound` when it is not on it. */
export async function disallowDomain(ctx: Ctx, domain: string): Promise<void> {
  const [gone] = await commit(
    ctx,
    new Changes().add(ctx.db.delete(allowedDomains).where(eq(allowedDomains.domain, domain))),
  )
  if (gone === 0) throw new NotFound()
}

/** The domains on the list. */
export async function listAllowed(ctx: Ctx): Promise<readonly string[]> {
  const found = rows(ctx.db.select({ domain: allowedDomains.domain }).from(allowedDomains))
  return (await execute(ctx.db, found)).map(({ domain }) => domain).sort()
}

/** How many statuses lose their attachments at once. */
const chunk = 500
/** How many statuses lose reactions at once. */
const reactedAtOnce = 100

/**
 * Removes the pictures of a domain whose media are rejected, or which is suspended: of profiles, names,
 * statuses and reactions. A part at a time; the rest is left to a job. Running it twice changes nothing.
 */
export async function removeMediaOf(ctx: Ctx, domain: string): Promise<void> {
  const limit = await findLimit(ctx, domain)
  if (limit === null || (!limit.rejectMedia && limit.severity !== 'suspend')) return
  const theirs = sql`select id from accounts where ${isOnDomain(domain)}`
  const withPictures = statusesWithImagesBy(theirs, chunk)
  const reactions = picturedReactions(theirs, domain, reactedAtOnce)
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

/** Takes the marks of a limit off the accounts that carry them, and ends the suspension that still sets them. */
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

/** Is the account, the only row there is to look at, of this domain or a subdomain of it? */
function isOnDomain(domain: string): SQL {
  return sql`domain in (${domainsUnder(domain)})`
}
