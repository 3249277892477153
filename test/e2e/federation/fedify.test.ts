import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Report } from '../../../src/contract/entities/report'
import { Context } from '../../../src/contract/entities/status-details'
import { arrival, as, eventually } from './support/api'
import { type Door, openDoor } from './support/door'
import type { Instance, Person } from './support/instance'
import { type FedifyPeer, openFedifyPeer, type Spec } from './support/peer-process'
import type { Passage } from './support/router'
import { openWorld, type World } from './support/world'

let world: World
let a: Instance
let door: Door

beforeAll(async () => {
  world = await openWorld('a')
  a = world.instance('a')
  door = await openDoor(world.router, ['a.test', 'cavage.test', 'rfc9421.test'])
})
afterAll(async () => {
  door?.close()
  await world?.close()
})

const cases: readonly { readonly spec: Spec; readonly host: string }[] = [
  { spec: 'draft-cavage-http-signatures-12', host: 'cavage.test' },
  { spec: 'rfc9421', host: 'rfc9421.test' },
]

describe.each(cases)('a Fedify server that signs by $spec', ({ spec, host }) => {
  let fern: FedifyPeer
  let alice: Person
  let fernAtA: string

  beforeAll(async () => {
    fern = await openFedifyPeer(world.router, door, host, spec)
    alice = await a.member(`alice_${host.split('.')[0]}`)
  })
  afterAll(() => fern?.close())

  const types = async () => (await fern.seen()).map(({ type }) => type)
  /** Activities of a type about an object that the peer received. */
  const saw = (type: string, fits: (seen: Awaited<ReturnType<FedifyPeer['seen']>>[number]) => boolean) =>
    arrival(async () => (await fern.seen()).find((one) => one.type === type && fits(one)))

  const fromFern = () =>
    world.router.passages('a.test', 'POST').filter(({ body }) => body.includes(`https://${host}/`))

  it('finds Fieldfare’s accounts by handle, and is found', async () => {
    expect(await fern.command('find', { to: alice.handle })).toMatchObject({
      id: alice.uri,
      inbox: `${alice.uri}/inbox`,
    })
    const found = await as(alice).find(fern.handle)
    expect(found).toMatchObject({ acct: fern.handle, uri: fern.uri, display_name: 'Fern' })
    fernAtA = found.id
  })

  it('follows a Fieldfare account, and receives its Accept', async () => {
    await fern.command('follow', { to: alice.handle })
    await saw('Accept', ({ actor }) => actor === alice.uri)
    expect((await as(alice).followers(alice.id)).map(({ acct }) => acct)).toEqual([fern.handle])
    const signed = fromFern().at(-1)
    expect(signed?.status).toBe(202)
    expect(signed?.headers.has('signature-input')).toBe(spec === 'rfc9421')
  })

  it('a Fedify server is followed by a Fieldfare account, and accepts', async () => {
    await as(alice).follow(fernAtA)
    await saw('Follow', ({ actor }) => actor === alice.uri)
    await eventually(async () =>
      expect(await as(alice).relationship(fernAtA)).toMatchObject({ following: true, followed_by: true }),
    )
  })

  it('receives Fieldfare’s posts, favourites and reblogs them and undoes the favourite', async () => {
    const { id, uri } = await as(alice).write('A <wren> sings')
    const seen = await saw('Create', ({ actor }) => actor === alice.uri)
    expect(seen).toMatchObject({ object: uri })
    expect(seen.content).toContain('A &lt;wren&gt; sings')
    await fern.command('like', { to: alice.handle, object: uri })
    await fern.command('announce', { to: alice.handle, object: uri })
    await eventually(async () =>
      expect(await as(alice).status(id)).toMatchObject({ favourites_count: 1, reblogs_count: 1 }),
    )
    await fern.command('unlike', { to: alice.handle, object: uri })
    await eventually(async () => expect(await as(alice).status(id)).toMatchObject({ favourites_count: 0 }))
    await fern.command('post', { to: alice.handle, content: '<p>I hear it</p>', object: uri })
    await eventually(async () => {
      const { descendants } = await as(alice).get(`/api/v1/statuses/${id}/context`, Context)
      expect(descendants).toMatchObject([{ content: '<p>I hear it</p>', account: { acct: fern.handle } }])
    })
  })

  it('posts to a Fieldfare account, which replies, favourites and undoes it', async () => {
    const { object: uri } = await fern.command('post', { to: 'followers', content: '<p>From the wood</p>' })
    const came = await arrival(() => as(alice).received(String(uri)))
    expect(came).toMatchObject({ content: '<p>From the wood</p>', visibility: 'public' })
    await as(alice).act(came.id, 'favourite')
    await saw('Like', ({ object }) => object === uri)
    await as(alice).act(came.id, 'unfavourite')
    await saw('Undo', ({ actor }) => actor === alice.uri)
    const answer = await as(alice).write(`@${fern.handle} which wood?`, { in_reply_to_id: came.id })
    await saw('Create', ({ object }) => object === answer.uri)
  })

  it('deletes, and receives deletions', async () => {
    const { object: uri } = await fern.command('post', { to: 'followers', content: '<p>Not for long</p>' })
    const came = await arrival(() => as(alice).received(String(uri)))
    await fern.command('delete', { to: 'followers', object: String(uri) })
    await eventually(async () => expect(await as(alice).outcome(`/api/v1/statuses/${came.id}`)).toBe(404))
    const written = await as(alice).write('Gone soon')
    await saw('Create', ({ object }) => object === written.uri)
    await as(alice).erase(written.id)
    await saw('Delete', ({ actor }) => actor === alice.uri)
  })

  it('receives a report about its accounts, without the reporter', async () => {
    const comment = 'Sings at night'
    const report = { account_id: fernAtA, comment, forward: true }
    expect(await as(alice).post('/api/v1/reports', Report, report)).toMatchObject({ forwarded: true })
    const flag = await saw('Flag', ({ object }) => object === fern.uri)
    expect(flag.actor).toBe('https://a.test/actor')
    const [sent] = world.router.passages(host, 'POST').filter(({ body }) => body.includes('"Flag"'))
    expect(sent?.body).toContain(comment)
    expect(sent?.body).not.toContain(alice.username)
  })

  it('accepts the other signature scheme where it refuses the first, and gets that one from then on', async () => {
    const refusal = world.router.inject({
      fits: ({ method, url, headers }) =>
        method === 'POST' && new URL(url).host === host && !headers.has('signature-input'),
      happens: async () => new Response('', { status: 401 }),
    })
    const posts = () => world.router.passages(host, 'POST')
    const before = posts().length
    const first = await as(alice).write('Knock, knock')
    await saw('Create', ({ object }) => object === first.uri)
    const second = await as(alice).write('And again')
    await saw('Create', ({ object }) => object === second.uri)
    refusal()
    const kinds = posts()
      .slice(before)
      .map(({ headers, status }: Passage) => [headers.has('signature-input'), status])
    expect(kinds).toEqual([
      [false, 401],
      [true, 202],
      [true, 202],
    ])
  })

  it('a Fedify server that signs by $spec unfollows and is unfollowed', async () => {
    const follow = (await fern.command('follow', { to: alice.handle }))['id']
    await fern.command('unfollow', { to: alice.handle, object: String(follow) })
    await eventually(async () => expect(await as(alice).followers(alice.id)).toEqual([]))
    const before = (await types()).filter((type) => type === 'Undo').length
    await as(alice).unfollow(fernAtA)
    await eventually(async () =>
      expect((await types()).filter((type) => type === 'Undo')).toHaveLength(before + 1),
    )
  })
})

it('logs no errors', () => {
  expect(a.complaints()).toEqual([])
})
