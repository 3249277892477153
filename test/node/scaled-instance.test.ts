import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scaleOf } from '../support/scale/figures'
import { type BuiltInstance, buildInstance } from '../support/scale/on-disk'

let built: BuiltInstance
beforeAll(async () => {
  built = await buildInstance(1_000)
})
afterAll(() => built.db.close())

const count = (query: string) => Number(Object.values(built.db.prepare(query).get() ?? {})[0])

/** Hash of all rows of all tables. */
function digestOf({ db }: BuiltInstance): string {
  const hash = createHash('sha256')
  const tables = db.prepare("select name from sqlite_master where type = 'table' order by name").all()
  for (const { name } of tables)
    for (const row of db.prepare(`select * from "${name}"`).all()) hash.update(JSON.stringify(row))
  return hash.digest('hex')
}

describe('a generated instance', () => {
  it('a generated instance is the same each time', async () => {
    const again = await buildInstance(1_000)
    expect(digestOf(again)).toBe(digestOf(built))
    again.db.close()
  })

  it('keeps the guarantees of the schema', () => {
    expect(built.db.prepare('pragma foreign_key_check').all()).toEqual([])
    expect(count("select count(*) from sqlite_master where type = 'trigger'")).toBeGreaterThan(15)
    expect(count("select count(*) from sqlite_master where name like 'scale%'")).toBe(0)
    expect(count('select count(*) from search_walks')).toBe(0)
  })

  it('a generated instance has about as many statuses as requested, of every visibility, local and remote', () => {
    expect(count('select count(*) from statuses')).toBeGreaterThan(950)
    expect(count('select count(*) from statuses')).toBeLessThan(1_250)
    const kinds = built.db.prepare('select distinct local, visibility from statuses').all()
    expect(kinds.length).toBeGreaterThanOrEqual(7)
  })

  it('a generated instance has a star with followers behind a fixed number of inboxes and hosts', () => {
    const { facts, figures } = built.instance
    const followers = `from follows f join remote_actors r using (account_id) join accounts a on a.id = f.account_id
      where f.target_account_id = ${facts.accounts.star}`
    expect(count(`select count(*) ${followers}`)).toBe(figures.starFollowers)
    expect(count(`select count(distinct coalesce(r.shared_inbox, r.inbox)) ${followers}`)).toBe(
      figures.starInboxes,
    )
    expect(count(`select count(distinct a.domain) ${followers}`)).toBe(figures.starHosts)
    expect(
      count(`select count(*) from follows f join users u on u.account_id = f.account_id
        where f.target_account_id = ${facts.accounts.star}`),
    ).toBe(7)
  })

  it('a generated instance has a crowded domain, a long thread, a viral status and a prolific actor', () => {
    const { facts, figures } = built.instance
    const { accounts, statuses } = facts
    expect(
      count(`select count(*) from follows f join accounts a on a.id = f.account_id
        where a.domain = '${facts.crowdedDomain}' and f.target_account_id = ${accounts.crowded}`),
    ).toBe(figures.crowdedDomain)
    expect(
      count(`select count(*) from statuses where conversation_id = ${statuses.thread.first}
        and in_reply_to_id is not null`),
    ).toBe(figures.threadAnswers)
    expect(count(`select count(*) from favourites where status_id = ${statuses.viral}`)).toBe(
      figures.viralFavourites,
    )
    expect(count(`select count(*) from statuses where reblog_of_id = ${statuses.viral}`)).toBe(
      figures.viralReblogs,
    )
    expect(
      count(`select count(*) from statuses where account_id = ${accounts.prolific} and uri like '%' || id`),
    ).toBeGreaterThanOrEqual(figures.prolificStatuses)
  })

  it('a generated instance has every status and account that its facts name', () => {
    const { accounts, statuses } = built.instance.facts
    for (const [name, id] of Object.entries({ ...statuses, ...statuses.thread, thread: statuses.viral }))
      expect(count(`select count(*) from statuses where id = ${id}`), name).toBe(1)
    for (const [name, id] of Object.entries(accounts))
      expect(count(`select count(*) from accounts where id = ${id}`), name).toBe(1)
  })

  it('finds words, the rare one in few statuses', () => {
    const found = (word: string) =>
      count(`select count(*) from status_search where status_search match '${word} pub'`)
    expect(found(built.instance.facts.rareWord)).toBeLessThanOrEqual(3)
    expect(found(built.instance.facts.commonWord)).toBeGreaterThan(10)
  })

  it('exists in three sizes only', () => {
    expect(scaleOf('30000')).toBe('30000')
    expect(() => scaleOf(2_000)).toThrow('2000 statuses')
  })
})
