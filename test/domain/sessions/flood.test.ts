import { expect, it } from 'vitest'
import { takeForNetwork } from '../../../src/domain/sessions/flood'
import { RateLimited } from '../../../src/errors'
import { context } from '../../support/test-app'

it('limits an IPv6 network, and ten such networks in sum by the wider one around them', async () => {
  const ctx = context()
  const addressIn = (network: number) => `2001:db8:ffff:${network.toString(16)}::1`
  for (let network = 1; network <= 10; network += 1)
    for (let nth = 1; nth <= 5; nth += 1) await takeForNetwork(ctx, 'signUps', addressIn(network))
  await expect(takeForNetwork(ctx, 'signUps', addressIn(11))).rejects.toThrow(RateLimited)
  expect(await takeForNetwork(ctx, 'signUps', '2001:db8:fffe:1::1')).toMatchObject({ limit: 5, remaining: 4 })
})

it('counts an IPv4 address once', async () => {
  const ip = '203.0.113.77'
  for (const remaining of [4, 3, 2, 1, 0])
    expect(await takeForNetwork(context(), 'signUps', ip)).toMatchObject({ remaining })
  await expect(takeForNetwork(context(), 'signUps', ip)).rejects.toThrow(RateLimited)
})
