import { and, eq, type SQL, sql } from 'drizzle-orm'
import { execute, map, type Query, rows } from '../../db/query'
import { notificationPermissions, notifications } from '../../db/schema'
import { inList, jsonRows } from '../../db/sql'
import { NotFound } from '../../errors'
import type { AccountId, NotificationId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { type Page, pageSql } from '../core/page'
import type { Viewer, ViewerRef } from '../core/viewer'
import { senderNotBlockedOrMuted } from '../policy/blocks-and-mutes'

/**
 * Filtered notifications of one sender, the request of the API. Not stored: its id is that of the oldest filtered
 * notification, and the id of any other one finds it.
 */
export interface FilteredSender {
  readonly id: NotificationId
  readonly from: AccountId
  readonly count: number
  readonly latestId: NotificationId
  /** Status of the latest notification about a status. */
  readonly lastStatusId: StatusId | null
}

/** Loads the viewer's requests, newest id first; the cursor is the id. One statement. */
export function requestsOf(ctx: Ctx, viewer: ViewerRef, page: Page): Query<readonly FilteredSender[]> {
  const selection = pageSql(
    page,
    sql`first.id`,
    (bounds) => sql`select first.* from (${filteredBySender(ctx, viewer, sql`1`)}) first where ${bounds}`,
  )
  return readRequests(ctx, viewer, selection)
}

/** Loads the viewer's request that this notification is part of. */
export function oneRequest(
  ctx: Ctx,
  viewer: ViewerRef,
  id: NotificationId,
): Query<readonly FilteredSender[]> {
  const sender = sql`n.from_account_id = (select asked.from_account_id from notifications asked
    where asked.id = ${id} and asked.account_id = ${viewer.id} and asked.filtered = 1)`
  return readRequests(ctx, viewer, filteredBySender(ctx, viewer, sender))
}

function filteredBySender(ctx: Ctx, viewer: ViewerRef, condition: SQL): SQL {
  return sql`select min(n.id) as id, n.from_account_id as sender, count(*) as count, max(n.id) as latest_id
    from notifications n
    where n.account_id = ${viewer.id} and n.filtered = 1 and ${condition}
      and ${senderNotBlockedOrMuted(viewer, ctx.clock.now(), sql`n.from_account_id`)}
    group by n.from_account_id`
}

function readRequests(ctx: Ctx, viewer: ViewerRef, selection: SQL): Query<readonly FilteredSender[]> {
  const found = ctx.db
    .select({
      id: sql<number>`request.id`.as('id'),
      from: sql<number>`request.sender`.as('sender'),
      count: sql<number>`request.count`.as('count'),
      latestId: sql<number>`request.latest_id`.as('latest_id'),
      lastStatusId: sql<number | null>`(select l.status_id from notifications l
        where l.account_id = ${viewer.id} and l.from_account_id = request.sender and l.filtered = 1
          and l.status_id is not null order by l.id desc limit 1)`.as('last_status_id'),
    })
    .from(sql`(${selection}) as request`)
  return map(rows(found), (all) => all.toSorted((a, b) => b.id - a.id))
}

/** Shows the filtered notifications of these senders and permits their later ones. Unknown ids are ignored. */
export async function acceptRequests(
  ctx: Ctx,
  viewer: Viewer,
  ids: readonly NotificationId[],
): Promise<void> {
  await permitSenders(ctx, viewer, await findSenders(ctx, viewer, ids))
}

/** Accepts one request; `NotFound` where it is not the viewer's. */
export async function acceptRequest(ctx: Ctx, viewer: Viewer, id: NotificationId): Promise<void> {
  await permitSenders(ctx, viewer, await findSender(ctx, viewer, id))
}

/** Deletes the filtered notifications of these senders. Unknown ids are ignored. */
export async function dismissRequests(
  ctx: Ctx,
  viewer: Viewer,
  ids: readonly NotificationId[],
): Promise<void> {
  await remove(ctx, viewer, await findSenders(ctx, viewer, ids))
}

/** Dismisses one request; `NotFound` where it is not the viewer's. */
export async function dismissRequest(ctx: Ctx, viewer: Viewer, id: NotificationId): Promise<void> {
  await remove(ctx, viewer, await findSender(ctx, viewer, id))
}

async function permitSenders(ctx: Ctx, viewer: Viewer, senders: readonly AccountId[]): Promise<void> {
  if (senders.length === 0) return
  const permit = sql`insert into ${notificationPermissions} (account_id, from_account_id)
    select ${viewer.id}, item.value from ${jsonRows(senders)} where true on conflict do nothing`
  const show = ctx.db.update(notifications).set({ filtered: false }).where(isFilteredFrom(viewer, senders))
  const changes = new Changes().add(ctx.db.run(permit), show)
  await commit(ctx, changes.publish({ kind: 'notifications.merged', accountId: viewer.id }))
}

async function remove(ctx: Ctx, viewer: Viewer, senders: readonly AccountId[]): Promise<void> {
  await commit(ctx, new Changes().add(ctx.db.delete(notifications).where(isFilteredFrom(viewer, senders))))
}

async function findSender(ctx: Ctx, viewer: Viewer, id: NotificationId): Promise<readonly AccountId[]> {
  const found = await findSenders(ctx, viewer, [id])
  if (found.length === 0) throw new NotFound()
  return found
}

/** Same text as in the partial index, which SQLite would not use otherwise. */
const isFiltered = sql.raw('filtered = 1')

function isFilteredFrom(viewer: Viewer, senders: readonly AccountId[]) {
  return and(eq(notifications.accountId, viewer.id), isFiltered, inList(notifications.fromAccountId, senders))
}

async function findSenders(
  ctx: Ctx,
  viewer: Viewer,
  ids: readonly NotificationId[],
): Promise<readonly AccountId[]> {
  const { id, accountId, fromAccountId } = notifications
  const held = sql`${inList(id, ids)} and ${accountId} = ${viewer.id} and ${isFiltered}`
  const found = rows(ctx.db.selectDistinct({ sender: fromAccountId }).from(notifications).where(held))
  return (await execute(ctx.db, found)).map(({ sender }) => sender)
}
