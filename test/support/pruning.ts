import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { execute } from '../../src/db/query'
import type { StatusReason } from '../../src/domain/pruning/find-kept-statuses'
import { type PruneLimits, pruneDatabase } from '../../src/domain/pruning/prune'
import { lastState, type PruneState } from '../../src/domain/pruning/state'
import { given } from './given'
import { relation } from './given-relationships'
import { storedRow } from './stored-row'
import { clock, context } from './test-app'

export interface Numbered {
  readonly id: number
}

/** A local account, and a remote status that it does something with. */
export interface Reasoned {
  readonly person: Numbered
  readonly status: Numbered & { readonly authorId: number }
}

const update = (id: number, set: string) =>
  env.DB.prepare(`update statuses set ${set} where id = ${id}`).run()

/** A status by `person`, of no age; not one that keeps others by its thread. */
export const writtenBy = (
  { id: accountId }: Numbered,
  more: Readonly<Record<string, number | string>> = {},
) =>
  storedRow('statuses', {
    account_id: accountId,
    local: 1,
    visibility: 'public',
    conversation_id: context().ids.next(),
    created_at: clock.now().getTime(),
    ...more,
  })

const about = ({ person, status }: Reasoned) => ({ account_id: person.id, status_id: status.id })
const time = () => ({ created_at: clock.now().getTime() })

/** Gives pruning each of its reasons to keep a status. */
export const givenReason: Readonly<Record<StatusReason, (subject: Reasoned) => Promise<unknown>>> = {
  written: ({ person, status }) => writtenBy(person, { reblog_of_id: status.id }),
  'not fetchable': ({ status }) => update(status.id, "visibility = 'private'"),
  favourited: (subject) => storedRow('favourites', about(subject)),
  'favourite awaits approval': (subject) => storedRow('favourite_requests', about(subject)),
  bookmarked: (subject) => storedRow('bookmarks', about(subject)),
  reacted: (subject) => storedRow('emoji_reactions', about(subject)),
  'voted in': async ({ person, status }) => {
    const poll = await storedRow('polls', {
      account_id: status.authorId,
      status_id: status.id,
      options: '["a","b"]',
      tallies: '[1,0]',
    })
    await update(status.id, `poll_id = ${poll}`)
    await storedRow('poll_votes', { poll_id: poll, account_id: person.id, choice: 0 })
  },
  filtered: async ({ person, status }) => {
    const filter = await storedRow('filters', { account_id: person.id, contexts: '["home"]', action: 'warn' })
    await storedRow('filter_statuses', { filter_id: filter, status_id: status.id })
  },
  'thread muted': ({ person, status }) =>
    env.DB.prepare(`insert into conversation_mutes (account_id, conversation_id)
      select ${person.id}, conversation_id from statuses where id = ${status.id}`).run(),
  pinned: ({ status }) => storedRow('status_pins', { account_id: status.authorId, status_id: status.id }),
  mentions: (subject) => storedRow('status_mentions', about(subject)),
  answers: ({ person, status }) => update(status.id, `in_reply_to_account_id = ${person.id}`),
  reblogs: async ({ person, status }) => {
    const original = await writtenBy(person)
    await update(status.id, `reblog_of_id = ${original}`)
  },
  quotes: async ({ person, status }) => {
    const quoted = await writtenBy(person)
    await env.DB.prepare('delete from quotes where status_id = ?').bind(status.id).run()
    await storedRow('quotes', {
      status_id: status.id,
      account_id: status.authorId,
      quoted_status_id: quoted,
      quoted_account_id: person.id,
      state: 'accepted',
    })
  },
  'in a local thread': ({ person, status }) =>
    env.DB.prepare(`insert into statuses (id, account_id, local, visibility, conversation_id, created_at)
      select ${context().ids.next()}, ${person.id}, 1, 'public', conversation_id, ${clock.now().getTime()}
      from statuses where id = ${status.id}`).run(),
  scheduled: ({ person, status }) =>
    storedRow('scheduled_statuses', {
      account_id: person.id,
      params: JSON.stringify({ text: 'later', inReplyToId: status.id }),
    }),
  notified: (subject) =>
    storedRow('notifications', {
      ...about(subject),
      type: 'status',
      from_account_id: subject.status.authorId,
      ...time(),
    }),
  'in a home feed': async (subject) => {
    const { person, status } = subject
    await relation.follow(person, { id: status.authorId }).catch(() => undefined)
    await storedRow('home_entries', about(subject))
  },
  'in a home feed by hashtag': async (subject) => {
    const name = `tag${context().ids.next()}`
    const tag = await storedRow('tags', { name })
    await update(subject.status.id, `tags = '[{"name":"${name}","display":"${name}"}]'`)
    await storedRow('status_tags', { tag_id: tag, status_id: subject.status.id })
    await storedRow('tag_follows', { account_id: subject.person.id, tag_id: tag })
    await storedRow('home_entries', about(subject))
  },
  'in a home feed by a hashtag it had': async (subject) => {
    const tag = await storedRow('tags', { name: `tag${context().ids.next()}` })
    await storedRow('former_tags', { status_id: subject.status.id, tag_id: tag })
    await storedRow('tag_follows', { account_id: subject.person.id, tag_id: tag })
    await storedRow('home_entries', about(subject))
  },
  'in a list': async ({ person, status }) => {
    const list = await storedRow('lists', { account_id: person.id })
    await storedRow('list_accounts', { list_id: list, owner_id: person.id, account_id: status.authorId })
    await storedRow('list_entries', { list_id: list, status_id: status.id })
  },
  trending: ({ status }) =>
    storedRow('trending_statuses', { status_id: status.id, account_id: status.authorId, language: 'en' }),
  announced: ({ status }) =>
    storedRow('announcements', { status_ids: JSON.stringify([status.id]), ...time() }),
  reported: ({ person, status }) =>
    storedRow('reports', {
      account_id: person.id,
      target_account_id: status.authorId,
      status_ids: JSON.stringify([status.id]),
      ...time(),
    }),
  struck: ({ status }) =>
    storedRow('account_warnings', {
      target_account_id: status.authorId,
      status_ids: JSON.stringify([status.id]),
      ...time(),
    }),
  evidence: async ({ person, status }) => {
    const report = await storedRow('reports', {
      account_id: person.id,
      target_account_id: status.authorId,
      ...time(),
    })
    await storedRow('moderation_evidence', { report_id: report, status_id: status.id, snapshot: '{}' })
  },
}

export const reasons = Object.keys(givenReason) as readonly StatusReason[]

/** Limits above which everything that may go goes. */
export const noRoom: Partial<PruneLimits> = { bytes: 0, rowsRead: 1e9, rowsWritten: 1e9 }

const minute = 60_000

/** Prunes, minute by minute, until there is nothing to do. State of the last run. */
export async function pruneAll(limits: Partial<PruneLimits> = noRoom): Promise<PruneState> {
  await context().db.run(sql`delete from settings where key = 'task.prune'`)
  for (let runs = 0; runs < 500; runs += 1) {
    await pruneDatabase(context(), limits)
    const state = await execute(context().db, lastState(context()))
    if (state !== null && state.outcome !== 'pruning') return state
    clock.advance(minute)
  }
  throw new Error('Pruning came to no end')
}

/** A remote status of `days` days ago. */
export async function agedStatus(
  days: number,
  more: Readonly<Record<string, number | string | null>> = {},
): Promise<Reasoned['status']> {
  const at = new Date(clock.now().getTime() - days * 86_400_000)
  const id = context().ids.next(at)
  const authorId = Number(more['account_id'] ?? (await given.remoteAccount()).id)
  await storedRow('statuses', {
    id,
    account_id: authorId,
    local: 0,
    uri: `https://elsewhere.test/statuses/${id}`,
    visibility: 'public',
    conversation_id: id,
    created_at: at.getTime(),
    ...more,
  })
  return { id, authorId }
}

/** So many of one remote account. */
export async function agedStatuses(count: number, days: number): Promise<readonly Reasoned['status'][]> {
  const author = await given.remoteAccount()
  return Promise.all(Array.from({ length: count }, () => agedStatus(days, { account_id: author.id })))
}

/** Returns those of the statuses that are stored. */
export async function storedAmong(ids: readonly number[]): Promise<readonly number[]> {
  const found = await context().db.all<{ id: number }>(
    sql`select id from statuses where id in (select value from json_each(${JSON.stringify(ids)})) order by id`,
  )
  return found.map(({ id }) => id)
}
