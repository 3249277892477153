import { describe, expect, it } from 'vitest'
import { federate } from '../../../src/activitypub/outbox/federate'
import { as } from '../../support/as'
import { runCourierAlarms } from '../../support/courier'
import { given, type TestAccount } from '../../support/given'
import { storedCollection } from '../../support/given-collection'
import { type KnownPeer, knownPeer } from '../../support/given-peer'
import { importedStatus } from '../../support/given-remote'
import { context, settleLateWork } from '../../support/test-app'

async function report(by: TestAccount, body: Readonly<Record<string, unknown>>) {
  const answer = await as(by).post('/api/v1/reports', body)
  expect(answer.status).toBe(200)
  await settleLateWork()
  await runCourierAlarms()
  return answer.body
}

const flagsTo = (peer: KnownPeer) => peer.received().filter(({ type }) => type === 'Flag')

describe('a report that is forwarded', () => {
  it('a forwarded report sends a Flag to the other server, signed by the instance actor [T-110]', async () => {
    const [alice, peer] = [await given.account(), await knownPeer()]
    const status = await importedStatus(peer)
    const uri = `${peer.uri}/collections/1`
    const collection = await storedCollection({ by: peer, uri })
    const body = await report(alice, {
      account_id: peer.id,
      status_ids: [status.id],
      collection_ids: [collection.id],
      comment: 'Sells <seeds>',
      forward: true,
    })
    expect(body).toMatchObject({ forwarded: true })
    const [flag, ...more] = flagsTo(peer)
    const actor = 'https://fieldfare.test/actor'
    expect(flag).toMatchObject({
      type: 'Flag',
      actor,
      content: 'Sells <seeds>',
      object: [peer.uri, status.uri, uri],
    })
    expect(more).toEqual([])
    const [delivery] = peer.deliveries()
    expect(delivery?.url).toBe(peer.inbox)
    expect(delivery?.headers.get('signature')).toContain(`keyId="${actor}#main-key"`)
  })

  it('a forwarded report does not reveal the reporter', async () => {
    const [alice, peer] = [await given.account({ displayName: 'Alice Liddell' }), await knownPeer()]
    await report(alice, { account_id: peer.id, forward: true })
    const [delivery] = peer.deliveries()
    const sent = JSON.stringify([delivery?.body, [...(delivery?.headers ?? [])]])
    for (const trace of [alice.username, String(alice.id), 'Liddell', alice.email])
      expect(sent).not.toContain(trace)
  })

  it('a report is not forwarded by default', async () => {
    const [alice, peer] = [await given.account(), await knownPeer()]
    for (const forward of [undefined, false, 'false'])
      expect(await report(alice, { account_id: peer.id, forward })).toMatchObject({ forwarded: false })
    expect(peer.received()).toEqual([])
  })

  it('forwards a report to servers of replied-to accounts only on request, and to no other', async () => {
    const [alice, peer, answered] = [await given.account(), await knownPeer(), await knownPeer()]
    const stranger = await knownPeer()
    const parent = await importedStatus(answered)
    const answer = await importedStatus(peer, { inReplyTo: parent.uri })
    const other = await importedStatus(peer)
    const status_ids = [answer.id, other.id]
    await report(alice, { account_id: peer.id, status_ids, forward: true })
    expect(flagsTo(answered)).toEqual([])
    const domains = [answered.host.toUpperCase(), stranger.host, 'not a domain']
    const body = await report(alice, {
      account_id: peer.id,
      status_ids,
      forward: true,
      forward_to_domains: domains,
    })
    expect(body).toMatchObject({ forwarded: false })
    expect(flagsTo(answered)).toMatchObject([{ object: [peer.uri, answer.uri] }])
    expect(flagsTo(peer)).toHaveLength(1)
    expect(stranger.received()).toEqual([])
  })

  it('does not send a report that was deleted', async () => {
    const peer = await knownPeer()
    const event = { kind: 'report.forwarded', reportId: 7, domain: peer.host } as const
    await federate(context(), event, { eventId: 1 })
    await runCourierAlarms()
    expect(peer.received()).toEqual([])
  })
})
