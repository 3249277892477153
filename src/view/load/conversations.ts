import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { packed } from '../../db/packed'
import { both, map, type Query, rows } from '../../db/query'
import { accounts, conversations, roles, users } from '../../db/schema'
import type { ViewerRef } from '../../domain/viewer'
import { type AccountFacts, type AccountRoleFacts, accountCell, roleCell } from './accounts'
import { loadStatuses, type StatusBundle } from './statuses'

const conversationCell = packed(getTableColumns(conversations))

interface PartyFacts {
  readonly account: AccountFacts
  readonly role: AccountRoleFacts | null
}

/** One conversation with the others in it: where there is nobody else, its owner. */
export interface ConversationFacts {
  readonly conversation: typeof conversations.$inferSelect
  readonly parties: readonly PartyFacts[]
}

/** A page of conversations with their last statuses. */
export interface ConversationBundle {
  /** Newest first; whatever was selected, those whose last status the viewer may not see are left out. */
  readonly conversations: readonly ConversationFacts[]
  /** The last statuses of all that were selected, so that paging goes on behind them. */
  readonly cursors: readonly number[]
  readonly statuses: StatusBundle
}

/** Loads the conversations that `selection` answers as whole rows, in one trip. The others ride with their rows. */
export function loadConversations(ctx: Ctx, viewer: ViewerRef, selection: SQL): Query<ConversationBundle> {
  const others = sql`json_each(case conversations.participants when '[]'
    then json_array(conversations.account_id) else conversations.participants end) as party`
  const found = ctx.db
    .select({
      conversation: conversationCell.as('conversation'),
      account: accountCell.as('account'),
      role: roleCell.as('role'),
    })
    .from(sql`(${selection}) as conversations cross join ${others}`)
    // A cross join keeps its order: left to choose, SQLite may scan all accounts.
    .crossJoin(accounts)
    .leftJoin(users, sql`${users.accountId} = ${accounts.id}`)
    .leftJoin(roles, sql`${roles.id} = ${users.roleId}`)
    .where(sql`${accounts.id} = party.value`)
  const last = sql`select page.last_status_id as id, page.last_status_id as cursor from (${selection}) as page`
  return map(both(rows(found), loadStatuses(ctx, viewer, last)), ([all, statuses]) => {
    const groups = [...Map.groupBy(all, (row) => row.conversation.id).values()]
    const facts = groups
      .flatMap((parties) => parties.slice(0, 1).map(({ conversation }) => ({ conversation, parties })))
      .toSorted((a, b) => b.conversation.lastStatusId - a.conversation.lastStatusId)
    const visible = new Set(statuses.ids)
    return {
      conversations: facts.filter(({ conversation }) => visible.has(conversation.lastStatusId)),
      cursors: facts.map(({ conversation }) => conversation.lastStatusId),
      statuses,
    }
  })
}
