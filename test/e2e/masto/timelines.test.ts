import type { mastodon } from 'masto'
import { beforeAll, describe, expect, it } from 'vitest'
import { mastoAnonymous, mastoOf, postMany } from '../support/masto'
import { newName, newPerson, type Person } from '../support/people'

type Pages = mastodon.Paginator<mastodon.v1.Status[]>

const count = 12

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
    ['hashtag', (start) => mastoAnonymous().v1.timelines.tag.$select(tag).list(start)],
    ['account', (start) => mastoAnonymous().v1.accounts.$select(author.id).statuses.list(start)],
  ]

  for (const [name, open] of timelines) {
    it(`${name}: every status is returned once when paging down`, async () => {
      const pages = await collect(open({ limit: 5 }), author, count)
      expect(pages.flat()).toEqual(ids.toReversed())
    })

    it(`${name}: every status is returned once when paging up`, async () => {
      const before = String(BigInt(ids[0] ?? '0') - 1n)
      const pages = await collect(open({ limit: 5, minId: before }).setDirection('prev'), author, count)
      for (const page of pages) expect(page).toEqual(page.toSorted((a, b) => Number(b) - Number(a)))
      expect(pages.flatMap((page) => page.toReversed())).toEqual(ids)
    })
  }

  it('end: no status is behind the last page, and none before the first', async () => {
    const statuses = mastoOf(reader).v1.accounts.$select(author.id).statuses
    const all = await collect(statuses.list({ limit: 5 }), author, Number.POSITIVE_INFINITY)
    expect(all.map((page) => page.length).filter((length) => length > 0)).toEqual([5, 5, 2])
    const newer = statuses.list({ limit: 5, minId: ids.at(-1) ?? '' }).setDirection('prev')
    expect((await collect(newer, author, 1)).flat()).toEqual([])
  })
})
