import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import type { Endpoint } from '../../src/api/endpoint'
import { allScopes, grants } from '../../src/domain/sessions/scopes'
import { anonymous, as } from '../support/as'
import { given, type TestAccount } from '../support/given'
import { clock } from '../support/test-app'

/** Every endpoint, called by everybody who must be refused. Made from the list, so none can be forgotten. */

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete'

function call(caller: TestAccount | string | null, endpoint: Endpoint) {
  const path = endpoint.path.replaceAll(/:\w+/g, '1')
  const client = caller === null ? anonymous : as(caller)
  const verb = verbs[endpoint.method]
  return verb === 'get' ? client.get(path) : client[verb](path, {})
}

const verbs: Readonly<Record<Endpoint['method'], Verb>> = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
}

const name = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`
const withScope = endpoints.filter((endpoint) => endpoint.auth.scope !== null)
const forPeople = endpoints.filter(({ auth }) => auth.kind === 'user' || auth.kind === 'staff')

/** Every scope that does not open the endpoint, as one token. */
function lacking({ auth }: Endpoint): string {
  const opening = [auth.scope, auth.alternative].filter((scope) => scope !== null && scope !== undefined)
  return allScopes.filter((scope) => !opening.some((wanted) => grants([scope], wanted))).join(' ')
}

describe('a token that does not exist', () => {
  for (const endpoint of endpoints)
    it(`is refused by ${name(endpoint)} [T-249]`, async () => {
      const answer = await call('no-such-token', endpoint)
      expect(answer).toMatchObject({ status: 401, body: { error: 'The access token is invalid' } })
    })
})

/** Endpoints without a scope answer that the person is missing, the others that the token is. */
const missingPerson = [
  'GET /api/v1/announcements',
  'GET /api/v1/donation_campaigns',
  'GET /api/v1/accounts/:id/identity_proofs',
]

describe('no token', () => {
  for (const endpoint of endpoints.filter(({ auth }) => auth.kind !== 'anyone'))
    it(`is refused by ${name(endpoint)} [T-250]`, async () => {
      const answer = await call(null, endpoint)
      if (endpoint.auth.kind === 'staff') {
        expect(answer).toMatchObject({ status: 403, body: { error: 'This action is not allowed' } })
        return
      }
      if (missingPerson.includes(name(endpoint))) {
        expect(answer.status).toBe(422)
        return
      }
      expect(answer).toMatchObject({ status: 401, body: { error: 'This method requires an access token' } })
    })
})

describe('a token with every scope but the one needed', () => {
  let person: TestAccount
  beforeAll(async () => {
    person = await given.account()
  })
  for (const endpoint of withScope)
    it(`is refused by ${name(endpoint)} [T-251]`, async () => {
      const scopes = lacking(endpoint)
      const accountId = endpoint.auth.kind === 'app' ? null : person.id
      const token = await given.token({ ...(accountId === null ? {} : { accountId }), scopes })
      const answer = await call(token, endpoint)
      expect(answer).toMatchObject({
        status: 403,
        body: { error: 'This action is outside the authorized scopes' },
      })
    })
})

describe('an app token', () => {
  for (const endpoint of forPeople)
    it(`is refused by ${name(endpoint)} [T-252]`, async () => {
      const token = await given.token({ scopes: allScopes.join(' ') })
      const answer = await call(token, endpoint)
      expect(answer).toMatchObject({
        status: 422,
        body: { error: 'This method requires an authenticated user' },
      })
    })
})

describe('a user who', () => {
  const barred = {
    'is disabled': { user: { disabledAt: clock.now() } },
    'is suspended': { suspendedAt: clock.now() },
  }
  for (const [state, options] of Object.entries(barred)) {
    let person: TestAccount
    beforeAll(async () => {
      person = await given.account({ ...options, scopes: allScopes.join(' ') })
    })
    for (const endpoint of endpoints.filter(({ auth }) => auth.kind !== 'app' && auth.kind !== 'token'))
      it(`${state} is refused by ${name(endpoint)} [T-253]`, async () => {
        expect((await call(person, endpoint)).status).toBe(403)
      })
  }
})
