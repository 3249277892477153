import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import { parseConfig } from '../../src/config'
import { anonymous, as } from '../support/as'
import { given } from '../support/given'
import { context } from '../support/test-app'

const { config } = context()
const closings = [
  ['wants people to sign in first', { ...config, requiresSignIn: true }],
  ['speaks with listed servers only', { ...config, federation: { ...config.federation, limited: true } }],
] as const

/** Endpoints that apps call before anybody has signed in with them. */
const beforeSigningIn = /^\/api\/v\d\/(instance|custom_emojis|apps|peers)(\/|$)|^\/(\.well-known|invite)\//

const open = endpoints.filter(({ auth, method }) => auth.kind === 'anyone' && method === 'GET')
const isData = ({ path }: { readonly path: string }) => !beforeSigningIn.test(path)

describe.each(closings)('a server that %s', (_, own) => {
  const closed = { overrides: { config: own } }

  it.each(open.filter(isData).map(({ path }) => path))(
    'refuses anonymous visitors and apps %s [T-464]',
    async (path) => {
      const asked = path.replaceAll(/:\w+/g, '1')
      const stranger = await anonymous.get(asked, closed)
      const app = await as(await given.token({ scopes: 'read' })).get(asked, closed)
      const refusal = { status: 401, body: { error: 'This method requires an authenticated user' } }
      expect([stranger, app]).toMatchObject([refusal, refusal])
      expect(stranger.costs.trips).toBe(0)
    },
  )

  it.each(open.filter((endpoint) => !isData(endpoint)).map(({ path }) => path))(
    'still answers %s, which apps need before sign-in [T-465]',
    async (path) => {
      const answer = await anonymous.get(path.replaceAll(/:\w+/g, '1'), closed)
      expect([200, 404]).toContain(answer.status)
    },
  )

  it('shows signed-in users the usual data', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    expect(await as(alice).get(`/api/v1/statuses/${id}`, closed)).toMatchObject({ status: 200, body: { id } })
  })
})

it('sign-in is required by configuration only', () => {
  const base = { ORIGIN: 'https://a.test', INSTANCE_SECRET: 'x'.repeat(43) }
  expect(parseConfig(base).requiresSignIn).toBe(false)
  expect(parseConfig({ ...base, REQUIRE_SIGN_IN: 'true' }).requiresSignIn).toBe(true)
  expect(parseConfig({ ...base, REQUIRE_SIGN_IN: 'false' }).requiresSignIn).toBe(false)
  expect(() => parseConfig({ ...base, REQUIRE_SIGN_IN: 'maybe' })).toThrow('REQUIRE_SIGN_IN')
})
