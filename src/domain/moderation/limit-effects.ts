import { eq, type SQL, sql } from 'drizzle-orm'
import { execute, inList, type Query, rows } from '../../db/query'
import { accounts, domainSuspensions, emojiReactions, statuses } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { picturedReactions } from '../interactions/find-interaction'
import { uncountReactions } from '../interactions/reactions'
import { statusesWithImagesBy } from '../statuses/find'
import { type DomainLimitRow, domainsUnder, limitOn } from './find-limits'
import { startSuspension } from './suspend-domain'

/** Adds what a new limit, or one of another severity, does to the accounts of the domain and its subdomains. */
export function startLimit(ctx: Ctx, changes: Changes, limit: DomainLimitRow): void {
  const { domain, severity, createdAt } = limit
  if (severity === 'silence')
    changes.add(
      ctx.db
        .update(accounts)
        .set({ silencedAt: createdAt })
        .where(sql`${isOnDomain(domain)} and silenced_at is null`),
    )
  if (severity === 'suspend') startSuspension(ctx, changes, domain, createdAt)
}

/** Clears the timestamps of a limit from its accounts, and ends a suspension in progress that still sets them. */
export function clearLimit(
  ctx: Ctx,
  changes: Changes,
  { domain, severity, createdAt }: DomainLimitRow,
): void {
  const at = createdAt.getTime()
  if (severity === 'noop') return
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

/** Statuses per run that lose their attachments. */
const chunk = 500
/** Statuses per run that lose reactions. */
const reactedAtOnce = 100

/**
 * Deletes the pictures of a domain whose media are rejected, or which is suspended: of profiles, names, statuses
 * and reactions. Works in batches; the rest is left to a job. Idempotent.
 */
export async function removeMediaOf(ctx: Ctx, domain: string): Promise<void> {
  const limit = await execute(ctx.db, limitOn(ctx, domain))
  if (limit === null || (!limit.rejectMedia && limit.severity !== 'suspend')) return
  // Found once for all statements.
  const there = await execute(ctx.db, knownUnder(ctx, domain))
  const isThere = inList(
    accounts.domain,
    there.map(({ name }) => name),
  )
  const authors = sql`select id from accounts where ${isThere}`
  const withPictures = statusesWithImagesBy(authors, chunk)
  const reactions = picturedReactions(authors, domain, reactedAtOnce)
  const [, stripped = 0, , dropped = 0] = await commit(
    ctx,
    new Changes().add(
      ctx.db
        .update(accounts)
        .set({ avatar: null, header: null, emojis: [] })
        .where(sql`${isThere} and (avatar is not null or header is not null or emojis <> '[]')`),
      ctx.db.update(statuses).set({ attachments: [], emojis: [] }).where(sql`id in (${withPictures})`),
      uncountReactions(ctx, reactions),
      ctx.db.delete(emojiReactions).where(sql`id in (${reactions})`),
    ),
  )
  if (stripped === chunk || dropped > 0) await ctx.jobs.send({ kind: 'delete-domain-media', domain })
}

function knownUnder(ctx: Ctx, domain: string): Query<readonly { readonly name: string }[]> {
  const name = sql<string>`there.name`.as('name')
  return rows(ctx.db.select({ name }).from(sql`(${domainsUnder(domain)}) there`))
}

/** Condition on a query over `accounts` alone: the account is of this domain or a subdomain. */
function isOnDomain(domain: string): SQL {
  return sql`domain in (${domainsUnder(domain)})`
}
