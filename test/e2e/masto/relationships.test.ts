import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { idsOf } from '../support/ids'
import { mastoFailure, mastoOf } from '../support/masto'
import { aliceAndBob, newName, newPerson } from '../support/people'

describe('blocks and mutes with masto', () => {
  it('are muted for a while, with the time until which', async () => {
    const { bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const bobs = asAlice.v1.accounts.$select(bob.id)
    await bobs.follow()
    const { id } = await asBob.v1.statuses.create({ status: 'Loud' })
    const muted = await bobs.mute({ duration: 3600, notifications: false })
    expect(muted).toMatchObject({ muting: true, mutingNotifications: false })
    // The client's types do not know the key, its answers have it.
    const Muted = z.array(z.object({ id: z.literal(bob.id), muteExpiresAt: z.coerce.date() })).length(1)
    const [listed] = Muted.parse(await asAlice.v1.mutes.list())
    const left = Number(listed?.muteExpiresAt) - Date.now()
    expect([left > 3_000_000, left <= 3_600_000]).toEqual([true, true])
    expect(idsOf(await asAlice.v1.timelines.home.list())).not.toContain(id)
    expect(await bobs.mute()).toMatchObject({ muting: true, mutingNotifications: true })
    expect(await asAlice.v1.mutes.list()).toMatchObject([{ id: bob.id, muteExpiresAt: null }])
    expect(await bobs.unmute()).toMatchObject({ muting: false })
    expect(idsOf(await asAlice.v1.timelines.home.list())).toContain(id)
  })

  it('are whole domains, page by page', async () => {
    const client = mastoOf(await newPerson())
    const domains = ['one', 'two', 'three'].map((name) => `${newName(name).replace('_', '-')}.example`)
    for (const domain of domains) await client.v1.domainBlocks.create({ domain })
    const found: string[] = []
    for await (const page of client.v1.domainBlocks.list({ limit: 2 })) found.push(...page)
    expect(found).toEqual(domains.toReversed())
    for (const domain of domains) await client.v1.domainBlocks.remove({ domain })
    expect(await client.v1.domainBlocks.list()).toEqual([])
    const wrong = client.v1.domainBlocks.create({ domain: 'not a domain' })
    expect(await mastoFailure(wrong)).toMatchObject({ statusCode: 422 })
  })

  it('no longer follow me when I say so', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    await asBob.v1.accounts.$select(alice.id).follow()
    await asAlice.v1.accounts.$select(bob.id).removeFromFollowers()
    const [seen] = await asAlice.v1.accounts.relationships.fetch({ id: [bob.id] })
    expect(seen).toMatchObject({ followedBy: false })
    expect(await asAlice.v1.accounts.$select(alice.id).followers.list()).toEqual([])
  })
})

describe('follow requests with masto', () => {
  it('are listed page by page, accepted or rejected', async () => {
    const { alice, asAlice } = await aliceAndBob(mastoOf)
    await asAlice.v1.accounts.updateCredentials({ locked: true })
    const asking = [await newPerson('one'), await newPerson('two'), await newPerson('three')]
    for (const person of asking) await mastoOf(person).v1.accounts.$select(alice.id).follow()
    const found: string[] = []
    for await (const page of asAlice.v1.followRequests.list({ limit: 2 })) found.push(...idsOf(page))
    expect(found).toEqual(idsOf(asking).toReversed())
    const me = await asAlice.v1.accounts.verifyCredentials()
    expect(me.source.followRequestsCount).toBe(3)
    const [first, second] = asking
    const requests = asAlice.v1.followRequests
    expect(await requests.$select(String(first?.id)).authorize()).toMatchObject({ followedBy: true })
    expect(await requests.$select(String(second?.id)).reject()).toMatchObject({ followedBy: false })
    expect(await requests.list()).toHaveLength(1)
    expect(await mastoFailure(requests.$select(String(second?.id)).authorize())).toMatchObject({
      statusCode: 404,
    })
  })
})

describe('endorsements with masto', () => {
  it('are shown on my profile', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    await asAlice.v1.accounts.$select(bob.id).follow()
    expect(await asAlice.v1.accounts.$select(bob.id).pin()).toMatchObject({ endorsed: true })
    expect(idsOf(await asBob.v1.accounts.$select(alice.id).endorsements.list())).toEqual([bob.id])
    await asAlice.v1.accounts.$select(bob.id).unfollow()
    expect(await asAlice.v1.endorsements.list()).toEqual([])
    expect(await asBob.v1.accounts.$select(alice.id).identityProofs.list()).toEqual([])
  })
})
