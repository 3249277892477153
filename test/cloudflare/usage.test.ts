import { expect, it } from 'vitest'
import { usageOf } from '../../src/cloudflare/usage'
import { UsageMeter } from '../../src/cloudflare/usage-meter'
import { dailyLimitsOf, noUsage } from '../../src/contract/usage'
import { clock } from '../support/test-app'

it('stores the counts of an isolate in one of its concurrent invocations', () => {
  const meter = new UsageMeter()
  const stores: string[] = []
  const invocation = (name: string) =>
    usageOf(meter, {
      clock,
      startedAt: clock.now(),
      limits: () => dailyLimitsOf('free', {}),
      store: () => void stores.push(name),
    })
  const [one, other] = [invocation('one'), invocation('other')]
  one.add('requests', 120)
  other.add('requests', 120)
  one.add('requests', 120)
  expect(stores).toEqual(['one'])
  expect(one.take().map(({ counts }) => counts)).toEqual([{ ...noUsage(), requests: 360 }])
})
