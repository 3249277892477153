import { describe, expect, it } from 'vitest'
import { assetPath } from '../../../src/lib/assets'
import { mastoAnonymous, mastoFailure, mastoOf } from '../support/masto'
import { aliceAndBob, newPerson, origin } from '../support/people'
import { mediaFile } from '../support/pictures'

describe('profiles with masto', () => {
  it('take a picture and a header, and let them be replaced', async () => {
    const client = mastoOf(await newPerson())
    const before = await client.v1.accounts.verifyCredentials()
    const first = await client.v1.accounts.updateCredentials({
      avatar: await mediaFile('rgb.png', 'image/png'),
      header: await mediaFile('upright.jpg', 'image/jpeg'),
    })
    const second = await client.v1.accounts.updateCredentials({
      avatar: await mediaFile('animated.gif', 'image/gif'),
    })
    expect(new Set([before.avatar, first.avatar, second.avatar]).size).toBe(3)
    expect(second.header).toBe(first.header)
    expect(second.avatarStatic).not.toBe(second.avatar)
    for (const url of [second.avatar, second.avatarStatic, second.header, before.avatar]) {
      const served = await fetch(url)
      await served.arrayBuffer()
      expect([url, served.status, served.headers.get('content-type')]).toEqual([
        url,
        200,
        expect.stringMatching(/^image\//),
      ])
    }
  })

  it('are edited with fields, defaults and switches', async () => {
    const alice = await newPerson('alice')
    const client = mastoOf(alice)
    const after = await client.v1.accounts.updateCredentials({
      displayName: 'Alice & Co',
      note: 'Sings.\nhttps://alice.example',
      bot: true,
      locked: true,
      discoverable: false,
      hideCollections: true,
      source: { privacy: 'unlisted', sensitive: true, language: 'fr' },
      fieldsAttributes: [
        { name: 'Home', value: 'https://alice.example' },
        { name: 'Song', value: '<i>tsee</i>' },
      ],
    })
    expect(after).toMatchObject({
      displayName: 'Alice & Co',
      bot: true,
      locked: true,
      discoverable: false,
      source: { note: 'Sings.\nhttps://alice.example', privacy: 'unlisted', sensitive: true, language: 'fr' },
    })
    expect(after.source.fields).toMatchObject([
      { name: 'Home', value: 'https://alice.example' },
      { name: 'Song', value: '<i>tsee</i>' },
    ])
    const seen = await mastoAnonymous().v1.accounts.$select(alice.id).fetch()
    expect(seen.note).toMatch(/^<p>Sings\.<br ?\/?><a href="https:\/\/alice\.example"/)
    expect(seen.fields[1]?.value).toBe('&lt;i&gt;tsee&lt;/i&gt;')
    expect(await client.v1.preferences.fetch()).toMatchObject({
      'posting:default:visibility': 'unlisted',
      'posting:default:sensitive': true,
      'posting:default:language': 'fr',
    })
    expect(await client.v1.statuses.create({ status: 'Chut' })).toMatchObject({
      visibility: 'unlisted',
      language: 'fr',
    })
  })

  it('are read and changed as a whole through the profile pages of newer servers', async () => {
    const client = mastoOf(await newPerson())
    const after = await client.v1.profile.update({
      displayName: 'Wren',
      avatar: await mediaFile('rgba.png', 'image/png'),
      avatarDescription: 'A wren on a post',
      fieldsAttributes: [{ name: 'Weight', value: '9 g' }],
    })
    expect(after).toMatchObject({ displayName: 'Wren', avatarDescription: 'A wren on a post' })
    expect(await client.v1.profile.fetch()).toMatchObject({ fields: [{ name: 'Weight', value: '9 g' }] })
    const bare = await client.v1.profile.avatar.remove()
    expect(bare.avatar).toBe(`${origin}${assetPath('avatar.webp')}`)
  })

  it('refuse what is too long', async () => {
    const client = mastoOf(await newPerson())
    const refused = await mastoFailure(
      client.v1.accounts.updateCredentials({ displayName: 'x'.repeat(200), note: 'y'.repeat(2_000) }),
    )
    expect(refused).toMatchObject({ statusCode: 422, message: expect.stringMatching(/^Validation failed/) })
  })
})

describe('other accounts with masto', () => {
  it('are followed with options and unfollowed', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const bobs = asAlice.v1.accounts.$select(bob.id)
    expect(await bobs.follow()).toMatchObject({ following: true, requested: false, showingReblogs: true })
    expect(await bobs.follow({ reblogs: false, notify: true, languages: ['en'] })).toMatchObject({
      showingReblogs: false,
      notifying: true,
      languages: ['en'],
    })
    const [seen] = await asBob.v1.accounts.relationships.fetch({ id: [alice.id] })
    expect(seen).toMatchObject({ id: alice.id, followedBy: true, following: false })
    const followers = await asBob.v1.accounts.$select(bob.id).followers.list()
    expect(followers.map(({ id }) => id)).toEqual([alice.id])
    expect((await asAlice.v1.accounts.$select(alice.id).following.list()).map(({ id }) => id)).toEqual([
      bob.id,
    ])
    expect((await asBob.v1.accounts.verifyCredentials()).followersCount).toBe(1)
    expect(await bobs.unfollow()).toMatchObject({ following: false })
  })

  it('that are locked decide about their followers', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const carol = await newPerson('carol')
    await asBob.v1.accounts.updateCredentials({ locked: true })
    for (const client of [asAlice, mastoOf(carol)])
      expect(await client.v1.accounts.$select(bob.id).follow()).toMatchObject({
        following: false,
        requested: true,
      })
    const waiting = await asBob.v1.followRequests.list()
    expect(waiting.map(({ id }) => id)).toEqual([carol.id, alice.id])

    const accepted = await asBob.v1.followRequests.$select(alice.id).authorize()
    const rejected = await asBob.v1.followRequests.$select(carol.id).reject()
    expect([accepted.followedBy, rejected.followedBy]).toEqual([true, false])
    expect(await asBob.v1.followRequests.list()).toEqual([])
    const [known] = await asAlice.v1.accounts.relationships.fetch({ id: [bob.id] })
    expect(known).toMatchObject({ following: true, requested: false })
    const removed = await asBob.v1.accounts.$select(alice.id).removeFromFollowers()
    expect(removed).toMatchObject({ followedBy: false })
  })

  it('are muted for a while, and come back', async () => {
    const { bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const bobs = asAlice.v1.accounts.$select(bob.id)
    await bobs.follow()
    expect(await bobs.mute({ duration: 300, notifications: false })).toMatchObject({
      muting: true,
      mutingNotifications: false,
      following: true,
    })
    const { id } = await asBob.v1.statuses.create({ status: 'Can you hear me?' })
    const home = async () => (await asAlice.v1.timelines.home.list()).map((status) => status.id)
    expect(await home()).not.toContain(id)
    expect(await asAlice.v1.mutes.list()).toMatchObject([
      { id: bob.id, muteExpiresAt: expect.stringMatching(/^\d{4}-/) },
    ])
    expect(await bobs.unmute()).toMatchObject({ muting: false })
    expect(await home()).toContain(id)
  })

  it('are blocked, and can no longer see who blocked them', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const { id } = await asAlice.v1.statuses.create({ status: 'My song' })
    await asBob.v1.accounts.$select(alice.id).follow()
    expect(await asAlice.v1.accounts.$select(bob.id).block()).toMatchObject({
      blocking: true,
      followedBy: false,
    })
    expect((await asAlice.v1.blocks.list()).map((account) => account.id)).toEqual([bob.id])
    expect(await mastoFailure(asBob.v1.statuses.$select(id).fetch())).toMatchObject({ statusCode: 404 })
    expect(await mastoFailure(asBob.v1.accounts.$select(alice.id).follow())).toMatchObject({
      statusCode: 403,
    })
    expect(await asAlice.v1.accounts.$select(bob.id).unblock()).toMatchObject({ blocking: false })
    expect((await asBob.v1.statuses.$select(id).fetch()).id).toBe(id)
  })

  it('get notes and recommendations', async () => {
    const { bob, asAlice } = await aliceAndBob(mastoOf)
    const bobs = asAlice.v1.accounts.$select(bob.id)
    expect(await bobs.note.create({ comment: 'Met at the rowan' })).toMatchObject({
      note: 'Met at the rowan',
    })
    expect(await mastoFailure(bobs.endorse())).toMatchObject({ statusCode: 422 })
    await bobs.follow()
    expect(await bobs.endorse()).toMatchObject({ endorsed: true })
    expect((await asAlice.v1.endorsements.list()).map(({ id }) => id)).toEqual([bob.id])
    expect(await bobs.unendorse()).toMatchObject({ endorsed: false })
    expect(await asAlice.v1.endorsements.list()).toEqual([])
  })

  it('are found by name and by handle', async () => {
    const { bob, asAlice } = await aliceAndBob(mastoOf)
    for (const acct of [bob.username, `${bob.username}@${new URL(origin).host}`])
      expect((await mastoAnonymous().v1.accounts.lookup({ acct })).id).toBe(bob.id)
    expect(await mastoFailure(mastoAnonymous().v1.accounts.lookup({ acct: 'no_such_bird' }))).toMatchObject({
      statusCode: 404,
      message: 'Record not found',
    })
    const found = await asAlice.v1.accounts.search.list({ q: bob.username, limit: 5 })
    expect(found.map(({ id }) => id)).toEqual([bob.id])
    const several = await asAlice.v1.accounts.fetch({ id: [bob.id, '1'] })
    expect(several.map(({ id }) => id)).toEqual([bob.id])
  })

  it('that follow many are listed page by page', async () => {
    const star = await newPerson('star')
    const fans: string[] = []
    for (let nth = 0; nth < 5; nth += 1) {
      const fan = await newPerson('fan')
      await mastoOf(fan).v1.accounts.$select(star.id).follow()
      fans.push(fan.id)
    }
    const found: string[] = []
    for await (const page of mastoAnonymous().v1.accounts.$select(star.id).followers.list({ limit: 2 }))
      found.push(...page.map(({ id }) => id))
    expect(found).toEqual(fans.toReversed())
  })
})
