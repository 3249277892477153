import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api'
import type { Endpoint } from '../../../src/api/endpoint'
import { type Permission, permissions } from '../../../src/domain/policy/permissions'
import { allScopes, grants } from '../../../src/domain/sessions/scopes'
import staffCommands from '../../data/staff-commands.json' with { type: 'json' }
import { checkEach } from '../../support/check-each'
import { pathsOf, call as request } from '../../support/every-endpoint'
import { given, type TestAccount } from '../../support/given'
import { givenOwner, givenStaff, staffPosition } from '../../support/given-staff'

/**
 * Every endpoint for staff × callers {member, its permission alone, all other permissions, owner} × target accounts
 * {lower, equal, higher role}. Generated from the endpoints, so none can be forgotten; `auth-matrix.test.ts` calls them
 * without a token and with that of an application.
 */

const staffEndpoints = endpoints.filter(({ auth }) => auth.kind === 'staff')
const name = ({ method, path }: Endpoint) => `${method} ${path}`
const sweep = {
  name: ({ endpoint, by }: { readonly endpoint: Endpoint; readonly by: string }) =>
    `${name(endpoint)} by ${by}`,
}
const notAllowed = { status: 403, body: { error: 'This action is not allowed' } }

const noTargets = {
  statuses: [1],
  accounts: [1],
  scheduled: [1],
  polls: [1],
  media: [1],
  notifications: [1],
  tag: '1',
  lists: [1],
  words: ['1'],
}

function call(caller: TestAccount | string | null, endpoint: Endpoint, account = 1) {
  const [path = endpoint.path] = pathsOf(endpoint.path, { ...noTargets, accounts: [account] })
  return request(caller, endpoint, path)
}

const permissionNames = Object.keys(permissions).filter((key): key is Permission => key in permissions)

describe('endpoints for staff', () => {
  const holders = new Map<Permission, TestAccount>()
  /** Hold every permission but one, and but that of administrators, which holds all. */
  const lackers = new Map<Permission, TestAccount>()
  let member: TestAccount
  let owner: TestAccount
  beforeAll(async () => {
    member = await given.account({ scopes: allScopes.join(' ') })
    owner = await givenOwner()
    for (const permission of permissionNames) {
      const others = permissionNames.filter((one) => one !== permission && one !== 'administrator')
      holders.set(permission, await givenStaff({ permissions: [permission] }))
      lackers.set(permission, await givenStaff({ permissions: others }))
    }
  })

  it('all staff endpoints exist', () => {
    expect(staffEndpoints.length).toBeGreaterThan(1)
  })

  it('each has an equivalent command, except for uploads and aliases with PUT', () => {
    const twinless = staffEndpoints.filter(
      ({ method, path }) =>
        method !== 'PATCH' && path !== '/api/fieldfare/v1/admin/evidence/:id/media/:media_id',
    )
    expect(twinless.map(name).toSorted()).toEqual(Object.keys(staffCommands).toSorted())
  })

  it('all require an administrative scope', () => {
    for (const { auth } of staffEndpoints) expect(auth.scope).toMatch(/^admin:(read|write)\b/)
  })

  it('endpoints for staff require a scope for writing where they change something', () => {
    const reading = staffEndpoints.filter(({ method, auth }) => {
      return method !== 'GET' && grants(['admin:read'], auth.scope ?? 'admin:write')
    })
    expect(reading.map(name).filter((one) => !readingByPost.includes(one))).toEqual([])
  })

  it('endpoints for staff open to the owner by the parent of the required scope, and by no other scope [T-969]', async () => {
    const tokens = new Map<string, string>()
    const tokenOf = async (scopes: string) => {
      const token = tokens.get(scopes) ?? (await given.token({ accountId: owner.id, scopes }))
      tokens.set(scopes, token)
      return token
    }
    for (const endpoint of staffEndpoints) {
      const parent = endpoint.auth.scope?.startsWith('admin:read') ? 'admin:read' : 'admin:write'
      const other = parent === 'admin:read' ? 'admin:write' : 'admin:read'
      const refused = await call(await tokenOf(`read write ${other}`), endpoint)
      expect(refused.body, name(endpoint)).toEqual({ error: 'This action is outside the authorized scopes' })
      const { status } = await call(await tokenOf(parent), endpoint)
      expect(status, name(endpoint)).not.toBe(403)
      expect(status, name(endpoint)).toBeLessThan(500)
    }
  })

  it('endpoints for staff refuse members [T-980]', async () => {
    const cases = staffEndpoints.map((endpoint) => ({ endpoint, by: 'a member' }))
    await checkEach(cases, { ...sweep, atOnce: 8 }, async ({ endpoint }) => {
      const { status, body } = await call(member, endpoint)
      expect({ status, body }).toMatchObject(notAllowed)
    })
  })

  it('endpoints for staff accept the declared permission, and refuse all others together [T-981]', async () => {
    const cases = staffEndpoints.flatMap((endpoint) => {
      const { permission } = endpoint.auth
      if (permission === undefined) throw new Error('An endpoint for staff declares its permission')
      const enough = (['administrator', permission] as const).map((held) => ({
        endpoint,
        by: `a holder of ${held}`,
        caller: holders.get(held),
        isEnough: true,
      }))
      const lacking = { endpoint, by: `a holder of all but ${permission}`, caller: lackers.get(permission) }
      return [...enough, { ...lacking, isEnough: false }]
    })
    await checkEach(cases, sweep, async ({ endpoint, caller, isEnough }) => {
      if (caller === undefined) throw new Error('Each permission has its holder')
      const { status, body } = await call(caller, endpoint)
      const isRefused = status === 403 && JSON.stringify(body).includes('not allowed')
      expect({ isRefused, status, body }).toEqual({ isRefused: !isEnough, status, body })
      expect(status).toBeLessThan(500)
    })
  })
})

/** Endpoints that act on the account of the caller, which the operator has none of. */
const needAnAccount = ['POST /api/v1/admin/reports/:id/assign_to_self']

describe('the set-up token', () => {
  it('opens every endpoint for staff but those that need an account, and no other', () => {
    const open = endpoints.filter(({ auth }) => auth.operator !== undefined).map(name)
    const expected = staffEndpoints.map(name).filter((one) => !needAnAccount.includes(one))
    expect(open.toSorted()).toEqual(expected.toSorted())
  })

  it('the set-up token is accepted by each of these endpoints', async () => {
    const cases = endpoints
      .filter(({ auth }) => auth.operator !== undefined)
      .map((endpoint) => ({ endpoint, by: 'the operator' }))
    await checkEach(cases, sweep, async ({ endpoint }) => {
      const { status, body } = await call('a-setup-token-for-tests', endpoint)
      expect([200, 400, 404, 409, 422, 503], JSON.stringify(body)).toContain(status)
    })
  })
})

/** Documented as POST although they only read. */
const readingByPost = [
  'POST /api/v1/admin/measures',
  'POST /api/v1/admin/dimensions',
  'POST /api/v1/admin/retention',
  'POST /api/v1/admin/canonical_email_blocks/test',
]

/** Writes about an account that are no acts on it: any moderator may make them. */
const withoutRank: readonly string[] = ['POST /api/fieldfare/v1/admin/accounts/:id/notes']

const acting = staffEndpoints.filter(
  (endpoint) =>
    endpoint.method !== 'GET' &&
    /\/admin\/accounts\/:id/.test(endpoint.path) &&
    !withoutRank.includes(name(endpoint)),
)

describe('actions on accounts', () => {
  it('actions on accounts require a role above that of the account, and never act on the moderator', async () => {
    const lower = await givenStaff({ position: staffPosition - 1 })
    const equal = await givenStaff({ position: staffPosition })
    const higher = await givenStaff({ position: staffPosition + 1 })
    for (const endpoint of acting) {
      const { permission } = endpoint.auth
      if (permission === undefined) throw new Error('An endpoint for staff declares its permission')
      const moderator = await givenStaff({ permissions: [permission] })
      const body = bodies[name(endpoint)] ?? {}
      const path = (id: number) => endpoint.path.replace(':id', String(id))
      for (const { id } of [equal, higher, moderator])
        expect(await request(moderator, endpoint, path(id), body), name(endpoint)).toMatchObject(notAllowed)
      const answer = await request(moderator, endpoint, path(lower.id), body)
      // Acts that the state of the account does not allow are refused as well.
      expect([200, 403, 404, 422], name(endpoint)).toContain(answer.status)
    }
  })
})

/** Bodies with which an act on an account comes as far as the role. */
const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /api/v1/admin/accounts/:id/action': { type: 'silence' },
  'POST /api/fieldfare/v1/admin/accounts/:id/move': { acct: 'somebody' },
  'POST /api/fieldfare/v1/admin/accounts/:id/statuses/action': { type: 'delete' },
}
