import { type SQL, sql } from 'drizzle-orm'
import { type BoundedSelection, jsonRows, limitTo } from '../../db/query'
import type { AccountId, StatusId } from '../../lib/ids'
import { candidateLimit, type Page, scanIndex } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { senderNotBlockedOrMuted } from '../policy/blocks-and-mutes'
import { visibleTo } from '../policy/visibility'

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
export function endingWith(gone: SQL): SQL {
  return sql`select c.account_id, c.id from (${participantsOf(gone)}) party
    cross join conversations c on c.account_id = party.account_id and c.last_status_id = party.status_id`
}

/** Owners of conversations that may include the direct statuses among `gone`, as account ids. */
export function ownersOf(gone: SQL): SQL {
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
export function previousStatus(gone: SQL, now: Date): SQL<StatusId | null> {
  const owner = { id: sql`conversations.account_id`, signedIn: true }
  // Verbatim as in the partial index of direct statuses, or SQLite does not use it.
  return sql`(select s.id from statuses s where s.visibility = 'direct'
      and s.conversation_id = conversations.conversation_id and s.id >= conversations.id and s.id not in (${gone})
      and conversations.participants = (select json_group_array(person) from (
          select s.account_id as person union select named.value ->> 'id' from json_each(s.mentions) named order by 1)
        where person <> conversations.account_id)
      and (s.account_id = conversations.account_id or ${senderNotBlockedOrMuted(owner, now, sql`s.account_id`)})
    order by s.id desc ${limitTo(1)})`
}

/** Conversations, by (account_id, conversation_id), that the direct statuses among `moved` may be in. */
export function threadsOf(moved: SQL): SQL {
  return sql`select party.account_id, s.conversation_id from (${participantsOf(moved)}) party
    cross join statuses s on s.id = party.status_id`
}

/** Whether a row of `conversations` includes this account besides its owner. */
export function isWith(account: AccountId): SQL {
  return sql`exists (select 1 from json_each(conversations.participants) other where other.value = ${account})`
}

/** Whether a row of `conversations` includes an account of this domain. */
export function isWithDomain(domain: string): SQL {
  return sql`exists (select 1 from json_each(conversations.participants) other
    cross join accounts a on a.id = other.value where a.domain = ${domain})`
}
