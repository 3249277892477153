import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { auditLog, deadLetters, outbox, webhookDeliveries, webhooks } from '../../../src/db/schema'
import { pruneDeadLetters } from '../../../src/domain/health/dead-letters'
import { receiveDeadLetters } from '../../../src/jobs/consumer'
import { sweepOutbox } from '../../../src/jobs/outbox'
import type { Job } from '../../../src/messages/jobs'
import { as } from '../../support/as'
import { givenStaff } from '../../support/given-staff'
import { clock, context } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/dead_letters'
const { db } = context()
const day = 86_400_000
const Page = z.strictObject({
  count: z.number(),
  dead_letters: z.array(
    z.strictObject({ id: z.string(), kind: z.string(), died_at: z.string(), retryable: z.boolean() }),
  ),
  next: z.string().nullable(),
})

let messages = 0

/** Letters as the queue delivers them. */
async function givenLetters(...bodies: readonly unknown[]): Promise<readonly string[]> {
  const received = bodies.map((body) => {
    messages += 1
    return { id: `message ${messages}`, body }
  })
  const quiet = { info: () => undefined, error: () => undefined }
  await receiveDeadLetters(context({ log: quiet }), received)
  await receiveDeadLetters(context({ log: quiet }), received)
  const stored = await db.select().from(deadLetters).orderBy(deadLetters.id)
  return stored.slice(-bodies.length).map(({ id }) => String(id))
}

const job = { kind: 'fetch-ancestors', statusId: 5, levels: 3 } as const
const devops = () => givenStaff({ permissions: ['viewDevops'] })

beforeEach(async () => {
  await db.delete(deadLetters)
  await db.delete(outbox)
})

/** Jobs that the sweep of the outbox queues. */
async function swept(): Promise<readonly Job[]> {
  const queued: Job[] = []
  await sweepOutbox(context({ jobs: { send: async (one) => void queued.push(one) } }))
  return queued
}

describe('dead letters', () => {
  it('lists dead letters once each, without content, page by page', async () => {
    const staff = await devops()
    await givenLetters(...Array(41).fill(job), { kind: 'of.another.version' }, 'no message')
    const first = await as(staff).get(path)
    const { count, dead_letters: letters, next } = Page.parse(first.body)
    expect([count, letters.length]).toEqual([43, 40])
    expect(letters[0]).toMatchObject({
      kind: 'fetch-ancestors',
      died_at: clock.now().toISOString(),
      retryable: true,
    })
    const rest = Page.parse((await as(staff).get(`${path}?after=${next}`)).body)
    expect(rest.dead_letters.map(({ kind, retryable }) => [kind, retryable])).toEqual([
      ['fetch-ancestors', true],
      ['of.another.version', false],
      ['', false],
    ])
    expect(rest.next).toBeNull()
    expect(first.costs.trips).toBe(1)
    expect(first.costs.rowsRead).toBeLessThanOrEqual(120)
  })

  it('runs dead letters again as new messages, once, and logs the moderator', async () => {
    const staff = await devops()
    const [id] = await givenLetters(job)
    expect((await as(staff).post(`${path}/${id}/retry`)).body).toEqual({})
    expect((await as(staff).post(`${path}/${id}/retry`)).status).toBe(404)
    expect(await swept()).toEqual([job])
    expect(await db.select().from(outbox)).toEqual([])
    const [act] = await db.select().from(auditLog).orderBy(sql`id desc`).limit(1)
    expect(act).toMatchObject({ action: 'retry', targetType: 'dead_letter', username: staff.username })
  })

  it('keeps dead letters unknown to this version, and can drop them', async () => {
    const staff = await devops()
    const [unknown, damaged] = await givenLetters({ kind: 'gone' }, { kind: 'fetch-ancestors' })
    for (const id of [unknown, damaged])
      expect((await as(staff).post(`${path}/${id}/retry`)).status).toBe(422)
    expect((await as(staff).post(`${path}/retry`)).body).toEqual({ count: 0, next: null })
    expect((await as(staff).delete(`${path}/${unknown}`)).body).toEqual({})
    expect((await as(staff).delete(`${path}/${unknown}`)).status).toBe(404)
    expect(await db.select({ id: deadLetters.id }).from(deadLetters)).toEqual([{ id: Number(damaged) }])
  })

  it('retries and drops dead letters twenty at a time, of one kind or all', async () => {
    const staff = await devops()
    const other = { kind: 'fetch-replies', statusId: 5, levels: 1 }
    await givenLetters(...Array(21).fill(job), other)
    const first = await as(staff).post(`${path}/retry`, { kind: 'fetch-ancestors' })
    expect(first.body).toMatchObject({ count: 20, next: expect.any(String) })
    const { next } = z.object({ next: z.string() }).parse(first.body)
    const rest = await as(staff).post(`${path}/retry`, { kind: 'fetch-ancestors', after: next })
    expect(rest.body).toEqual({ count: 1, next: null })
    expect(await db.select().from(outbox)).toHaveLength(21)
    expect((await as(staff).post(`${path}/drop`)).body).toEqual({ count: 1, next: null })
    expect(await db.select().from(deadLetters)).toEqual([])
  })

  it('retrying the dead letter of a webhook makes its delivery pending again', async () => {
    const now = clock.now()
    const [webhookId, id] = [context().ids.next(), context().ids.next()]
    await db.insert(webhooks).values({
      id: webhookId,
      url: 'https://hooks.test/',
      events: ['status.created'],
      template: '',
      createdAt: now,
      updatedAt: now,
    })
    await db.insert(webhookDeliveries).values({
      id,
      webhookId,
      event: 'status.created',
      sourceId: 1,
      objectId: 1,
      occurredAt: now,
      attempts: 9,
      state: 'failed',
    })
    const [letter] = await givenLetters({ kind: 'deliver-webhook', deliveryId: id })
    await as(await devops()).post(`${path}/${letter}/retry`)
    const [delivery] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id))
    expect(delivery).toMatchObject({ state: 'pending', attempts: 0 })
  })

  it('keeps dead letters for thirty days', async () => {
    await givenLetters(job)
    clock.advance(29 * day)
    await pruneDeadLetters(context())
    await givenLetters(job)
    expect(await db.select().from(deadLetters)).toHaveLength(2)
    clock.advance(2 * day)
    await pruneDeadLetters(context())
    expect(await db.select().from(deadLetters)).toHaveLength(1)
  })
})
