import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { rateWindows } from '../../src/ports/rate-limits'
import { freshName } from './given'
import { clock, context } from './test-app'

it('counts rate limits for one test file only', async () => {
  const subject = freshName('member ')
  for (const remaining of [24, 23])
    expect(await context().throttle.take('signInsByName', subject)).toMatchObject({ remaining })
  const shared = env.THROTTLE.get(env.THROTTLE.idFromName(subject))
  expect(await shared.take('signInsByName', rateWindows.signInsByName, clock.now().getTime())).toBe(1)
})
