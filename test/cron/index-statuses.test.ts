import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { openDb } from '../../src/db/query'
import { favourites, searchStale, searchWalks, statuses } from '../../src/db/schema'
import { indexStatuses } from '../../src/domain/search/index-statuses'
import type { Ctx } from '../../src/ports/ctx'
import { as } from '../support/as'
import { countingDb } from '../support/costs'
import { expectCosts } from '../support/expect-costs'
import { freshName, given } from '../support/given'
import { importedStatus } from '../support/given-remote'
import { storedStatus } from '../support/given-stored'
import { foundStatusIds, updateSearchIndex } from '../support/searching'
import { context } from '../support/test-app'

const word = () => `${freshName('ouzel')}x`

const documents = async () =>
  (await env.DB.prepare('select count(*) as n from status_search').first<number>('n')) ?? -1
const waiting = () => context().db.select().from(searchStale)
const walks = () => context().db.select().from(searchWalks)

const end = Number.MAX_SAFE_INTEGER

describe('index-statuses', () => {
  beforeEach(updateSearchIndex)

  it('indexes older statuses, newest first, in parts', async () => {
    const [w, me, open] = [word(), await given.account(), await given.account({ indexable: true })]
    const shy = await given.remoteAccount()
    for (let count = 0; count < 250; count += 1)
      await storedStatus({ accountId: me.id, content: `<p>${w} number${count}</p>` })
    const theirs = await storedStatus({ accountId: open.id, content: `<p>${w}</p>` })
    await storedStatus({ accountId: me.id, reblogOfId: theirs, content: '' })
    await storedStatus({ accountId: shy.id, local: false, content: `<p>${w}</p>` })
    await updateSearchIndex()
    const before = await documents()
    await context().db.insert(searchWalks).values({ accountId: 0, beforeId: end })
    await updateSearchIndex()
    expect(await foundStatusIds(me, `${w} number249`)).toHaveLength(1)
    expect(await foundStatusIds(me, `${w} number0`)).toEqual([])
    await updateSearchIndex()
    expect([await documents(), await walks()]).toEqual([before + 250, []])
    expect(await foundStatusIds(me, `${w} number0`)).toHaveLength(1)
    expect(await foundStatusIds(await given.account(), w)).toEqual([theirs])
  })

  it('starts again where an author changes their choice again in the meantime', async () => {
    const author = await given.account()
    const id = (await given.status({ by: author })).id
    const change = (indexable: boolean) =>
      as(author).patch('/api/v1/accounts/update_credentials', { indexable })
    await change(true)
    await context()
      .db.update(searchWalks)
      .set({ beforeId: Number(id) })
    await change(false)
    expect(await walks()).toEqual([{ accountId: author.id, beforeId: end }])
    await change(false)
    await updateSearchIndex()
    await change(false)
    expect(await walks()).toEqual([])
  })

  it('removes posts that are no longer relevant to local accounts', async () => {
    const [w, me] = [word(), await given.account()]
    const far = await given.remoteAccount({ indexable: true })
    const before = await documents()
    const { id } = await importedStatus(far, { content: `<p>${w}</p>` })
    const marked = await importedStatus(far, { content: `<p>${w}</p>` })
    await as(me).post(`/api/v1/statuses/${marked.id}/bookmark`)
    expect(await documents()).toBe(before + 2)
    await env.DB.prepare('update accounts set indexable = 0 where id = ?').bind(far.id).run()
    await updateSearchIndex()
    expect(await documents()).toBe(before + 1)
    expect(await foundStatusIds(me, w)).toEqual([marked.id])
    await env.DB.prepare('delete from statuses where id in (?, ?)').bind(id, marked.id).run()
    expect(await documents()).toBe(before)
  })

  it('keeps an edit that arrives while the document is written', async () => {
    const [first, second, me] = [word(), word(), await given.account()]
    const { id } = await given.status({ by: me })
    const says = (content: string) =>
      context()
        .db.update(statuses)
        .set({ content })
        .where(eq(statuses.id, Number(id)))
    await says(first)
    await indexStatuses(interrupted(() => says(second)))
    expect(await waiting()).toHaveLength(1)
    await updateSearchIndex()
    expect([await waiting(), await foundStatusIds(me, first), await foundStatusIds(me, second)]).toEqual([
      [],
      [],
      [Number(id)],
    ])
  })

  it('stores no document of a status deleted while it is written', async () => {
    const me = await given.account()
    const { id } = await given.status({ by: me })
    const before = await documents()
    const isIt = eq(statuses.id, Number(id))
    await context().db.update(statuses).set({ content: 'changed' }).where(isIt)
    await indexStatuses(interrupted(() => context().db.delete(statuses).where(isIt)))
    expect([await waiting(), await documents()]).toEqual([[], before - 1])
  })

  it('irrelevant posts cost nothing', async () => {
    const [me, far] = [await given.account(), await given.remoteAccount()]
    const { id } = await importedStatus(far, { content: '<p>far away</p>' })
    const ctx = context()
    await ctx.db.insert(favourites).values({ id: ctx.ids.next(), accountId: far.id, statusId: id })
    const own = await given.status({ by: me })
    await as(me).post(`/api/v1/statuses/${own.id}/favourite`)
    expect(await waiting()).toEqual([])
    const counted = countingDb(env.DB)
    await indexStatuses({ ...ctx, db: openDb(counted.db) })
    expectCosts(counted.read(), { trips: 1, rowsWritten: 0 })
  })

  it('keeps up with hundreds of edits and interactions a minute', async () => {
    const [me, shy, w] = [await given.account(), await given.account(), word()]
    const rows = Array.from({ length: 250 }, () =>
      storedStatus({ accountId: shy.id, content: `<p>${w}</p>` }),
    )
    for (const statusId of await Promise.all(rows))
      await context().db.insert(favourites).values({ id: context().ids.next(), accountId: me.id, statusId })
    expect(await waiting()).toHaveLength(250)
    for (const left of [150, 50, 0]) {
      await updateSearchIndex()
      expect(await waiting()).toHaveLength(left)
    }
    expect(await waiting()).toEqual([])
    expect(await foundStatusIds(me, w, { limit: '40', offset: '240' })).toHaveLength(10)
  })
})

/** A context in which something happens between what is read and what is written. */
function interrupted(happens: () => PromiseLike<unknown>): Ctx {
  const ctx = context()
  let trips = 0
  const db = new Proxy(ctx.db, {
    get(target, key, receiver) {
      if (key !== 'batch') return Reflect.get(target, key, receiver)
      return async (statements: Parameters<typeof target.batch>[0]) => {
        trips += 1
        if (trips === 2) await happens()
        return target.batch(statements)
      }
    },
  })
  return { ...ctx, db }
}
