import { beforeAll, describe, expect, it } from 'vitest'
import { floodLimits, rateWindows } from '../../src/ports/rate-limits'
import { anonymous, as, type TestResponse } from '../support/as'
import { given, type TestAccount } from '../support/given'
import { clock, context } from '../support/test-app'

const minute = 60_000

function limitsOf({ headers }: TestResponse) {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    headers.get(`x-ratelimit-${name}`),
  )
  return { limit: Number(limit), remaining: Number(remaining), reset: new Date(reset ?? '').getTime() }
}

/** A throttle whose own counters must not be asked. */
function onlyGate() {
  const throttle = {
    ...context().throttle,
    take: async () => {
      throw new Error('A counter was asked')
    },
  }
  return { overrides: { throttle } }
}

describe('rate limit headers with a token', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account()
  })

  it('rate limit headers with a token show what remains of the flood limit this minute, without an extra call', async () => {
    const ask = () => as(alice).get('/api/v1/accounts/verify_credentials', onlyGate())
    clock.advance(minute)
    const [first, second] = [await ask(), await ask()]
    const reset = (Math.floor(clock.now().getTime() / minute) + 1) * minute
    const left = floodLimits.caller - 1
    expect(limitsOf(first)).toEqual({ limit: floodLimits.caller, remaining: left, reset })
    expect(limitsOf(second)).toEqual({ limit: floodLimits.caller, remaining: left - 1, reset })
    expect(second.costs.trips).toBe(1)
    clock.advance(minute)
    expect(limitsOf(await ask())).toEqual({
      limit: floodLimits.caller,
      remaining: left,
      reset: reset + minute,
    })
  })

  it('rate limit headers are on refusals as well, and count each token separately', async () => {
    const [bob, carol] = [await given.account(), await given.account()]
    clock.advance(minute)
    const refusals = [
      await as(bob).get('/api/v1/statuses/1'),
      await as(bob).post('/api/v1/statuses/1/bookmark'),
      await as(bob).get('/api/v1/admin/reports'),
      await as(bob).post('/api/v1/markers', { home: { last_read_id: 'x' } }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([404, 404, 403, 422])
    expect(refusals.map((answer) => limitsOf(answer).remaining)).toEqual(
      refusals.map((_, index) => floodLimits.caller - 1 - index),
    )
    expect(limitsOf(await as(carol).get('/api/v1/preferences')).remaining).toBe(floodLimits.caller - 1)
  })

  it('never show less than zero', async () => {
    const bob = await given.account()
    clock.advance(minute)
    const remaining: number[] = []
    for (let count = 0; count <= floodLimits.caller; count += 1)
      remaining.push(limitsOf(await as(bob).get('/api/v1/markers')).remaining)
    expect(remaining.slice(-2)).toEqual([0, 0])
  })

  it('rate limit headers with a token show the numbers of a specific limit where one was checked, also in refusals', async () => {
    const bob = await given.account()
    const { limit } = rateWindows.statuses
    const made = await as(bob).post('/api/v1/statuses', { status: 'Hello' })
    expect(limitsOf(made)).toMatchObject({ limit, remaining: limit - 1 })
    const refused = await as(bob).post('/api/v1/statuses', { status: '' })
    expect(refused.status).toBe(422)
    expect(limitsOf(refused)).toMatchObject({ limit, remaining: limit - 2 })
  })

  it('rate limit headers are on responses to the token of an application too', async () => {
    const token = await given.token({ scopes: 'read' })
    const answer = await as(token).get('/api/v1/apps/verify_credentials')
    expect(limitsOf(answer).limit).toBe(floodLimits.caller)
  })
})

describe('rate limit headers without a known token', () => {
  it.each(['/api/v1/timelines/public', '/api/v1/preferences'])(
    'responses of %s without a known token have no rate limit headers',
    async (path) => {
      for (const caller of [anonymous, as('made-up')]) {
        const { headers } = await caller.get(path)
        for (const name of ['limit', 'remaining', 'reset'])
          expect(headers.get(`x-ratelimit-${name}`)).toBeNull()
      }
    },
  )
})
