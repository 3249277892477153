import { beforeAll, describe, expect, it } from 'vitest'
import { mutes } from '../../src/db/schema'
import { as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { freshName, given, type TestAccount } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { clock, context } from '../support/test-app'

const tag = freshName('walk')
const paths = ['/api/v1/timelines/home', '/api/v1/timelines/public', `/api/v1/timelines/tag/${tag}`]

describe('paging through 45 statuses, every third by a muted account', () => {
  let reader: TestAccount
  /** Ids of the statuses the reader may see, newest first. */
  const shown: string[] = []
  /** Ids of all the statuses, newest first. */
  const all: string[] = []

  beforeAll(async () => {
    reader = await given.account()
    const [friend, muted] = [await given.account(), await given.account()]
    const { db, ids } = context()
    await db.insert(mutes).values({
      id: ids.next(),
      accountId: reader.id,
      targetAccountId: muted.id,
      createdAt: clock.now(),
    })
    for (let index = 0; index < 45; index += 1) {
      const author = index % 3 === 2 ? muted : friend
      const id = String(await storedStatus({ accountId: author.id, tags: [tag], inHomeOf: [reader.id] }))
      all.unshift(id)
      if (author === friend) shown.unshift(id)
    }
  })

  async function walk(start: string, direction: 'next' | 'prev') {
    const pages: (readonly string[])[] = []
    let path: string | undefined = start
    while (path !== undefined) {
      const answer = await as(reader).get(path)
      if (idsOf(answer).length > 0) pages.push(idsOf(answer))
      path = answer.links[direction]
    }
    return pages
  }

  for (const path of paths) {
    it(`${path}: next returns all, each once, and stops [T-607]`, async () => {
      const pages = await walk(`${path}?limit=7`, 'next')
      expect(pages.flat()).toEqual(shown)
      expect(pages.map((page) => page.length)).toEqual([7, 7, 7, 7, 2])
    })

    it(`${path}: prev returns all in the other direction, each page newest first [T-608]`, async () => {
      const pages = await walk(`${path}?limit=7&min_id=${Number(all.at(-1)) - 1}`, 'prev')
      expect(pages.toReversed().flat()).toEqual(shown)
      expect(pages[0]).toEqual(shown.slice(-7))
    })

    it(`${path}: min_id reads right after an id, since_id the newest above it, max_id strictly below [T-609]`, async () => {
      const read = async (query: string) => idsOf(await as(reader).get(`${path}?${query}`))
      const [fifth, tenth, twentieth] = [shown[5], shown[10], shown[20]]
      expect(await read(`limit=5&min_id=${twentieth}`)).toEqual(shown.slice(15, 20))
      expect(await read(`limit=5&since_id=${twentieth}`)).toEqual(shown.slice(0, 5))
      expect(await read(`limit=5&max_id=${twentieth}`)).toEqual(shown.slice(21, 26))
      expect(await read(`limit=9&max_id=${fifth}&min_id=${tenth}`)).toEqual(shown.slice(6, 10))
      expect(await read(`limit=3&max_id=${fifth}&min_id=${tenth}`)).toEqual(shown.slice(7, 10))
      expect(await read(`limit=3&max_id=${fifth}&since_id=${tenth}`)).toEqual(shown.slice(6, 9))
    })

    it(`${path}: ignores invalid cursors, and treats an id beyond the greatest as the end of time`, async () => {
      const read = async (query: string) => idsOf(await as(reader).get(`${path}?limit=3&${query}`))
      const newest = shown.slice(0, 3)
      for (const bad of ['abc', '', '-5', '1.5', '1e9', '0x10', 'null'])
        for (const cursor of ['max_id', 'since_id', 'min_id'])
          expect(await read(`${cursor}=${bad}`), `${cursor}=${bad}`).toEqual(newest)
      expect(await read('max_id[]=1&min_id[x]=1')).toEqual(newest)
      expect(await read('max_id=9223372036854775807')).toEqual(newest)
      expect(await read('since_id=9223372036854775807')).toEqual([])
      expect(await read('min_id=9223372036854775807')).toEqual([])
      expect(await read('max_id=0')).toEqual([])
    })

    it(`${path}: limits are made positive and cut; Links keep them and the filters [T-610]`, async () => {
      const count = async (limit: string) => idsOf(await as(reader).get(`${path}?limit=${limit}`)).length
      expect(await count('1000')).toBe(30)
      expect(await count('-4')).toBe(4)
      expect(await count('')).toBe(20)
      expect(await as(reader).get(`${path}?limit=0`)).toMatchObject({ body: [], links: {} })
      const { links } = await as(reader).get(`${path}?limit=2&local=true&max_id=${shown[3]}`)
      expect(links.next).toBe(`${path}?limit=2&local=true&max_id=${shown[5]}`)
      expect(links.prev).toBe(`${path}?limit=2&local=true&min_id=${shown[4]}`)
    })

    it(`${path}: an empty page has no Link [T-611]`, async () => {
      const answer = await as(reader).get(`${path}?since_id=${shown[0]}`)
      expect(answer.body).toEqual([])
      expect(answer.headers.get('Link')).toBeNull()
    })
  }
})
