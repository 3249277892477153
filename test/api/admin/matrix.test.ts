import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api'
import { type Permission, permissions } from '../../../src/domain/policy/permissions'
import { allScopes, grants } from '../../../src/domain/sessions/scopes'
import staffCommands from '../../data/staff-commands.json' with { type: 'json' }
import { pathsOf, call as request } from '../../support/every-endpoint'
import { given, type TestAccount } from '../../support/given'
import { givenOwner, givenStaff, staffPosition } from '../../support/given-staff'

/**
 * Every endpoint for staff × callers {anonymous, application, member, each permission alone, owner} × target accounts
 * {lower, equal, higher role}. Generated from the endpoints, so none can be forgotten.
 */

const staffEndpoints = endpoints.filter(({ auth }) => auth.kind === 'staff')
const name = ({ method, path }: (typeof endpoints)[number]) => `${method} ${path}`
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

function call(caller: TestAccount | string | null, endpoint: (typeof endpoints)[number], account = 1) {
  const [path = endpoint.path] = pathsOf(endpoint.path, { ...noTargets, accounts: [account] })
  return request(caller, endpoint, path)
}

const permissionNames = Object.keys(permissions).filter((key): key is Permission => key in permissions)

describe('endpoints for staff', () => {
  const holders = new Map<Permission, TestAccount>()
  let member: TestAccount
  let owner: TestAccount
  let application: string
  beforeAll(async () => {
    member = await given.account({ scopes: allScopes.join(' ') })
    owner = await givenOwner()
    application = await given.token({ scopes: allScopes.join(' ') })
    for (const permission of permissionNames)
      holders.set(permission, await givenStaff({ permissions: [permission] }))
  })

  it('exist', () => {
    expect(staffEndpoints.length).toBeGreaterThan(1)
  })

  it('each have a command that does the same, but for the bytes of a picture and twins of PUT', () => {
    const twinless = staffEndpoints.filter(
      ({ method, path }) =>
        method !== 'PATCH' && path !== '/api/fieldfare/v1/admin/evidence/:id/media/:media_id',
    )
    expect(twinless.map(name).toSorted()).toEqual(Object.keys(staffCommands).toSorted())
  })

  it('need an administrative scope', () => {
    for (const { auth } of staffEndpoints) expect(auth.scope).toMatch(/^admin:(read|write)\b/)
  })

  it('need a scope for writing where they change something', () => {
    const reading = staffEndpoints.filter(({ method, auth }) => {
      return method !== 'GET' && grants(['admin:read'], auth.scope ?? 'admin:write')
    })
    expect(reading.map(name).filter((one) => !readingByPost.includes(one))).toEqual([])
  })

  it('open to the parent of the scope they need, and to no other scope [T-969]', async () => {
    for (const endpoint of staffEndpoints) {
      const parent = endpoint.auth.scope?.startsWith('admin:read') ? 'admin:read' : 'admin:write'
      const other = parent === 'admin:read' ? 'admin:write' : 'admin:read'
      const tokenOf = (scopes: string) => given.token({ accountId: owner.id, scopes })
      const refused = await call(await tokenOf(`read write ${other}`), endpoint)
      expect(refused.body, name(endpoint)).toEqual({ error: 'This action is outside the authorized scopes' })
      expect((await call(await tokenOf(parent), endpoint)).status, name(endpoint)).not.toBe(403)
    }
  })

  for (const endpoint of staffEndpoints) {
    it(`refuse anonymous callers, applications and members: ${name(endpoint)} [T-980]`, async () => {
      expect(await call(null, endpoint)).toMatchObject(notAllowed)
      expect((await call(application, endpoint)).status).toBe(422)
      expect(await call(member, endpoint)).toMatchObject(notAllowed)
    })

    it(`refuse every permission but the one declared: ${name(endpoint)} [T-981]`, async () => {
      const { permission } = endpoint.auth
      if (permission === undefined) throw new Error('An endpoint for staff declares its permission')
      for (const [held, holder] of holders) {
        const answer = await call(holder, endpoint)
        const isRefused = answer.status === 403 && JSON.stringify(answer.body).includes('not allowed')
        const isEnough = held === permission || held === 'administrator'
        expect({ held, isRefused }).toEqual({ held, isRefused: !isEnough })
        expect(answer.status).toBeLessThan(500)
      }
    })

    it(`admit the owner: ${name(endpoint)}`, async () => {
      const answer = await call(owner, endpoint)
      expect(answer).not.toMatchObject(notAllowed)
      expect(answer.status).toBeLessThan(500)
    })
  }
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

describe('acts on accounts', () => {
  it('need a role above that of the account, and never act on the moderator', async () => {
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
