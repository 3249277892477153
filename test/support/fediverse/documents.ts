import type { TestKey } from './keys'

/** A document of another server, as loose as they come. */
export type Document = Readonly<Record<string, unknown>>

export interface Activity extends Document {
  readonly id: string
  readonly type: string
}

export const publicCollection = 'https://www.w3.org/ns/activitystreams#Public'

export type Software = 'mastodon' | 'gotosocial' | 'misskey' | 'akkoma' | 'fedify'

export interface Addresses {
  readonly origin: string
  readonly uri: string
  readonly url: string
  readonly keyId: string
  readonly inbox: string
  readonly sharedInbox: string
  readonly outbox: string
  readonly followers: string
  readonly following: string
  readonly featured: string
}

/** Addresses of an actor on a server of this software. */
export function addressesOf(software: Software, host: string, username: string): Addresses {
  const origin = `https://${host}`
  const uri = software === 'misskey' ? `${origin}/users/id-${username}` : `${origin}/users/${username}`
  return {
    origin,
    uri,
    url: `${origin}/@${username}`,
    keyId: software === 'gotosocial' ? `${uri}/main-key` : `${uri}#main-key`,
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    sharedInbox: `${origin}/inbox`,
    followers: `${uri}/followers`,
    following: `${uri}/following`,
    featured: `${uri}/collections/featured`,
  }
}

const contexts: Readonly<Record<Software, unknown>> = {
  mastodon: [
    'https://www.w3.org/ns/activitystreams',
    'https://w3id.org/security/v1',
    { manuallyApprovesFollowers: 'as:manuallyApprovesFollowers', toot: 'http://joinmastodon.org/ns#' },
  ],
  gotosocial: ['https://w3id.org/security/v1', 'https://www.w3.org/ns/activitystreams'],
  misskey: [
    'https://www.w3.org/ns/activitystreams',
    'https://w3id.org/security/v1',
    { misskey: 'https://misskey-hub.net/ns#' },
  ],
  akkoma: ['https://www.w3.org/ns/activitystreams', { '@language': 'und' }],
  fedify: [
    'https://www.w3.org/ns/activitystreams',
    'https://w3id.org/security/v1',
    'https://w3id.org/security/multikey/v1',
  ],
}

export interface ActorFacts {
  readonly software: Software
  readonly type: string
  readonly username: string
  readonly key: TestKey
  readonly at: Addresses
  readonly now: Date
}

/** Actor document of that software. Ed25519 keys stand in `assertionMethod` as FEP-521a has it. */
export function actorDocument({
  software,
  type,
  username,
  key,
  at,
  now,
}: ActorFacts): Record<string, unknown> {
  const keys =
    key.multibase === null
      ? { publicKey: { id: at.keyId, owner: at.uri, publicKeyPem: key.publicPem } }
      : {
          assertionMethod: [
            { id: at.keyId, type: 'Multikey', controller: at.uri, publicKeyMultibase: key.multibase },
          ],
        }
  return {
    '@context': contexts[software],
    id: at.uri,
    type,
    preferredUsername: username,
    name: username,
    summary: '<p>Elsewhere</p>',
    url: at.url,
    inbox: at.inbox,
    outbox: at.outbox,
    followers: at.followers,
    following: at.following,
    featured: at.featured,
    endpoints: { sharedInbox: at.sharedInbox },
    manuallyApprovesFollowers: false,
    discoverable: true,
    indexable: true,
    published: now.toISOString(),
    tag: [],
    attachment: [],
    ...keys,
  }
}

/** GoToSocial answers the key's own address with an actor that has little more than the key. */
export function keyStub(document: Document): Document {
  const { id, type, preferredUsername, publicKey } = document
  return { '@context': document['@context'], id, type, preferredUsername, publicKey }
}

export function collection(id: string, items: readonly unknown[], type = 'OrderedCollection'): Document {
  return {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id,
    type,
    totalItems: items.length,
    [type === 'Collection' ? 'items' : 'orderedItems']: items,
  }
}
