import { describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { countStatuses } from '../../support/count-statuses'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { clock } from '../../support/test-app'

/** Statuses of remote accounts are counted once a day; until then they are counted by whoever reads the account. */

async function followed() {
  const [alice, peer] = [await given.account(), await given.peer()]
  await relation.follow(alice, peer)
  return { alice, peer }
}

async function post(peer: Awaited<ReturnType<typeof followed>>['peer'], document: object = {}) {
  clock.advance(1_000)
  await peer.send(peer.create(peer.note({ document: { ...document } })))
}

const today = () => clock.now().toISOString().slice(0, 10)

describe('a remote account whose statuses were not counted yet', () => {
  it('shows the number of stored statuses and the day of the last one', async () => {
    const { alice, peer } = await followed()
    for (let index = 0; index < 3; index += 1) await post(peer)
    const shown = { statuses_count: 3, last_status_at: today() }
    const byId = await as(alice).get(`/api/v1/accounts/${peer.id}`)
    expect(byId).toMatchObject({ body: shown, costs: { trips: 1, rowsWritten: 0 } })
    const byHandle = await as(alice).get(`/api/v1/accounts/lookup?acct=${peer.handle}`)
    expect(byHandle).toMatchObject({ body: shown })
  })

  it('a remote account whose statuses were not counted yet adds them to earlier counts', async () => {
    const { alice, peer } = await followed()
    for (let index = 0; index < 2; index += 1) await post(peer)
    await countStatuses()
    const path = `/api/v1/accounts/${peer.id}`
    expect((await as(alice).get(path)).body).toMatchObject({ statuses_count: 2 })
    clock.advance(86_400_000)
    await post(peer)
    const shown = { statuses_count: 3, last_status_at: today() }
    expect((await as(alice).get(path)).body).toMatchObject(shown)
    await countStatuses()
    expect((await as(alice).get(path)).body).toMatchObject(shown)
  })

  it('counts no direct messages, and at most a hundred statuses', async () => {
    const { alice, peer } = await followed()
    const toAlice = `https://fieldfare.test/users/${alice.username}`
    await post(peer, { to: [toAlice], cc: [], tag: [{ type: 'Mention', href: toAlice }] })
    const path = `/api/v1/accounts/${peer.id}`
    expect((await as(alice).get(path)).body).toMatchObject({ statuses_count: 0, last_status_at: null })
    for (let index = 0; index < 105; index += 1) await storedStatus({ accountId: peer.id, local: false })
    const { body, costs } = await as(alice).get(path)
    expect(body).toMatchObject({ statuses_count: 100, last_status_at: today() })
    expect(costs.rowsRead).toBeLessThanOrEqual(400)
  })

  it('counts at least the status it is shown with, in timelines and notifications', async () => {
    const { alice, peer } = await followed()
    const toAlice = `https://fieldfare.test/users/${alice.username}`
    await post(peer, { tag: [{ type: 'Mention', href: toAlice }] })
    const author = { statuses_count: 1, last_status_at: today() }
    expect((await as(alice).get('/api/v1/timelines/home')).body).toMatchObject([{ account: author }])
    expect((await as(alice).get('/api/v1/notifications')).body).toMatchObject([
      { type: 'mention', account: author, status: { account: author } },
    ])
  })
})
