import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import {
  combineQueries,
  execute,
  first,
  inList,
  jsonRows,
  limitTo,
  map,
  type Query,
  rows,
} from '../../db/query'
import { notificationPermissions, notificationPolicies, notifications } from '../../db/schema'
import type { PolicyLevel } from '../../db/schema/notifications'
import { NotFound } from '../../errors'
import type { AccountId, NotificationId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { boundedPage, type Page, pageBounds } from '../core/page'
import type { Viewer, ViewerRef } from '../core/viewer'
import { senderNotBlockedOrMuted } from '../policy/blocks-and-mutes'
import { changeNotifications } from './change-in-parts'

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

/** A page of requests. */
interface RequestPage {
  readonly requests: readonly FilteredSender[]
  /** Ids of the requests, and the end of a page that ends early. */
  readonly cursors: readonly number[]
  readonly endsEarly: boolean
}

/** Filtered notifications examined for a page, of which the first of each sender stands for its request. */
const mostExamined = 240

/** Loads the viewer's requests, newest id first; the cursor is the id. One statement. */
export function requestsOf(ctx: Ctx, viewer: ViewerRef, page: Page): Query<RequestPage> {
  const direction = page.minId === undefined ? sql`desc` : sql`asc`
  const filtered = sql`select n.* from notifications n
    where n.account_id = ${viewer.id} and n.filtered = 1 and ${pageBounds(page, sql`n.id`)} order by n.id ${direction}`
  const selection = boundedPage(page, {
    shown: sql`select n.id as id, n.id as cursor from (${filtered} ${limitTo(mostExamined)}) n
      where ${isFirstOfSender} and ${senderNotBlockedOrMuted(viewer, ctx.clock.now(), sql`n.from_account_id`)}`,
    last: sql`(select id from (${filtered} ${limitTo(1)} offset ${sql.raw(String(mostExamined - 1))}))`,
    of: 'statuses',
  })
  const counted = Math.max(20, Math.floor(800 / Math.max(1, page.limit)))
  return map(rows(requestRows(ctx, selection.rows, counted)), (found) => {
    const ordered = found.toSorted((a, b) => b.cursor - a.cursor)
    return {
      requests: ordered.filter(({ isEnd }) => isEnd === 0).map(requestOf),
      cursors: ordered.map(({ cursor }) => cursor),
      endsEarly: ordered.some(({ isEnd }) => isEnd === 1),
    }
  })
}

// The partial index by sender, which SQLite would not choose.
const isFirstOfSender = sql`not exists (select 1 from notifications earlier indexed by notifications_filtered
  where earlier.account_id = n.account_id and earlier.from_account_id = n.from_account_id and earlier.filtered = 1
    and earlier.id < n.id)`

/** Upper bound of the notifications counted of a single request. */
const mostOfOne = 500

/** Loads the viewer's request that this notification is part of. */
export function oneRequest(
  ctx: Ctx,
  viewer: ViewerRef,
  id: NotificationId,
): Query<readonly FilteredSender[]> {
  const selected = sql`select n.id as id, n.id as cursor, 0 as is_end from notifications asked
      cross join notifications n indexed by notifications_filtered
        on n.account_id = asked.account_id and n.from_account_id = asked.from_account_id and n.filtered = 1
    where asked.id = ${id} and asked.account_id = ${viewer.id} and asked.filtered = 1
      and ${senderNotBlockedOrMuted(viewer, ctx.clock.now(), sql`asked.from_account_id`)}
    order by n.id ${limitTo(1)}`
  return map(rows(requestRows(ctx, selected, mostOfOne)), (found) => found.map(requestOf))
}

/** The requests that `selected` names by rows (id, cursor, is_end). */
function requestRows(ctx: Ctx, selected: SQL, most: number) {
  const ofSender = sql`notifications l indexed by notifications_filtered
    where l.account_id = n.account_id and l.from_account_id = n.from_account_id and l.filtered = 1`
  return ctx.db
    .select({
      id: sql<number>`n.id`.as('id'),
      from: sql<number>`n.from_account_id`.as('sender'),
      count: sql<number>`(select count(*) from (select 1 from ${ofSender} ${limitTo(most)}))`.as('count'),
      latestId: sql<number>`(select max(l.id) from ${ofSender})`.as('latest_id'),
      lastStatusId: sql<
        number | null
      >`(select l.status_id from ${ofSender} and l.status_id is not null order by l.id desc limit 1)`.as(
        'last_status_id',
      ),
      cursor: sql<number>`page.cursor`.as('cursor'),
      isEnd: sql<number>`page.is_end`.as('is_end'),
    })
    .from(sql`(${selected}) page left join notifications n on n.id = page.id and page.is_end = 0`)
}

function requestOf({ id, from, count, latestId, lastStatusId }: FilteredSender): FilteredSender {
  return { id, from, count, latestId, lastStatusId }
}

/** Shows the filtered notifications of these senders, the rest of very many by a job, and permits their later ones. Unknown ids are ignored. */
export async function acceptRequests(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  ids: readonly NotificationId[],
): Promise<void> {
  await permitSenders(ctx, viewer, await findSenders(ctx, viewer, ids))
}

/** Accepts one request; `NotFound` where it is not the viewer's. */
export async function acceptRequest(ctx: Ctx, viewer: Pick<Viewer, 'id'>, id: NotificationId): Promise<void> {
  await permitSenders(ctx, viewer, await findSender(ctx, viewer, id))
}

/** Deletes the filtered notifications of these senders, the rest of very many by a job. Unknown ids are ignored. */
export async function dismissRequests(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  ids: readonly NotificationId[],
): Promise<void> {
  await remove(ctx, viewer, await findSenders(ctx, viewer, ids))
}

/** Dismisses one request; `NotFound` where it is not the viewer's. */
export async function dismissRequest(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  id: NotificationId,
): Promise<void> {
  await remove(ctx, viewer, await findSender(ctx, viewer, id))
}

async function permitSenders(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  senders: readonly AccountId[],
): Promise<void> {
  if (senders.length === 0) return
  const permit = sql`insert into ${notificationPermissions} (account_id, from_account_id)
    select ${viewer.id}, item.value from ${jsonRows(senders)} where true on conflict do nothing`
  const changes = new Changes().add(ctx.db.run(permit))
  changes.publish({ kind: 'notifications.merged', accountId: viewer.id })
  await changeNotifications(ctx, viewer.id, { what: 'show', senders: [...senders] }, changes)
}

async function remove(ctx: Ctx, viewer: Pick<Viewer, 'id'>, senders: readonly AccountId[]): Promise<void> {
  if (senders.length > 0)
    await changeNotifications(ctx, viewer.id, { what: 'dismiss-senders', senders: [...senders] })
}

async function findSender(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  id: NotificationId,
): Promise<readonly AccountId[]> {
  const found = await findSenders(ctx, viewer, [id])
  if (found.length === 0) throw new NotFound()
  return found
}

async function findSenders(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  ids: readonly NotificationId[],
): Promise<readonly AccountId[]> {
  const { id, accountId, fromAccountId } = notifications
  // The sign keeps SQLite from reading all filtered notifications by their index instead.
  const held = sql`${inList(id, ids)} and +${accountId} = ${viewer.id} and filtered = 1`
  const found = rows(ctx.db.selectDistinct({ sender: fromAccountId }).from(notifications).where(held))
  return (await execute(ctx.db, found)).map(({ sender }) => sender)
}

export type PolicyAction = 'accept' | 'filter' | 'drop'

/** Action for each class of senders. */
export type PolicyActions = Readonly<Record<PolicyKind, PolicyAction>>
const policyKinds = [
  'notFollowing',
  'notFollowers',
  'newAccounts',
  'privateMentions',
  'limitedAccounts',
  'bots',
] as const
export type PolicyKind = (typeof policyKinds)[number]

/** A policy with the counts of what it currently filters. */
export interface PolicyFacts {
  readonly policy: PolicyActions
  readonly pending: { readonly requests: number; readonly notifications: number }
}

const actions = ['accept', 'filter', 'drop'] as const
const defaults: Readonly<Record<PolicyKind, PolicyLevel>> = {
  notFollowing: 0,
  notFollowers: 0,
  newAccounts: 0,
  privateMentions: 1,
  limitedAccounts: 1,
  bots: 0,
}

/** Upper bound of the pending notifications counted. */
const mostCounted = 500

/** Numbers of requests and notifications that wait for the viewer. */
export type PendingRequests = PolicyFacts['pending']

/** Loads the numbers of what the viewer's policy currently filters. One statement. */
export function pendingRequests(ctx: Ctx, viewer: ViewerRef): Query<PendingRequests> {
  const held = sql`(select n.from_account_id as sender from notifications n indexed by notifications_filtered
    where n.account_id = ${viewer.id} and n.filtered = 1
      and ${senderNotBlockedOrMuted(viewer, ctx.clock.now(), sql`n.from_account_id`)} ${limitTo(mostCounted)}) as held`
  const counted = ctx.db
    .select({
      requests: sql<number>`count(distinct held.sender)`.as('requests'),
      notifications: sql<number>`count(*)`.as('notifications'),
    })
    .from(held)
  return map(first(counted), (pending) => pending ?? { requests: 0, notifications: 0 })
}

/** Loads the viewer's policy with its pending requests and notifications. */
export function notificationPolicyOf(ctx: Ctx, viewer: ViewerRef): Query<PolicyFacts> {
  const { accountId, ...levels } = getTableColumns(notificationPolicies)
  const row = ctx.db.select(levels).from(notificationPolicies).where(sql`${accountId} = ${viewer.id}`)
  const found = combineQueries({ row: first(row), pending: pendingRequests(ctx, viewer) })
  return map(found, ({ row: saved, pending }) => ({ policy: policyFrom(saved ?? defaults), pending }))
}

function policyFrom(levels: Readonly<Record<PolicyKind, PolicyLevel>>): PolicyActions {
  const { notFollowing, notFollowers, newAccounts, privateMentions, limitedAccounts, bots } = levels
  return {
    notFollowing: actions[notFollowing],
    notFollowers: actions[notFollowers],
    newAccounts: actions[newAccounts],
    privateMentions: actions[privateMentions],
    limitedAccounts: actions[limitedAccounts],
    bots: actions[bots],
  }
}

const levelOf: Readonly<Record<PolicyAction, PolicyLevel>> = { accept: 0, filter: 1, drop: 2 }

/** Updates the parts of the viewer's policy named in `patch`, for later notifications. */
export async function changeNotificationPolicy(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  patch: Partial<PolicyActions>,
): Promise<void> {
  const levels: Partial<Record<PolicyKind, PolicyLevel>> = {}
  for (const kind of policyKinds) {
    const action = patch[kind]
    if (action !== undefined) levels[kind] = levelOf[action]
  }
  if (Object.keys(levels).length === 0) return
  const save = ctx.db
    .insert(notificationPolicies)
    .values({ accountId: viewer.id, ...levels })
    .onConflictDoUpdate({ target: notificationPolicies.accountId, set: levels })
  await commit(ctx, new Changes().add(save))
}
