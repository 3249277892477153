import type { Conversation, List, Marker } from '../../contract/entities/timelines'
import type { lists, markers } from '../../db/schema'
import { NotFound } from '../../errors'
import type { ConversationBundle, ConversationFacts } from '../load/conversations'
import { accountEntity } from './account'
import { type PresentContext, presentStatus } from './status'
import { timestamp } from './time'

export function presentList({ id, title, repliesPolicy, exclusive }: typeof lists.$inferSelect): List {
  return { id: String(id), title, replies_policy: repliesPolicy, exclusive }
}

type MarkerRow = typeof markers.$inferSelect

/** Presents markers by timeline name. */
export function presentMarkers(rows: readonly MarkerRow[]): Partial<Record<MarkerRow['timeline'], Marker>> {
  return Object.fromEntries(
    rows.map(({ timeline, lastReadId, version, updatedAt }) => [
      timeline,
      { last_read_id: String(lastReadId), version, updated_at: timestamp(updatedAt) },
    ]),
  )
}

/** Presents the conversations of a bundle in its order. */
export function presentConversations(showing: PresentContext, bundle: ConversationBundle): Conversation[] {
  return bundle.conversations.map((facts) => presentConversation(showing, bundle, facts))
}

/** Presents the one conversation a bundle was loaded for, or throws `NotFound`. */
export function presentOnlyConversation(showing: PresentContext, bundle: ConversationBundle): Conversation {
  const [only] = bundle.conversations
  if (only === undefined) throw new NotFound()
  return presentConversation(showing, bundle, only)
}

function presentConversation(
  showing: PresentContext,
  bundle: ConversationBundle,
  { conversation, parties }: ConversationFacts,
): Conversation {
  return {
    id: String(conversation.id),
    unread: conversation.unread,
    accounts: parties.map(({ account, role }) => accountEntity(showing.config, account, role)),
    last_status: presentStatus(showing, bundle.statuses, conversation.lastStatusId),
  }
}
