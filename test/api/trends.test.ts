import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Status, TrendsLink } from '../../src/contract/entities/status'
import { Tag } from '../../src/contract/entities/tag'
import { accounts, statuses, users } from '../../src/db/schema'
import { saveSettings } from '../../src/domain/instance/save-settings'
import { operator } from '../../src/domain/policy/permissions'
import { anonymous, as } from '../support/as'
import { given, type TestAccount } from '../support/given'
import { relation } from '../support/given-relationships'
import {
  favour,
  favouredStatus,
  linkedPage,
  postsBy,
  trendsRefreshed,
  usedTag,
} from '../support/given-trends'
import { withSettings } from '../support/settings'
import { clock, context } from '../support/test-app'

const hour = 3_600_000

interface Reader {
  readonly viewer?: TestAccount
  readonly language?: string
}

/** Reads every page of an endpoint. */
async function all(what: 'tags' | 'statuses' | 'links', { viewer, language = 'en' }: Reader = {}) {
  const found: unknown[] = []
  const headers = { 'accept-language': language }
  for (let next: string | undefined = `/api/v1/trends/${what}`; next !== undefined; ) {
    const { body, links } = await as(viewer ?? null).get(next, { headers })
    found.push(...z.array(z.unknown()).parse(body))
    next = links.next
  }
  return found
}

const tags = async (reader?: Reader) =>
  z
    .array(Tag)
    .parse(await all('tags', reader))
    .map(({ name }) => name)
const posts = async (reader?: Reader) =>
  z
    .array(Status)
    .parse(await all('statuses', reader))
    .map(({ id }) => Number(id))
const links = async (reader?: Reader) =>
  z
    .array(TrendsLink)
    .parse(await all('links', reader))
    .map(({ url }) => url)
const among = <T>(few: readonly T[], many: readonly T[]) => many.filter((one) => few.includes(one))

beforeAll(() => saveSettings(context(), operator, { trendableByDefault: true }))
afterAll(() => saveSettings(context(), operator, { trendableByDefault: false }))

describe('GET /api/v1/trends/tags', () => {
  it('returns tags with more accounts than usual, highest first, with the use of seven days [T-624]', async () => {
    const [much, little, few] = [await usedTag(7), await usedTag(5), await usedTag(4)]
    await trendsRefreshed()
    expect(among([much, little, few], await tags())).toEqual([much, little])
    const found = z
      .array(Tag)
      .parse(await all('tags'))
      .find(({ name }) => name === much)
    expect(found?.history).toHaveLength(7)
    expect(found?.history[0]).toMatchObject({ accounts: '7', uses: '7' })
    expect(found?.history[1]).toMatchObject({ accounts: '0', uses: '0' })
    expect(found).not.toHaveProperty('featuring')
  })

  it('counts accounts and not posts, and neither reblogs, limited accounts nor statuses that are not public', async () => {
    const [one, unlisted, localOnly] = [
      await usedTag(1),
      await usedTag(6, { visibility: 'unlisted' }),
      await usedTag(6, { localOnly: true }),
    ]
    for (let index = 0; index < 6; index += 1) {
      const limited = await given.account({ silencedAt: clock.now() })
      await given.status({ by: limited, text: `#${one}` })
    }
    await trendsRefreshed()
    expect(among([one, unlisted, localOnly], await tags())).toEqual([])
  })

  it('falls as time passes and does not rise again that day', async () => {
    const tag = await usedTag(5)
    await trendsRefreshed()
    expect(await tags()).toContain(tag)
    clock.advance(17 * hour)
    expect(await tags()).not.toContain(tag)
    await postsBy(2, { tags: [tag] })
    await trendsRefreshed()
    expect(await tags()).not.toContain(tag)
  })

  it('shows previous days also before today is counted', async () => {
    const tag = await usedTag(9)
    await trendsRefreshed()
    clock.set(new Date(Math.ceil((clock.now().getTime() + 1) / (24 * hour)) * 24 * hour))
    const found = z
      .array(Tag)
      .parse(await all('tags'))
      .find(({ name }) => name === tag)
    // The peak of nine lasts a day.
    expect(found?.history.map(({ accounts }) => accounts).slice(0, 2)).toEqual(['0', '9'])
  })

  it('pages by offset: next while pages are full, prev beyond the second [T-625]', async () => {
    for (let index = 0; index < 3; index += 1) await usedTag(6)
    await trendsRefreshed()
    const page = (query: string) => anonymous.get(`/api/v1/trends/tags?${query}`)
    const first = await page('limit=1')
    expect(first.links).toEqual({ next: '/api/v1/trends/tags?limit=1&offset=1' })
    expect((await page('limit=1&offset=1')).links.prev).toBeUndefined()
    expect((await page('limit=1&offset=2')).links.prev).toBe('/api/v1/trends/tags?limit=1&offset=1')
    expect((await page('limit=1&offset=900')).links.next).toBeUndefined()
    const both = z.array(Tag).parse((await page('limit=2')).body)
    expect((await page('limit=1&offset=1')).body).toEqual(both.slice(1))
  })

  it('says whether the signed-in viewer features it', async () => {
    const tag = await usedTag(6)
    await trendsRefreshed()
    const viewer = await given.account()
    await as(viewer).post('/api/v1/featured_tags', { name: tag })
    const found = z
      .array(Tag)
      .parse(await all('tags', { viewer }))
      .find(({ name }) => name === tag)
    expect(found?.featuring).toBe(true)
  })
})

describe('GET /api/v1/trends', () => {
  it('GET /api/v1/trends is the old name of trending tags, with Deprecation [T-626]', async () => {
    const old = await anonymous.get('/api/v1/trends')
    expect(old.body).toEqual((await anonymous.get('/api/v1/trends/tags')).body)
    expect(old.headers.get('deprecation')).toMatch(/^@\d+$/)
  })
})

describe('GET /api/v1/trends/statuses', () => {
  it('returns posts by favourites and reblogs, the newer of equals first, one of each author [T-627]', async () => {
    const author = await given.account({ discoverable: true })
    const low = await favouredStatus(20, { accountId: author.id })
    const high = await favouredStatus(30, { accountId: author.id })
    const older = await favouredStatus(30)
    clock.advance(hour)
    const newer = await favouredStatus(30)
    const few = await favouredStatus(4)
    await trendsRefreshed()
    expect(among([low, high, older, newer, few], await posts())).toEqual([newer, older, high])
  })

  it('updates with a post between two runs', async () => {
    const id = await favouredStatus(6)
    await trendsRefreshed()
    expect(await posts()).toContain(id)
    await favour(id, 60)
    const rival = await favouredStatus(10)
    await trendsRefreshed()
    expect(among([id, rival], await posts())).toEqual([id, rival])
    await context().db.update(statuses).set({ sensitive: true }).where(eq(statuses.id, id))
    await trendsRefreshed()
    expect(among([id, rival], await posts())).toEqual([rival])
    clock.advance(24 * hour)
    expect(await posts()).not.toContain(rival)
  })

  it.each([
    ['is not public', { visibility: 'unlisted' }],
    ['has a warning', { spoilerText: 'Spoilers' }],
    ['is sensitive', { sensitive: true }],
    ['answers another', { inReplyToId: 7 }],
    ['answers something unknown', { inReplyToUri: 'https://elsewhere.test/1' }],
    ['has no language', { language: null }],
    ['never leaves this server', { localOnly: true }],
  ] as const)('leaves out a post that %s', async (_, post) => {
    const id = await favouredStatus(50, post)
    await trendsRefreshed()
    expect(await posts()).not.toContain(id)
  })

  it.each([
    ['do not want to be found', { discoverable: false }],
    ['never said', { discoverable: null }],
    ['are suspended', { suspendedAt: clock.now() }],
    ['are limited', { silencedAt: clock.now() }],
    ['have all their media covered', { sensitizedAt: clock.now() }],
    ['wait for approval', { user: { approved: false } }],
  ])('leaves out authors who %s', async (_, options) => {
    const author = await given.account({ discoverable: true, ...options })
    const id = await favouredStatus(50, { accountId: author.id })
    await trendsRefreshed()
    expect(await posts()).not.toContain(id)
  })

  it('leaves out accounts the viewer blocks or mutes, that block the viewer, or were suspended since', async () => {
    const viewer = await given.account()
    const authors = [await given.account({ discoverable: true }), await given.account({ discoverable: true })]
    const [blocking, gone] = [
      await given.account({ discoverable: true }),
      await given.account({ discoverable: true }),
    ]
    const ids: number[] = []
    for (const { id } of [...authors, blocking, gone]) ids.push(await favouredStatus(40, { accountId: id }))
    await trendsRefreshed()
    expect(among(ids, await posts({ viewer }))).toHaveLength(4)
    const [blocked, muted] = authors
    if (!blocked || !muted) throw new Error('made too few')
    await relation.block(viewer, blocked)
    await relation.mute(viewer, muted)
    await relation.block(blocking, viewer)
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, gone.id))
    expect(among(ids, await posts({ viewer }))).toEqual([])
    expect(among(ids, await posts())).toHaveLength(3)
  })

  it('shows the reader’s languages first: chosen ones, else that of the server, else that of the app', async () => {
    const [english, german, french] = [
      await favouredStatus(50),
      await favouredStatus(40, { language: 'de' }),
      await favouredStatus(30, { language: 'fr' }),
    ]
    await trendsRefreshed()
    const three = [english, german, french]
    const first = async (reader: Reader) => among(three, await posts(reader))[0]
    expect(await first({ language: 'en' })).toBe(english)
    expect(await first({ language: 'fr-CH, de;q=0.8' })).toBe(french)
    expect(await first({ language: 'fr;q=0.1, de;q=0.8' })).toBe(german)
    const viewer = await given.account({ user: { locale: 'de-AT' } })
    expect(await first({ viewer, language: 'fr' })).toBe(german)
    const settings = { chosenLanguages: ['fr'] }
    await context().db.update(users).set({ settings }).where(eq(users.accountId, viewer.id))
    expect(await first({ viewer })).toBe(french)
    const answer = await anonymous.get('/api/v1/trends/statuses')
    expect(answer.headers.get('vary')).toContain('Accept-Language')
  })
})

describe('GET /api/v1/trends/links', () => {
  it('returns articles with more accounts than usual, highest first, with their use [T-628]', async () => {
    const [much, little, few] = [await linkedPage(7), await linkedPage(5), await linkedPage(4)]
    await trendsRefreshed()
    expect(among([much, little, few], await links())).toEqual([much, little])
    const found = z
      .array(TrendsLink)
      .parse(await all('links'))
      .find(({ url }) => url === much)
    expect(found?.history[0]).toMatchObject({ accounts: '7', uses: '7' })
    expect(found).toMatchObject({ title: 'Fieldfares', provider_name: 'The Hedge' })
  })

  it('leaves out pages that are not articles, and does not count posts with warnings', async () => {
    const hidden = [
      await linkedPage(6, { card: { image: null } }),
      await linkedPage(6, { card: { description: '' } }),
      await linkedPage(6, { card: { type: 'video' } }),
      await linkedPage(6, { post: { spoilerText: 'Look away' } }),
      await linkedPage(6, { post: { sensitive: true } }),
    ]
    await trendsRefreshed()
    expect(among(hidden, await links())).toEqual([])
  })

  it('shows the reader’s languages first', async () => {
    const [english, german] = [await linkedPage(8), await linkedPage(6, { card: { language: 'de' } })]
    await trendsRefreshed()
    expect(among([english, german], await links({ language: 'de' }))).toEqual([german, english])
    expect(among([english, german], await links({ language: 'en' }))).toEqual([english, german])
  })
})

describe('the operator', () => {
  it('shows no trends where the operator switched them off, without a Link [T-629]', async () => {
    await usedTag(6)
    await favouredStatus(20)
    await trendsRefreshed()
    await withSettings({ trends: false }, async () => {
      for (const what of ['', '/tags', '/statuses', '/links']) {
        const answer = await anonymous.get(`/api/v1/trends${what}?limit=1`)
        expect(answer).toMatchObject({ status: 200, body: [], links: {} })
      }
    })
  })
})
