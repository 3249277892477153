import { beforeAll, describe, expect, it } from 'vitest'
import { type Costs, dayOf, overdrawn } from '../../../scripts/bench/day/day.mjs'
import { measureActions } from '../../../scripts/bench/day/measure.mjs'

/** Actions of people and other servers in a day, as scripts/bench/day counts them, each measured once on the real Worker. */

describe('a day of one member who follows 400 accounts', () => {
  let costs: Costs
  beforeAll(async () => {
    costs = await measureActions({ repeats: 1, log: () => undefined })
  }, 300_000)

  it('uses at most half of each quota of the free plan', () => {
    // Time of objects is not judged here: `npm run bench:day` measures it.
    expect(overdrawn(dayOf(1, costs)).filter(({ key }) => key !== 'objectSeconds')).toEqual([])
  })

  it('sends one request for each delivery of a status', () => {
    expect(costs['post to 50 servers']?.['subrequests']).toBe(50)
    expect(costs['reblog to 50 servers']?.['subrequests']).toBeGreaterThanOrEqual(50)
  })
})
