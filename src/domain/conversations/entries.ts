import { and, eq, type SQL, sql } from 'drizzle-orm'
import { jsonRows } from '../../db/query'
import { conversations } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { senderNotBlockedOrMuted } from '../policy/blocks-and-mutes'
import { endingWith, isWith, isWithDomain, ownersOf, previousStatus, threadsOf } from './find'

export interface ConversationStatus {
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
