import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { AdminDomainBlock, AdminDomainBlockPreview } from '../../../src/contract/entities/admin/domain'
import { AdminReport } from '../../../src/contract/entities/admin/report'
import { Notification } from '../../../src/contract/entities/notification'
import { Report } from '../../../src/contract/entities/report'
import { Status } from '../../../src/contract/entities/status'
import { entityOf, type ReceivedEvent } from '../support/received-events'
import { bearer, openSocket, type Socket } from '../support/socket'
import { arrival, as, eventually } from './support/api'
import { type Door, openDoor } from './support/door'
import type { Instance, Person } from './support/instance'
import { type FedifyPeer, openFedifyPeer } from './support/peer-process'
import { newAdmin } from './support/staff'
import { openWorld, type World } from './support/world'

const host = 'spam.test'

let world: World
let a: Instance
let door: Door
let fern: FedifyPeer
const sockets: Socket[] = []

beforeAll(async () => {
  world = await openWorld('a')
  a = world.instance('a')
  door = await openDoor(world.router, ['a.test', host])
  fern = await openFedifyPeer(world.router, door, host, 'draft-cavage-http-signatures-12')
})
afterAll(async () => {
  for (const socket of sockets) socket.vanish()
  await fern?.close()
  door?.close()
  await world?.close()
})

async function listen(person: Person, stream: string): Promise<Socket> {
  const socket = await openSocket({ stream }, { ...bearer(person), base: await person.instance.address() })
  sockets.push(socket)
  await socket.settled()
  return socket
}

/** Lets the Fedify server post to its followers. Returns the address of the post. */
async function posted(content: string): Promise<string> {
  const { object } = await fern.command('post', { to: 'followers', content: `<p>${content}</p>` })
  return z.string().parse(object)
}

const of = (uri: string) => (received: ReceivedEvent) =>
  received.event === 'update' && received.payload?.includes(`"uri":"${uri}"`) === true

describe('a server that sends spam', () => {
  it('a server that sends spam is reported to itself, limited on open streams, and restored', async () => {
    const [mia, alice, carol] = await Promise.all([newAdmin(a, 'mia'), a.member('alice'), a.member('carol')])
    const { id: fernId } = await as(carol).find(fern.handle)
    await as(carol).follow(fernId)
    await eventually(async () =>
      expect(await as(carol).relationship(fernId)).toMatchObject({ following: true }),
    )
    const [open, home, desk] = [
      await listen(alice, 'public'),
      await listen(carol, 'user'),
      await listen(mia, 'user:notification'),
    ]

    const first = await posted('Cheap pills')
    const spam = entityOf(await open.first('the spam', of(first)), Status)
    await home.first('the spam', of(first))

    // Fedify verifies the signature of the Flag, and reads it.
    await as(alice).post('/api/v1/reports', Report, {
      account_id: spam.account.id,
      status_ids: [spam.id],
      category: 'spam',
      comment: 'A wave',
      forward: true,
    })
    const flag = await arrival(async () => (await fern.seen()).find(({ type }) => type === 'Flag'))
    expect(flag.actor).toBe('https://a.test/actor')
    const noticed = await desk.first('the report', ({ event }) => event === 'notification')
    expect(entityOf(noticed, Notification)).toMatchObject({ type: 'admin.report', account: { id: alice.id } })

    const admin = as(mia)
    const preview = await admin.get(
      `/api/fieldfare/v1/admin/domain_blocks/preview?domain=${host}`,
      AdminDomainBlockPreview,
    )
    expect(preview).toMatchObject({ accounts_count: 1, following_count: 1, complete: true })
    const limit = await admin.post('/api/v1/admin/domain_blocks', AdminDomainBlock, {
      domain: host,
      severity: 'silence',
    })
    const reports = await admin.get('/api/v1/admin/reports', z.array(AdminReport))
    for (const { id } of reports) await admin.post(`/api/v1/admin/reports/${id}/resolve`, AdminReport)

    // On these connections followers still get its posts, and everybody else does not.
    const second = await posted('Cheaper pills')
    await home.first('the post of a limited server', of(second))
    const fence = await as(carol).write('A wren in the hedge')
    await open.about('update', fence.id)
    expect(open.events.filter(of(second))).toEqual([])
    expect((await as(carol).home()).map(({ uri }) => uri)).toEqual([fence.uri, second, first])
    // Other files of this run post publicly as well.
    const shown = async () =>
      (await as(alice).get('/api/v1/timelines/public?limit=40', z.array(Status))).filter(({ account }) =>
        [spam.account.id, carol.id].includes(account.id),
      )
    expect((await shown()).map(({ uri }) => uri)).toEqual([fence.uri])

    await admin.remove(`/api/v1/admin/domain_blocks/${limit.id}`)
    const third = await posted('We are sorry')
    await open.first('the post of a server no longer limited', of(third))
    expect((await shown()).map(({ uri }) => uri)).toEqual([third, fence.uri, second, first])
    expect(a.complaints()).toEqual([])
  })
})
