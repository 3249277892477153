import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { accounts, follows, relays, severanceEvents } from '../../../src/db/schema'
import type { Permission } from '../../../src/domain/policy/permissions'
import { as } from '../../support/as'
import { type Browser, hiddenFields } from '../../support/browser'
import { runCourierAlarms, sentByCouriers } from '../../support/courier'
import { fakeQueue } from '../../support/fake-queue'
import { given } from '../../support/given'
import { knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { answerOf } from '../../support/given-relay'
import { givenRole } from '../../support/given-staff'
import { storedUpload } from '../../support/given-upload'
import { signedIn } from '../../support/members'
import { context, settleLateWork } from '../../support/test-app'

/** Deliveries to other servers that the forms of administration cause. */

const staff = async (...permissions: Permission[]) =>
  (await signedIn({ user: { roleId: await givenRole({ permissions }) } })).browser

const uriOf = ({ username }: { readonly username: string }) => `https://fieldfare.test/users/${username}`
const pageOf = ({ id }: { readonly id: number }) => `/admin/accounts/${id}`

/** Sends a form of a page as a person does, answers its question, and waits for its jobs and deliveries. */
async function send(
  browser: Browser,
  page: string,
  verb: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  const queue = fakeQueue()
  const overrides = { jobs: queue.ctx.jobs }
  const action = verb === '' ? page : `${page}/${verb}`
  const opened = verb.startsWith('decision/') ? action : page
  const sent = await browser.fill(opened, fields, { action, overrides })
  const isAsked = sent.html.includes('name="confirmed"')
  const answer = { ...hiddenFields(sent.html, action), confirmed: 'true' }
  const { status, location } = isAsked ? await browser.post(action, answer, { overrides }) : sent
  expect([action, status, location]).toEqual([action, 303, expect.stringContaining('?done=')])
  await settleLateWork()
  await queue.work()
  await settleLateWork()
  await runCourierAlarms()
}

afterEach(async () => void (await context().db.delete(relays)))

describe('the page of an account', () => {
  it('suspends a member for other servers, lifts the suspension, and deletes the account', async () => {
    const browser = await staff('manageUsers', 'deleteUserData')
    const [member, follower] = [await given.account(), await knownPeer()]
    await relation.follow(follower, member)
    await send(browser, pageOf(member), 'decision/suspend')
    await send(browser, pageOf(member), 'unsuspend')
    expect(follower.received()).toMatchObject([
      { type: 'Update', actor: uriOf(member), object: { suspended: true } },
      { type: 'Update', actor: uriOf(member), object: { id: uriOf(member) } },
    ])
    expect(follower.received()[1]).not.toHaveProperty('object.suspended', true)
    await send(browser, pageOf(member), 'decision/suspend')
    await send(browser, pageOf(member), 'delete')
    expect(follower.received().slice(3)).toMatchObject([
      { type: 'Delete', actor: uriOf(member), object: uriOf(member) },
    ])
  })

  it('ends the follows of a remote account, and sends its server the Reject', async () => {
    const browser = await staff('manageUsers')
    const [member, remote] = [await given.account(), await knownPeer()]
    await relation.follow(remote, member)
    await send(browser, pageOf(remote), 'decision/suspend')
    expect(remote.received()).toMatchObject([
      { type: 'Reject', actor: uriOf(member), object: { type: 'Follow', actor: remote.uri } },
    ])
    const left = await context().db.select().from(follows).where(eq(follows.targetAccountId, member.id))
    expect(left).toEqual([])
  })

  it('deletes and marks posts on the servers of followers as well', async () => {
    const browser = await staff('manageUsers', 'manageReports')
    const [member, follower] = [await given.account(), await knownPeer()]
    await relation.follow(follower, member)
    const post = { status: 'A picture', media_ids: [await storedUpload(member)] }
    const kept = Status.parse((await as(member).post('/api/v1/statuses', post)).body)
    const gone = await given.status({ by: member, text: 'An advert' })
    await sentByCouriers()
    const before = follower.received().length
    for (const [type, { id }] of [
      ['delete', gone],
      ['mark_as_sensitive', kept],
    ] as const) {
      const place = type === 'delete' ? 'post-0' : 'post-1'
      await send(browser, pageOf(member), 'posts', { [place]: String(id), posts_type: type })
    }
    expect(follower.received().slice(before)).toMatchObject([
      { type: 'Delete', object: { id: expect.stringContaining(String(gone.id)) } },
      { type: 'Update', object: { id: expect.stringContaining(String(kept.id)), sensitive: true } },
    ])
  })
})

describe('the page of a server', () => {
  it('a suspension ends the follows of a server, and lifting it requests them again', async () => {
    const browser = await staff('manageFederation')
    const [member, remote] = [await given.account(), await knownPeer()]
    await relation.follow(member, remote)
    await relation.follow(remote, member)
    const page = `/admin/instances/${remote.host}`
    await send(browser, page, 'limit', { severity: 'suspend' })
    const between = () => context().db.select().from(follows).where(eq(follows.accountId, member.id))
    expect(await between()).toEqual([])
    // Suspended servers are sent nothing, and would not be heard either.
    expect(remote.received()).toEqual([])
    await send(browser, page, 'lift')
    const [event] = await context()
      .db.select()
      .from(severanceEvents)
      .where(eq(severanceEvents.target, remote.host))
    await send(browser, '/admin/severances', `${event?.id}/restore`)
    expect(remote.received()).toMatchObject([{ type: 'Follow', actor: uriOf(member), object: remote.uri }])
    const suspended = await context().db.select().from(accounts).where(eq(accounts.id, remote.id)).get()
    expect(suspended?.suspendedAt).toBeNull()
  })
})

describe('the page of relays', () => {
  it('follows a relay, shows its acceptance, leaves it and subscribes again', async () => {
    const browser = await staff('manageFederation')
    const peer = await given.peer({ type: 'Application' })
    await send(browser, '/admin/relays', '', { inbox_url: peer.inbox })
    const [row] = await context().db.select().from(relays)
    if (row === undefined) throw new Error('no relay was added')
    const followUri = `https://fieldfare.test/actor#follows/${row.followId}`
    const everything = 'https://www.w3.org/ns/activitystreams#Public'
    expect(peer.received()).toMatchObject([{ id: followUri, type: 'Follow', object: everything }])
    expect((await peer.send(answerOf({ peer, id: row.id, followUri }, 'Accept'))).status).toBe(202)
    expect((await browser.get('/admin/relays')).html).toContain('>subscribed</span>')
    await send(browser, '/admin/relays', `${row.id}/disable`)
    await send(browser, '/admin/relays', `${row.id}/enable`)
    await send(browser, '/admin/relays', `${row.id}/remove`)
    expect(peer.received().map(({ type }) => type)).toEqual(['Follow', 'Undo', 'Follow', 'Undo'])
  })
})
