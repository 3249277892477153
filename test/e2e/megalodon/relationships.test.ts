import { describe, expect, it } from 'vitest'
import { megalodonOf, posted } from '../support/megalodon'
import { aliceAndBob, newName, newPerson } from '../support/people'

describe('blocks and mutes with megalodon', () => {
  it('are domains, listed until they are unblocked', async () => {
    const client = megalodonOf(await newPerson())
    const domain = `${newName('far').replace('_', '-')}.example`
    await client.blockDomain(domain)
    expect((await client.getDomainBlocks({ limit: 5 })).data).toEqual([domain])
    await client.unblockDomain(domain)
    expect((await client.getDomainBlocks()).data).toEqual([])
  })

  it('are hidden, and those who follow me are listed whole', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(megalodonOf)
    await asAlice.followAccount(bob.id)
    const { id } = posted(await asBob.postStatus('Loud', {}))
    await asAlice.muteAccount(bob.id, true)
    expect((await asAlice.getHomeTimeline()).data.map((one) => one.id)).not.toContain(id)
    expect((await asAlice.getMutes()).data).toMatchObject([{ id: bob.id, mute_expires_at: null }])
    expect((await asBob.getAccountFollowers(bob.id, { get_all: true })).data.map((one) => one.id)).toEqual([
      alice.id,
    ])
    expect((await asAlice.getIdentityProof(bob.id)).data).toEqual([])
    await asAlice.unsubscribeAccount(bob.id)
    expect((await asAlice.getRelationship(bob.id)).data).toMatchObject({ muting: true, notifying: false })
  })
})
