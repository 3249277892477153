import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { sweepOutbox } from '../../src/jobs/outbox'
import { ManualCourier } from '../support/courier'
import { fakeQueue } from '../support/fake-queue'
import { network } from '../support/fediverse/shared-network'
import { oldInstance, upgradeOldInstance } from '../support/old-instance'
import { clock, context } from '../support/test-app'

const { courier, tables, takenAt } = oldInstance
const peer = 'https://peer.example'
const Activity = z.object({ id: z.string(), type: z.string(), actor: z.string() })

beforeAll(upgradeOldInstance)
beforeEach(() => network.serveHost('peer.example', () => new Response('', { status: 202 })))

describe('deliveries that waited while an instance was upgraded', () => {
  const later = new Date('2040-01-01T00:00:00.000Z').getTime() - takenAt.getTime()
  const standing = z.looseObject({ pausedUntil: z.number() }).parse(courier.values['standing'])

  it('deliveries that waited while an instance was upgraded arrive in order, signed with the earlier keys', async () => {
    const manual = new ManualCourier('peer.example')
    const moved = (time: unknown) => (typeof time === 'number' ? time + later : null)
    await manual.restore({
      schema: courier.schema,
      parcels: courier.parcels.map((row) => ({
        ...row,
        handed_at: moved(row['handed_at']),
        next_at: moved(row['next_at']),
      })),
      values: { standing: { ...standing, pausedUntil: moved(standing.pausedUntil) } },
    })
    expect(await manual.waiting()).toBe(courier.parcels.length)
    const mark = network.mark()
    await manual.wake()
    while ((await manual.waiting()) > 0 && (await manual.ring()));

    expect(await manual.waiting()).toBe(0)
    const sent = network.since(mark).filter(({ method }) => method === 'POST')
    const idOf = (body: unknown) => Activity.parse(JSON.parse(String(body))).id
    const toShared = (inbox: unknown) => inbox === `${peer}/inbox`
    expect(sent.filter(({ url }) => toShared(url)).map(({ body }) => idOf(body))).toEqual(
      courier.parcels.filter(({ inbox }) => toShared(inbox)).map(({ body }) => idOf(body)),
    )
    expect(sent).toHaveLength(courier.parcels.length)
    for (const { headers, body } of sent)
      expect(headers.get('signature')).toContain(`keyId="${Activity.parse(JSON.parse(body)).actor}#main-key"`)
  })
})

describe('the outbox of an instance that was killed and upgraded', () => {
  it('the outbox of an instance that was killed and upgraded is processed completely: every fact and command has a runner, and none is dead', async () => {
    const { jobs, work } = fakeQueue()
    const [errors, dead]: [string[], unknown[]] = [[], []]
    // Each round is an invocation of its own.
    const begin = () =>
      context({
        jobs: { send: async (job) => void jobs.push(job) },
        log: {
          info: () => undefined,
          error: (text, facts) => void errors.push(`${text}: ${facts?.['cause']}`),
        },
        deadLetters: { send: async (body) => void dead.push(body) },
      })
    const left = () => env.DB.prepare('select count(*) from outbox').first('count(*)')
    for (let round = 0; round < 30; round += 1) {
      await sweepOutbox(begin())
      clock.advance(1)
    }
    expect([errors, dead]).toEqual([[], []])
    // Effects that take an invocation of their own are jobs.
    expect(await work()).not.toContain('rejected')
    expect(await left()).toBe(0)
    expect(tables['outbox']?.rows.length).toBeGreaterThan(30)
  })
})
