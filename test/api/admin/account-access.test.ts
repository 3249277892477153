import { desc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accessTokens, auditLog, users } from '../../../src/db/schema'
import { as } from '../../support/as'
import { freshName, given } from '../../support/given'
import { givenOwner, givenStaff } from '../../support/given-staff'
import { context } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/accounts'
const setup = as('a-setup-token-for-tests')

const userOf = async (id: number) =>
  (await context().db.select().from(users).where(eq(users.accountId, id))).at(0)
const actsOn = async (id: number) =>
  (
    await context().db.select().from(auditLog).where(eq(auditLog.targetId, id)).orderBy(desc(auditLog.id))
  ).map(({ action }) => action)

describe('sign-in of accounts, for staff', () => {
  it('finds accounts by name, in any case, also remote ones', async () => {
    const staff = await givenStaff({ permissions: ['manageUsers'] })
    const [alice, remote] = [await given.account(), await given.remoteAccount()]
    const find = (acct: string) => as(staff).get(`${path}/lookup?acct=${encodeURIComponent(acct)}`)
    expect((await find(alice.username.toUpperCase())).body).toMatchObject({ id: String(alice.id) })
    expect((await find(`${remote.username}@${remote.domain}`)).body).toMatchObject({ id: String(remote.id) })
    expect((await find('nobody_at_all')).status).toBe(404)
  })

  it('creates accounts with a password that works', async () => {
    const staff = await givenStaff({ permissions: ['manageUsers'] })
    const username = freshName('made')
    const answer = await as(staff).post(path, {
      username,
      email: `${username}@mail.test`,
      display_name: 'Made',
    })
    const { account, password } = z
      .object({ account: z.object({ id: z.coerce.number(), email: z.string() }), password: z.string() })
      .parse(answer.body)
    expect(account.email).toBe(`${username}@mail.test`)
    const user = await userOf(account.id)
    expect(await context().vault.verifyPassword(password, user?.passwordHash ?? '')).toBe(true)
    expect(await actsOn(account.id)).toEqual(['create'])
    expect((await as(staff).post(path, { username })).status).toBe(422)
    expect((await as(staff).post(path, { username: 'a b' })).status).toBe(422)
    expect((await as(staff).post(path, { username: freshName('x'), email: 'none' })).status).toBe(422)
  })

  it('confirms an account once', async () => {
    const staff = await givenStaff({ permissions: ['manageUsers'] })
    const bird = await given.account({ user: { confirmedAt: null } })
    const answer = await as(staff).post(`${path}/${bird.id}/confirm`)
    expect(answer).toMatchObject({ status: 200, body: { confirmed: true } })
    expect(await actsOn(bird.id)).toEqual(['confirm'])
    expect((await as(staff).post(`${path}/${bird.id}/confirm`)).status).toBe(403)
    expect((await as(bird).get('/api/v1/accounts/verify_credentials')).status).toBe(200)
  })

  it('sets a password, which ends all access by the old one', async () => {
    const staff = await givenStaff({ permissions: ['manageUserAccess'] })
    const bird = await given.account()
    const answer = await as(staff).post(`${path}/${bird.id}/password`)
    const { password } = z.object({ password: z.string().min(20) }).parse(answer.body)
    const user = await userOf(bird.id)
    expect(await context().vault.verifyPassword(password, user?.passwordHash ?? '')).toBe(true)
    expect((await as(bird).get('/api/v1/accounts/verify_credentials')).status).toBe(401)
    expect(await actsOn(bird.id)).toEqual(['change_password'])
    const log = JSON.stringify(await context().db.select().from(auditLog))
    expect(log).not.toContain(password)
  })

  it('makes a link for a new password of a member with a lower role, and logs it without the link', async () => {
    const [alice, owner] = [await given.account(), await givenOwner()]
    const answer = await as(owner).post(`${path}/${alice.id}/reset_link`)
    expect(answer.body).toEqual({
      url: expect.stringMatching(
        /^https:\/\/fieldfare\.test\/auth\/password\/edit\?reset_password_token=[\w-]{43}$/,
      ),
    })
    const [entry] = await context().db.select().from(auditLog).where(eq(auditLog.targetId, alice.id))
    expect(entry).toMatchObject({ accountId: owner.id, action: 'reset_password', newValues: {} })
    expect((await as(owner).post(`${path}/7/reset_link`)).status).toBe(404)
  })

  it('moves an account only where the other account names it, and only by a higher role', async () => {
    const staff = await givenStaff({ permissions: ['manageUserAccess'] })
    const [bird, other] = [await given.account(), await given.account()]
    const refused = await as(staff).post(`${path}/${bird.id}/move`, { acct: other.username })
    expect(refused).toMatchObject({ status: 422, body: { error: expect.stringContaining('alias') } })
    expect(await actsOn(bird.id)).toEqual([])
    const owner = await givenOwner()
    expect((await as(staff).post(`${path}/${owner.id}/move`, { acct: other.username })).status).not.toBe(200)
  })

  it('lists tokens without their secrets, and revokes them', async () => {
    const staff = await givenStaff({ permissions: ['manageUserAccess'] })
    const [bird, other] = [await given.account(), await given.account()]
    const list = await as(staff).get(`${path}/${bird.id}/tokens`)
    const [token] = z
      .array(z.object({ id: z.string() }))
      .min(1)
      .parse(list.body)
    expect(JSON.stringify(list.body)).not.toContain(bird.token)
    expect((await as(staff).delete(`${path}/${other.id}/tokens/${token?.id}`)).status).toBe(404)
    expect((await as(staff).delete(`${path}/${bird.id}/tokens/${token?.id}`)).status).toBe(200)
    expect((await as(bird).get('/api/v1/accounts/verify_credentials')).status).toBe(401)
    expect(await actsOn(bird.id)).toEqual(['revoke_token'])
  })

  it('only the operator creates tokens, logged without the token', async () => {
    const bird = await given.account()
    const order = { username: bird.username, scopes: ['admin:read', 'admin:write'] }
    const { id, token } = z
      .object({ id: z.string(), token: z.string() })
      .parse((await setup.post('/setup/tokens/create', order)).body)
    const [row] = await context()
      .db.select()
      .from(accessTokens)
      .where(eq(accessTokens.id, Number(id)))
    expect(row).toMatchObject({ accountId: bird.id, scopes: 'admin:read admin:write' })
    expect((await as(token).get('/api/v1/admin/accounts')).body).toMatchObject({ error: expect.any(String) })
    expect(await actsOn(bird.id)).toEqual(['create_token'])
    expect((await as(await givenOwner()).post('/setup/tokens/create', order)).status).toBe(403)
    expect((await setup.post('/setup/tokens/create', { ...order, scopes: ['everything'] })).status).toBe(422)
    expect((await setup.post('/setup/tokens/create', { ...order, username: 'nobody_x' })).status).toBe(404)
  })
})
