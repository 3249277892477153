import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { statusReasons } from '../../../src/domain/pruning/find-kept-statuses'
import { given } from '../../support/given'
import { agedStatus, givenReason, pruneAll, reasons, storedAmong } from '../../support/pruning'
import { columnsReferringTo } from '../../support/stored-row'
import { context } from '../../support/test-app'

/** Reasons whose condition holds, by status. */
async function reasonsById(): Promise<ReadonlyMap<number, readonly string[]>> {
  const each = Object.entries(statusReasons('s')).map(
    ([name, condition]) => `'${name}', coalesce(${condition}, 0)`,
  )
  const found = await context().db.all<{ id: number; held: string }>(
    sql`select s.id as id, ${sql.raw(`json_object(${each.join(', ')})`)} as held from statuses s`,
  )
  return new Map(
    found.map(({ id, held }) => {
      const conditions: Readonly<Record<string, number>> = JSON.parse(held)
      return [id, Object.keys(conditions).filter((name) => conditions[name] === 1)]
    }),
  )
}

it('each reason alone keeps a status and the statuses it replies to, reblogs or quotes; others are deleted', async () => {
  const person = await given.account()
  const kept: [string, number][] = []
  for (const reason of reasons) {
    const above = await agedStatus(101)
    const status = await agedStatus(100, { in_reply_to_id: above.id })
    kept.push([`${reason}, above`, above.id], [reason, status.id])
    await givenReason[reason]({ person, status })
  }
  // Of a local reblog the condition is about its own row: the original stays since it depends on it.
  const held = await reasonsById()
  for (const [reason, id] of kept)
    expect(held.get(id), reason).toEqual(reason === 'written' || reason.endsWith(', above') ? [] : [reason])
  const others = [await agedStatus(100), await agedStatus(8), await agedStatus(6)]
  const state = await pruneAll()
  const left = await storedAmong([...kept.map(([, id]) => id), ...others.map(({ id }) => id)])
  expect(kept.filter(([, id]) => !left.includes(id)).map(([reason]) => reason)).toEqual([])
  expect(left).not.toContain(others[0]?.id)
  expect(left).not.toContain(others[1]?.id)
  expect(left).toContain(others[2]?.id)
  expect(state).toMatchObject({ outcome: 'nothing left', total: { statuses: 2 } })
})

/** Every column that names statuses or threads: the reason it gives to keep them, or why it gives none. */
const references: Readonly<Record<string, string>> = {
  'account_warnings.status_ids': 'struck',
  'announcements.status_ids': 'announced',
  'bookmarks.status_id': 'bookmarked',
  'conversation_mutes.conversation_id': 'thread muted',
  'conversations.conversation_id': 'not fetchable',
  'conversations.last_status_id': 'not fetchable',
  'emoji_reactions.status_id': 'reacted',
  'favourite_requests.status_id': 'favourite awaits approval',
  'favourites.status_id': 'favourited',
  'filter_statuses.status_id': 'filtered',
  'former_tags.status_id': 'in a home feed by a hashtag it had',
  'home_entries.status_id': 'in a home feed',
  'idempotency_keys.status_id': 'written',
  'imported_statuses.status_id': 'written',
  'list_entries.status_id': 'in a list',
  'media_attachments.scheduled_status_id': 'written',
  'media_attachments.status_id': 'written',
  'moderation_evidence.status_id': 'evidence',
  'notifications.status_id': 'notified',
  'poll_votes.poll_id': 'voted in',
  'polls.status_id': 'goes: the poll of the status',
  'quotes.quoted_status_id': 'depends',
  'quotes.status_id': 'quotes',
  'reports.status_ids': 'reported',
  'search_stale.status_id': 'goes: a trigger deletes it',
  'status_edits.status_id': 'goes: versions of the status',
  'status_links.status_id': 'goes: the link to its preview',
  'status_mentions.status_id': 'mentions',
  'status_pins.status_id': 'pinned',
  'status_tags.status_id': 'goes: by its key',
  'statuses.conversation_id': 'in a local thread',
  'statuses.in_reply_to_id': 'depends',
  'statuses.poll_id': 'goes: the poll of the status',
  'statuses.reblog_of_id': 'depends',
  'trending_statuses.status_id': 'trending',
}

it('every column that names a status has a rule: a new table needs one', async () => {
  const found = await columnsReferringTo('statuses', /(status_ids?|conversation_id|poll_id|in_reply_to_id)$/)
  expect(found.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(
    Object.keys(references).toSorted(),
  )
  const rules = new Set<string>([...reasons, 'depends'])
  expect(Object.values(references).filter((rule) => !rules.has(rule) && !rule.startsWith('goes: '))).toEqual(
    [],
  )
})
