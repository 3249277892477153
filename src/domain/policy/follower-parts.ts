import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'

// The index of the followers of an account has two parts, in the words below: followers that one inbox is known to
// reach, and all others. Local followers are among the others; so are the few remote ones without a known inbox.

/** Condition: the follow row `f` is in the part of the index with the local followers. */
export function isInLocalPart(f: string): SQL {
  return sql.raw(`(${f}.inbox_id is null) = 1`)
}

/** Condition: the follow row `f` names the inbox that reaches the follower. */
export function hasKnownInbox(f: string): SQL {
  return sql.raw(`(${f}.inbox_id is null) = 0`)
}

/** Condition: the follow row `f` is in either part. Lets a range of ids be read in both. */
export function isInEitherPart(f: string): SQL {
  return sql.raw(`(${f}.inbox_id is null) in (0, 1)`)
}

/** The latest followers of `target` as rows (account_id, id), newest first: either part of the index is in this order. */
export function latestFollowers(target: SQL, most: number): SQL {
  const part = (isInPart: SQL) => sql`select * from (select f.account_id, f.id from follows f
    where f.target_account_id = ${target} and ${isInPart} order by f.id desc ${limitTo(most)})`
  return sql`select account_id, id from (${part(isInLocalPart('f'))} union all ${part(hasKnownInbox('f'))})
    order by id desc ${limitTo(most)}`
}

/** Inbox id for a follow by `follower`: null for local and suspended accounts. */
export function inboxIdOf(follower: AccountId | SQL): SQL<number | null> {
  return sql<number | null>`(select inboxes.id from remote_actors r
    cross join accounts a on a.id = r.account_id and a.suspended_at is null
    cross join inboxes on inboxes.url = coalesce(r.shared_inbox, r.inbox) where r.account_id = ${follower})`
}
