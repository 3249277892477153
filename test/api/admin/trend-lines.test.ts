import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { tags } from '../../../src/db/schema'
import { anonymous, as } from '../../support/as'
import { freshName, given } from '../../support/given'
import { storedStatus } from '../../support/given-stored'
import { favouredStatus, linkedPage, trendsRefreshed, usedTag } from '../../support/given-trends'
import { withSettings } from '../../support/settings'
import { context } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/trends'
const setup = as('a-setup-token-for-tests')
const review = (what: string, key: string | number, trendable: boolean) =>
  setup.post(`${path}/review`, { what, key: String(key), trendable })

const Line = z.object({
  key: z.string(),
  of: z.string().nullable(),
  words: z.string().nullable(),
  shown: z.boolean(),
  reviewed: z.boolean(),
})
const List = z.object({ tags: z.array(Line), statuses: z.array(Line), links: z.array(Line) })

async function listed(what: keyof z.output<typeof List>, key: string | number) {
  const { body } = await setup.get(path)
  return List.parse(body)[what].find((line) => line.key === String(key))
}

/** Whether the tag, status or link is in the public trends. */
async function isShown(what: 'tags' | 'statuses' | 'links', key: string | number): Promise<boolean> {
  for (let next: string | undefined = `/api/v1/trends/${what}`; next !== undefined; ) {
    const { body, links } = await anonymous.get(next)
    if (JSON.stringify(body).includes(`"${key}"`)) return true
    next = links.next
  }
  return false
}

describe('trends as lines, decided about by names', () => {
  it('finds a hashtag by its name', async () => {
    const name = freshName('hashtag')
    const { id } = await given.account()
    await storedStatus({ accountId: id, tags: [name] })
    const lookup = async (text: string) =>
      setup.get(`/api/fieldfare/v1/admin/tags/lookup?${new URLSearchParams({ name: text })}`)
    const [tag] = await context().db.select().from(tags).where(eq(tags.name, name))
    expect(await lookup(`#${name.toUpperCase()}`)).toMatchObject({
      status: 200,
      body: { id: String(tag?.id), name },
    })
    expect((await lookup('unheard_of')).status).toBe(404)
  })

  it('shows nothing unapproved, unless trendableByDefault is set [T-704]', async () => {
    const [tag, post, page] = [await usedTag(6), await favouredStatus(20), await linkedPage(6)]
    await trendsRefreshed()
    const things = [['tags', tag] as const, ['statuses', post] as const, ['links', page] as const]
    for (const [what, key] of things) {
      expect(await isShown(what, key), what).toBe(false)
      expect(await listed(what, key)).toMatchObject({ shown: false, reviewed: false })
    }
    await withSettings({ trendableByDefault: true }, async () => {
      for (const [what, key] of things) {
        expect(await isShown(what, key), what).toBe(true)
        expect(await listed(what, key)).toMatchObject({ shown: true, reviewed: false })
      }
    })
  })

  it('counts at once on request', async () => {
    await withSettings({ trendMinimumTagAccounts: 5 }, async () => {
      const tag = await usedTag(6)
      expect(await listed('tags', tag)).toBeUndefined()
      expect(await setup.post(`${path}/refresh`)).toMatchObject({ status: 200, body: {} })
      expect(await listed('tags', tag)).toMatchObject({ shown: false, reviewed: false })
    })
  })

  it.each([
    ['tags', 'tag', () => usedTag(6)],
    ['statuses', 'status', () => favouredStatus(20)],
    ['links', 'link', () => linkedPage(6)],
  ] as const)('approves and rejects %s', async (list, what, make) => {
    const key = await make()
    await trendsRefreshed()
    expect(await review(what, key, true)).toMatchObject({ status: 200, body: {} })
    expect(await isShown(list, key)).toBe(true)
    expect(await listed(list, key)).toMatchObject({ shown: true, reviewed: true })
    await review(what, key, false)
    await withSettings({ trendableByDefault: true }, async () => {
      expect(await isShown(list, key)).toBe(false)
      await trendsRefreshed()
      expect(await isShown(list, key)).toBe(false)
    })
  })

  it('decides about all posts of an author, except those with their own decision', async () => {
    const author = await given.account({ discoverable: true })
    const low = await favouredStatus(20, { accountId: author.id })
    const high = await favouredStatus(40, { accountId: author.id })
    await trendsRefreshed()
    await review('author', author.username, true)
    expect(await isShown('statuses', high)).toBe(true)
    await review('status', high, false)
    expect(await isShown('statuses', high)).toBe(false)
    // The next best of the same author takes its place.
    await trendsRefreshed()
    expect(await isShown('statuses', low)).toBe(true)
    await review('author', `@${author.username}`, false)
    expect(await isShown('statuses', low)).toBe(false)
  })

  it('decides about all links of a host, except those with their own decision', async () => {
    const host = `${freshName('press')}.test`
    const [one, two] = [await linkedPage(6, { host }), await linkedPage(6, { host })]
    await trendsRefreshed()
    await review('link', two, false)
    await review('publisher', host.toUpperCase(), true)
    expect([await isShown('links', one), await isShown('links', two)]).toEqual([true, false])
    await review('publisher', host, false)
    expect(await isShown('links', one)).toBe(false)
  })

  it('removes control characters from texts', async () => {
    const post = await favouredStatus(20, { content: '<p>One\u001b[2J</p><p>two &amp; three</p>' })
    const page = await linkedPage(6, { card: { title: 'A\u0007<title>\n' } })
    await trendsRefreshed()
    expect((await listed('statuses', post))?.words).toBe('One[2J two & three')
    expect((await listed('links', page))?.words).toBe('A <title> ')
  })

  it.each([
    ['tag', 'nosuchtag'],
    ['status', '7'],
    ['status', 'seven'],
    ['author', 'nobody'],
    ['author', '@@'],
    ['link', 'https://nowhere.test/'],
    ['publisher', 'no host'],
  ])('answers 404 for the %s %s', async (what, key) => {
    expect((await review(what, key, true)).status).toBe(404)
  })

  it('refuses to decide about anything else', async () => {
    expect((await review('mood', 'x', true)).status).toBe(422)
  })
})
