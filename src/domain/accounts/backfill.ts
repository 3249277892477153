import { eq, type SQL, sql } from 'drizzle-orm'
import { first, limitTo, map, type Query, rows } from '../../db/query'
import { accounts, remoteActors } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { waitingOf } from '../servers/find-uncounted'

/** Claims the backfill of an account's statuses; false when another claim was made within a day. */
export async function claimBackfill(ctx: Ctx, id: AccountId): Promise<boolean> {
  const claim = ctx.db
    .update(remoteActors)
    .set({ backfilledAt: ctx.clock.now() })
    .where(sql`${eq(remoteActors.accountId, id)} and ${backfillDueCondition(ctx)}`)
  const [claimed] = await commit(ctx, new Changes().add(claim))
  return claimed === 1
}

/**
 * Raises the stored status count to the total that the account's server reports, where that is higher. Those that are
 * counted later are among the total already.
 */
export async function raiseStatusesCount(ctx: Ctx, id: AccountId, total: number): Promise<void> {
  await commit(
    ctx,
    new Changes().add(
      ctx.db
        .update(accounts)
        .set({ statusesCount: sql`max(statuses_count, ${total} - ${waitingOf(id)})` })
        .where(eq(accounts.id, id)),
    ),
  )
}

const restMilliseconds = 24 * 3_600_000

/** Collections of a remote account that list its statuses. */
export interface ActorEndpoints {
  readonly uri: string
  readonly outbox: string | null
  readonly featured: string | null
  readonly featuredTags: string | null
  readonly followers: string | null
}

/** Collections of a remote account; null for local accounts and when unknown. One statement. */
export function endpointsOf(ctx: Ctx, id: AccountId): Query<ActorEndpoints | null> {
  const { outbox, featured, featuredTags, followers } = remoteActors
  const found = first(
    ctx.db
      .select({ uri: accounts.uri, outbox, featured, featuredTags, followers })
      .from(remoteActors)
      .innerJoin(accounts, eq(accounts.id, remoteActors.accountId))
      .where(sql`${remoteActors.accountId} = ${id} and ${accounts.suspendedAt} is null`),
  )
  return map(found, (row) => (row === null || row.uri === null ? null : { ...row, uri: row.uri }))
}

/** Whether the statuses of this remote account have not been fetched within a day. One statement. */
export function isBackfillDue(ctx: Ctx, id: AccountId): Query<boolean> {
  const found = first(
    ctx.db
      .select({ id: remoteActors.accountId })
      .from(remoteActors)
      .where(sql`${remoteActors.accountId} = ${id} and ${backfillDueCondition(ctx)}`),
  )
  return map(found, (row) => row !== null)
}

/** Condition on a row of `remote_actors` for the statement that claims the backfill. */
function backfillDueCondition(ctx: Ctx): SQL {
  const before = ctx.clock.now().getTime() - restMilliseconds
  return sql`(backfilled_at is null or backfilled_at <= ${before})`
}

/** Local followers of the account, latest first. One statement. */
export function localFollowers(
  ctx: Ctx,
  id: AccountId,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Query<readonly AccountId[]> {
  const found = rows(
    ctx.db
      .select({ id: sql<AccountId>`f.account_id`.as('id') })
      .from(sql`follows f`)
      .where(sql`f.target_account_id = ${id} and exists (select 1 from users where users.account_id = f.account_id)
        order by f.id desc ${limitTo(limit)} offset ${offset}`),
  )
  return map(found, (all) => all.map((row) => row.id))
}
