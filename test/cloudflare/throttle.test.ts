import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { observeThrottle, throttleOf } from '../../src/cloudflare/throttle'
import { isRefusedStorage } from '../../src/db/observed-binding'
import { RateLimited } from '../../src/errors'
import { ExpiringCache } from '../../src/lib/expiring-cache'
import { floodLimits } from '../../src/ports/rate-limits'
import { TestClock } from '../support/test-app'

const full = new Error('database or disk is full: SQLITE_FULL')

describe('counters whose storage refuses writes', () => {
  it('counters whose storage refuses writes report their failure beside the caller', async () => {
    const failures: unknown[] = []
    const fail = () => Promise.reject(full)
    const failing = { admits: fail, take: fail, spend: fail }
    const observed = observeThrottle(failing, (failure) => failures.push(failure))
    await expect(observed.take('statuses', '1')).rejects.toBe(full)
    await expect(observed.spend('remoteActors', '1', 1)).rejects.toBe(full)
    await expect(observed.admits('network', '1')).rejects.toBe(full)
    expect(failures).toEqual([full, full, full])
  })

  it.each([
    [full, true],
    [new Error('Exceeded allowed rows written in Durable Objects free tier.'), true],
    [new Error('disk I/O error: SQLITE_IOERR'), true],
    [new Error('Durable Object reset because its code was updated.'), false],
    [new RateLimited({ limit: 1, remaining: 0, resetAt: new Date(0) }), false],
  ])(
    'counters whose storage refuses writes are distinguished from other failures: %s',
    (failure, isRefused) => {
      expect(isRefusedStorage(failure)).toBe(isRefused)
    },
  )
})

describe('the flood gate of a server without that of the platform', () => {
  it.each(['caller', 'network'] as const)(
    'admits as many of a %s in a minute as refusals say',
    async (gate) => {
      const clock = new TestClock()
      const { THROTTLE } = env
      const { admits } = throttleOf(
        { THROTTLE },
        () => clock.now(),
        { add: () => undefined },
        new ExpiringCache(0, 10),
      )
      for (let count = 0; count < floodLimits[gate]; count += 1) expect(await admits(gate, 'one')).toBe(true)
      expect(await admits(gate, 'one')).toBe(false)
      expect(await admits(gate, 'another')).toBe(true)
      clock.advance(60_000)
      expect(await admits(gate, 'one')).toBe(true)
    },
  )
})
