import { describe, expect, it } from 'vitest'
import { anonymous, as } from '../support/as'
import { freshName, given } from '../support/given'
import { followsLostBy, relation } from '../support/given-relationships'

const path = '/api/v1/domain_blocks'
const freshDomain = () => `${freshName('blocked')}.test`

describe('/api/v1/domain_blocks', () => {
  it('GET domain_blocks → strings, newest first, paged by an internal id [T-288]', async () => {
    const alice = await given.account()
    const [a, b, c] = [freshDomain(), freshDomain(), freshDomain()]
    for (const domain of [a, b, c]) expect((await as(alice).post(path, { domain })).body).toEqual({})
    const all = await as(alice).get(path)
    expect(all.body).toEqual([c, b, a])
    expect(all.costs.trips).toBeLessThanOrEqual(1)
    const first = await as(alice).get(`${path}?limit=2`)
    expect(first.body).toEqual([c, b])
    expect((await as(alice).get(first.links.next ?? '')).body).toEqual([a])
    expect((await as(await given.account()).get(path)).body).toEqual([])
  })

  it('POST with a domain → {}, follows to and from it go [T-289]', async () => {
    const alice = await given.account()
    const domain = freshDomain()
    const [followed, follower, mutual] = await remotes(domain)
    const elsewhere = await given.remoteAccount()
    for (const account of [followed, mutual, elsewhere]) await relation.follow(alice, account)
    for (const account of [follower, mutual, elsewhere]) await relation.follow(account, alice)
    await relation.followRequest(alice, follower)
    await relation.followRequest(followed, alice)
    const preview = await as(alice).get(`${path}/preview?domain=${domain}`)
    expect(preview.body).toEqual({ following_count: 2, followers_count: 2 })
    expect(preview.costs.trips).toBeLessThanOrEqual(1)
    const answer = await as(alice).post(path, { domain: domain.toUpperCase() })
    expect(answer).toMatchObject({ status: 200, body: {} })
    const lost = await followsLostBy(alice)
    expect(lost.filter(({ followed }) => followed).map(({ other }) => other)).toEqual([
      followed.id,
      mutual.id,
    ])
    expect(lost.filter(({ followed }) => !followed).map(({ other }) => other)).toEqual([
      follower.id,
      mutual.id,
    ])
    const { body } = await as(alice).get('/api/v1/accounts/verify_credentials')
    expect(body).toMatchObject({ following_count: 1, followers_count: 1 })
    expect((await anonymous.get(`/api/v1/accounts/${mutual.id}`)).body).toMatchObject({
      following_count: 0,
      followers_count: 0,
    })
    const ids = [followed, follower, mutual].map(({ id }) => `id[]=${id}`).join('&')
    const none = { following: false, followed_by: false, requested: false, requested_by: false }
    expect((await as(alice).get(`/api/v1/accounts/relationships?${ids}`)).body).toMatchObject(
      [1, 2, 3].map(() => ({ ...none, domain_blocking: true })),
    )
  })

  it('blocks once when repeated, and counts no follow twice', async () => {
    const alice = await given.account()
    const domain = freshDomain()
    const [followed] = await remotes(domain)
    await relation.follow(alice, followed)
    await Promise.all([1, 2, 3].map(() => as(alice).post(path, { domain })))
    expect((await as(alice).get(path)).body).toEqual([domain])
    expect((await anonymous.get(`/api/v1/accounts/${followed.id}`)).body).toMatchObject({
      followers_count: 0,
    })
  })

  it('missing or malformed domain → 422 [T-290]', async () => {
    const alice = await given.account()
    for (const domain of [
      undefined,
      null,
      '',
      'not a domain',
      'https://a.test/',
      'a..test',
      'x'.repeat(300),
      '@a',
      '%00',
    ])
      expect((await as(alice).post(path, { domain })).status).toBe(422)
    for (const domain of [['a.test'], { a: 1 }, 5])
      expect((await as(alice).post(path, { domain })).status).toBe(422)
    expect((await as(alice).get(`${path}/preview`)).status).toBe(422)
    expect((await as(alice).get(path)).body).toEqual([])
  })

  it('stores domains in ASCII form', async () => {
    const alice = await given.account()
    await as(alice).post(path, { domain: 'Bücher.Test' })
    expect((await as(alice).get(path)).body).toEqual(['xn--bcher-kva.test'])
    await as(alice).delete(path, { domain: 'bücher.test' })
    expect((await as(alice).get(path)).body).toEqual([])
  })

  it('DELETE domain_blocks for a blocked or a not blocked domain → {} [T-291]', async () => {
    const alice = await given.account()
    const domain = freshDomain()
    await as(alice).post(path, { domain })
    for (const _time of [1, 2])
      expect(await as(alice).delete(path, { domain })).toMatchObject({ status: 200, body: {} })
    expect((await as(alice).get(path)).body).toEqual([])
    expect(await as(alice).delete(`${path}?domain=nowhere`)).toMatchObject({ status: 200, body: {} })
  })
})

async function remotes(domain: string) {
  return [
    await given.remoteAccount({ domain }),
    await given.remoteAccount({ domain }),
    await given.remoteAccount({ domain }),
  ] as const
}
