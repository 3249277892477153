import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { DomainEvent } from '../../../src/events'
import { anonymous, as } from '../../support/as'
import { Browser } from '../../support/browser'
import { given, type Somebody } from '../../support/given'

const Posted = z.looseObject({ id: z.string(), local_only: z.boolean().optional() })

async function post(by: Somebody, fields: Record<string, unknown>, told: DomainEvent[] = []) {
  const delivery = { tell: async (event: DomainEvent) => void told.push(event) }
  const { body } = await as(by).post('/api/v1/statuses', fields, { overrides: { delivery } })
  return Posted.parse(body)
}

describe('a status with local_only', () => {
  it('is seen by people of this server, and by nobody who is not signed in', async () => {
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

  it('is told to no other server, whatever is done with it', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const told: DomainEvent[] = []
    const delivery = { tell: async (event: DomainEvent) => void told.push(event) }
    const there = await given.remoteAccount()
    const status = `@${there.username}@${there.domain} listen`
    const { id } = await post(alice, { status, local_only: 'true' }, told)
    for (const [who, deed] of [
      [bob, 'reblog'],
      [bob, 'favourite'],
      [alice, 'pin'],
      [alice, 'unpin'],
      [bob, 'unreblog'],
    ] as const)
      await as(who).post(`/api/v1/statuses/${id}/${deed}`, {}, { overrides: { delivery } })
    await as(alice).delete(`/api/v1/statuses/${id}`, {}, { overrides: { delivery } })
    expect(told).toEqual([])
  })

  it('has answers that stay here as well', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const parent = await post(alice, { status: 'a question', local_only: true })
    const answer = await post(bob, { status: 'an answer', in_reply_to_id: parent.id })
    expect(answer.local_only).toBe(true)
    expect((await anonymous.get(`/api/v1/statuses/${answer.id}`)).status).toBe(404)
  })

  it('is none unless that is asked for', async () => {
    const alice = await given.account()
    const told: DomainEvent[] = []
    const plain = await post(alice, { status: 'to all', local_only: 'false' }, told)
    expect(plain.local_only).toBeUndefined()
    expect(told).toMatchObject([{ kind: 'status.created' }])
    expect((await anonymous.get(`/api/v1/statuses/${plain.id}`)).status).toBe(200)
  })
})
