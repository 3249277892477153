import { describe, expect, it } from 'vitest'
import { Tag } from '../../src/contract/entities/tag'
import { anonymous, as } from '../support/as'
import { freshName, given } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { clock } from '../support/test-app'

const path = '/api/v1/tags'

describe('GET /api/v1/tags/:name', () => {
  it('→ Tag under its first spelling, by any spelling of its name', async () => {
    const alice = await given.account()
    const tag = freshName('Crème')
    await given.status({ by: alice, text: `#${tag}` })
    await given.status({ by: alice, text: `#${tag.toUpperCase()}` })
    const plain = tag.toLowerCase().replace('è', 'e')
    for (const spelling of [tag, tag.toUpperCase(), plain, tag.normalize('NFD')]) {
      const answer = await anonymous.get(`${path}/${encodeURIComponent(spelling)}`)
      expect(answer).toMatchObject({
        status: 200,
        body: { name: tag, url: `https://fieldfare.test/tags/${plain}` },
      })
      const today = String(Math.floor(clock.now().getTime() / 86_400_000) * 86_400)
      const { history } = Tag.parse(answer.body)
      expect(history).toHaveLength(7)
      expect(history[0]).toEqual({ day: today, accounts: '1', uses: '2' })
      expect(answer.costs.trips).toBeLessThanOrEqual(1)
    }
  })

  it('counts public posts only, so that no private use is revealed', async () => {
    const alice = await given.account()
    const tag = freshName('wren')
    const uses = async () => Tag.parse((await as(alice).get(`${path}/${tag}`)).body).history[0]?.uses
    for (const visibility of ['private', 'direct'] as const)
      await storedStatus({ accountId: alice.id, tags: [tag], visibility })
    await storedStatus({ accountId: alice.id, tags: [tag], localOnly: true })
    expect(await uses()).toBe('0')
    await storedStatus({ accountId: alice.id, tags: [tag] })
    expect(await uses()).toBe('1')
  })

  it('→ Tag also for a never-used name; malformed → 404 [T-591]', async () => {
    const alice = await given.account()
    const never = freshName('Never')
    const answer = await as(alice).get(`${path}/${never}`)
    expect(answer).toMatchObject({ status: 200, body: { name: never, following: false, featuring: false } })
    expect(answer.costs.rowsWritten).toBe(0)
    const { history } = Tag.parse(answer.body)
    expect(history.map(({ uses, accounts }) => [uses, accounts])).toEqual(Array(7).fill(['0', '0']))
    for (const malformed of ['two%20words', '%23bird', '123', 'a-b', '%20'])
      for (const asked of ['', '/follow', '/unfollow', '/feature', '/unfeature']) {
        const call = asked === '' ? as(alice).get : as(alice).post
        expect((await call(`${path}/${malformed}${asked}`)).status, malformed + asked).toBe(404)
      }
  })

  it('following and featuring keys → only with a user token, and true for that user [T-592]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const tag = freshName('bird')
    await as(alice).post(`${path}/${tag}/follow`)
    await as(bob).post('/api/v1/featured_tags', { name: tag })
    const keysOf = async (asking: ReturnType<typeof as>) => {
      const { following, featuring } = Tag.parse((await asking.get(`${path}/${tag}`)).body)
      return [following, featuring]
    }
    expect(await keysOf(as(alice))).toEqual([true, false])
    expect(await keysOf(as(bob))).toEqual([false, true])
    expect(await keysOf(anonymous)).toEqual([undefined, undefined])
    expect(await keysOf(as(await given.token({ scopes: 'read' })))).toEqual([undefined, undefined])
    const found = await as(alice).get(`/api/v2/search?q=${tag}&type=hashtags`)
    expect(found.body).toMatchObject({ hashtags: [{ name: tag, following: true, featuring: false }] })
    await given.status({ by: alice, text: `#${tag}` })
    const suggested = await as(alice).get('/api/v1/featured_tags/suggestions')
    expect(suggested.body).toMatchObject([{ name: tag, following: true, featuring: false }])
  })
})

describe('POST /api/v1/tags/:name/follow', () => {
  it('→ following true, tag made when new; unfollow → false; no token → 401 [T-593]', async () => {
    const alice = await given.account()
    const tag = freshName('Wren')
    for (const spelling of [tag, tag.toLowerCase()])
      expect(await as(alice).post(`${path}/${spelling}/follow`)).toMatchObject({
        status: 200,
        body: { name: tag, following: true, featuring: false },
      })
    expect((await as(alice).get('/api/v1/followed_tags')).body).toHaveLength(1)
    for (const spelling of [tag.toUpperCase(), tag, freshName('other')])
      expect(await as(alice).post(`${path}/${spelling}/unfollow`)).toMatchObject({
        status: 200,
        body: { following: false },
      })
    expect((await as(alice).get('/api/v1/followed_tags')).body).toEqual([])
    expect((await anonymous.post(`${path}/${tag}/follow`)).status).toBe(401)
    expect((await anonymous.post(`${path}/${tag}/unfollow`)).status).toBe(401)
  })
})

describe('POST /api/v1/tags/:name/feature and unfeature', () => {
  it('→ featuring true/false, by name or by id; the eleventh → 422 [T-594]', async () => {
    const alice = await given.account()
    const tag = freshName('Heron')
    for (const time of ['once', 'again'])
      expect(await as(alice).post(`${path}/${tag}/feature`), time).toMatchObject({
        status: 200,
        body: { name: tag, featuring: true, following: false },
      })
    const { id } = Tag.parse((await as(alice).get(`${path}/${tag}`)).body)
    for (const named of [id, tag])
      expect((await as(alice).post(`${path}/${named}/unfeature`)).body).toMatchObject({ featuring: false })
    expect((await as(alice).get('/api/v1/featured_tags')).body).toEqual([])
    expect((await as(alice).post(`${path}/${id}/feature`)).body).toMatchObject({ featuring: true })
    for (let count = 1; count < 10; count += 1)
      expect((await as(alice).post(`${path}/${freshName('tag')}/feature`)).status).toBe(200)
    expect((await as(alice).post(`${path}/${freshName('tag')}/feature`)).status).toBe(422)
    expect((await as(alice).get('/api/v1/featured_tags')).body).toHaveLength(10)
  })
})

describe('GET /api/v1/followed_tags', () => {
  it('→ Tag[] newest follow first, Link with internal ids [T-595]', async () => {
    const alice = await given.account()
    const names = [freshName('one'), freshName('two'), freshName('three')]
    for (const name of names) await as(alice).post(`${path}/${name}/follow`)
    await as(await given.account()).post(`${path}/${freshName('foreign')}/follow`)
    const namesIn = (body: unknown) =>
      Tag.array()
        .parse(body)
        .map(({ name }) => name)
    const first = await as(alice).get('/api/v1/followed_tags?limit=2')
    expect(namesIn(first.body)).toEqual([names[2], names[1]])
    const second = await as(alice).get(first.links.next ?? '')
    expect(namesIn(second.body)).toEqual([names[0]])
    expect(second.links.next).toBeUndefined()
    expect(namesIn((await as(alice).get(second.links.prev ?? '')).body)).toEqual([names[2], names[1]])
    const ids = Tag.array()
      .parse(first.body)
      .map(({ id }) => id)
    expect(ids.some((id) => first.links.next?.includes(id))).toBe(false)
    expect((await anonymous.get('/api/v1/followed_tags')).status).toBe(401)
  })
})

describe('a hashtag', () => {
  it('treats a hashtag as one in posts, other servers, search, profiles and timelines', async () => {
    const alice = await given.account()
    const base = freshName('Łabędź')
    const plain = base.toLowerCase().replace('ł', 'l').replace('ę', 'e').replace('ź', 'z')
    const peer = await given.peer()
    const own = await given.status({ by: alice, text: `#${base}` })
    await as(alice).post('/api/v1/featured_tags', { name: base.toUpperCase() })
    await given.status({ by: await given.account(), text: '@nobody' })
    await peer.send(peer.create(peer.note({ hashtags: [base.normalize('NFD')], mentions: [] })))
    const one = await storedStatus({ accountId: alice.id, tags: [plain] })
    const asked = encodeURIComponent(base.toUpperCase())
    for (const spelling of [asked, plain]) {
      const timeline = await as(alice).get(`/api/v1/timelines/tag/${spelling}`)
      expect(timeline.body).toMatchObject([{ id: String(one) }, { id: own.id, tags: [{ name: plain }] }])
      const other = await as(alice).get(`/api/v1/timelines/tag/${plain}?all[]=${spelling}&any[]=${spelling}`)
      expect(other.body).toHaveLength(2)
      expect((await as(alice).get(`/api/v1/timelines/tag/${plain}?none[]=${spelling}`)).body).toEqual([])
      const tagged = await as(alice).get(`/api/v1/accounts/${alice.id}/statuses?tagged=${spelling}`)
      expect(tagged.body).toHaveLength(2)
      const search = await as(alice).get(`/api/v2/search?q=%23${spelling}&type=hashtags`)
      expect(search.body).toMatchObject({ hashtags: [{ name: base, featuring: true }] })
    }
  })
})
