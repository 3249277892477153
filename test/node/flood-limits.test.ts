import { expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import * as z from 'zod'
import { floodLimits } from '../../src/ports/rate-limits'

const Simple = z.object({ limit: z.number(), period: z.number() })
const Limit = z.object({ name: z.string(), namespace_id: z.string(), simple: Simple })

it('the deployed flood limit equals the limits that refusals name', () => {
  const ratelimits = z.array(Limit).parse(unstable_readConfig({ config: 'wrangler.full.toml' }).ratelimits)
  const deployed = ratelimits.map(({ name, simple }) => [name, simple])
  expect(Object.fromEntries(deployed)).toEqual({
    FLOOD: { limit: floodLimits.caller, period: 60 },
    FLOOD_NETWORK: { limit: floodLimits.network, period: 60 },
  })
  expect(new Set(ratelimits.map(({ namespace_id }) => namespace_id)).size).toBe(2)
})
