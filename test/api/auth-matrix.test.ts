import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import type { Endpoint } from '../../src/api/endpoint'
import { accessTokens } from '../../src/db/schema'
import { hashToken } from '../../src/domain/sessions/find'
import { allScopes, grants } from '../../src/domain/sessions/scopes'
import { as, type TestResponse } from '../support/as'
import { checkEach } from '../support/check-each'
import { given, type TestAccount } from '../support/given'
import { revokedToken } from '../support/revoked-token'
import { clock, context } from '../support/test-app'

/** Every endpoint, called by every caller that must be refused. Made from the list, so none can be forgotten. */

type Caller = TestAccount | string | null

const name = ({ method, path }: Endpoint) => `${method} ${path}`
const withScope = endpoints.filter(({ auth }) => auth.scope !== null)
const forPeople = endpoints.filter(({ auth }) => auth.kind === 'user' || auth.kind === 'staff')

interface Refused {
  /** The caller, as failures name it. */
  readonly by: string
  readonly caller: (endpoint: Endpoint) => Caller | Promise<Caller>
  readonly of: readonly Endpoint[]
}

/** Calls each endpoint, and fails with the requests that are not answered as they must be. */
async function checkRefusals(
  { by, caller, of }: Refused,
  check: (answer: Pick<TestResponse, 'status' | 'body'>, endpoint: Endpoint) => void,
): Promise<void> {
  const named = (endpoint: Endpoint) => `${name(endpoint)} by ${by}`
  await checkEach(of, { name: named, atOnce: 8 }, async (endpoint) => {
    const path = endpoint.path.replaceAll(/:\w+/g, '1')
    const { status, body } = await as(await caller(endpoint)).call(endpoint.method, path, {})
    check({ status, body }, endpoint)
  })
}

const invalidToken = { status: 401, body: { error: 'The access token is invalid' } }
const isForAnyone = ({ auth }: Endpoint) => auth.kind === 'anyone'

it('every endpoint that requires an account refuses a token that never existed [T-249]', async () => {
  const closed = endpoints.filter((endpoint) => !isForAnyone(endpoint))
  const unknown = { by: 'a token that never existed', caller: () => 'no-such-token', of: closed }
  await checkRefusals(unknown, (answer) => expect(answer).toMatchObject(invalidToken))
})

it('every public endpoint ignores a token that never existed, and its response is not cached [T-1020]', async () => {
  const open = endpoints.filter(isForAnyone)
  await checkEach(open, { name, atOnce: 8 }, async ({ method, path }) => {
    const call = (caller: Caller) => as(caller).call(method, path.replaceAll(/:\w+/g, '1'), {})
    const [without, first] = [await call(null), await call(crypto.randomUUID())]
    expect(first.status).toBe(without.status)
    expect(first.status).not.toBe(401)
    if (without.status >= 400) expect(first.body).toEqual(without.body)
    expect(first.headers.get('Cache-Control')).toBe('private, no-store')
  })
})

it('every endpoint refuses revoked and expired tokens [T-1021]', async () => {
  const { db } = context()
  const revoked = await revokedToken()
  const expired = await given.token({ scopes: allScopes.join(' ') })
  await db
    .update(accessTokens)
    .set({ createdAt: new Date(0), lastUsedAt: null })
    .where(eq(accessTokens.tokenHash, await hashToken(expired)))
  for (const [by, token] of Object.entries({ revoked, expired }))
    await checkRefusals({ by: `a token that is ${by}`, caller: () => token, of: endpoints }, (answer) =>
      expect(answer).toMatchObject(invalidToken),
    )
})

/** Endpoints without a scope answer that the person is missing, the others that the token is. */
const missingPerson = [
  'GET /api/v1/announcements',
  'GET /api/v1/donation_campaigns',
  'GET /api/v1/accounts/:id/identity_proofs',
]

it('every endpoint that requires an account refuses a caller without a token [T-250]', async () => {
  const closed = endpoints.filter(({ auth }) => auth.kind !== 'anyone')
  await checkRefusals(
    { by: 'a caller without a token', caller: () => null, of: closed },
    (answer, endpoint) => {
      if (endpoint.auth.kind === 'staff') {
        expect(answer).toMatchObject({ status: 403, body: { error: 'This action is not allowed' } })
        return
      }
      if (missingPerson.includes(name(endpoint))) {
        expect(answer.status).toBe(422)
        return
      }
      expect(answer).toMatchObject({ status: 401, body: { error: 'This method requires an access token' } })
    },
  )
})

/** Every scope that does not open the endpoint, as one token. */
function lacking({ auth }: Endpoint): string {
  const opening = [auth.scope, auth.alternative].filter((scope) => scope !== null && scope !== undefined)
  return allScopes.filter((scope) => !opening.some((wanted) => grants([scope], wanted))).join(' ')
}

it('every endpoint with a scope refuses a token with every other scope [T-251]', async () => {
  const { id } = await given.account()
  const tokens = new Map<string, Promise<string>>()
  const caller = (endpoint: Endpoint) => {
    const scopes = lacking(endpoint)
    const owner = endpoint.auth.kind === 'app' ? {} : { accountId: id }
    const key = `${endpoint.auth.kind === 'app'} ${scopes}`
    const token = tokens.get(key) ?? given.token({ ...owner, scopes })
    tokens.set(key, token)
    return token
  }
  const by = 'a token with every scope but the one needed'
  await checkRefusals({ by, caller, of: withScope }, (answer) =>
    expect(answer).toMatchObject({
      status: 403,
      body: { error: 'This action is outside the authorized scopes' },
    }),
  )
})

it('every endpoint for users refuses the token of an app [T-252]', async () => {
  const token = await given.token({ scopes: allScopes.join(' ') })
  await checkRefusals({ by: 'the token of an app', caller: () => token, of: forPeople }, (answer) =>
    expect(answer).toMatchObject({
      status: 422,
      body: { error: 'This method requires an authenticated user' },
    }),
  )
})

it.each([
  ['disabled', { user: { disabledAt: clock.now() } }],
  ['suspended', { suspendedAt: clock.now() }],
] as const)('every endpoint for users refuses a %s user [T-253]', async (state, options) => {
  const person = await given.account({ ...options, scopes: allScopes.join(' ') })
  const knowing = endpoints.filter(({ auth }) => auth.kind !== 'app' && auth.kind !== 'token')
  await checkRefusals({ by: `a ${state} user`, caller: () => person, of: knowing }, ({ status }) =>
    expect(status).toBe(403),
  )
})
