import { expect, it } from 'vitest'
import { parseConfig } from '../src/config'

const base = { ORIGIN: 'https://here.test', INSTANCE_SECRET: 'x'.repeat(43) }

it('speaks with every public server and no other, where nothing else is said', () => {
  expect(parseConfig(base).federation).toMatchObject({ limited: false, testHosts: [] })
})

it('reads which hosts development may reach besides', () => {
  const { federation } = parseConfig({ ...base, FEDERATION_TEST_HOSTS: ' localhost:8788, Peer.Internal ,,' })
  expect(federation.testHosts).toEqual(['localhost:8788', 'peer.internal'])
})

it('reads whether only listed servers are spoken with', () => {
  expect(parseConfig({ ...base, LIMITED_FEDERATION: 'true' }).federation.limited).toBe(true)
  expect(() => parseConfig({ ...base, LIMITED_FEDERATION: 'perhaps' })).toThrow('LIMITED_FEDERATION')
})
