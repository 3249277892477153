import { eq, sql } from 'drizzle-orm'
import { execute, first, orNotFound } from '../../../db/query'
import { blocklistEntries, blocklistExceptions, blocklists } from '../../../db/schema'
import { Conflict, Invalid, NotFound } from '../../../errors'
import { addressProblem } from '../../../lib/outgoing'
import type { Ctx } from '../../../ports/ctx'
import { recordAudit } from '../../core/audit'
import { Changes, commit } from '../../core/changes'
import type { Moderator } from '../../core/viewer'
import { requireDomainName } from '../limit-domain'
import { type BlocklistException, maxSubscriptions, type Subscription, subscriptionById } from './find'

const maxTitleLength = 200
const maxUrlLength = 2_000
const maxCommentLength = 2_000

/** Subscribes to a published list; a job fetches it. `Invalid` for addresses that may not be requested, or are known. */
export async function subscribeToList(
  ctx: Ctx,
  moderator: Moderator,
  { url: address, title: name }: { readonly url: string; readonly title: string },
): Promise<Subscription> {
  const { ownDomains, federation } = ctx.config
  const rules = { testHosts: federation.testHosts, ownHosts: ownDomains }
  const parsed = URL.parse(address.trim())
  const problem = parsed === null ? 'no_address' : addressProblem(parsed.href, rules)
  if (parsed === null || problem !== null)
    throw new Invalid([{ code: problem ?? 'no_address', values: { field: 'url' } }])
  parsed.hash = ''
  const url = parsed.href
  if (url.length > maxUrlLength) throw new Invalid('too_long', { field: 'url', max: maxUrlLength })
  const title = name.trim() === '' ? parsed.host : name.trim()
  if (title.length > maxTitleLength) throw new Invalid('too_long', { field: 'title', max: maxTitleLength })
  const now = ctx.clock.now()
  const id = ctx.ids.next()
  const changes = new Changes()
    .require(
      sql`not exists (select 1 from blocklists where url = ${url})`,
      new Invalid('taken', { field: 'url' }),
    )
    .require(
      sql`(select count(*) from blocklists where url is not null) < ${maxSubscriptions}`,
      new Invalid('too_many_subscriptions', { max: maxSubscriptions }),
    )
    .add(ctx.db.insert(blocklists).values({ id, title, url, createdAt: now }))
    .enqueue({ kind: 'fetch-blocklist', blocklistId: id })
  recordAudit(ctx, changes, moderator, {
    action: 'create',
    target: { type: 'blocklist', id, label: title },
    after: { url },
  })
  await commit(ctx, changes)
  return requireSubscription(ctx, id)
}

/**
 * Ends a subscription. Its limits become the moderators' own; with `lift` they are lifted, but for those that another
 * subscription holds. A job does either, see `applyBlocklist`. `NotFound` where there is none.
 */
export async function unsubscribe(
  ctx: Ctx,
  moderator: Moderator,
  id: number,
  { lift }: { readonly lift: boolean },
): Promise<void> {
  const list = await requireSubscription(ctx, id)
  const changes = new Changes().require(
    sql`exists (select 1 from blocklists where id = ${id} and url is not null and ended_at is null)`,
    new Conflict('subscription_ended'),
  )
  const ended = lift ? { endedAt: ctx.clock.now(), nextCheckAt: null } : { url: null, nextCheckAt: null }
  changes
    .add(ctx.db.update(blocklists).set(ended).where(eq(blocklists.id, id)))
    .enqueue({ kind: 'apply-blocklist', blocklistId: id })
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: { type: 'blocklist', id, label: list.title },
    before: { url: list.url },
    after: { lift },
  })
  await commit(ctx, changes)
}

/** Fetches a published list now. */
export async function checkList(ctx: Ctx, moderator: Moderator, id: number): Promise<Subscription> {
  const list = await requireSubscription(ctx, id)
  if (list.endedAt !== null) throw new NotFound()
  const changes = new Changes().enqueue({ kind: 'fetch-blocklist', blocklistId: id })
  const target = { type: 'blocklist' as const, id, label: list.title }
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'check', target }))
  return list
}

/**
 * Excepts a domain with its subdomains from all lists: what lists propose for it is dropped, and what they did is proposed
 * for removal at their next check. One that is excepted stays as it is.
 */
export async function addException(
  ctx: Ctx,
  moderator: Moderator,
  { domain: name, comment }: { readonly domain: string; readonly comment: string },
): Promise<BlocklistException> {
  const domain = requireDomainName(name)
  if (comment.length > maxCommentLength)
    throw new Invalid('too_long', { field: 'comment', max: maxCommentLength })
  const isThis = eq(blocklistExceptions.domain, domain)
  const known = await execute(ctx.db, first(ctx.db.select().from(blocklistExceptions).where(isThis)))
  if (known !== null) return known
  const row = { id: ctx.ids.next(), domain, comment, createdAt: ctx.clock.now() }
  const isProposed = sql`state = 'pending' and change <> 'remove'
    and (domain = ${domain} or substr(domain, -${domain.length + 1}) = ${`.${domain}`})`
  const changes = new Changes().add(
    ctx.db.insert(blocklistExceptions).values(row).onConflictDoNothing(),
    ctx.db.delete(blocklistEntries).where(sql`${isProposed} and not exists (
      select 1 from domain_limits l where l.domain = blocklist_entries.domain and l.blocklist_id = blocklist_entries.blocklist_id)`),
    deleteVersions(ctx),
  )
  recordAudit(ctx, changes, moderator, {
    action: 'create',
    target: { type: 'blocklist_exception', id: row.id, label: domain },
    after: { comment },
  })
  await commit(ctx, changes)
  return row
}

/** Ends an exception: lists may propose limits on the domain again. `NotFound` where there is none. */
export async function removeException(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const isThis = eq(blocklistExceptions.id, id)
  const row = await execute(
    ctx.db,
    orNotFound(first(ctx.db.select().from(blocklistExceptions).where(isThis))),
  )
  const changes = new Changes()
    .require(sql`exists (select 1 from blocklist_exceptions where id = ${id})`, new NotFound())
    .add(ctx.db.delete(blocklistExceptions).where(isThis), deleteVersions(ctx))
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: { type: 'blocklist_exception', id, label: row.domain },
  })
  await commit(ctx, changes)
}

/** Makes the next check read every list again, also unchanged ones. */
function deleteVersions(ctx: Ctx) {
  return ctx.db
    .update(blocklists)
    .set({ etag: null, nextCheckAt: ctx.clock.now() })
    .where(sql`url is not null and ended_at is null`)
}

/** A subscription by its id; `NotFound` without one. */
export async function requireSubscription(ctx: Ctx, id: number): Promise<Subscription> {
  const list = await execute(ctx.db, orNotFound(subscriptionById(ctx, id)))
  return list
}
