import { describe, expect, it } from 'vitest'
import { patternOf } from '../../../src/domain/accounts/find-directory'
import { anonymous, as } from '../../support/as'
import { idNumbersOf } from '../../support/body-ids'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { clock } from '../../support/test-app'

const search = (who: TestAccount, q: string, more = '') =>
  as(who).get(`/api/v1/accounts/search?q=${encodeURIComponent(q)}${more}`)
describe('GET /api/v1/accounts/search', () => {
  it('GET accounts/search?q= → matching accounts, by the beginning of name, display name or domain, in one round trip [T-217]', async () => {
    const alice = await given.account()
    const name = freshName('kestrel')
    const [byName, byDisplay] = [
      await given.account({ username: name }),
      await given.account({ displayName: `Old ${name}` }),
    ]
    const far = await given.remoteAccount({ domain: `${name}.test` })
    const answer = await search(alice, name.slice(0, -1).toUpperCase())
    expect(new Set(idNumbersOf(answer.body) as number[])).toEqual(new Set([byName.id, byDisplay.id, far.id]))
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
  })

  it('finds names under accents and in other scripts, also after a change of name', async () => {
    const alice = await given.account()
    const bob = await given.account()
    const tail = freshName('x')
    await as(bob).patch('/api/v1/accounts/update_credentials', { display_name: `Émile${tail} Зяблик${tail}` })
    for (const q of [`emile${tail}`, `ÉMILE${tail}`, `зяблик${tail}`])
      expect(idNumbersOf((await search(alice, q)).body)).toEqual([bob.id])
    await as(bob).patch('/api/v1/accounts/update_credentials', { display_name: 'Somebody' })
    expect((await search(alice, `emile${tail}`)).body).toEqual([])
  })

  it('shows the exact handle first, and followed accounts before others', async () => {
    const alice = await given.account()
    const name = freshName('wagtail')
    const popular = await given.account({ username: `${name}a`, followersCount: 900 })
    const followed = await given.account({ username: `${name}b` })
    const far = await given.remoteAccount({ username: name })
    const exact = await given.account({ username: name })
    await relation.follow(alice, followed)
    const { body } = await search(alice, `@${name}`)
    expect(idNumbersOf(body)).toEqual([exact.id, followed.id, far.id, popular.id])
    expect(idNumbersOf((await search(alice, `${name}@elsewhere.test`)).body)).toEqual([far.id])
    expect(idNumbersOf((await search(alice, `@${name}@else`)).body)).toEqual([far.id])
  })

  it('following=true limits to followed [T-218]', async () => {
    const alice = await given.account()
    const name = freshName('plover')
    const followed = await given.account({ username: `${name}a` })
    await given.account({ username: `${name}b` })
    await relation.follow(alice, followed)
    expect(idNumbersOf((await search(alice, name, '&following=true')).body)).toEqual([followed.id])
  })

  it('pages by limit and offset', async () => {
    const alice = await given.account()
    const name = freshName('turnstone')
    for (const letter of ['a', 'b', 'c']) await given.account({ username: `${name}${letter}` })
    const all = idNumbersOf((await search(alice, name)).body)
    const pages = [await search(alice, name, '&limit=2'), await search(alice, name, '&limit=2&offset=2')]
    expect(pages.flatMap(({ body }) => idNumbersOf(body))).toEqual(all)
    expect(pages[0]?.headers.get('link')).toBeNull()
    expect((await search(alice, name, '&limit=0')).body).toEqual([])
    expect((await search(alice, name, '&offset=-4')).body).toHaveLength(3)
  })

  it('never shows unconfirmed, suspended or moved accounts', async () => {
    const alice = await given.account()
    const name = freshName('dotterel')
    await given.account({ username: `${name}a`, user: { confirmedAt: null } })
    await given.account({ username: `${name}b`, suspendedAt: clock.now() })
    await given.account({ username: `${name}c`, movedToAccountId: alice.id })
    expect((await search(alice, name)).body).toEqual([])
    expect((await search(alice, `${name}a`, '&resolve=true')).body).toEqual([])
  })

  it('GET /api/v1/accounts/search accepts any text', async () => {
    const alice = await given.account()
    const odd = ['"', '*', 'a OR b', 'username:', 'NEAR(a b)', '-', '()', '%', '_', '\\', '\u0000a', '🪶', '']
    const long = [
      'x'.repeat(5_000),
      'y '.repeat(2_000),
      "'; drop table accounts --",
      '^a',
      '@',
      '@@@',
      '"a" AND "',
    ]
    for (const q of [...odd, ...long]) expect((await search(alice, q)).status).toBe(200)
    expect((await as(alice).get('/api/v1/accounts/search')).status).toBe(400)
    expect((await as(alice).get('/api/v1/accounts/search?q[]=a')).status).toBe(422)
    expect((await search(alice, 'a', '&offset=x')).status).toBe(422)
    expect((await search(alice, 'a', '&offset=1e300')).status).toBe(422)
  })

  it('GET /api/v1/accounts/search needs a user [T-219]', async () => {
    expect((await anonymous.get('/api/v1/accounts/search?q=a')).status).toBe(401)
  })
})

describe('patternOf', () => {
  it.each([
    ['ada love', '"ada"* "love"*'],
    ['ada@else.test', '"ada"* "else.test"*'],
    ['say "hi"', '"say"* """hi"""*'],
    [' … ', null],
  ])('patternOf reads %s', (text, pattern) => expect(patternOf(text)).toBe(pattern))
})
