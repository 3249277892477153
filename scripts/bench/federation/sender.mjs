// A server like Mastodon, as far as its actor, its key and what it sends go.
import { signed } from '../../../test/support/fediverse/signing.ts'

const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
}
const publicCollection = 'https://www.w3.org/ns/activitystreams#Public'
const origin = 'https://sender.test'

/** An actor at sender.test: its document, and signed deliveries to any inbox. */
export async function openSender() {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const spki = Buffer.from(await crypto.subtle.exportKey('spki', publicKey)).toString('base64')
  const pem = `-----BEGIN PUBLIC KEY-----\n${spki.match(/.{1,64}/g).join('\n')}\n-----END PUBLIC KEY-----\n`
  const uri = `${origin}/users/wren`
  const keyId = `${uri}#main-key`
  const key = { name: 'rsa', privateKey, publicKey, publicPem: pem, multibase: null }
  const sign = async (inbox, activity) => {
    const body = JSON.stringify(activity)
    const request = { method: 'POST', url: inbox, keyId, key, at: new Date(), body }
    return { headers: await signed('cavage', request), body }
  }
  return { uri, document: actor(uri, keyId, pem), sign }
}

function actor(uri, keyId, publicKeyPem) {
  return {
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
    id: uri,
    type: 'Person',
    preferredUsername: 'wren',
    name: 'Wren',
    url: `${origin}/@wren`,
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    followers: `${uri}/followers`,
    following: `${uri}/following`,
    endpoints: { sharedInbox: `${origin}/inbox` },
    publicKey: { id: keyId, owner: uri, publicKeyPem },
  }
}

/** Create{Note} as Mastodon 4 writes it: three tags, two pictures, 3.9 KB. */
export function createNote(uri, number, { mentioned, handle }) {
  const id = `${uri}/statuses/${number}`
  const published = new Date().toISOString()
  const audience = { to: [publicCollection], cc: [`${uri}/followers`, mentioned] }
  return {
    '@context': contexts,
    id: `${id}/activity`,
    type: 'Create',
    actor: uri,
    published,
    ...audience,
    object: {
      ...note(uri, id, published),
      ...audience,
      tag: tags({ mentioned, handle }),
      attachment: pictures,
    },
  }
}

function note(uri, id, published) {
  const path = new URL(id).pathname
  const content = `<p>${words}</p>`
  return {
    id,
    type: 'Note',
    summary: null,
    inReplyTo: null,
    published,
    url: `${origin}/@wren${path}`,
    attributedTo: uri,
    sensitive: false,
    atomUri: id,
    inReplyToAtomUri: null,
    conversation: `tag:sender.test,2026:objectId=${path}:objectType=Conversation`,
    content,
    contentMap: { en: content },
    replies: {
      id: `${id}/replies`,
      type: 'Collection',
      first: { type: 'CollectionPage', next: `${id}/replies?only_other_accounts=true&page=true`, items: [] },
    },
    likes: { id: `${id}/likes`, type: 'Collection', totalItems: 0 },
    shares: { id: `${id}/shares`, type: 'Collection', totalItems: 0 },
  }
}

const words = Array.from(
  { length: 2 },
  (_, index) =>
    `The wren sang at ${index + 5} in the morning, from the <a href="https://birds.example/hedge/${index}" ` +
    'rel="nofollow noopener" target="_blank"><span class="invisible">https://</span><span>birds.example</span></a>.',
).join('<br>')

function tags({ mentioned, handle }) {
  const hashtag = (name) => ({ type: 'Hashtag', href: `${origin}/tags/${name}`, name: `#${name}` })
  return [{ type: 'Mention', href: mentioned, name: `@${handle}` }, hashtag('birds'), hashtag('morning')]
}

const pictures = [1, 2].map((number) => ({
  type: 'Document',
  mediaType: 'image/jpeg',
  url: `${origin}/media/${number}.jpeg`,
  name: `A wren on a branch, seen from the ${number === 1 ? 'left' : 'right'}`,
  width: 1200,
  height: 800,
  blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
  focalPoint: [0, 0],
}))

const contexts = [
  'https://www.w3.org/ns/activitystreams',
  {
    ostatus: 'http://ostatus.org#',
    atomUri: 'ostatus:atomUri',
    inReplyToAtomUri: 'ostatus:inReplyToAtomUri',
    conversation: 'ostatus:conversation',
    sensitive: 'as:sensitive',
    toot: 'http://joinmastodon.org/ns#',
    votersCount: 'toot:votersCount',
    blurhash: 'toot:blurhash',
    Hashtag: 'as:Hashtag',
    focalPoint: { '@container': '@list', '@id': 'toot:focalPoint' },
  },
]

/** Delete of an unknown account, as sent in floods. */
export function farewell(number) {
  const gone = `https://storm.test/users/gone${number}`
  return {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${gone}#delete`,
    type: 'Delete',
    actor: gone,
    to: [publicCollection],
    object: gone,
  }
}
