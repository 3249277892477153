import { desc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accountKeys, accounts, auditLog, users } from '../../src/db/schema'
import { saveSettings } from '../../src/domain/instance/save-settings'
import { operator } from '../../src/domain/policy/permissions'
import { checkPassword, resetPassword } from '../../src/domain/users/passwords'
import { unmatchableHash } from '../../src/lib/password-hash'
import { operatorRoutes } from '../../src/operator/routes'
import { as } from '../support/as'
import { freshName, given } from '../support/given'
import { givenOwner, givenStaff } from '../support/given-staff'
import { context } from '../support/test-app'

const setup = as('a-setup-token-for-tests')

describe('the set-up routes', () => {
  it('the set-up routes are only those that no endpoint for apps should offer, as decision 74 lists them', () => {
    const groups = operatorRoutes().routes.map(({ path }) => path.split('/')[2])
    expect([...new Set(groups)].toSorted()).toEqual([
      '*',
      'account',
      'backups',
      'keys',
      'owner',
      'secrets',
      'tokens',
    ])
  })

  it('the set-up routes do not exist without a set-up token', async () => {
    const config = { ...context().config, setupToken: null }
    const answer = await setup.post('/setup/owner', { username: 'x' }, { overrides: { config } })
    expect(answer.status).toBe(404)
  })

  it('the set-up routes refuse another token, and none', async () => {
    const wrong = await as('a-setup-token-for-tesst').post('/setup/owner', { username: 'x' })
    const none = await as(null).post('/setup/backups/list')
    expect([wrong.status, none.status]).toEqual([401, 401])
  })

  it('the set-up routes make one owner, with a password of their own, and never a second', async () => {
    const username = freshName('owner')
    const answer = await setup.post('/setup/owner', { username })
    const again = await setup.post('/setup/owner', { username: freshName('owner') })
    expect(answer).toMatchObject({ status: 200, body: { username } })
    expect(again.status).toBe(409)
    const [owner] = await context().db.select().from(users).where(eq(users.roleId, 3))
    expect(owner).toMatchObject({ approved: true, confirmedAt: expect.any(Date) })
    const { password } = answer.body as { password: string }
    expect(await context().vault.verifyPassword(password, owner?.passwordHash ?? '')).toBe(true)
  })

  it('the set-up routes make accounts that can be used at once, with keys of their own', async () => {
    const username = freshName('demo')
    const answer = await setup.post('/setup/account', { username, display_name: 'Demo' })
    const { id, token } = answer.body as { id: string; token: string }
    const home = await as(token).get('/api/v1/timelines/home')
    expect(home).toMatchObject({ status: 200, body: [] })
    const ctx = context()
    const [account] = await ctx.db
      .select()
      .from(accounts)
      .where(eq(accounts.id, Number(id)))
    const [keys] = await ctx.db
      .select()
      .from(accountKeys)
      .where(eq(accountKeys.accountId, Number(id)))
    expect(account).toMatchObject({ username, displayName: 'Demo' })
    expect(account?.publicKey).toContain('BEGIN PUBLIC KEY')
    expect(keys?.privateKey).toMatch(/^aesgcm2\$/)
  })

  it('the set-up routes make accounts without a password, until one is chosen through a reset link', async () => {
    const ctx = context()
    const username = freshName('demo')
    await setup.post('/setup/account', { username })
    const [user] = await ctx.db.select().from(users).orderBy(desc(users.accountId)).limit(1)
    expect(user?.passwordHash).toBe(unmatchableHash)
    const answer = await setup.post(`/api/fieldfare/v1/admin/accounts/${user?.accountId}/reset_link`)
    const { url } = z.object({ url: z.url() }).parse(answer.body)
    const password = 'seed and worm and a hedge'
    const signIn = () => checkPassword(ctx, { login: username, password, deviceHash: null })
    expect(await signIn()).toBeNull()
    await resetPassword(ctx, new URL(url).searchParams.get('reset_password_token') ?? '', password)
    expect(await signIn()).toMatchObject({ username })
  })

  it('the set-up routes go on as a member who exists already', async () => {
    const alice = await given.account()
    const answer = await setup.post('/setup/account', { username: alice.username.toUpperCase() })
    const { id, token } = answer.body as { id: string; token: string }
    expect(id).toBe(String(alice.id))
    expect((await as(token).get('/api/v1/accounts/verify_credentials')).body).toMatchObject({ id })
  })

  it('the set-up routes refuse a malformed name', async () => {
    expect((await setup.post('/setup/account', { username: 'a b' })).status).toBe(422)
  })

  it('the set-up routes name each value of the wrong shape, with a sentence for people', async () => {
    const headers = { accept: 'application/json, application/problem+json' }
    const body = { username: 7, display_name: 'x'.repeat(101), email: 'nowhere' }
    const answer = await setup.post('/setup/account', body, { headers })
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        error:
          'Validation failed: username is invalid, display_name is too long (maximum is 100 characters), email is invalid',
        problems: [
          { code: 'invalid', field: 'username', sentence: '{field} is not valid.' },
          {
            code: 'too_long',
            field: 'display_name',
            sentence: '{field} is too long (maximum is 100 characters).',
          },
          { code: 'invalid', field: 'email', sentence: '{field} is not valid.' },
        ],
      },
    ])
  })
})

describe('the set-up routes for owners', () => {
  const withoutToken = { overrides: { config: { ...context().config, setupToken: null } } }

  it('the set-up routes for owners take an access token of theirs, also where there is no set-up token, and name them in the audit log', async () => {
    const owner = await givenOwner()
    expect((await as(owner).post('/setup/backups/create', {}, withoutToken)).status).toBe(200)
    const [entry] = await context().db.select().from(auditLog).where(eq(auditLog.accountId, owner.id))
    expect(entry).toMatchObject({ username: owner.username, targetType: 'backup' })
  })

  it('the set-up routes for owners refuse members, moderators, other scopes, unknown tokens and none', async () => {
    const moderator = await givenStaff({ permissions: ['manageUsers', 'manageSettings', 'manageRoles'] })
    const { id } = await givenOwner()
    const tokens: readonly [string | null, number, number][] = [
      [(await given.account()).token, 403, 403],
      [moderator.token, 403, 403],
      [await given.token({ accountId: id, scopes: 'read write admin:read' }), 403, 403],
      [await given.token({ accountId: id, scopes: 'read write admin:write' }), 403, 403],
      ['made-up', 401, 404],
      [null, 401, 404],
    ]
    for (const [token, status, withoutSetUpToken] of tokens) {
      expect((await as(token).post('/setup/backups/list', {})).status).toBe(status)
      expect((await as(token).post('/setup/backups/list', {}, withoutToken)).status).toBe(withoutSetUpToken)
    }
  })

  it('the set-up routes for owners let nobody act on an equal role, and nobody become somebody else', async () => {
    const owner = await givenOwner()
    const other = await givenOwner()
    const { username } = other
    for (const path of ['reset_link', 'rotate_keys'])
      expect(
        (await as(owner).post(`/api/fieldfare/v1/admin/accounts/${other.id}/${path}`)).status,
        path,
      ).toBe(403)
    expect(await as(owner).post('/setup/account', { username })).toMatchObject({
      status: 403,
      body: { error: 'This needs the set-up token' },
    })
    expect((await as(owner).post('/setup/owner', { username: freshName('o') })).status).toBe(403)
  })
})

describe('the set-up token', () => {
  const asOperator = as('a-set-up-token-of-one-word')
  const options = { overrides: { config: { ...context().config, setupToken: 'a-set-up-token-of-one-word' } } }

  it('opens the administration API, as the operator', async () => {
    const path = '/api/fieldfare/v1/admin/settings'
    expect(await asOperator.get(path, options)).toMatchObject({
      status: 200,
      body: expect.arrayContaining([
        expect.objectContaining({ name: 'title', type: 'text', default: 'Fieldfare' }),
      ]),
    })
    expect((await asOperator.put(path, { shortDescription: 'By token' }, options)).status).toBe(200)
    const [entry] = await context().db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
    expect(entry).toMatchObject({ accountId: null, username: '', targetType: 'settings' })
    await saveSettings(context(), operator, { shortDescription: '' })
  })

  it('opens no endpoint for members, and none where it is not set', async () => {
    const config = { ...context().config, setupToken: null }
    const answers = await Promise.all([
      asOperator.get('/api/v1/accounts/verify_credentials', options),
      asOperator.get('/api/v1/timelines/home', options),
      asOperator.get('/api/fieldfare/v1/admin/settings', { overrides: { config } }),
      asOperator.put('/api/fieldfare/v1/admin/settings', { title: 'x' }, { overrides: { config } }),
      as('a-set-up-token-of-one-wrod').get('/api/fieldfare/v1/admin/settings', options),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    // Found unknown by those, and still itself where it opens one.
    expect((await asOperator.get('/api/fieldfare/v1/admin/settings', options)).status).toBe(200)
  })

  it('may contain spaces', async () => {
    const config = { ...context().config, setupToken: 'a set-up token of words' }
    const answer = await as('a set-up token of words').get('/api/fieldfare/v1/admin/roles', {
      overrides: { config },
    })
    expect(answer.status).toBe(200)
  })
})
