import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { wireFrom } from '../../support/wire-from'
import { arrival, as, eventually } from './support/api'
import { type Door, openDoor } from './support/door'
import type { Instance, Person } from './support/instance'
import { type FedifyPeer, openFedifyPeer } from './support/peer-process'
import { openWorld, type World } from './support/world'

/** Documents in the shapes of GoToSocial, Hollo and Mastodon, signed and delivered by a Fedify server. */

const host = 'shapes.test'
const gotosocial = 'https://gotosocial.test/users/mo'
const theirPost = `${gotosocial}/statuses/01JBF00000000000000000001`
const everybody = 'https://www.w3.org/ns/activitystreams#Public'

const Sent = z.looseObject({ type: z.string(), id: z.string() })
type Sent = z.output<typeof Sent>

let world: World
let a: Instance
let door: Door
let fern: FedifyPeer
let alice: Person
let made = 0

beforeAll(async () => {
  world = await openWorld('a')
  a = world.instance('a')
  door = await openDoor(world.router, ['a.test', host])
  fern = await openFedifyPeer(world.router, door, host, 'draft-cavage-http-signatures-12')
})
afterAll(async () => {
  await fern?.close()
  door?.close()
  await world?.close()
})

beforeEach(async () => {
  made += 1
  alice = await a.member(`alice${made}`)
  await as(alice).follow((await as(alice).find(fern.handle)).id)
  await eventually(async () => expect((await relationship()).following).toBe(true))
})

const relationship = async () => as(alice).relationship((await as(alice).find(fern.handle)).id)

/** A document of `test/wire`, by Fern and to Alice, with other addresses put in. */
function shaped(name: string, actor: string, renamed: Readonly<Record<string, string>> = {}) {
  const document = wireFrom(name, { from: { uri: fern.uri }, to: alice, actor, renamed })
  return JSON.parse(JSON.stringify(document).replaceAll('https://fieldfare.test/', 'https://a.test/'))
}

async function deliver(document: unknown): Promise<void> {
  const answer = await fern.command('raw', { to: `${alice.uri}/inbox`, content: JSON.stringify(document) })
  expect(answer).toEqual({ status: 202 })
}

/** Activities of a type that Alice sent to Fern, in the order of arrival. */
function sent(type: string): readonly Sent[] {
  return world.router
    .passages(host, 'POST')
    .map(({ body }) => Sent.parse(JSON.parse(body)))
    .filter((document) => document.type === type && JSON.stringify(document).includes(alice.uri))
}

/** Fern posts for everybody, in the shape of GoToSocial; `policy` is its rule for answers and shares. */
async function posted(policy: Record<string, unknown> = { automaticApproval: [everybody] }) {
  const uri = `${fern.uri}/statuses/${crypto.randomUUID()}`
  const object = {
    ...shaped('gotosocial-0.20-note-policy', gotosocial, { [theirPost]: uri }),
    interactionPolicy: { canReply: policy, canAnnounce: policy },
    published: new Date().toISOString(),
  }
  const create = { type: 'Create', id: `${uri}/activity`, actor: fern.uri, to: [everybody], object }
  await deliver({ '@context': 'https://www.w3.org/ns/activitystreams', ...create })
  const { id } = await arrival(() => as(alice).received(uri))
  return { id, uri }
}

describe('the response of GoToSocial to a Like', () => {
  it.each([
    ['Accept', 'gotosocial-0.20-accept-like', { favourited: true, favourites_count: 1 }],
    ['Reject', 'gotosocial-0.20-reject-like', { favourited: false, favourites_count: 0 }],
  ] as const)('reads %s as about the Like, and not a follow', async (_type, name, after) => {
    const post = await posted()
    await as(alice).act(post.id, 'favourite')
    const like = await arrival(async () => sent('Like').at(-1))
    await deliver(
      shaped(name, gotosocial, {
        'https://fieldfare.test/users/ada#likes/41': like.id,
        [theirPost]: post.uri,
      }),
    )
    await eventually(async () => expect(await as(alice).status(post.id)).toMatchObject(after))
    expect(await relationship()).toMatchObject({ following: true, requested: false })
  })
})

describe('a server that answers 401 while it still applies a rotation of Fieldfare’s key', () => {
  it('a server that answers 401 during a key rotation of Fieldfare gets the post at the retry', async () => {
    const heal = world.router.inject({
      fits: ({ method, url }) => method === 'POST' && new URL(url).host === host,
      happens: async () => new Response('', { status: 401 }),
    })
    const { uri } = await as(alice).write(`@${fern.handle} do you know my key?`)
    await eventually(async () => expect(await a.waiting(host)).toBe(1))
    heal()
    await a.hurry(host)
    await arrival(async () => (await fern.seen()).find(({ object }) => object === uri))
    await eventually(async () => expect(await a.waiting(host)).toBe(0))
  })
})

describe('a quote of Hollo, whose Create comes without it', () => {
  it('a QuoteRequest attaches the quote of a Hollo post, and is accepted', async () => {
    const quoted = await as(alice).write('Quote me')
    const quoting = `${fern.uri}/quoting/${made}`
    const renamed = {
      'https://hollo.test/@lin/0192f0aa-0000-7000-8000-00000000000a': quoting,
      'https://fieldfare.test/users/ada/statuses/9': quoted.uri,
      '2026-11-01T10:00:00Z': new Date().toISOString(),
    }
    await deliver(shaped('hollo-0.9-create-note-quoting', 'https://hollo.test/@lin', renamed))
    const { id } = await arrival(() => as(alice).received(quoting))
    expect(await as(alice).status(id)).toMatchObject({ quote: null })
    await deliver(shaped('hollo-0.9-quote-request', 'https://hollo.test/@lin', renamed))
    const accept = await arrival(async () => sent('Accept').at(-1))
    expect(accept).toMatchObject({ object: { type: 'QuoteRequest', instrument: quoting } })
    expect(await as(alice).status(id)).toMatchObject({
      quote: { state: 'accepted', quoted_status: { id: quoted.id } },
    })
  })
})

describe('an Announce of Mastodon with a post for followers inlined', () => {
  it('accepts an Announce of Mastodon with its followers-only post embedded', async () => {
    const own = `${fern.uri}/statuses/${crypto.randomUUID()}`
    const renamed = { 'https://mastodon.test/users/rosa/statuses/115400000000000021': own }
    const announce = shaped('mastodon-4.5-announce-private', 'https://mastodon.test/users/rosa', renamed)
    await deliver({ ...announce, published: new Date().toISOString() })
    await eventually(async () => {
      const home = await as(alice).home()
      expect(home.find(({ reblog }) => reblog?.uri === own)).toMatchObject({ visibility: 'private' })
    })
  })
})

describe('a post of GoToSocial that requires manual approval', () => {
  const asking = () => posted({ automaticApproval: [fern.uri], manualApproval: [everybody] })
  const answerTo = (name: string, request: Sent, uri: string, post: string) =>
    shaped(name, gotosocial, {
      'https://fieldfare.test/users/ada#requests/42': request.id,
      'https://fieldfare.test/users/ada/statuses/42': uri,
      [theirPost]: post,
    })

  it('receives the reply request alone, and the reply with its consent once it is approved', async () => {
    const post = await asking()
    const { id, uri } = await as(alice).write('May I?', { in_reply_to_id: post.id })
    const request = await arrival(async () => sent('ReplyRequest').at(-1))
    expect(request).toMatchObject({ object: post.uri, instrument: { id: uri, inReplyTo: post.uri } })
    expect(sent('Create')).toEqual([])
    expect(await as(alice).status(id)).toMatchObject({ approval: 'pending' })

    await deliver(answerTo('gotosocial-0.21-accept-reply-request', request, uri, post.uri))
    const create = await arrival(async () => sent('Create').at(-1))
    const replyAuthorization = `${fern.uri}/authorizations/01KFG7`
    expect(create).toMatchObject({ object: { id: uri, replyAuthorization, approvedBy: replyAuthorization } })
    expect(await as(alice).status(id)).not.toHaveProperty('approval')
  })

  it('receives the request for a reblog, which is undone where it is rejected', async () => {
    const post = await asking()
    const { id } = await as(alice).act(post.id, 'reblog')
    const request = await arrival(async () => sent('AnnounceRequest').at(-1))
    expect(request).toMatchObject({ object: post.uri, instrument: { type: 'Announce', object: post.uri } })
    const uri = `${alice.uri}/statuses/${id}`
    await deliver(answerTo('gotosocial-0.21-reject-announce-request', request, uri, post.uri))
    await eventually(async () =>
      expect(await as(alice).status(post.id)).toMatchObject({ reblogged: false, reblogs_count: 0 }),
    )
    expect(sent('Announce')).toEqual([])
  })
})

describe('a local post whose policy lets followers answer', () => {
  it('a local post whose policy allows replies by followers accepts a ReplyRequest, and shows the consent', async () => {
    await fern.command('follow', { to: alice.handle })
    await eventually(async () => expect(await as(alice).followers(alice.id)).toHaveLength(1))
    const { id, uri } = await as(alice).write('Followers only', { reply_policy: 'followers' })
    const renamed = { 'https://fieldfare.test/users/ada/statuses/9': uri }
    await deliver(shaped('gotosocial-0.20-reply-request', gotosocial, renamed))
    const Accept = z.looseObject({ object: z.looseObject({ type: z.string() }), result: z.url() })
    const accepts = () =>
      sent('Accept').filter(({ object }) => JSON.stringify(object).includes('ReplyRequest'))
    const { result } = Accept.parse(await arrival(async () => accepts().at(-1)))
    const consent = await a.fetch(new URL(result).pathname, {
      headers: { accept: 'application/activity+json' },
    })
    expect(await consent.json()).toMatchObject({ type: 'ReplyAuthorization', interactionTarget: uri })
    await eventually(async () => expect(await as(alice).status(id)).toMatchObject({ replies_count: 1 }))
  })
})

it('logs no errors', () => {
  expect(a.complaints()).toEqual([])
})
