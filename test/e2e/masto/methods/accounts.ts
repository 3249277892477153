import { expect } from 'vitest'
import * as z from 'zod'
import { assetPath } from '../../../../src/lib/assets'
import { idsOf } from '../../support/ids'
import { mastoFailure, mastoOAuth } from '../../support/masto'
import { aliceAndBob, domain, newName, newPerson, origin } from '../../support/people'
import { mediaFile } from '../../support/pictures'
import { newMember } from '../../support/sign-in'
import { type As, idsOnPages, type ResourceV1, type Uses } from './use'

const redirectUris = 'https://hedge.example/callback'

/** An application with a token of its own. */
async function application(as: As) {
  const app = await as(null).v1.apps.create({ clientName: 'Hedgerow', redirectUris, scopes: 'read write' })
  const { clientId, clientSecret } = z.object({ clientId: z.string(), clientSecret: z.string() }).parse(app)
  const grant = { grantType: 'client_credentials', redirectUri: redirectUris, scope: 'read write' } as const
  const { accessToken } = await mastoOAuth().token.create({ ...grant, clientId, clientSecret })
  return as({ token: accessToken })
}

/** Two people with a client each, the second of whom the first follows. */
async function acquainted(as: As) {
  const people = await aliceAndBob(as)
  const bobs = people.asAlice.v1.accounts.$select(people.bob.id)
  await bobs.follow()
  return { ...people, bobs }
}

export const accounts: Uses<
  Extract<
    ResourceV1,
    | 'accounts'
    | 'apps'
    | 'blocks'
    | 'directory'
    | 'domainBlocks'
    | 'emails'
    | 'endorsements'
    | 'followRequests'
    | 'mutes'
    | 'preferences'
    | 'profile'
    | 'reports'
    | 'suggestions'
  >
> = {
  async accounts(as) {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(as)
    const own = asAlice.v1.accounts
    const before = await own.verifyCredentials()
    const after = await own.updateCredentials({
      displayName: 'Alice & Co',
      note: 'Sings.\nhttps://alice.example',
      avatar: await mediaFile('animated.gif', 'image/gif'),
      header: await mediaFile('upright.jpg', 'image/jpeg'),
      source: { privacy: 'unlisted', sensitive: true, language: 'fr' },
      fieldsAttributes: [
        { name: 'Home', value: 'https://alice.example' },
        { name: 'Song', value: '<i>tsee</i>' },
      ],
    })
    expect(after).toMatchObject({
      displayName: 'Alice & Co',
      source: { note: 'Sings.\nhttps://alice.example', privacy: 'unlisted', sensitive: true, language: 'fr' },
      fields: [{ name: 'Home' }, { name: 'Song', value: '&lt;i&gt;tsee&lt;/i&gt;' }],
    })
    expect(after.note).toMatch(/^<p>Sings\.<br ?\/?><a href="https:\/\/alice\.example"/)
    for (const url of [after.avatar, after.avatarStatic, after.header, before.avatar]) {
      const served = await fetch(url)
      await served.arrayBuffer()
      const type = expect.stringMatching(/^image\//)
      expect([url, served.status, served.headers.get('content-type')]).toEqual([url, 200, type])
    }
    const refused = await mastoFailure(own.updateCredentials({ displayName: 'x'.repeat(200) }))
    expect(refused).toMatchObject({ statusCode: 422, message: expect.stringMatching(/^Validation failed/) })

    for (const acct of [bob.username, `${bob.username}@${domain}`])
      expect((await as(null).v1.accounts.lookup({ acct })).id).toBe(bob.id)
    const missing = as(null).v1.accounts.lookup({ acct: 'no_such_bird' })
    expect(await mastoFailure(missing)).toMatchObject({ statusCode: 404, message: 'Record not found' })
    expect(idsOf(await own.search.list({ q: bob.username, limit: 5 }))).toEqual([bob.id])
    expect(idsOf(await own.fetch({ id: [bob.id, '1'] }))).toEqual([bob.id])

    const bobs = own.$select(bob.id)
    expect(await bobs.fetch()).toMatchObject({ acct: bob.username, statusesCount: 0 })
    expect(await bobs.follow()).toMatchObject({ following: true, showingReblogs: true })
    expect(await bobs.follow({ reblogs: false, notify: true, languages: ['en'] })).toMatchObject({
      showingReblogs: false,
      notifying: true,
      languages: ['en'],
    })
    const [seen] = await asBob.v1.accounts.relationships.fetch({ id: [alice.id] })
    expect(seen).toMatchObject({ id: alice.id, followedBy: true, following: false })
    expect(await idsOnPages(bobs.followers.list({ limit: 1 }))).toEqual([alice.id])
    expect(idsOf(await own.$select(alice.id).following.list())).toEqual([bob.id])
    // The client sends ?0=…&1=… where everybody else sends id[].
    expect(await own.familiarFollowers.fetch([bob.id])).toEqual([])
    expect(await bobs.note.create({ comment: 'Met at the rowan' })).toMatchObject({
      note: 'Met at the rowan',
    })
    expect(await bobs.mute({ duration: 300, notifications: false })).toMatchObject({
      muting: true,
      mutingNotifications: false,
    })
    expect(await bobs.unmute()).toMatchObject({ muting: false })
    expect(await bobs.endorse()).toMatchObject({ endorsed: true })
    expect(idsOf(await asBob.v1.accounts.$select(alice.id).endorsements.list())).toEqual([bob.id])
    expect(await bobs.unendorse()).toMatchObject({ endorsed: false })
    expect(await bobs.pin()).toMatchObject({ endorsed: true })
    expect(await bobs.unpin()).toMatchObject({ endorsed: false })

    const { id: listId } = await asAlice.v1.lists.create({ title: 'Warblers' })
    await asAlice.v1.lists.$select(listId).accounts.create({ accountIds: [bob.id] })
    expect(idsOf(await bobs.lists.list())).toEqual([listId])
    const { id: statusId } = await asBob.v1.statuses.create({ status: '#Wren' })
    expect(idsOf(await bobs.statuses.list({ tagged: 'wren', excludeReplies: true }))).toEqual([statusId])
    await asBob.v1.featuredTags.create({ name: 'Wren' })
    expect(await bobs.featuredTags.list()).toMatchObject([{ name: 'Wren' }])
    expect(await bobs.identityProofs.list()).toEqual([])
    expect(await bobs.collections.list({ limit: 5 })).toMatchObject({ collections: [] })
    expect(await own.$select(alice.id).inCollections.list({ limit: 5 })).toMatchObject({ collections: [] })

    await asBob.v1.accounts.$select(alice.id).follow()
    await bobs.removeFromFollowers()
    expect(idsOf(await own.$select(alice.id).followers.list())).toEqual([])
    expect(await bobs.unfollow()).toMatchObject({ following: false })
    expect(await bobs.block()).toMatchObject({ blocking: true })
    const follow = asBob.v1.accounts.$select(alice.id).follow()
    expect(await mastoFailure(follow)).toMatchObject({ statusCode: 403 })
    expect(await bobs.unblock()).toMatchObject({ blocking: false })

    const app = await application(as)
    const { username, email, password } = newMember('wren')
    const person = { username, email, password, locale: 'en', agreement: true }
    const wrong = app.v1.accounts.create({ ...person, username: 'two words', agreement: false })
    const { statusCode, details } = await mastoFailure(wrong)
    expect(statusCode).toBe(422)
    expect(details).toMatchObject({
      username: [{ error: 'ERR_INVALID' }],
      agreement: [{ error: 'ERR_ACCEPTED' }],
    })
    const { accessToken } = await app.v1.accounts.create(person)
    expect(await as({ token: accessToken }).v1.accounts.verifyCredentials()).toMatchObject({ username })
  },

  async apps(as) {
    const app = await application(as)
    expect(await app.v1.apps.verifyCredentials()).toMatchObject({
      name: 'Hedgerow',
      redirectUris: [redirectUris],
      scopes: ['read', 'write'],
    })
    expect(await mastoFailure(app.v1.accounts.verifyCredentials())).toMatchObject({
      statusCode: 422,
      message: 'This method requires an authenticated user',
    })
  },

  async blocks(as) {
    const { bob, asAlice, bobs } = await acquainted(as)
    await bobs.block()
    expect(idsOf(await asAlice.v1.blocks.list())).toEqual([bob.id])
  },

  async directory(as) {
    const early = await newPerson('early')
    await as(early).v1.accounts.updateCredentials({ discoverable: true })
    await as(early).v1.statuses.create({ status: 'Here' })
    const listed = await as(null).v1.directory.list({ order: 'active', local: true, limit: 80 })
    expect(idsOf(listed)).toContain(early.id)
    expect(await as(null).v1.directory.list({ offset: 4_000 })).toEqual([])
  },

  async domainBlocks(as) {
    const { domainBlocks } = as(await newPerson()).v1
    const domains = ['one', 'two', 'three'].map((name) => `${newName(name).replace('_', '-')}.example`)
    for (const one of domains) await domainBlocks.create({ domain: one })
    const found: string[] = []
    for await (const page of domainBlocks.list({ limit: 2 })) found.push(...page)
    expect(found).toEqual(domains.toReversed())
    for (const one of domains) await domainBlocks.remove({ domain: one })
    expect(await domainBlocks.list()).toEqual([])
    const wrong = domainBlocks.create({ domain: 'not a domain' })
    expect(await mastoFailure(wrong)).toMatchObject({ statusCode: 422 })
  },

  async emails(as) {
    // The address is confirmed already: no mail is sent.
    const call = as(await newPerson()).v1.emails.confirmations.create({})
    expect((await mastoFailure(call)).statusCode).toBe(403)
  },

  async endorsements(as) {
    const { bob, asAlice, bobs } = await acquainted(as)
    await bobs.endorse()
    expect(idsOf(await asAlice.v1.endorsements.list())).toEqual([bob.id])
  },

  async followRequests(as) {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(as)
    const carol = await newPerson('carol')
    await asAlice.v1.accounts.updateCredentials({ locked: true })
    for (const client of [asBob, as(carol)])
      expect(await client.v1.accounts.$select(alice.id).follow()).toMatchObject({ requested: true })
    const requests = asAlice.v1.followRequests
    expect(await idsOnPages(requests.list({ limit: 1 }))).toEqual([carol.id, bob.id])
    expect((await asAlice.v1.accounts.verifyCredentials()).source.followRequestsCount).toBe(2)
    expect(await requests.$select(bob.id).authorize()).toMatchObject({ followedBy: true })
    expect(await requests.$select(carol.id).reject()).toMatchObject({ followedBy: false })
    expect(await requests.list()).toEqual([])
  },

  async mutes(as) {
    const { bob, asAlice, bobs } = await acquainted(as)
    await bobs.mute({ duration: 3600 })
    const muteExpiresAt = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(await asAlice.v1.mutes.list()).toMatchObject([{ id: bob.id, muteExpiresAt }])
  },

  async preferences(as) {
    const client = as(await newPerson())
    await client.v1.accounts.updateCredentials({ source: { privacy: 'private', language: 'sv' } })
    expect(await client.v1.preferences.fetch()).toMatchObject({
      'posting:default:visibility': 'private',
      'posting:default:language': 'sv',
      'reading:expand:media': 'default',
    })
  },

  async profile(as) {
    const { profile } = as(await newPerson()).v1
    const after = await profile.update({
      displayName: 'Wren',
      avatar: await mediaFile('rgba.png', 'image/png'),
      avatarDescription: 'A wren on a post',
      header: await mediaFile('upright.jpg', 'image/jpeg'),
      fieldsAttributes: [{ name: 'Weight', value: '9 g' }],
    })
    expect(after).toMatchObject({ displayName: 'Wren', avatarDescription: 'A wren on a post' })
    expect(await profile.fetch()).toMatchObject({ fields: [{ name: 'Weight', value: '9 g' }] })
    expect((await profile.avatar.remove()).avatar).toBe(`${origin}${assetPath('avatar.webp')}`)
    expect((await profile.header.remove()).header).toBe(`${origin}${assetPath('header.webp')}`)
  },

  async reports(as) {
    const { bob, asAlice, asBob } = await aliceAndBob(as)
    const { id } = await asBob.v1.statuses.create({ status: 'Buy seeds' })
    const said = { comment: 'An advertisement', category: 'spam' } as const
    expect(
      await asAlice.v1.reports.create({ accountId: bob.id, statusIds: [id], forward: true, ...said }),
    ).toMatchObject({
      ...said,
      forwarded: false,
      statusIds: [id],
      actionTaken: false,
      targetAccount: { id: bob.id },
    })
  },

  async suggestions(as) {
    const { asAlice, asBob } = await acquainted(as)
    const carol = await newPerson('carol')
    await as(carol).v1.accounts.updateCredentials({ discoverable: true })
    await asBob.v1.accounts.$select(carol.id).follow()
    expect(idsOf(await asAlice.v1.suggestions.list({ limit: 80 }))).toContain(carol.id)
    await asAlice.v1.suggestions.$select(carol.id).remove(carol.id)
    expect(idsOf(await asAlice.v1.suggestions.list({ limit: 80 }))).not.toContain(carol.id)
  },
}
