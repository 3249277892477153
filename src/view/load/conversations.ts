import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { jsonRow } from '../../db/json-row'
import { BoundedSelection, both, map, type Query, rows, type Selection } from '../../db/query'
import { accounts, conversations, roles, users } from '../../db/schema'
import type { ViewerRef } from '../../domain/core/viewer'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type AccountFacts, type AccountRoleFacts, accountCell, isUserOfAccount, roleCell } from './accounts'
import { bundleFor, loadForReaders } from './readers'
import { loadStatuses, type StatusBundle } from './statuses'

const conversationCell = jsonRow(getTableColumns(conversations))

interface PartyFacts {
  readonly account: AccountFacts
  readonly role: AccountRoleFacts | null
}

/** A conversation with its other participants; its owner if there are no others. */
export interface ConversationFacts {
  readonly conversation: typeof conversations.$inferSelect
  readonly parties: readonly PartyFacts[]
}

/** A page of conversations with their last statuses. */
export interface ConversationBundle {
  /** Newest first. Conversations whose last status the viewer may not see are left out, whatever was selected. */
  readonly conversations: readonly ConversationFacts[]
  /** Last statuses; `cursors` has those of every conversation selected, so that the next page starts after them. */
  readonly statuses: StatusBundle
}

/**
 * Loads the viewer's conversations whose last statuses `selection` names by rows (id, cursor), in one round trip.
 * Participants are joined to their rows.
 */
export function loadConversations(
  ctx: Ctx,
  viewer: ViewerRef,
  selection: Selection,
): Query<ConversationBundle> {
  // Left to choose, SQLite reads all conversations of the viewer for each.
  const own = sql`select c.* from (${selection instanceof BoundedSelection ? selection.page : selection}) as page
    cross join conversations c indexed by conversations_latest
    on c.account_id = ${viewer.id} and c.last_status_id = page.cursor`
  const found = both(loadFacts(ctx, own), loadStatuses(ctx, viewer, selection))
  return map(found, ([all, statuses]) => bundleOf(all, statuses))
}

/**
 * Loads the conversations of several owners from the whole rows that `selection` answers, by owner. Does not
 * load filters.
 */
export function loadConversationsOfMany(
  ctx: Ctx,
  selection: SQL,
): Query<ReadonlyMap<AccountId, ConversationBundle>> {
  const last = sql`select page.last_status_id as id, page.account_id as viewer_id from (${selection}) as page`
  return map(both(loadFacts(ctx, selection), loadForReaders(ctx, last)), ([all, statuses]) => {
    const owners = Map.groupBy(all, ({ conversation }) => conversation.accountId)
    return new Map([...owners].map(([owner, own]) => [owner, bundleOf(own, bundleFor(statuses, owner))]))
  })
}

function loadFacts(ctx: Ctx, selection: SQL): Query<ConversationFacts[]> {
  const others = sql`json_each(case conversations.participants when '[]'
    then json_array(conversations.account_id) else conversations.participants end) as party`
  const found = rows(
    ctx.db
      .select({
        conversation: conversationCell.as('conversation'),
        account: accountCell.as('account'),
        role: roleCell.as('role'),
      })
      .from(sql`(${selection}) as conversations cross join ${others}`)
      // Cross joins keep their order: left to choose, SQLite may scan all accounts.
      .crossJoin(accounts)
      .leftJoin(users, isUserOfAccount)
      .leftJoin(roles, sql`${roles.id} = ${users.roleId}`)
      .where(sql`${accounts.id} = party.value`),
  )
  return map(found, (all) => {
    // A status starts a conversation with the same id for every recipient: ids are unique per owner only.
    const key = ({ conversation: { accountId, id } }: (typeof all)[number]) => `${accountId} ${id}`
    const groups = [...Map.groupBy(all, key).values()]
    return groups.flatMap((parties) =>
      parties.slice(0, 1).map(({ conversation }) => ({ conversation, parties })),
    )
  })
}

function bundleOf(found: readonly ConversationFacts[], statuses: StatusBundle): ConversationBundle {
  const facts = found.toSorted((a, b) => b.conversation.lastStatusId - a.conversation.lastStatusId)
  const visible = new Set(statuses.ids)
  return {
    conversations: facts.filter(({ conversation }) => visible.has(conversation.lastStatusId)),
    statuses,
  }
}
