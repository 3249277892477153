import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { megalodonFailure, megalodonOf, posted } from '../support/megalodon'
import { aliceAndBob, domain, newPerson } from '../support/people'
import { mediaPath } from '../support/pictures'

/** Data URL of a file: this client sends JSON, so pictures travel inside the text. */
async function dataUrl(name: string, type: string): Promise<string> {
  return `data:${type};base64,${await readFile(mediaPath(name), 'base64')}`
}

describe('accounts with megalodon', () => {
  it('are edited, with fields, defaults and pictures', async () => {
    const client = megalodonOf(await newPerson())
    const { data: before } = await client.verifyAccountCredentials()
    const { data: after } = await client.updateCredentials({
      display_name: 'Redwing',
      note: 'Winter guest',
      locked: true,
      bot: false,
      source: { privacy: 'private', language: 'sv' },
      fields_attributes: [{ name: 'From', value: 'Norrland' }],
      avatar: await dataUrl('rgb.png', 'image/png'),
      header: await dataUrl('upright.jpg', 'image/jpeg'),
    })
    expect(after).toMatchObject({
      display_name: 'Redwing',
      locked: true,
      fields: [{ name: 'From', value: 'Norrland' }],
      source: { privacy: 'private', language: 'sv', note: 'Winter guest' },
    })
    expect(after.avatar).not.toBe(before.avatar)
    expect(after.header).not.toBe(before.header)
    expect((await client.getPreferences()).data).toMatchObject({ 'posting:default:visibility': 'private' })
  })

  it('are followed, muted, blocked and noted, and back', async () => {
    const { bob, asAlice } = await aliceAndBob(megalodonOf)
    const steps = [
      [await asAlice.followAccount(bob.id, { reblog: true }), { following: true, showing_reblogs: true }],
      [await asAlice.subscribeAccount(bob.id), { notifying: true }],
      [await asAlice.muteAccount(bob.id, false), { muting: true, muting_notifications: false }],
      [await asAlice.unmuteAccount(bob.id), { muting: false }],
      [await asAlice.setAccountNote(bob.id, 'Hops'), { note: 'Hops' }],
      [await asAlice.pinAccount(bob.id), { endorsed: true }],
      [await asAlice.unpinAccount(bob.id), { endorsed: false }],
      [await asAlice.blockAccount(bob.id), { blocking: true, following: false }],
      [await asAlice.unblockAccount(bob.id), { blocking: false }],
      [await asAlice.unfollowAccount(bob.id), { following: false }],
    ] as const
    for (const [{ data }, expected] of steps) expect(data).toMatchObject({ id: bob.id, ...expected })
  })

  it('that are locked accept and refuse', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(megalodonOf)
    const carol = await newPerson('carol')
    await asBob.updateCredentials({ locked: true })
    for (const client of [asAlice, megalodonOf(carol)])
      expect((await client.followAccount(bob.id)).data).toMatchObject({ requested: true, following: false })
    expect((await asBob.getFollowRequests(10)).data.map(({ id }) => id)).toEqual([carol.id, alice.id])
    expect((await asBob.acceptFollowRequest(alice.id)).data).toMatchObject({ followed_by: true })
    expect((await asBob.rejectFollowRequest(carol.id)).data).toMatchObject({ followed_by: false })
    const { data } = await asAlice.getRelationships([bob.id, carol.id])
    expect(data.map(({ id, following }) => [id, following])).toEqual([
      [bob.id, true],
      [carol.id, false],
    ])
  })

  it('are found', async () => {
    const { bob, asAlice } = await aliceAndBob(megalodonOf)
    expect((await asAlice.lookupAccount(`${bob.username}@${domain}`)).data.id).toBe(bob.id)
    expect((await asAlice.getAccount(bob.id)).data.acct).toBe(bob.username)
    const { data } = await asAlice.searchAccount(bob.username, { limit: 3, resolve: false })
    expect(data.map(({ id }) => id)).toEqual([bob.id])
    expect(await megalodonFailure(asAlice.getAccount('1'))).toEqual({
      status: 404,
      error: 'Record not found',
    })
  })

  it('list muted, blocked and endorsed accounts', async () => {
    const { alice, bob, asAlice } = await aliceAndBob(megalodonOf)
    await asAlice.followAccount(bob.id)
    await asAlice.pinAccount(bob.id)
    expect((await asAlice.getEndorsements()).data.map(({ id }) => id)).toEqual([bob.id])
    expect((await asAlice.getAccountFollowing(alice.id)).data.map(({ id }) => id)).toEqual([bob.id])
    await asAlice.muteAccount(bob.id, true)
    expect((await asAlice.getMutes({ limit: 5 })).data.map(({ id }) => id)).toEqual([bob.id])
    await asAlice.blockAccount(bob.id)
    expect((await asAlice.getBlocks({ limit: 5 })).data.map(({ id }) => id)).toEqual([bob.id])
  })

  it('are notified of interactions, and can dismiss them', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(megalodonOf)
    const { id } = posted(await asAlice.postStatus('Listen', {}))
    await asBob.followAccount(alice.id)
    await asBob.favouriteStatus(id)
    await asBob.postStatus(`${alice.acct} I do`, { in_reply_to_id: id })
    const { data: all } = await asAlice.getNotifications({ limit: 10 })
    expect(all.map(({ type }) => type)).toEqual(['mention', 'favourite', 'follow'])
    expect(all[1]).toMatchObject({ account: { id: bob.id }, status: { id } })
    const { data: some } = await asAlice.getNotifications({ exclude_types: ['follow', 'mention'] })
    expect(some.map(({ type }) => type)).toEqual(['favourite'])

    const newest = String(all[0]?.id)
    const { data: marker } = await asAlice.saveMarkers({ notifications: { last_read_id: newest } })
    expect(marker.notifications).toMatchObject({ last_read_id: newest, version: 1 })
    expect((await asAlice.getMarkers(['notifications'])).data).toMatchObject({
      notifications: { last_read_id: newest },
    })
    await asAlice.dismissNotification(newest)
    expect((await megalodonFailure(asAlice.getNotification(newest))).status).toBe(404)
    await asAlice.dismissNotifications()
    expect((await asAlice.getNotifications()).data).toEqual([])
  })
})
