import { type SQL, sql } from 'drizzle-orm'
import { type BoundedSelection, first, map, type Query, rows } from '../../db/query'
import { lists } from '../../db/schema'
import type { AccountId, ListId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type Page, scanRelation } from '../core/page'
import type { ViewerRef } from '../core/viewer'

export type ListRow = typeof lists.$inferSelect

/** The viewer's lists, oldest first. One statement. */
export function listsOf(ctx: Ctx, viewer: ViewerRef): Query<ListRow[]> {
  return rows(
    ctx.db.select().from(lists).where(sql`${lists.accountId} = ${viewer.id}`).orderBy(sql`${lists.id}`),
  )
}

/** The viewer's lists that hold `member`, oldest first. One statement. */
export function listsHolding(ctx: Ctx, viewer: ViewerRef, member: AccountId): Query<ListRow[]> {
  const holding = sql`select m.list_id from list_accounts m
    where m.account_id = ${member} and m.owner_id = ${viewer.id}`
  return rows(
    ctx.db
      .select()
      .from(lists)
      .where(sql`${lists.id} in (${holding}) and ${lists.accountId} = ${viewer.id}`)
      .orderBy(sql`${lists.id}`),
  )
}

/** The viewer's list `id`; null for other viewers. One statement. */
export function ownList(ctx: Ctx, viewer: ViewerRef, id: ListId): Query<ListRow | null> {
  return first(ctx.db.select().from(lists).where(isOwn(viewer, id)))
}

/** Whether the list exists and is the viewer's. One statement. */
export function isOwnList(ctx: Ctx, viewer: ViewerRef, id: ListId): Query<boolean> {
  const found = first(ctx.db.select({ id: lists.id }).from(lists).where(isOwn(viewer, id)))
  return map(found, (row) => row !== null)
}

function isOwn(viewer: ViewerRef, id: ListId): SQL {
  return sql`${lists.id} = ${id} and ${lists.accountId} = ${viewer.id}`
}

/** The members of the viewer's list `id`, latest first, as rows (id, cursor); the cursor is the membership's id. */
export function selectListMembers(viewer: ViewerRef, id: ListId, page: Page): BoundedSelection {
  return scanRelation(page, {
    table: 'list_accounts',
    person: 'account_id',
    // The owner is checked once on the list: checked for each member, another account's list would be read to its end.
    where: sql`m.list_id = (select l.id from lists l where l.id = ${id} and l.account_id = ${viewer.id})`,
    shown: sql`not exists (select 1 from accounts listed
      where listed.id = met.id and listed.suspended_at is not null)`,
  })
}

/** Facts about an account that is to be added to a list. */
export interface ListCandidate {
  readonly id: AccountId
  /** Followed by the owner, with a pending follow request from them, or the owner. */
  readonly isEligible: boolean
  readonly isMember: boolean
}

/** The existing accounts among `accounts`, as candidates for the list `id` of `owner`. One statement. */
export function findListCandidates(
  ctx: Ctx,
  owner: AccountId,
  { id, accounts }: { readonly id: ListId; readonly accounts: readonly AccountId[] },
): Query<ListCandidate[]> {
  const existing = sql`(select a.id as id from json_each(${JSON.stringify(accounts)}) asked
    cross join accounts a on a.id = asked.value and a.suspended_at is null) known`
  const found = rows(
    ctx.db
      .select({
        id: sql<AccountId>`known.id`.as('id'),
        isEligible: sql<number>`${mayJoinList(owner, sql`known.id`)}`.as('is_eligible'),
        isMember: sql<number>`exists (select 1 from list_accounts m
          where m.account_id = known.id and m.owner_id = ${owner} and m.list_id = ${id})`.as('is_member'),
      })
      .from(existing),
  )
  return map(found, (all) =>
    all.map((one) => ({ id: one.id, isEligible: one.isEligible === 1, isMember: one.isMember === 1 })),
  )
}

/** Condition: `account` may be on a list of `owner`. */
export function mayJoinList(owner: AccountId | SQL, account: SQL): SQL {
  return sql`(${account} = ${owner}
    or exists (select 1 from follows f where f.account_id = ${owner} and f.target_account_id = ${account})
    or exists (select 1 from follow_requests r where r.account_id = ${owner} and r.target_account_id = ${account}))`
}
