import type { mastodon } from 'masto'
import { beforeAll, describe, expect, it } from 'vitest'
import { mastoAnonymous, mastoOf, postMany } from '../support/masto'
import { newName, newPerson, type Person } from '../support/people'

type Pages = mastodon.Paginator<mastodon.v1.Status[]>

const count = 45

/** Ids of one author's statuses in the order a paginator gives its pages. */
async function collect(pages: Pages, { id }: Person, until: number): Promise<string[][]> {
  const found: string[][] = []
  for await (const page of pages) {
    found.push(page.filter(({ account }) => account.id === id).map((status) => status.id))
    if (found.flat().length >= until) break
  }
  return found
}

describe('timelines with masto', () => {
  let author: Person
  let reader: Person
  let ids: readonly string[]
  const tag = newName('hedge').replaceAll('_', '')

  beforeAll(async () => {
    author = await newPerson('author')
    reader = await newPerson('reader')
    await mastoOf(reader).v1.accounts.$select(author.id).follow()
    ids = await postMany(author, count, (nth) => `Number ${nth} #${tag}`)
  })

  type Start = { readonly limit: number; readonly minId?: string }
  const timelines: readonly (readonly [string, (start: Start) => Pages])[] = [
    ['home', (start) => mastoOf(reader).v1.timelines.home.list(start)],
    ['home of the author', (start) => mastoOf(author).v1.timelines.home.list(start)],
    ['public', (start) => mastoAnonymous().v1.timelines.public.list(start)],
    ['local', (start) => mastoOf(reader).v1.timelines.public.list({ ...start, local: true })],
    ['hashtag', (start) => mastoAnonymous().v1.timelines.tag.$select(tag).list(start)],
    ['account', (start) => mastoAnonymous().v1.accounts.$select(author.id).statuses.list(start)],
  ]

  for (const [name, open] of timelines) {
    it(`${name}: every status comes once when paging down`, async () => {
      const pages = await collect(open({ limit: 10 }), author, count)
      expect(pages.flat()).toEqual(ids.toReversed())
    })

    it(`${name}: every status comes once when paging up`, async () => {
      const before = String(BigInt(ids[0] ?? '0') - 1n)
      const pages = await collect(open({ limit: 10, minId: before }).setDirection('prev'), author, count)
      for (const page of pages) expect(page).toEqual(page.toSorted((a, b) => Number(b) - Number(a)))
      expect(pages.flatMap((page) => page.toReversed())).toEqual(ids)
    })
  }

  it('end: nothing lies behind the last page, and nothing above the first', async () => {
    const statuses = mastoOf(reader).v1.accounts.$select(author.id).statuses
    const all = await collect(statuses.list({ limit: 20 }), author, Number.POSITIVE_INFINITY)
    expect(all.map((page) => page.length).filter((length) => length > 0)).toEqual([20, 20, 5])
    const newer = statuses.list({ limit: 20, minId: ids.at(-1) ?? '' }).setDirection('prev')
    expect((await collect(newer, author, 1)).flat()).toEqual([])
  })

  it('keep the filters of the first page on the next', async () => {
    const client = mastoOf(await newPerson('poet'))
    const me = await client.v1.accounts.verifyCredentials()
    const own: string[] = []
    for (let nth = 0; nth < 6; nth += 1) {
      const { id } = await client.v1.statuses.create({ status: `Verse ${nth} #${tag}verse` })
      await client.v1.statuses.create({ status: `Aside ${nth}`, inReplyToId: ids[0] ?? null })
      own.push(id)
    }
    const pages = client.v1.accounts.$select(me.id).statuses.list({ excludeReplies: true, limit: 2 })
    const found: string[] = []
    for await (const page of pages) found.push(...page.map((status) => status.id))
    expect(found).toEqual(own.toReversed())
  })

  it('of favourites and bookmarks page through in the order they were given', async () => {
    const client = mastoOf(await newPerson('fan'))
    for (const id of ids.slice(0, 5)) {
      await client.v1.statuses.$select(id).favourite()
      await client.v1.statuses.$select(id).bookmark()
    }
    for (const list of [client.v1.favourites.list({ limit: 2 }), client.v1.bookmarks.list({ limit: 2 })]) {
      const found = await collect(list, author, 5)
      expect(found.flat()).toEqual(ids.slice(0, 5).toReversed())
    }
  })
})
