import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { FamiliarFollowers } from '../../src/contract/entities/account'
import { as } from '../support/as'
import { given, type TestAccount } from '../support/given'
import { relation } from '../support/given-relationships'
import { clock } from '../support/test-app'

type Named = { readonly id: number }

/** Per account the ids of the followers the viewer follows too. */
async function familiar(viewer: TestAccount, ...ids: readonly Named[]) {
  const query = ids.map(({ id }) => `id[]=${id}`).join('&')
  const { body } = await as(viewer).get(`/api/v1/accounts/familiar_followers?${query}`)
  return z
    .array(FamiliarFollowers)
    .parse(body)
    .map(({ id, accounts }) => [Number(id), accounts.map((account) => Number(account.id))])
}

/** A viewer who follows friends, all of whom follow the target. */
async function circle(friends: readonly Named[], target: Named): Promise<TestAccount> {
  const viewer = await given.account()
  for (const friend of friends) {
    await relation.follow(viewer, friend)
    await relation.follow(friend, target)
  }
  return viewer
}

describe('GET /api/v1/accounts/familiar_followers', () => {
  it('returns per id the followers the viewer follows too, latest followed first, each id once [T-302]', async () => {
    const [one, two, stranger, target, other] = await given.accounts(5)
    if (!one || !two || !stranger || !target || !other) throw new Error('made too few')
    const viewer = await circle([one, two], target)
    await relation.follow(stranger, target)
    await relation.follow(two, other)
    expect(await familiar(viewer, other, target, other)).toEqual([
      [other.id, [two.id]],
      [target.id, [two.id, one.id]],
    ])
  })

  it('returns no accounts for owners who hide their followers, and leaves out accounts that hide their follows [T-303]', async () => {
    const [open, hider] = [await given.account(), await given.account({ hideCollections: true })]
    const target = await given.account()
    const viewer = await circle([open, hider], target)
    await relation.follow(open, hider)
    expect(await familiar(viewer, target, hider)).toEqual([
      [target.id, [open.id]],
      [hider.id, []],
    ])
  })

  it('leaves out suspended followers and muted ones', async () => {
    const gone = await given.account({ suspendedAt: clock.now() })
    const [muted, target] = [await given.account(), await given.account()]
    const viewer = await circle([gone, muted], target)
    await relation.mute(viewer, muted)
    expect(await familiar(viewer, target)).toEqual([[target.id, []]])
  })

  it('leaves out suspended and unknown accounts', async () => {
    const gone = await given.account({ suspendedAt: clock.now() })
    const friend = await given.account()
    const viewer = await circle([friend], gone)
    expect(await familiar(viewer, gone, { id: 7 })).toEqual([])
  })

  it('GET /api/v1/accounts/familiar_followers returns nothing without ids', async () => {
    const answer = await as(await given.account()).get('/api/v1/accounts/familiar_followers')
    expect(answer).toMatchObject({ status: 200, body: [] })
  })
})
