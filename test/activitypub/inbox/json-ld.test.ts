import { beforeEach, describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { clock, settleLateWork } from '../../support/test-app'

const AS = 'https://www.w3.org/ns/activitystreams#'
const LDP = 'http://www.w3.org/ns/ldp#'
const SEC = 'https://w3id.org/security#'
const PUBLIC = `${AS}Public`

let reader: TestAccount
let peer: KnownPeer

beforeEach(async () => {
  reader = await given.account()
  peer = await given.peer()
  await relation.follow(reader, peer)
})

async function home() {
  await settleLateWork()
  const { body } = await as(reader).get('/api/v1/timelines/home')
  return Array.isArray(body) ? body : []
}

const ref = (id: string) => [{ '@id': id }]
const literal = (value: unknown) => [{ '@value': value }]
const instant = () => [
  { '@type': 'http://www.w3.org/2001/XMLSchema#dateTime', '@value': clock.now().toISOString() },
]

/** Create of a note as a JSON-LD processor expands that of Mastodon. */
function expandedCreate() {
  const id = peer.freshId('statuses')
  const mention = {
    '@type': [`${AS}Mention`],
    [`${AS}href`]: ref(`https://fieldfare.test/users/${reader.username}`),
    [`${AS}name`]: literal(`@${reader.username}`),
  }
  const hashtag = { '@type': [`${AS}Hashtag`], [`${AS}name`]: literal('#birds') }
  const picture = {
    '@type': [`${AS}Document`],
    [`${AS}mediaType`]: literal('image/png'),
    [`${AS}url`]: ref('https://files.test/wren.png'),
    [`${AS}name`]: literal('A wren'),
    'http://joinmastodon.org/ns#blurhash': literal('UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH'),
    'http://joinmastodon.org/ns#focalPoint': [{ '@list': [{ '@value': 0.5 }, { '@value': -0.5 }] }],
  }
  const note = {
    '@id': id,
    '@type': [`${AS}Note`],
    [`${AS}attributedTo`]: ref(peer.uri),
    [`${AS}to`]: ref(PUBLIC),
    [`${AS}cc`]: [{ '@id': peer.followers }, { '@id': `https://fieldfare.test/users/${reader.username}` }],
    [`${AS}content`]: [{ '@value': '<p>Ein Zaunkönig</p>', '@language': 'de' }],
    [`${AS}summary`]: literal('Vögel'),
    [`${AS}sensitive`]: literal(true),
    [`${AS}published`]: instant(),
    [`${AS}tag`]: [mention, hashtag],
    [`${AS}attachment`]: [picture],
  }
  const create = {
    '@id': `${id}/activity`,
    '@type': [`${AS}Create`],
    [`${AS}actor`]: ref(peer.uri),
    [`${AS}to`]: ref(PUBLIC),
    [`${AS}cc`]: ref(peer.followers),
    [`${AS}object`]: [note],
  }
  return { id, note, create }
}

describe('an activity in expanded JSON-LD', () => {
  it('reads an activity in expanded JSON-LD like the compact form', async () => {
    const { id, create } = expandedCreate()
    expect((await peer.send(create)).status).toBe(202)
    expect(await home()).toMatchObject([
      {
        uri: id,
        content: '<p>Ein Zaunkönig</p>',
        language: 'de',
        spoiler_text: 'Vögel',
        sensitive: true,
        visibility: 'public',
        mentions: [{ acct: reader.username }],
        tags: [{ name: 'birds' }],
        media_attachments: [{ type: 'image', description: 'A wren', meta: { focus: { x: 0.5, y: -0.5 } } }],
      },
    ])
  })

  it('reads Delete, Update and Follow in expanded JSON-LD', async () => {
    const { id, note, create } = expandedCreate()
    await peer.send(create)
    clock.advance(60_000)
    const newer = { ...note, [`${AS}content`]: literal('<p>Newer</p>'), [`${AS}updated`]: instant() }
    const activity = (type: string, object: unknown) => ({
      '@id': `${id}#${type}`,
      '@type': [`${AS}${type}`],
      [`${AS}actor`]: ref(peer.uri),
      [`${AS}object`]: object,
    })
    await peer.send(activity('Update', [newer]))
    expect(await home()).toMatchObject([{ content: '<p>Newer</p>' }])
    await peer.send(activity('Delete', [{ '@id': id, '@type': [`${AS}Tombstone`] }]))
    expect(await home()).toEqual([])
    await peer.send(activity('Follow', ref(`https://fieldfare.test/users/${reader.username}`)))
    const { body } = await as(reader).get(`/api/v1/accounts/relationships?id[]=${peer.id}`)
    expect(body).toMatchObject([{ followed_by: true }])
  })
})

describe('a note with prefixes', () => {
  it.each<[string, object]>([
    ['everybody uses', { type: 'as:Note', 'as:content': '<p>Prefixed</p>', content: undefined }],
    [
      'its context defines',
      {
        '@context': { q: AS },
        '@type': 'q:Note',
        type: undefined,
        'q:content': '<p>Prefixed</p>',
        content: undefined,
      },
    ],
    ['in types alone', { type: [`${AS}Note`], content: ['<p>Prefixed</p>'] }],
  ])('reads a note with prefixes that %s', async (_case, document) => {
    const note = peer.note({ document: { contentMap: undefined, ...document } })
    await peer.send(peer.create(note))
    expect(await home()).toMatchObject([{ uri: note.id, content: '<p>Prefixed</p>' }])
  })
})

describe('the language of a note', () => {
  it.each<[string, object, object]>([
    [
      'the context of Akkoma',
      { '@context': [AS, 'https://a.test/schemas/litepub-0.1.jsonld', { '@language': 'fr' }] },
      {},
    ],
    ['the context of its Create', {}, { '@context': [AS, { '@language': 'fr' }] }],
    ['a value object', { content: { '@value': '<p>A wren.</p>', '@language': 'fr' } }, {}],
    ['contentMap alone', { content: undefined, contentMap: { fr: ['<p>A wren.</p>'] } }, {}],
    ['inLanguage', { inLanguage: 'fr-FR' }, {}],
    [
      'inLanguage of schema.org',
      { 'schema:inLanguage': { '@type': 'schema:Language', 'schema:alternateName': 'fr' } },
      {},
    ],
  ])('finds the language of a note in %s', async (_place, document, around) => {
    const note = peer.note({ document: { contentMap: undefined, ...document } })
    await peer.send({ ...peer.create(note), ...around })
    expect(await home()).toMatchObject([{ content: '<p>A wren.</p>', language: 'fr' }])
  })

  it('prefers the language of the note to that of the context, and stores none where both are missing', async () => {
    const context = { '@context': [AS, { '@language': 'fr' }] }
    await peer.send({ ...peer.create(peer.note()), ...context })
    expect(await home()).toMatchObject([{ language: 'en' }])
    const unknown = { '@context': [AS, { '@language': 'und' }] }
    clock.advance(1_000)
    await peer.send(peer.create(peer.note({ document: { contentMap: undefined, ...unknown } })))
    expect((await home())[0]).toMatchObject({ language: null })
  })
})

describe('a fetched document in expanded JSON-LD', () => {
  it('reads an actor and a post in expanded JSON-LD', async () => {
    const stranger = await fediverse.actor()
    const { at, document } = stranger
    const { publicKeyPem } = Object(document['publicKey'])
    const key = {
      '@id': stranger.keyId,
      [`${SEC}owner`]: ref(at.uri),
      [`${SEC}publicKeyPem`]: literal(publicKeyPem),
    }
    fediverse.network.serve(at.uri, [
      {
        '@id': at.uri,
        '@type': [`${AS}Person`],
        [`${AS}preferredUsername`]: literal(stranger.username),
        [`${AS}name`]: literal('Expanded'),
        [`${LDP}inbox`]: ref(at.inbox),
        [`${AS}endpoints`]: [{ [`${AS}sharedInbox`]: ref(at.sharedInbox) }],
        [`${AS}manuallyApprovesFollowers`]: literal(true),
        [`${SEC}publicKey`]: [key],
      },
    ])
    const found = await as(reader).get(`/api/v2/search?resolve=true&q=${encodeURIComponent(at.uri)}`)
    expect(found.body).toMatchObject({ accounts: [{ display_name: 'Expanded', locked: true }] })
    // The signature verifies by the key in that document.
    const follow = stranger.follow(fediverse.local(reader))
    expect((await stranger.send(follow)).status).toBe(202)
    const { id, note } = expandedCreate()
    fediverse.network.serve(id, note)
    const post = await as(reader).get(`/api/v2/search?resolve=true&q=${encodeURIComponent(id)}`)
    expect(post.body).toMatchObject({ statuses: [{ uri: id, content: '<p>Ein Zaunkönig</p>' }] })
  })

  it('requires the id of a fetched document in any form', async () => {
    const { id, note } = expandedCreate()
    fediverse.network.serve(`${id}-copy`, { ...note, '@id': id })
    fediverse.network.missing(id)
    const post = await as(reader).get(`/api/v2/search?resolve=true&q=${encodeURIComponent(`${id}-copy`)}`)
    expect(post.body).toMatchObject({ statuses: [] })
  })
})
