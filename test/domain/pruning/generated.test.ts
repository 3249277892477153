import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { instantOf } from '../../../src/lib/ids'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { givenReason, type Numbered, pruneAll, reasons, storedAmong } from '../../support/pruning'
import { clock, context } from '../../support/test-app'

const day = 86_400_000
const count = 120

/** Numbers from 0 to 1 that follow from a seed. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Made extends Numbered {
  readonly authorId: number
  readonly thread: number
  /** Status that it answers, reblogs or quotes. */
  readonly target: Made | null
  isKept: boolean
}

let authors: readonly Numbered[] = []
let people: readonly Numbered[] = []

beforeAll(async () => {
  people = [await given.account(), await given.account(), await given.account()]
  authors = await Promise.all(Array.from({ length: 12 }, () => given.remoteAccount()))
  for (const author of authors.slice(0, 4)) await relation.follow({ id: people[0]?.id ?? 0 }, author)
})

/** Statuses by remote accounts: threads, reblogs and quotes, with what only remote accounts did to them. */
async function remoteStatuses(next: () => number): Promise<readonly Made[]> {
  const made: Made[] = []
  const rows: D1PreparedStatement[] = []
  const run = (text: string) => void rows.push(env.DB.prepare(text))
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] ?? (of[0] as T)
  for (let index = 0; index < count; index += 1) {
    // From 100 days ago on; the youngest are younger than any setting lets go.
    const at = new Date(clock.now().getTime() - 100 * day + index * (99 / count) * day)
    const id = context().ids.next(at)
    const authorId = pick(authors).id
    const target = index > 0 && next() < 0.55 ? pick(made.slice(-12)) : null
    const kind = target === null ? 'alone' : pick(['reply', 'reply', 'reblog', 'quote'])
    const thread = kind === 'reply' ? (target?.thread ?? id) : id
    const status: Made = { id, authorId, thread, target, isKept: false }
    // An account reblogs a status once.
    if (kind === 'reblog' && made.some((other) => other.target === target && other.authorId === authorId))
      continue
    made.push(status)
    run(`insert into statuses (id, account_id, uri, local, visibility, conversation_id, in_reply_to_id, reblog_of_id, tags, created_at)
      values (${id}, ${authorId}, 'https://elsewhere.test/s/${id}', 0, '${pick(['public', 'unlisted'])}', ${thread},
        ${kind === 'reply' ? target?.id : null}, ${kind === 'reblog' ? target?.id : null},
        '${next() < 0.3 ? '[{"name":"birds","display":"Birds"}]' : '[]'}', ${at.getTime()})`)
    if (kind === 'quote')
      run(`insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, quoted_uri, state, created_at)
        values (${id}, ${authorId}, ${target?.id}, ${target?.authorId}, '', 'accepted', 0)`)
    if (next() < 0.2)
      run(
        `insert or ignore into favourites (id, account_id, status_id) values (${context().ids.next()}, ${pick(authors).id}, ${id})`,
      )
    if (next() < 0.2) run(`insert or ignore into status_mentions values (${id}, ${pick(authors).id})`)
    if (next() < 0.1) run(`insert into former_tags values (${id}, 1)`)
    if (next() < 0.1) run(`insert into home_entries values (${people[2]?.id}, ${id})`)
  }
  await env.DB.batch(rows)
  return made
}

/** Sets all counters by what is stored. */
async function recount(): Promise<void> {
  const open = "r.visibility in ('public', 'unlisted')"
  await env.DB.batch(
    [
      `insert or ignore into tags (id, name, display_name, created_at) values (1, 'birds', 'Birds', 0)`,
      `insert or ignore into status_tags select 1, id from statuses where tags like '%"birds"%'`,
      `insert or ignore into featured_tags (id, account_id, tag_id, name, created_at)
        select id, id, 1, 'Birds', 0 from accounts where domain is not null`,
      `update statuses set ${countsOf(open)}`,
      `update accounts set statuses_count = (select count(*) from statuses s where s.account_id = accounts.id)`,
      `update featured_tags set statuses_count = (select count(*) from status_tags t cross join statuses s
        on s.id = t.status_id where s.account_id = featured_tags.account_id)`,
    ].map((text) => env.DB.prepare(text)),
  )
}

const countsOf = (open: string) => `
  replies_count = (select count(*) from statuses r where r.in_reply_to_id = statuses.id and ${open}),
  reblogs_count = (select count(*) from statuses r where r.reblog_of_id = statuses.id),
  quotes_count = (select count(*) from quotes q where q.quoted_status_id = statuses.id and q.state = 'accepted')`

async function counters(): Promise<unknown> {
  const { results } = await env.DB.prepare(
    `select 's' as kind, id, json_array(replies_count, quotes_count) as counts from statuses
     union all select 't', account_id, statuses_count from featured_tags order by 1, 2`,
  ).all()
  return results
}

/** Numbers of posts by author. */
async function postCounts(): Promise<unknown> {
  const { results } = await env.DB.prepare(
    'select id, statuses_count from accounts where domain is not null order by id',
  ).all()
  return results
}

/** Numbers of reblogs by status. */
async function reblogCounts(): Promise<ReadonlyMap<number, number>> {
  const found = await context().db.all<{ id: number; number: number }>(
    sql`select id, reblogs_count as number from statuses`,
  )
  return new Map(found.map(({ id, number }) => [id, number]))
}

/** Remote accounts that somebody here follows. */
async function followedAuthors(): Promise<ReadonlySet<number>> {
  const found = await context().db.all<{ id: number }>(
    sql`select distinct target_account_id as id from follows where account_id in (select account_id from users)`,
  )
  return new Set(found.map(({ id }) => id))
}

/** Rows that name a status which is not stored, by table. */
async function danglingRows(): Promise<unknown> {
  const tables = ['status_tags', 'status_mentions', 'favourites', 'quotes', 'former_tags']
  const { results } = await env.DB.prepare(
    tables
      .map(
        (table) => `select '${table}' as name from ${table} where status_id not in (select id from statuses)`,
      )
      .join(' union all '),
  ).all()
  return results
}

describe.each([1, 2, 3])('a generated instance, seed %i', (seed) => {
  it('keeps what the rules keep, and nothing else', async () => {
    const next = numbersFrom(seed)
    const made = await remoteStatuses(next)
    for (const status of made)
      if (next() < 0.12) {
        const reason = reasons[Math.floor(next() * reasons.length)]
        const person = people[Math.floor(next() * 2)]
        if (reason === undefined || person === undefined) throw new Error('no reason')
        const canChange = !(['reblogs', 'quotes'].includes(reason) && status.target !== null)
        if (!canChange) continue
        await givenReason[reason]({ person, status })
        const isOfThread = reason === 'in a local thread' || reason === 'thread muted'
        for (const other of isOfThread ? made : [status])
          if (other === status || other.thread === status.thread) other.isKept = true
      }
    const followed = await followedAuthors()
    const age = ({ id }: Made) => clock.now().getTime() - instantOf(id).getTime()
    for (const status of made)
      if (age(status) < (followed.has(status.authorId) ? 30 : 7) * day) status.isKept = true
    // Newest first: what is kept keeps what it answers, reblogs or quotes.
    for (const status of made.toReversed())
      if (status.isKept && status.target !== null) status.target.isKept = true
    await recount()
    const [posted, reblogged] = [await postCounts(), await reblogCounts()]
    for (let round = 0; round < 3; round += 1) await pruneAll()
    // Authors wrote them, and others reblogged them, all the same.
    expect(await postCounts()).toEqual(posted)
    for (const [id, number] of await reblogCounts()) expect(number).toBe(reblogged.get(id))
    const expected = made.filter(({ isKept }) => isKept).map(({ id }) => id)
    expect(expected.length).toBeGreaterThan(10)
    expect(expected.length).toBeLessThan(made.length - 10)
    expect(await storedAmong(made.map(({ id }) => id))).toEqual(expected.toSorted((a, b) => a - b))
    const after = await counters()
    await recount()
    expect(after).toEqual(await counters())
    expect(await danglingRows()).toEqual([])
  })
})
