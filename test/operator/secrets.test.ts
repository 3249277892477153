import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../support/as'
import { configUnder, formerSecret, givenFormerKey, ownSecret } from '../support/former-secrets'
import { given } from '../support/given'
import { givenOwner } from '../support/given-staff'
import { givenDerivedToken } from '../support/oauth'
import { context } from '../support/test-app'

const setup = as('a-setup-token-for-tests')
const rotated = { overrides: configUnder(ownSecret, formerSecret) }
const dropped = { overrides: configUnder(ownSecret) }
const Status = z.object({
  versions: z.array(z.string()),
  complete: z.boolean(),
  unopenable: z.int(),
  stores: z.array(z.object({ name: z.string(), total: z.int(), remaining: z.int(), unknown: z.int() })),
  derived_tokens: z.int(),
})

const statusOf = async () => Status.parse((await setup.post('/setup/secrets/status', {}, rotated)).body)
const works = async (token: string, options = {}) =>
  (await as(token).get('/api/v1/accounts/verify_credentials', options)).status === 200

async function grantOf(account: { readonly id: number }) {
  const { id } = await given.application()
  return { applicationId: id, accountId: account.id, scopes: 'read' }
}

describe('the set-up routes about secrets', () => {
  it.each(['status', 'reseal', 'renew-lost', 'revoke-derived'])('%s refuses members', async (what) => {
    expect((await as(await given.account()).post(`/setup/secrets/${what}`)).status).toBe(403)
  })

  it('renew and revoke for the operator alone', async () => {
    const owner = await givenOwner()
    const statuses = async (what: string) => (await as(owner).post(`/setup/secrets/${what}`)).status
    expect(await Promise.all(['status', 'renew-lost', 'revoke-derived'].map(statuses))).toEqual([
      200, 403, 403,
    ])
  })

  it('the set-up routes about secrets tell what remains, and encrypt it part by part, without showing a secret', async () => {
    await givenFormerKey()
    const before = await setup.post('/setup/secrets/status', {}, rotated)
    expect(JSON.stringify(before.body)).not.toContain(ownSecret)
    const { versions, complete, stores } = Status.parse(before.body)
    expect(versions).toEqual(rotated.overrides.config.secrets.accepted.map(({ version }) => version))
    expect(complete).toBe(false)
    expect(stores[0]).toEqual({ name: 'actor keys', total: expect.any(Number), remaining: 1, unknown: 0 })
    const parts = z.object({ complete: z.boolean(), unopenable: z.int() })
    let done = false
    for (let part = 0; part < 10 && !done; part += 1)
      done = parts.parse(
        (await setup.post('/setup/secrets/reseal', { restart: part === 0 }, rotated)).body,
      ).complete
    const after = await statusOf()
    expect(after).toMatchObject({ complete: true, unopenable: 0 })
    expect(after.stores.map(({ remaining }) => remaining)).toEqual(after.stores.map(() => 0))
  })
})

describe('access tokens', () => {
  it('access tokens work before a rotation, after it, and once the former secret is dropped, at the same costs', async () => {
    const alice = await given.account()
    const old = await givenDerivedToken(await grantOf(alice))
    for (const token of [alice.token, old]) {
      // The first use of a token on a day is recorded.
      await works(token)
      const { costs } = await as(token).get('/api/v1/accounts/verify_credentials')
      expect(await works(token, rotated)).toBe(true)
      const after = await as(token).get('/api/v1/accounts/verify_credentials', dropped)
      expect(after.status).toBe(200)
      expect(after.costs).toEqual(costs)
    }
  })

  it('revokes only tokens from before tokens were random, for a leaked secret', async () => {
    const alice = await given.account()
    const old: string[] = []
    for (let index = 0; index < 25; index += 1) old.push(await givenDerivedToken(await grantOf(alice)))
    await context().db.run(`update access_tokens set derived = 0 where account_id <> ${alice.id}`)
    await context().db.run(
      `update access_tokens set derived = 0 where id = (select min(id) from access_tokens where account_id = ${alice.id})`,
    )
    const { derived_tokens: count } = await statusOf()
    const revoke = async () =>
      z.object({ left: z.int() }).parse((await setup.post('/setup/secrets/revoke-derived')).body).left
    expect(await revoke()).toBe(count - 20)
    while ((await revoke()) > 0);
    expect(await works(old[0] ?? '')).toBe(false)
    expect(await works(old[24] ?? '')).toBe(false)
    expect(await works(alice.token)).toBe(true)
    expect(await statusOf()).toMatchObject({ derived_tokens: 0 })
  })
})
