import { env } from 'cloudflare:workers'
import { statusUri } from '../../src/contract/addresses'
import type { TestAccount } from './given'
import { storedStatus } from './given-stored'
import { type Masses, remoteMasses } from './masses'

export interface ViralStatus {
  readonly id: number
  readonly uri: string
  /** Accounts that did all of this, once each. */
  readonly masses: Masses
}

/** A status of `author` with so many favourites and reblogs, and notifications of these. */
export async function viralStatus(author: TestAccount, count: number): Promise<ViralStatus> {
  const id = await storedStatus({ accountId: author.id })
  const masses = await remoteMasses({ count, inboxes: 100 })
  const { from } = masses
  const accounts = accountsOf(masses)
  const notification = (type: string, start: number) =>
    env.DB.prepare(`insert into notifications (id, account_id, type, from_account_id, status_id, created_at)
      select id + ${start}, ${author.id}, '${type}', id, ${id}, 0 ${accounts}`)
  await env.DB.batch([
    env.DB.prepare(`insert into favourites (id, account_id, status_id) select id, id, ${id} ${accounts}`),
    env.DB.prepare(`insert into statuses (id, account_id, uri, local, visibility, reblog_of_id, conversation_id, created_at)
      select id, id, 'https://viral.test/' || id, 0, 'public', ${id}, id, 0 ${accounts}`),
    env.DB.prepare(
      `update accounts set statuses_count = 1 where id >= ${from} and id < ${from} + ${masses.count}`,
    ),
    // Counts of authors and servers include the reblogs.
    env.DB.prepare(`update status_counting
      set counted_before = max(counted_before, ${from} + ${masses.count})`),
    notification('favourite', 3_000_000),
    notification('reblog', 6_000_000),
    env.DB.prepare(
      `update statuses set favourites_count = ${count}, reblogs_count = ${count} where id = ${id}`,
    ),
  ])
  return { id, uri: statusUri('https://fieldfare.test', author.username, id), masses }
}

/** Adds a bookmark, a reaction, an answer, a quote and a vote by each of its accounts. */
export async function markedInEveryWay({ id, masses }: ViralStatus): Promise<void> {
  const accounts = accountsOf(masses)
  const status = `insert into statuses (id, account_id, uri, local, visibility, conversation_id, created_at, in_reply_to_id)`
  await env.DB.batch([
    env.DB.prepare(`insert into bookmarks (id, account_id, status_id) select id, id, ${id} ${accounts}`),
    env.DB.prepare(
      `insert into emoji_reactions (id, account_id, status_id, name) select id, id, ${id}, '🎉' ${accounts}`,
    ),
    env.DB.prepare(
      `${status} select id + 1000000, id, 'https://viral.test/a' || id, 0, 'public', id, 0, ${id} ${accounts}`,
    ),
    env.DB.prepare(
      `${status} select id + 2000000, id, 'https://viral.test/q' || id, 0, 'public', id, 0, null ${accounts}`,
    ),
    env.DB.prepare(`insert into quotes (status_id, account_id, quoted_status_id, quoted_uri, state, created_at)
      select id + 2000000, id, ${id}, 'https://quoted.test', 'accepted', 0 ${accounts}`),
    env.DB.prepare(`insert into polls (id, account_id, status_id, options, tallies)
      select ${id}, account_id, ${id}, '["a","b"]', '[0,0]' from statuses where id = ${id}`),
    env.DB.prepare(`insert into poll_votes (poll_id, account_id, choice) select ${id}, id, 0 ${accounts}`),
    env.DB.prepare(`update statuses set poll_id = ${id} where id = ${id}`),
  ])
}

function accountsOf({ from, count }: Masses): string {
  return `from accounts where id >= ${from} and id < ${from} + ${count}`
}
