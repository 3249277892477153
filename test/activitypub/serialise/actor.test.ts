import { describe, expect, it } from 'vitest'
import { actorOf } from '../../support/documents'
import { given } from '../../support/given'
import { clock } from '../../support/test-app'

describe('an account as an actor', () => {
  it('an actor has every property that other servers store [T-145]', async () => {
    const target = await given.remoteAccount()
    const { id, username } = await given.account({
      displayName: 'Alice :owl:',
      noteHtml: '<p>Birds</p>',
      publicKey: 'PEM',
      locked: true,
      actorType: 'Service',
      discoverable: true,
      indexable: true,
      attributionDomains: ['blog.test'],
      alsoKnownAs: ['https://old.test/users/alice'],
      movedToAccountId: target.id,
      memorial: true,
      fields: [{ name: 'Site', value: 'blog.test', html: '<a href="#">blog</a>', verifiedAt: null }],
      emojis: [{ shortcode: 'owl', image: { key: 'emojis/owl.gif' } }],
      avatar: { key: 'avatars/1.png' },
      avatarDescription: 'A face',
      header: { key: 'headers/1.webp' },
      createdAt: new Date('2026-03-04T15:16:17Z'),
    })

    const uri = `https://fieldfare.test/users/${username}`
    expect(await actorOf({ id })).toEqual({
      id: uri,
      webfinger: `${username}@fieldfare.test`,
      type: 'Service',
      preferredUsername: username,
      name: 'Alice :owl:',
      url: `https://fieldfare.test/@${username}`,
      summary: '<p>Birds</p>',
      inbox: `${uri}/inbox`,
      outbox: `${uri}/outbox`,
      followers: `${uri}/followers`,
      following: `${uri}/following`,
      featured: `${uri}/collections/featured`,
      featuredTags: `${uri}/collections/tags`,
      featuredCollections: `${uri}/featured_collections`,
      endpoints: { sharedInbox: 'https://fieldfare.test/inbox' },
      manuallyApprovesFollowers: true,
      discoverable: true,
      indexable: true,
      memorial: true,
      suspended: false,
      published: '2026-03-04T00:00:00Z',
      alsoKnownAs: ['https://old.test/users/alice'],
      movedTo: target.uri,
      attributionDomains: ['blog.test'],
      attachment: [{ type: 'PropertyValue', name: 'Site', value: '<a href="#">blog</a>' }],
      tag: [
        {
          id: 'https://fieldfare.test/emojis/owl',
          type: 'Emoji',
          name: ':owl:',
          icon: {
            type: 'Image',
            mediaType: 'image/gif',
            url: 'https://fieldfare.test/media/emojis/owl.gif',
          },
        },
      ],
      icon: {
        type: 'Image',
        mediaType: 'image/png',
        name: 'A face',
        url: 'https://fieldfare.test/media/avatars/1.png',
      },
      image: {
        type: 'Image',
        mediaType: 'image/webp',
        url: 'https://fieldfare.test/media/headers/1.webp',
      },
      publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem: 'PEM' },
      interactionPolicy: {
        canFeature: {
          automaticApproval: ['https://www.w3.org/ns/activitystreams#Public'],
          manualApproval: [],
        },
      },
    })
  })

  it('a moved account names a local target by its local address', async () => {
    const next = await given.account()
    const alice = await given.account({ movedToAccountId: next.id })
    expect(await actorOf(alice)).toMatchObject({ movedTo: `https://fieldfare.test/users/${next.username}` })
  })

  it('a suspended account keeps name and key, and nothing of the profile', async () => {
    const alice = await given.account({
      suspendedAt: clock.now(),
      displayName: 'Alice',
      noteHtml: '<p>Birds</p>',
      publicKey: 'PEM',
      avatar: { key: 'avatars/1.png' },
      alsoKnownAs: ['https://old.test/a'],
      discoverable: true,
      fields: [{ name: 'Site', value: 'x', html: 'x', verifiedAt: null }],
    })

    const actor = await actorOf(alice)

    expect(actor).toMatchObject({
      suspended: true,
      webfinger: `${alice.username}@fieldfare.test`,
      preferredUsername: alice.username,
      name: '',
      summary: '',
      discoverable: false,
      attachment: [],
      tag: [],
      publicKey: { publicKeyPem: 'PEM' },
    })
    for (const key of ['icon', 'image', 'alsoKnownAs', 'movedTo']) expect(actor).not.toHaveProperty(key)
  })
})
