import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { previewCards, previewPages } from '../../../src/db/schema'
import { prunePages } from '../../../src/domain/links/prune'
import { as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { given } from '../../support/given'
import { freshHost, page, postAndProcess } from '../../support/given-page'
import { recordingDb, scannedTables } from '../../support/recording-db'
import { clock, context } from '../../support/test-app'

const start = clock.now()
// The clock is shared with the files that run after this one.
afterAll(() => clock.set(start))

const pass = (days: number) => clock.advance(days * 86_400_000)

/** Counts the stored pages and cards of a host. */
async function kept(host: string): Promise<{ readonly pages: number; readonly cards: number }> {
  const { db } = context()
  const cards = await db.select().from(previewCards).where(eq(previewCards.host, host))
  const pages = await db.select().from(previewPages)
  return { pages: pages.filter(({ url }) => new URL(url).host === host).length, cards: cards.length }
}

describe('pages without links', () => {
  it('deletes pages without links a month after their next refresh, unless public posts show their card', async () => {
    const alice = await given.account()
    const [shown, hidden] = [freshHost(), freshHost()]
    const post = await postAndProcess(alice, page(`https://${shown}/`, '<title>Shown</title>'))
    await postAndProcess(alice, page(`https://${hidden}/`, '<title>Hidden</title>'), {
      visibility: 'private',
    })
    pass(43)
    await prunePages(context())
    expect([await kept(shown), await kept(hidden)]).toEqual([
      { pages: 1, cards: 1 },
      { pages: 1, cards: 1 },
    ])
    pass(2)
    await prunePages(context())
    expect([await kept(shown), await kept(hidden)]).toEqual([
      { pages: 1, cards: 1 },
      { pages: 0, cards: 0 },
    ])
    await as(alice).delete(`/api/v1/statuses/${post.id}`)
    pass(29)
    await prunePages(context())
    expect(await kept(shown)).toEqual({ pages: 1, cards: 1 })
    pass(2)
    await prunePages(context())
    expect(await kept(shown)).toEqual({ pages: 0, cards: 0 })
  })

  it('checks pages in parts, and starts again after the last', async () => {
    const [alice, host] = [await given.account(), freshHost()]
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of names)
      await postAndProcess(alice, page(`https://${host}/${name}`, `<title>${name}</title>`), {
        visibility: 'private',
      })
    pass(45)
    const left: number[] = []
    for (const _ of [1, 2, 3]) {
      await prunePages(context(), 2)
      left.push((await kept(host)).pages)
    }
    expect(left).toEqual([3, 1, 0])
    await postAndProcess(alice, page(`https://${host}/0`, '<title>0</title>'), { visibility: 'private' })
    pass(45)
    await prunePages(context(), 2)
    expect(await kept(host)).toEqual({ pages: 0, cards: 0 })
  })

  it('fetches a page again where its card was deleted with another of its addresses', async () => {
    const [alice, host] = [await given.account(), freshHost()]
    const named = (query: string) =>
      page(`https://${host}/${query}`, '<title>One</title><link rel="canonical" href="/">')
    await postAndProcess(alice, named('?a'), { visibility: 'private' })
    pass(40)
    const other = named('?b')
    await postAndProcess(alice, other, { visibility: 'private' })
    pass(5)
    await prunePages(context())
    expect(await kept(host)).toEqual({ pages: 1, cards: 0 })
    expect((await postAndProcess(alice, other)).card).toMatchObject({ title: 'One' })
    expect(fediverse.network.requests(other)).toHaveLength(2)
  })

  it('finds pages without links by an index', async () => {
    const recording = recordingDb()
    await prunePages(context({ db: recording.db }))
    expect(recording.asked.length).toBeGreaterThan(0)
    for (const asked of recording.asked) expect(await scannedTables(asked)).toEqual([])
  })
})
