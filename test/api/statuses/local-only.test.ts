import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { purgeAccount } from '../../../src/domain/cleanup/purge-account'
import type { FederatedEvent } from '../../../src/messages/events'
import { anonymous, as } from '../../support/as'
import { Browser } from '../../support/browser'
import { fetchDocument } from '../../support/fetch-document'
import { given, type TestAccount } from '../../support/given'
import { context } from '../../support/test-app'

const Instance = z.looseObject({ stats: z.looseObject({}) })
const Posted = z.looseObject({ id: z.string(), local_only: z.boolean().optional() })

async function post(by: TestAccount, fields: Record<string, unknown>, told: FederatedEvent[] = []) {
  const delivery = { federate: async (event: FederatedEvent) => void told.push(event) }
  const { body } = await as(by).post('/api/v1/statuses', fields, { overrides: { delivery } })
  return Posted.parse(body)
}

describe('a status with local_only', () => {
  it('a status with local_only is visible to local accounts, and not without sign-in', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await post(alice, { status: 'the-hedge', local_only: true })
    expect(await as(bob).get(`/api/v1/statuses/${id}`)).toMatchObject({
      status: 200,
      body: { local_only: true },
    })
    expect((await anonymous.get(`/api/v1/statuses/${id}`)).status).toBe(404)
    const app = as(await given.token({ scopes: 'read' }))
    expect((await app.get(`/api/v1/statuses/${id}`)).status).toBe(404)
    const lists = ['/api/v1/timelines/public?local=true', `/api/v1/accounts/${alice.id}/statuses`]
    for (const list of lists) {
      expect(JSON.stringify((await anonymous.get(list)).body)).not.toContain('the-hedge')
      expect(JSON.stringify((await as(bob).get(list)).body)).toContain('the-hedge')
    }
    expect((await new Browser().get(`/@${alice.username}/${id}`)).status).toBe(404)
    expect((await new Browser().get(`/@${alice.username}`)).html).not.toContain('the-hedge')
  })

  it('a status with local_only is delivered to no other server, whatever interaction follows', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const told: FederatedEvent[] = []
    const delivery = { federate: async (event: FederatedEvent) => void told.push(event) }
    const there = await given.remoteAccount()
    const status = `@${there.username}@${there.domain} listen`
    const { id } = await post(alice, { status, local_only: 'true' }, told)
    for (const [who, interaction] of [
      [bob, 'reblog'],
      [bob, 'favourite'],
      [alice, 'pin'],
      [alice, 'unpin'],
      [bob, 'unreblog'],
    ] as const)
      await as(who).post(`/api/v1/statuses/${id}/${interaction}`, {}, { overrides: { delivery } })
    await as(alice).delete(`/api/v1/statuses/${id}`, {}, { overrides: { delivery } })
    expect(told).toEqual([])
  })

  it('a status with local_only has local-only replies', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const parent = await post(alice, { status: 'a question', local_only: true })
    const answer = await post(bob, { status: 'an answer', in_reply_to_id: parent.id })
    expect(answer.local_only).toBe(true)
    expect((await anonymous.get(`/api/v1/statuses/${answer.id}`)).status).toBe(404)
  })

  it('counts in no public statistics, and changes none when it is deleted', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const open = await post(alice, { status: 'to all #hedge' })
    await as(alice).post('/api/v1/featured_tags', { name: 'hedge' })
    const figures = async () => ({
      alice: (await anonymous.get(`/api/v1/accounts/${alice.id}`)).body,
      tags: (await anonymous.get(`/api/v1/accounts/${alice.id}/featured_tags`)).body,
      bob: (await anonymous.get(`/api/v1/accounts/${bob.id}`)).body,
      post: (await anonymous.get(`/api/v1/statuses/${open.id}`)).body,
      usage: (await fetchDocument('/nodeinfo/2.0')).body['usage'],
      weeks: (await anonymous.get('/api/v1/instance/activity')).body,
      stats: Instance.parse((await anonymous.get('/api/v1/instance')).body).stats,
      outbox: (await fetchDocument(`/users/${alice.username}/outbox`)).body['totalItems'],
    })
    const before = await figures()
    const hidden = await post(alice, { status: 'the-hedge #hedge', local_only: true })
    const answer = await post(bob, { status: 'hm', in_reply_to_id: open.id, local_only: true })
    await post(bob, { status: 'yes', in_reply_to_id: hidden.id })
    await post(bob, { status: 'look', quoted_status_id: open.id, local_only: true })
    await as(bob).post(`/api/v1/statuses/${hidden.id}/reblog`)

    expect(await figures()).toEqual(before)
    // Viewers who may see the status see its own counters.
    expect((await as(bob).get(`/api/v1/statuses/${hidden.id}`)).body).toMatchObject({
      replies_count: 1,
      reblogs_count: 1,
    })
    await as(bob).delete(`/api/v1/statuses/${answer.id}`)
    await as(alice).delete(`/api/v1/statuses/${hidden.id}`)
    expect(await figures()).toEqual(before)
    await purgeAccount(context(), bob.id)
    expect(await figures()).toEqual(before)
  })

  it('a status with local_only is only created on request', async () => {
    const alice = await given.account()
    const told: FederatedEvent[] = []
    const plain = await post(alice, { status: 'to all', local_only: 'false' }, told)
    expect(plain.local_only).toBeUndefined()
    expect(told).toMatchObject([{ kind: 'status.created' }])
    expect((await anonymous.get(`/api/v1/statuses/${plain.id}`)).status).toBe(200)
  })
})

describe('a reply that is local-only', () => {
  it.each(['private', 'direct'])(
    'a reply that is local-only and %s does not count as a reply of the server',
    async (visibility) => {
      const [alice, bob] = [await given.account(), await given.account()]
      const parent = await post(alice, { status: 'a question' })
      const comments = async () => {
        const usage = z.looseObject({ localComments: z.number() })
        return usage.parse((await fetchDocument('/nodeinfo/2.0')).body['usage']).localComments
      }
      const before = await comments()
      const answer = await post(bob, { status: 'a secret', visibility, in_reply_to_id: parent.id })
      expect(await comments()).toBe(before)
      expect((await anonymous.get(`/api/v1/statuses/${parent.id}`)).body).toMatchObject({ replies_count: 0 })
      await as(bob).delete(`/api/v1/statuses/${answer.id}`)
      expect(await comments()).toBe(before)
    },
  )
})
