import { type SQL, sql } from 'drizzle-orm'

/** Alias of a statuses row in the conditions below. */
type Alias = 's' | 'x'

/** Condition: the column `account` names a local account. */
const isLocal = (account: string) => `exists (select 1 from users u where u.account_id = ${account})`
const byLocal = (table: string, s: Alias) =>
  `exists (select 1 from ${table} m cross join users u on u.account_id = m.account_id where m.status_id = ${s}.id)`

/**
 * Reasons for which pruning keeps a status, each with its condition on the row `s`: the only place where they stand.
 * test/domain/pruning/kept-statuses.test.ts holds that each reference to statuses is among them, or goes with the status.
 */
export const statusReasons = (s: Alias) => ({
  /** Written here, reblogs included. */
  written: `${s}.local = 1`,
  /** For some readers only: its server would not give it again to a request without a follower. */
  'not fetchable': `${s}.visibility not in ('public', 'unlisted')`,
  /** Marks by local accounts. */
  favourited: byLocal('favourites', s),
  'favourite awaits approval': byLocal('favourite_requests', s),
  bookmarked: byLocal('bookmarks', s),
  reacted: byLocal('emoji_reactions', s),
  'voted in': `(${s}.poll_id is not null and exists (select 1 from polls p cross join poll_votes v on v.poll_id = p.id
    cross join users u on u.account_id = v.account_id where p.status_id = ${s}.id))`,
  filtered: `exists (select 1 from filter_statuses f where f.status_id = ${s}.id)`,
  'thread muted': `exists (select 1 from conversation_mutes c where c.conversation_id = ${s}.conversation_id)`,
  /** Pinned by its author: profiles show it first. */
  pinned: `exists (select 1 from status_pins p where p.status_id = ${s}.id)`,
  /** Mentions, replies to, reblogs or quotes a local account. */
  mentions: `exists (select 1 from status_mentions m cross join users u on u.account_id = m.account_id
    where m.status_id = ${s}.id)`,
  answers: `(${s}.in_reply_to_account_id is not null and ${isLocal(`${s}.in_reply_to_account_id`)})`,
  reblogs: `(${s}.reblog_of_id is not null
    and exists (select 1 from statuses original where original.id = ${s}.reblog_of_id and original.local = 1))`,
  quotes: `exists (select 1 from quotes q cross join users u on u.account_id = q.quoted_account_id
    where q.status_id = ${s}.id)`,
  /** In a thread in which a local account wrote: above it, below it or beside it. */
  'in a local thread': `exists (select 1 from statuses mine where mine.conversation_id = ${s}.conversation_id
    and mine.local = 1 and mine.reblog_of_id is null)`,
  /** Awaited by an answer or a quote that is scheduled. */
  scheduled: `${s}.id in (select p.value from scheduled_statuses,
    json_each(json_array(params ->> 'inReplyToId', params ->> 'quotedId')) p where p.value is not null)`,
  /** Shown to a local account: notifications, home feeds of followers of author or hashtag, lists. */
  notified: `exists (select 1 from notifications n where n.status_id = ${s}.id)`,
  'in a home feed': `exists (select 1 from follows f cross join home_entries h
    on h.account_id = f.account_id and h.status_id = ${s}.id
    where f.target_account_id = ${s}.account_id and (f.inbox_id is null) = 1)`,
  'in a home feed by hashtag': `(${s}.tags <> '[]' and exists (select 1 from json_each(${s}.tags) used
    cross join tags t on t.name = used.value ->> 'name' cross join tag_follows tf on tf.tag_id = t.id
    cross join home_entries h on h.account_id = tf.account_id and h.status_id = ${s}.id))`,
  'in a home feed by a hashtag it had': `exists (select 1 from former_tags former
    cross join tag_follows tf on tf.tag_id = former.tag_id
    cross join home_entries h on h.account_id = tf.account_id and h.status_id = former.status_id
    where former.status_id = ${s}.id)`,
  'in a list': `exists (select 1 from list_accounts m cross join list_entries e
    on e.list_id = m.list_id and e.status_id = ${s}.id where m.account_id = ${s}.account_id)`,
  /** Shown publicly by this server. */
  trending: `exists (select 1 from trending_statuses t where t.status_id = ${s}.id)`,
  announced: `${s}.id in (select named.value from announcements, json_each(announcements.status_ids) named)`,
  /** Part of a report or strike, which moderators and the author read. */
  reported: `exists (select 1 from reports r cross join json_each(r.status_ids) named
    where r.target_account_id = ${s}.account_id and named.value = ${s}.id)`,
  struck: `exists (select 1 from account_warnings w cross join json_each(w.status_ids) named
    where w.target_account_id = ${s}.account_id and named.value = ${s}.id)`,
  evidence: `(exists (select 1 from reports r cross join moderation_evidence e
      on e.report_id = r.id and e.status_id = ${s}.id where r.target_account_id = ${s}.account_id)
    or exists (select 1 from account_warnings w cross join moderation_evidence e
      on e.strike_id = w.id and e.status_id = ${s}.id where w.target_account_id = ${s}.account_id))`,
})

export type StatusReason = keyof ReturnType<typeof statusReasons>

/** Condition: pruning keeps the status by itself. Statuses that answer, reblog or quote it may keep it besides. */
export function isKept(s: Alias): SQL {
  return anyOf(Object.values(statusReasons(s)))
}

/** Condition: one of many holds, the first ones asked first. D1 takes no expression as deep as their `or`. */
export function anyOf(conditions: readonly string[]): SQL {
  return sql.raw(`(case ${conditions.map((condition) => `when ${condition} then 1`).join('\n ')} else 0 end)`)
}

/** Condition: a local account follows the author. */
export function isAuthorFollowed(s: Alias): SQL {
  return sql.raw(`exists (select 1 from follows f cross join users u on u.account_id = f.account_id
    where f.target_account_id = ${s}.account_id and (f.inbox_id is null) = 1)`)
}

/** Rows that answer, reblog or quote a status, which cannot be shown without it: table, id, and column that names it. */
export const dependants = [
  { table: 'statuses', id: 'id', names: 'in_reply_to_id' },
  { table: 'statuses', id: 'id', names: 'reblog_of_id' },
  { table: 'quotes', id: 'status_id', names: 'quoted_status_id' },
] as const
