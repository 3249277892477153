import { beforeEach, describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { settleLateWork } from '../../support/test-app'
import { notificationsOf } from '../../support/viewer-state'

/** Posts with blind recipients: no address names them, their own inboxes get them. */

let ada: TestAccount
let bea: TestAccount
let rosa: KnownPeer

beforeEach(async () => {
  ada = await given.account()
  bea = await given.account()
  rosa = await given.peer()
  await relation.follow(ada, rosa)
})

const inboxOf = ({ username }: { readonly username: string }) => `/users/${username}/inbox`

/** A note that names nobody it is for. */
function blind(more: object = {}) {
  const { to: _to, cc: _cc, ...note } = rosa.note({ visibility: 'direct' })
  const { to, cc, ...create } = rosa.create({ ...note, ...more })
  return { ...create, object: { ...note, ...more } }
}

async function deliver(activity: Readonly<Record<string, unknown>>, to: string, from: KnownPeer = rosa) {
  const answer = await from.send(activity, { to })
  await settleLateWork()
  return answer
}

async function home(who: TestAccount) {
  const { body } = await as(who).get('/api/v1/timelines/home')
  return Array.isArray(body) ? body.map((status) => Status.parse(status)) : []
}

async function lists(who: TestAccount) {
  const { body } = await as(who).get(`/api/v1/accounts/${rosa.id}/statuses`)
  return Array.isArray(body) ? body.map((status) => Status.parse(status)) : []
}

describe('a note without recipients', () => {
  it('shows a note without recipients in the home of the follower whose inbox received it, as limited, and notifies nobody', async () => {
    const create = blind()
    const { status, costs } = await deliver(create, inboxOf(ada))
    expect(status).toBe(202)
    expect(costs.trips).toBeLessThanOrEqual(3)
    expect(await home(ada)).toMatchObject([{ uri: create.object.id, visibility: 'private', mentions: [] }])
    expect((await as(ada).get('/api/v1/conversations')).body).toEqual([])
    expect(await notificationsOf(ada)).toEqual([])
  })

  it('hides a note without recipients from everybody else', async () => {
    await relation.follow(bea, rosa)
    await deliver(blind(), inboxOf(ada))
    expect([await home(bea), await lists(bea)]).toEqual([[], []])
    expect(await lists(ada)).toHaveLength(1)
  })

  it('refuses a note without recipients at the shared inbox', async () => {
    await deliver(blind(), '/inbox')
    expect(await lists(ada)).toEqual([])
  })

  it('a note without recipients reaches each follower whose inbox received it, once each', async () => {
    await relation.follow(bea, rosa)
    const create = blind()
    await deliver(create, inboxOf(ada))
    const second = await deliver(create, inboxOf(bea))
    expect(second.status).toBe(202)
    expect(second.costs.trips).toBeLessThanOrEqual(4)
    await deliver(create, inboxOf(bea))
    expect(await home(bea)).toMatchObject([{ uri: create.object.id, visibility: 'private' }])
    expect(await home(ada)).toHaveLength(1)
  })

  it('shows the note to an account that does not follow its author, outside its home', async () => {
    const create = blind()
    await deliver(create, inboxOf(bea))
    await deliver(create, inboxOf(ada))
    expect([await home(bea), await lists(bea)]).toMatchObject([[], [{ uri: create.object.id }]])
  })

  it('a note without recipients that mentions accounts stays a direct message', async () => {
    await relation.follow(bea, rosa)
    const create = blind({
      to: [`https://fieldfare.test/users/${bea.username}`],
      tag: [{ type: 'Mention', href: `https://fieldfare.test/users/${bea.username}` }],
    })
    await deliver(create, inboxOf(ada))
    expect(await home(ada)).toMatchObject([{ visibility: 'private', mentions: [{ id: String(bea.id) }] }])
    expect(await lists(bea)).toMatchObject([{ visibility: 'direct' }])
    expect(await notificationsOf(bea)).toEqual([`mention by ${rosa.handle}`])
  })
})

describe('a delivery to a personal inbox', () => {
  it('delivery to a personal inbox adds no reader to a post of another author', async () => {
    const eve = await given.peer({ host: rosa.host })
    await relation.follow(bea, eve)
    const create = blind()
    await deliver(create, inboxOf(ada))
    const { to: _to, ...forged } = eve.create({ ...create.object, attributedTo: eve.uri })
    await deliver(forged, inboxOf(bea), eve)
    await deliver({ ...forged, object: create.object }, inboxOf(bea), eve)
    expect([await home(bea), await lists(bea)]).toEqual([[], []])
  })

  it('delivery to a personal inbox adds no recipient to a public post', async () => {
    const note = rosa.note()
    await deliver(rosa.create(note), inboxOf(bea))
    expect(await home(bea)).toEqual([])
    expect(await lists(bea)).toMatchObject([{ uri: note.id, visibility: 'public' }])
  })

  it('answers a delivery to the inbox of a missing account with 404', async () => {
    expect((await deliver(blind(), '/users/nobody_at_all/inbox')).status).toBe(404)
  })
})
