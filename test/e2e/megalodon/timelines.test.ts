import type { Entity } from 'megalodon'
import { beforeAll, describe, expect, it } from 'vitest'
import { postMany } from '../support/masto'
import { megalodonOf } from '../support/megalodon'
import { newName, newPerson, type Person } from '../support/people'

type Bounds = { readonly limit: number; readonly max_id?: string; readonly min_id?: string }
type Fetch = (bounds: Bounds) => Promise<{ readonly data: Entity.Status[] }>

const count = 45

describe('timelines with megalodon', () => {
  let author: Person
  let reader: Person
  let ids: readonly string[]
  const tag = newName('wood').replaceAll('_', '')

  beforeAll(async () => {
    author = await newPerson('author')
    reader = await newPerson('reader')
    await megalodonOf(reader).followAccount(author.id)
    ids = await postMany(author, count, (nth) => `Number ${nth} #${tag}`)
  })

  const own = (page: readonly Entity.Status[]) =>
    page.filter(({ account }) => account.id === author.id).map(({ id }) => id)

  const timelines: readonly (readonly [string, Fetch])[] = [
    ['home', (bounds) => megalodonOf(reader).getHomeTimeline(bounds)],
    ['public', (bounds) => megalodonOf(null).getPublicTimeline(bounds)],
    ['local', (bounds) => megalodonOf(reader).getLocalTimeline(bounds)],
    ['hashtag', (bounds) => megalodonOf(null).getTagTimeline(tag, bounds)],
    [
      'account',
      (bounds) => megalodonOf(reader).getAccountStatuses(author.id, { ...bounds, only_media: false }),
    ],
  ]

  for (const [name, fetchPage] of timelines) {
    it(`${name}: scrolling down and back up shows each status once`, async () => {
      const down: string[] = []
      for (let last: string | undefined; down.length < count; ) {
        const { data } = await fetchPage({ limit: 10, ...(last === undefined ? {} : { max_id: last }) })
        if (data.length === 0) break
        down.push(...own(data))
        last = data.at(-1)?.id
      }
      expect(down).toEqual(ids.toReversed())

      const up = [String(down.at(-1))]
      for (let first = up[0]; up.length < count && first !== undefined; ) {
        const { data } = await fetchPage({ limit: 10, min_id: first })
        up.push(...own(data).toReversed())
        first = data[0]?.id
      }
      expect(up).toEqual(ids)
    })
  }

  it('follow the links of followers to the last page', async () => {
    const star = await newPerson('star')
    const fans = await Promise.all(Array.from({ length: 5 }, () => newPerson('fan')))
    await Promise.all(fans.map((fan) => megalodonOf(fan).followAccount(star.id)))
    const { data } = await megalodonOf(null).getAccountFollowers(star.id, { limit: 2, get_all: true })
    expect(data.map(({ id }) => id).toSorted()).toEqual(fans.map(({ id }) => id).toSorted())
  })
})
