import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Account } from '../../src/contract/entities/account'
import { Suggestion } from '../../src/contract/entities/search'
import { accountDomainBlocks, accounts, settings } from '../../src/db/schema'
import { updatePopularAccounts } from '../../src/domain/suggestions/compute'
import { popularKey } from '../../src/domain/suggestions/find-popular'
import { as } from '../support/as'
import { expectCosts } from '../support/expect-costs'
import { freshName, given, type TestAccount } from '../support/given'
import { discoverableAccount } from '../support/given-discoverable'
import { relation } from '../support/given-relationships'
import { storedStatus } from '../support/given-stored'
import { withSettings } from '../support/settings'
import { clock, context } from '../support/test-app'

const path = '/api/v2/suggestions'
const anHour = 3_600_000

async function suggested(viewer: TestAccount) {
  const { body } = await as(viewer).get(`${path}?limit=80`)
  return z.array(Suggestion).parse(body)
}

/** Forgets which accounts are popular, whatever other tests made so. */
async function withoutPopular() {
  await context().db.delete(settings).where(eq(settings.key, popularKey))
}

/** Sources of the suggestion of `target`; undefined where it is not suggested. */
async function reasons(viewer: TestAccount, target: { readonly id: number }) {
  return (await suggested(viewer)).find(({ account }) => account.id === String(target.id))?.sources
}

/** A viewer with a friend who follows the targets. */
async function befriended(...targets: readonly { readonly id: number }[]): Promise<TestAccount> {
  const [viewer, friend] = [await given.account(), await given.account()]
  await relation.follow(viewer, friend)
  for (const target of targets) await relation.follow(friend, target)
  return viewer
}

describe('GET /api/v2/suggestions', () => {
  it('lists friends of friends, the most followed first [T-588]', async () => {
    const [one, two] = [await discoverableAccount(), await discoverableAccount()]
    const viewer = await befriended(one, two)
    const other = await given.account()
    await relation.follow(viewer, other)
    await relation.follow(other, one)
    const found = (await suggested(viewer)).filter(({ sources }) => sources.includes('friends_of_friends'))
    expect(found.map(({ account }) => Number(account.id))).toEqual([one.id, two.id])
    expect(found[0]).toMatchObject({ source: 'past_interactions', sources: ['friends_of_friends'] })
  })

  it('does not use friends who hide their follows', async () => {
    const target = await discoverableAccount()
    const [viewer, friend] = [await given.account(), await given.account({ hideCollections: true })]
    await relation.follow(viewer, friend)
    await relation.follow(friend, target)
    expect((await reasons(viewer, target)) ?? []).not.toContain('friends_of_friends')
  })

  it('lists accounts featured by the operator before all others', async () => {
    const [near, far] = [await discoverableAccount(), await given.remoteAccount({ discoverable: true })]
    const [viewer, deleted] = [await befriended(near), await given.remoteAccount()]
    const handles = [deleted, far].map(({ username, domain }) => `${username}@${domain}`)
    await withSettings({ featuredAccounts: [...handles, near.username] }, async () => {
      await context().db.delete(accounts).where(eq(accounts.id, deleted.id))
      const [first, second] = await suggested(viewer)
      expect(first).toMatchObject({
        source: 'staff',
        sources: ['featured'],
        account: { id: String(far.id) },
      })
      expect(second).toMatchObject({
        sources: ['featured', 'friends_of_friends'],
        account: { id: String(near.id) },
      })
    })
  })

  it('lists accounts with many local followers and favourites', async () => {
    const [followed, favoured, both] = [
      await discoverableAccount(),
      await discoverableAccount(),
      await discoverableAccount(),
    ]
    const almost = await discoverableAccount()
    for (let index = 0; index < 5; index += 1) {
      const fan = await given.account({ user: { lastActiveAt: clock.now() } })
      for (const target of [followed, both]) await relation.follow(fan, target)
      if (index < 4) await relation.follow(fan, almost)
    }
    await storedStatus({ accountId: favoured.id, favouritesCount: 3, reblogsCount: 2 })
    await storedStatus({ accountId: both.id, favouritesCount: 60 })
    await storedStatus({ accountId: almost.id, favouritesCount: 4 })
    await storedStatus({ accountId: almost.id, favouritesCount: 60, visibility: 'unlisted' })
    await updatePopularAccounts(context())
    const viewer = await given.account()
    expect(await reasons(viewer, followed)).toEqual(['most_followed'])
    expect(await reasons(viewer, favoured)).toEqual(['most_interactions'])
    expect(await reasons(viewer, both)).toEqual(['most_followed', 'most_interactions'])
    expect(await reasons(viewer, almost)).toBeUndefined()
  })

  it('lists local accounts of the directory where no other account is suggested, latest status first', async () => {
    await withoutPopular()
    const [early, late] = [await discoverableAccount(), await discoverableAccount()]
    const far = await given.remoteAccount({ discoverable: true })
    const shy = await given.account({ discoverable: false })
    const viewer = await given.account()
    const { db } = context()
    // Later than the accounts of other tests.
    for (const [index, account] of [early, late, far, shy].entries())
      await db
        .update(accounts)
        .set({ lastStatusAt: new Date(clock.now().getTime() + (index + 1) * anHour) })
        .where(eq(accounts.id, account.id))
    await relation.block(viewer, early)
    // An account that the viewer follows already is no suggestion of another source.
    const followed = await discoverableAccount()
    await relation.follow(viewer, followed)
    await withSettings({ featuredAccounts: [followed.username] }, async () => {
      const found = await suggested(viewer)
      expect(found[0]).toMatchObject({ source: 'global', sources: [], account: { id: String(late.id) } })
      const ids = found.map(({ account }) => Number(account.id))
      for (const hidden of [early, far, shy, viewer, followed]) expect(ids).not.toContain(hidden.id)
    })
  })

  it('leaves out the directory where the operator switched it off', async () => {
    await withoutPopular()
    await discoverableAccount()
    await withSettings({ profileDirectory: false }, async () => {
      expect(await suggested(await given.account())).toEqual([])
    })
  })

  it('the list of suggestions is computed once in a while, and costs one round trip in between', async () => {
    const [target, later] = [await discoverableAccount(), await discoverableAccount()]
    const [viewer, friend] = [await given.account(), await given.account()]
    await relation.follow(viewer, friend)
    await relation.follow(friend, target)
    expect(await reasons(viewer, target)).toBeDefined()
    await relation.follow(friend, later)
    const answer = await as(viewer).get(path)
    expectCosts(answer.costs, { trips: 1, rowsWritten: 0 })
    expect(await reasons(viewer, later)).toBeUndefined()
    clock.advance(anHour)
    expect(await reasons(viewer, later)).toEqual(['friends_of_friends'])
  })

  it('pages by offset, and without a Link', async () => {
    const viewer = await befriended(
      await discoverableAccount(),
      await discoverableAccount(),
      await discoverableAccount(),
    )
    const whole = await suggested(viewer)
    const { body, headers } = await as(viewer).get(`${path}?limit=1&offset=1`)
    expect(body).toEqual(whole.slice(1, 2))
    expect(headers.get('link')).toBeNull()
  })
})

describe('accounts that are never suggested', () => {
  it.each([
    ['is not discoverable', { discoverable: false }],
    ['is suspended', { suspendedAt: clock.now() }],
    ['is limited', { silencedAt: clock.now() }],
    ['has died', { memorial: true }],
    ['has not confirmed the address', { user: { confirmedAt: null } }],
    ['waits for approval', { user: { approved: false } }],
  ])('accounts that are never suggested include an account that %s', async (_, options) => {
    const hidden = await discoverableAccount(options)
    const viewer = await befriended(hidden)
    await withSettings({ featuredAccounts: [hidden.username] }, async () => {
      expect(await reasons(viewer, hidden)).toBeUndefined()
    })
  })

  describe('after the list was computed', () => {
    let target: TestAccount
    let viewer: TestAccount
    beforeAll(async () => {
      target = await discoverableAccount()
    })
    const interactions: Readonly<Record<string, () => Promise<unknown>>> = {
      'the viewer follows them': () => relation.follow(viewer, target),
      'the viewer asks to follow them': () => relation.followRequest(viewer, target),
      'the viewer blocks them': () => relation.block(viewer, target),
      'the viewer mutes them': () => relation.mute(viewer, target),
      'they block the viewer': () => relation.block(target, viewer),
      'the viewer dismissed them': () => as(viewer).delete(`/api/v1/suggestions/${target.id}`),
    }
    it.each(Object.entries(interactions))('%s', async (_, happen) => {
      viewer = await befriended(target)
      expect(await reasons(viewer, target)).toBeDefined()
      await happen()
      expect(await reasons(viewer, target)).toBeUndefined()
      clock.advance(anHour)
      expect(await reasons(viewer, target)).toBeUndefined()
    })

    it('the viewer blocks their domain, or they moved', async () => {
      const domain = `${freshName('far')}.test`
      const [far, moved] = [
        await given.remoteAccount({ domain, discoverable: true }),
        await discoverableAccount(),
      ]
      const others = [target, await given.remoteAccount({ discoverable: true })]
      viewer = await befriended(far, moved, ...others)
      expect(await reasons(viewer, far)).toBeDefined()
      expect(await reasons(viewer, moved)).toBeDefined()
      const { db, ids } = context()
      await db.insert(accountDomainBlocks).values({ accountId: viewer.id, domain, id: ids.next() })
      await db.update(accounts).set({ movedToAccountId: target.id }).where(eq(accounts.id, moved.id))
      expect(await reasons(viewer, far)).toBeUndefined()
      expect(await reasons(viewer, moved)).toBeUndefined()
      for (const other of others) expect(await reasons(viewer, other)).toBeDefined()
      clock.advance(anHour)
      for (const other of others) expect(await reasons(viewer, other)).toBeDefined()
    })
  })
})

describe('GET /api/v1/suggestions', () => {
  it('returns the same accounts alone, with Deprecation [T-589]', async () => {
    const viewer = await befriended(await discoverableAccount(), await discoverableAccount())
    const { body, headers } = await as(viewer).get('/api/v1/suggestions?limit=80')
    expect(z.array(Account).parse(body)).toEqual((await suggested(viewer)).map(({ account }) => account))
    expect(headers.get('deprecation')).toMatch(/^@\d+$/)
  })
})

describe('DELETE /api/v1/suggestions/:account_id', () => {
  it('dismisses an account permanently, and does not reveal whether it exists [T-590]', async () => {
    const [target, other] = [await discoverableAccount(), await discoverableAccount()]
    const viewer = await befriended(target, other)
    for (const id of [target.id, target.id, 7])
      expect(await as(viewer).delete(`/api/v1/suggestions/${id}`)).toMatchObject({ status: 200, body: {} })
    clock.advance(anHour)
    expect(await reasons(viewer, target)).toBeUndefined()
    expect(await reasons(viewer, other)).toBeDefined()
  })
})
