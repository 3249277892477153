// Remote servers for the bench: accounts with keys that sign what they send, and answers to every request for them.
import { signed } from '../../../test/support/fediverse/signing.ts'
import { createNote } from '../federation/sender.mjs'

const publicCollection = 'https://www.w3.org/ns/activitystreams#Public'
const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
}

/** Posts among which one has hashtags, and one pictures: assumptions, on the high side. */
const [postsPerTagged, postsPerPicture] = [3, 4]

/** Servers on `router`; all accounts have one pair of keys, which takes long to make. */
export async function openWorld(router) {
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const spki = Buffer.from(await crypto.subtle.exportKey('spki', pair.publicKey)).toString('base64')
  const pem = `-----BEGIN PUBLIC KEY-----\n${spki.match(/.{1,64}/g).join('\n')}\n-----END PUBLIC KEY-----\n`
  const documents = new Map()
  let numbers = 0

  const answer = async (request) => {
    const url = new URL(request.url)
    if (request.method === 'POST') return new Response(null, { status: 202 })
    if (url.pathname === '/.well-known/webfinger') {
      const [name] = url.searchParams.get('resource').slice('acct:'.length).split('@')
      const href = `${url.origin}/users/${name}`
      const links = [{ rel: 'self', type: 'application/activity+json', href }]
      return json({ subject: `acct:${name}@${url.host}`, links }, 'application/jrd+json')
    }
    if (url.pathname.endsWith('.png'))
      return new Response(picture, { headers: { 'content-type': 'image/png' } })
    if (url.pathname.startsWith('/page'))
      return new Response(page, { headers: { 'content-type': 'text/html' } })
    const found = documents.get(url.href)
    return found === undefined ? new Response('', { status: 404 }) : json(found, 'application/activity+json')
  }

  /** An account, at a host of its own unless one is named; `write` and `activity` make what it sends. */
  function account(name, host = `${name}.test`) {
    const origin = `https://${host}`
    const uri = `${origin}/users/${name}`
    router.add(host, answer)
    const person = (more = {}) => ({ ...actor(uri, name, pem), ...more })
    documents.set(uri, person())
    return {
      uri,
      handle: `${name}@${host}`,
      activity: (type, object, more = {}) => {
        numbers += 1
        const id = `${uri}#${type}-${numbers}`
        return { '@context': 'https://www.w3.org/ns/activitystreams', id, type, actor: uri, object, ...more }
      },
      profile: (more) => person(more),
      /**
       * A Create{Note} as Mastodon writes it, which can be fetched as well: one of three has two hashtags, one of four
       * pictures.
       */
      write: (more = {}) => {
        numbers += 1
        const { mentioned = null, ...changes } = more
        const addressee = mentioned ?? { uri: `${origin}/users/nobody`, handle: `nobody@${host}` }
        const made = createNote(uri, numbers, { mentioned: addressee.uri, handle: addressee.handle })
        // The sender of the other bench lives elsewhere.
        const text = JSON.stringify(made).replaceAll('https://sender.test', origin)
        const activity = { ...JSON.parse(text), id: `${uri}/statuses/${numbers}/activity` }
        const note = {
          ...activity.object,
          content: '<p>The wren sang at five in the morning.</p>',
          ...(numbers % postsPerTagged === 0
            ? {}
            : { tag: made.object.tag.filter(({ type }) => type !== 'Hashtag') }),
          ...(numbers % postsPerPicture === 0 ? {} : { attachment: [] }),
          ...changes,
        }
        if (mentioned === null) {
          note.tag = note.tag.filter(({ type }) => type !== 'Mention')
          note.cc = activity.cc = [`${uri}/followers`]
        }
        documents.set(note.id, { '@context': activity['@context'], ...note })
        return { ...activity, object: note }
      },
      sign: async (inbox, activity) => {
        const body = JSON.stringify(activity)
        const key = { name: 'rsa', ...pair, publicPem: pem, multibase: null }
        const request = { method: 'POST', url: inbox, keyId: `${uri}#main-key`, key, at: new Date(), body }
        return { headers: await signed('cavage', request), body }
      },
    }
  }

  return { account, answer }
}

function actor(uri, name, publicKeyPem) {
  const { origin } = new URL(uri)
  return {
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
    id: uri,
    type: 'Person',
    preferredUsername: name,
    name,
    summary: '<p>Watches birds.</p>',
    url: `${origin}/@${name}`,
    icon: { type: 'Image', mediaType: 'image/png', url: `${origin}/avatar.png` },
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    followers: `${uri}/followers`,
    following: `${uri}/following`,
    endpoints: { sharedInbox: `${origin}/inbox` },
    publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem },
    to: [publicCollection],
  }
}

function json(body, type) {
  return new Response(JSON.stringify(body), { headers: { 'content-type': type } })
}

const page = `<!doctype html><title>The hedge</title><meta property="og:title" content="The hedge">
<meta property="og:description" content="What sings in it">`

/** Smallest picture: a transparent pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
