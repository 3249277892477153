import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openDb } from '../../src/db/query'
import { countingDb } from '../support/costs'
import { ManualCourier } from '../support/courier'
import { fediverse } from '../support/fediverse'
import { given, type TestAccount } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { followedByMany, manualPorts } from '../support/many-followers'
import { context } from '../support/test-app'

const { network } = fediverse

function parcels(by: TestAccount, inbox: string, count: number) {
  const keyId = `https://fieldfare.test/users/${by.username}#main-key`
  return Array.from({ length: count }, (_, index) => ({
    id: `${index}/0/0`,
    order: index,
    inboxes: [inbox],
    senderId: by.id,
    keyId,
    body: JSON.stringify({ type: 'Like', id: String(index) }),
  }))
}

it('delivering a status to 80 servers takes one call of each courier and two database round trips', async () => {
  const author = await given.account()
  const hosts = await followedByMany(author, { count: 200, hosts: 80 })
  const { calls, overrides } = manualPorts()
  const statusId = await storedStatus({ accountId: author.id })
  const counted = countingDb(env.DB)
  const ctx = context({ ...overrides, db: openDb(counted.db) })
  const event = { kind: 'status.created' as const, accountId: author.id, statusId }
  await ctx.delivery.federate(event, ctx.ids.next())
  expect(calls).toHaveLength(hosts.length)
  expect(counted.read()).toMatchObject({ trips: 2, rowsWritten: 0 })
  expect(counted.read().rowsRead).toBeLessThanOrEqual(5 * 200 + 50)
})

for (const count of [1, 25])
  it(`a courier with ${count} deliveries takes one database round trip, and one request each`, async () => {
    const sender = await given.account()
    const host = `with${count}.bench.test`
    const inbox = `https://${host}/inbox`
    network.respond(inbox, () => new Response(null, { status: 202 }))
    const courier = new ManualCourier(host)
    await courier.hand(...parcels(sender, inbox, count))
    const counted = countingDb(env.DB)
    courier.overrides = { db: openDb(counted.db) }
    await courier.ring()
    expect(network.requests(inbox, 'POST').length).toBe(count)
    expect(counted.read()).toMatchObject({ trips: 1, statements: 3, rowsWritten: 0 })
  })
