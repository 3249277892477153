import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type BoundedSelection, jsonRows, limitTo } from '../../db/query'
import { conversations } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { candidateLimit, type Page, scanIndex } from '../core/page'
import type { Viewer, ViewerRef } from '../core/viewer'
import { senderNotBlockedOrMuted } from '../policy/blocks-and-mutes'
import { visibleTo } from '../policy/visibility'
import { isAmong } from './find'

interface ConversationStatus {
  readonly id: StatusId
  readonly accountId: AccountId
  readonly conversationId: StatusId
  /** Accounts it names, its author or not. */
  readonly named: readonly AccountId[]
}

/**
 * A statement that adds a direct status to the conversations of its local author and local mentioned accounts; only
 * to those of `owners`, where given. For the batch that stores the status.
 *
 * One row each, unread for all but the author. Accounts that hide the author or muted the thread do not get it, as
 * they are not notified.
 */
export function addToConversations(ctx: Ctx, status: ConversationStatus, owners?: readonly AccountId[]) {
  const { id, accountId, conversationId } = status
  const people = [...new Set([accountId, ...status.named])].toSorted((a, b) => a - b)
  const entries = people
    .filter((owner) => owners === undefined || owners.includes(owner))
    .map((owner) => ({ owner, others: people.filter((person) => person !== owner) }))
  const owner = { id: sql`u.account_id`, signedIn: true }
  return ctx.db.run(sql`
    insert into ${conversations} (account_id, id, conversation_id, participants, last_status_id, unread)
    select u.account_id, ${id}, ${conversationId}, item.value ->> 'others', ${id}, u.account_id <> ${accountId}
    from ${jsonRows(entries)} cross join users u on u.account_id = item.value ->> 'owner'
    where u.account_id = ${accountId}
      or (${senderNotBlockedOrMuted(owner, ctx.clock.now(), sql`${accountId}`)} and not exists (
        select 1 from conversation_mutes c
        where c.account_id = u.account_id and c.conversation_id = ${conversationId}))
    on conflict (account_id, conversation_id, participants) do update set
      last_status_id = max(last_status_id, excluded.last_status_id), unread = excluded.unread
    on conflict (account_id, id) do nothing`)
}

/**
 * Statements that remove the direct statuses among `gone`, a selection of ids, from all conversations: these end
 * with the previous status, or are deleted. For the batch that deletes the statuses, before it does.
 */
export function removeFromConversations(ctx: Ctx, gone: SQL) {
  const isOver = sql`${conversations.lastStatusId} = 0 and ${conversations.accountId} in (${ownersOf(gone)})`
  return [
    ctx.db
      .update(conversations)
      .set({ lastStatusId: sql`coalesce(${previousStatus(gone, ctx.clock.now())}, 0)` })
      .where(sql`(account_id, id) in (${endingWith(gone)})`),
    ctx.db.delete(conversations).where(isOver),
  ]
}

/**
 * A statement that makes conversations follow the direct statuses among `moved`, a selection of ids, into the
 * thread `to`. For the batch that moves them, before it does. Existing conversations are merged.
 */
export function moveConversations(ctx: Ctx, moved: SQL, to: StatusId) {
  const there = (column: string) => sql`(select there.${sql.raw(column)} from conversations there
    where there.account_id = conversations.account_id and there.conversation_id = ${to}
      and there.participants = conversations.participants)`
  return ctx.db.run(sql`
    update or replace conversations set conversation_id = ${to},
      last_status_id = max(last_status_id, coalesce(${there('last_status_id')}, 0)),
      unread = max(unread, coalesce(${there('unread')}, 0))
    where conversation_id <> ${to} and (account_id, conversation_id) in (${threadsOf(moved)})`)
}

/** A statement that deletes the conversations of `owner` with this account. */
export function deleteConversationsWith(ctx: Ctx, owner: AccountId, person: AccountId) {
  return ctx.db.delete(conversations).where(sql`${conversations.accountId} = ${owner} and ${isWith(person)}`)
}

/** A statement that deletes the conversations of `owner` with any account of a domain. */
export function deleteConversationsWithDomain(ctx: Ctx, owner: AccountId, domain: string) {
  return ctx.db
    .delete(conversations)
    .where(sql`${conversations.accountId} = ${owner} and ${isWithDomain(domain)}`)
}

/** Marks a conversation of the viewer as read or unread. `NotFound` for another account's. */
export async function markConversation(
  ctx: Ctx,
  viewer: Viewer,
  { id, unread }: { readonly id: StatusId; readonly unread: boolean },
): Promise<void> {
  const own = isOwn(viewer, id)
  await change(ctx, new Changes().add(ctx.db.update(conversations).set({ unread }).where(own)))
}

/** Removes a conversation from the viewer's list. Its statuses stay; the next one starts it again. */
export async function removeConversation(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<void> {
  await change(ctx, new Changes().add(ctx.db.delete(conversations).where(isOwn(viewer, id))))
}

async function change(ctx: Ctx, changes: Changes): Promise<void> {
  const [changed = 0] = await commit(ctx, changes)
  if (changed === 0) throw new NotFound()
}

function isOwn(viewer: Viewer, id: StatusId) {
  return and(eq(conversations.accountId, viewer.id), eq(conversations.id, id))
}

/**
 * The last statuses of the viewer's conversations, latest first, as rows (id, cursor); that status is the cursor.
 *
 * Statuses of muted and blocked authors were filtered when written; statuses no longer visible to the viewer are
 * filtered here.
 */
export function conversationPage(viewer: ViewerRef, page: Page): BoundedSelection {
  return scanIndex(page, {
    most: candidateLimit({ each: 4, limit: page.limit, of: 'statuses', selections: 2 }),
    of: 'statuses',
    cursor: sql`c.last_status_id`,
    candidates: (bounds) => sql`select c.last_status_id as cursor from conversations c
      where c.account_id = ${viewer.id} and ${bounds}`,
    shown: (
      candidates,
    ) => sql`select s.id as id, entry.cursor as cursor from (${candidates}) entry cross join statuses s
      where s.id = entry.cursor and ${visibleTo(viewer)}`,
  })
}

/** The last status of the viewer's conversation with this id, as a row (id, cursor); none for another account's. */
export function oneConversation(viewer: ViewerRef, id: StatusId): SQL {
  return sql`select c.last_status_id as id, c.last_status_id as cursor from conversations c where c.account_id = ${viewer.id} and c.id = ${id}`
}

/** Conversations of `owners` that end with the status `last`, as whole rows. */
export function conversationsOfMany(last: StatusId, owners: readonly AccountId[]): SQL {
  // Left to choose, SQLite reads all conversations of each owner.
  return sql`select c.* from ${jsonRows(owners)} cross join conversations c indexed by conversations_latest
    on c.account_id = item.value and c.last_status_id = ${last}`
}

/** Conversations, by (account_id, id), whose last status is among `gone`, a selection of ids. */
function endingWith(gone: SQL): SQL {
  return sql`select c.account_id, c.id from (${participantsOf(gone)}) party
    cross join conversations c on c.account_id = party.account_id and c.last_status_id = party.status_id`
}

/** Owners of conversations that may include the direct statuses among `gone`, as account ids. */
function ownersOf(gone: SQL): SQL {
  return sql`select account_id from (${participantsOf(gone)})`
}

function participantsOf(statuses: SQL): SQL {
  return sql`select s.account_id, s.id as status_id from statuses s
      where s.id in (${statuses}) and s.visibility = 'direct'
    union select m.account_id, m.status_id from statuses s cross join status_mentions m on m.status_id = s.id
      where s.id in (${statuses}) and s.visibility = 'direct'`
}

/**
 * Expression for an update of `conversations`: the newest status of the thread between the same accounts that is
 * neither among `gone` nor by an author its owner hides; null if missing.
 */
function previousStatus(gone: SQL, now: Date): SQL<StatusId | null> {
  const owner = { id: sql`conversations.account_id`, signedIn: true }
  // Verbatim as in the partial index of direct statuses, or SQLite does not use it.
  return sql`(select s.id from statuses s where s.visibility = 'direct'
      and s.conversation_id = conversations.conversation_id and s.id >= conversations.id and s.id not in (${gone})
      and ${isAmong(sql`conversations.participants`, sql`conversations.account_id`)}
      and (s.account_id = conversations.account_id or ${senderNotBlockedOrMuted(owner, now, sql`s.account_id`)})
    order by s.id desc ${limitTo(1)})`
}

/** Conversations, by (account_id, conversation_id), that the direct statuses among `moved` may be in. */
function threadsOf(moved: SQL): SQL {
  return sql`select party.account_id, s.conversation_id from (${participantsOf(moved)}) party
    cross join statuses s on s.id = party.status_id`
}

/** Whether a row of `conversations` includes this account besides its owner. */
function isWith(account: AccountId): SQL {
  return sql`exists (select 1 from json_each(conversations.participants) other where other.value = ${account})`
}

/** Whether a row of `conversations` includes an account of this domain. */
function isWithDomain(domain: string): SQL {
  return sql`exists (select 1 from json_each(conversations.participants) other
    cross join accounts a on a.id = other.value where a.domain = ${domain})`
}
