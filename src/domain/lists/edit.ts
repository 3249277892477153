import { and, eq, type SQL, sql } from 'drizzle-orm'
import { listLimits } from '../../contract/limits'
import {
  type BoundedSelection,
  combineQueries,
  execute,
  first,
  inList,
  jsonRows,
  map,
  orNotFound,
  type Query,
  rows,
} from '../../db/query'
import { listAccounts, lists } from '../../db/schema'
import type { RepliesPolicy } from '../../db/schema/lists'
import { Invalid, NotFound } from '../../errors'
import type { AccountId, ListId } from '../../lib/ids'
import type { DomainEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Page, scanRelation } from '../core/page'
import { type Viewer, type ViewerRef, viewerById } from '../core/viewer'
import { hasManyMembers, withdrawList } from './remove-in-parts'

/** The properties of a list set by its owner. */
export interface ListFacts {
  readonly title: string
  readonly repliesPolicy: RepliesPolicy
  readonly exclusive: boolean
}

/** Creates an empty list. `Invalid` for a title that is empty or too long, and beyond fifty lists. */
export async function createList(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { title, repliesPolicy = 'list', exclusive = false }: Partial<ListFacts>,
): Promise<ListRow> {
  const row = {
    id: ctx.ids.next(),
    accountId: viewer.id,
    title: checkTitle(title),
    repliesPolicy,
    exclusive,
    createdAt: ctx.clock.now(),
  }
  const changes = new Changes()
    .require(
      sql`(select count(*) from lists where account_id = ${viewer.id}) < ${listLimits.perAccount}`,
      new Invalid('too_many_lists'),
    )
    .add(ctx.db.insert(lists).values(row))
  await commit(ctx, changes)
  return row
}

/** Changes the given properties of the viewer's list. `NotFound` for another account's, `Invalid` for a bad title. */
export async function updateList(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { id, ...given }: Partial<ListFacts> & { readonly id: ListId },
): Promise<ListRow> {
  const found = await execute(ctx.db, orNotFound(ownList(ctx, viewerById(viewer.id), id)))
  const patch = given.title === undefined ? given : { ...given, title: checkTitle(given.title) }
  if (Object.keys(patch).length === 0) return found
  const changes = new Changes().add(ctx.db.update(lists).set(patch).where(isOwn(viewer, id)))
  const { exclusive = found.exclusive } = patch
  if (exclusive !== found.exclusive) changes.emit(listChangedEvent(viewer, id, true))
  await commit(ctx, changes)
  return { ...found, ...patch }
}

/** Deletes the viewer's list with its feed; its members stay followed. `NotFound` for another account's. */
export async function deleteList(ctx: Ctx, viewer: Pick<Viewer, 'id'>, id: ListId): Promise<void> {
  const { found, isLong } = await execute(
    ctx.db,
    combineQueries({
      found: ownList(ctx, viewerById(viewer.id), id),
      isLong: hasManyMembers(ctx, id),
    }),
  )
  if (found === null) throw new NotFound()
  const changes = new Changes()
  if (isLong) withdrawList(ctx, changes, isOwn(viewer, id), id)
  // Members go with it.
  else changes.add(ctx.db.delete(lists).where(isOwn(viewer, id)))
  // Statuses of an exclusive list return to the home feed before its own feed is deleted.
  changes.emit(listChangedEvent(viewer, id, found.exclusive))
  await commit(ctx, changes)
}

function listChangedEvent(viewer: Pick<Viewer, 'id'>, listId: ListId, concernsHome: boolean): DomainEvent {
  return { kind: 'list.changed', accountId: viewer.id, listId, joinedIds: [], concernsHome }
}

function checkTitle(title = ''): string {
  if (title.trim() === '') throw new Invalid('blank', { field: 'title' })
  const { titleCharacters } = listLimits
  if ([...title].length > titleCharacters)
    throw new Invalid('too_long', { field: 'title', max: titleCharacters })
  return title
}

interface MembersChange {
  readonly id: ListId
  readonly accounts: readonly AccountId[]
}

const notFollowed = () => new Invalid('not_followed', { field: 'account' })

/** Adds accounts to the viewer's list, completely or not at all. Errors: `checkMembers`. */
export async function addMembers(ctx: Ctx, viewer: Pick<Viewer, 'id'>, order: MembersChange): Promise<void> {
  const { list, candidates } = await execute(
    ctx.db,
    combineQueries({
      list: ownList(ctx, viewerById(viewer.id), order.id),
      candidates: findListCandidates(ctx, viewer.id, order),
    }),
  )
  checkMembers(list, order.accounts, candidates)
  if (candidates.length === 0) return
  const entries = order.accounts.map((account) => ({ id: ctx.ids.next(), account }))
  const ineligible = sql`select 1 from ${jsonRows(entries)} where not ${mayJoinList(viewer.id, sql`item.value ->> 'account'`)}`
  const changes = new Changes()
    // The owner may have unfollowed since: a list holds only followed accounts.
    .require(sql`not exists (${ineligible})`, notFollowed())
    .add(
      ctx.db.run(sql`insert into ${listAccounts} (id, list_id, owner_id, account_id)
        select item.value ->> 'id', ${order.id}, ${viewer.id}, item.value ->> 'account' from ${jsonRows(entries)}
        where true on conflict do nothing`),
    )
  const concernsHome = list?.exclusive === true
  for (const joinedIds of inParts(order.accounts))
    changes.emit({ kind: 'list.changed', accountId: viewer.id, listId: order.id, joinedIds, concernsHome })
  await commit(ctx, changes)
}

/**
 * Checks that the accounts may be added. Pure. `NotFound` for another account's list and for unknown accounts,
 * `Invalid` for accounts neither followed nor requested, and for members.
 */
function checkMembers(
  list: ListRow | null,
  asked: readonly AccountId[],
  candidates: readonly ListCandidate[],
): void {
  if (list === null || candidates.length < asked.length) throw new NotFound()
  if (candidates.some(({ isEligible }) => !isEligible)) throw notFollowed()
  if (candidates.some(({ isMember }) => isMember)) throw new Invalid('on_list_already', { field: 'account' })
}

/**
 * Removes accounts from the viewer's list; removing a non-member is no error. `NotFound` for another account's list.
 */
export async function removeMembers(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { id, accounts }: MembersChange,
): Promise<void> {
  const list = await execute(ctx.db, orNotFound(ownList(ctx, viewerById(viewer.id), id)))
  if (accounts.length === 0) return
  const isMember = and(eq(listAccounts.listId, id), inList(listAccounts.accountId, accounts))
  const changes = new Changes().add(ctx.db.delete(listAccounts).where(isMember)).emit({
    kind: 'list.changed',
    accountId: viewer.id,
    listId: id,
    joinedIds: [],
    concernsHome: list.exclusive,
  })
  await commit(ctx, changes)
}

/** Filling a feed reads the statuses of each new member: a part of the members per event. */
const membersPerEvent = 100

function inParts(accounts: readonly AccountId[]): AccountId[][] {
  return Array.from({ length: Math.ceil(accounts.length / membersPerEvent) }, (_, part) =>
    accounts.slice(part * membersPerEvent, (part + 1) * membersPerEvent),
  )
}

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

function isOwn(viewer: Pick<Viewer, 'id'> | ViewerRef, id: ListId): SQL {
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
interface ListCandidate {
  readonly id: AccountId
  /** Followed by the owner, with a pending follow request from them, or the owner. */
  readonly isEligible: boolean
  readonly isMember: boolean
}

/** The existing accounts among `accounts`, as candidates for the list `id` of `owner`. One statement. */
function findListCandidates(
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
