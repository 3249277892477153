import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, counters, users } from '../../src/db/schema'
import { as } from '../support/as'
import { fakeMailer } from '../support/fake-mailer'
import { freshName, given } from '../support/given'
import { appToken, freshIp, registerClient, tokenIn } from '../support/oauth'
import { withSettings } from '../support/settings'
import { apiForm, member, signUp } from '../support/sign-up'
import { context } from '../support/test-app'

describe('POST /api/v1/accounts', () => {
  it('returns a token for the new account, which is unconfirmed and linked to the app [T-485]', async () => {
    const client = await registerClient({ scopes: 'read write' })
    const mailer = fakeMailer()
    const body = apiForm()
    const answer = await signUp(body, { token: await appToken(client), overrides: mailer.overrides })
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', scope: 'read write' } })
    expect(await member(body.username)).toMatchObject({
      email: body.email,
      confirmedAt: null,
      approved: true,
      createdByApplicationId: client.id,
    })
    const token = tokenIn(answer.body)
    expect((await as(token).get('/api/v1/timelines/home')).status).toBe(403)
    expect(await mailer.deliver()).toMatchObject([{ to: body.email }])
    // Caller, facts, commit; after the answer the outbox and the stamp of the token's first use.
    expect(answer.costs.trips).toBeLessThanOrEqual(5)
  })

  it('confirms the address at once where no mail is sent', async () => {
    const answer = await signUp(apiForm())
    expect((await as(tokenIn(answer.body)).get('/api/v1/timelines/home')).status).toBe(200)
  })

  it('puts no secret into the queue', async () => {
    const mailer = fakeMailer()
    await signUp(apiForm(), { overrides: mailer.overrides })
    expect(mailer.queued).toEqual([
      { kind: 'send-account-email', accountId: expect.any(Number), purpose: 'confirm' },
    ])
  })

  it('stores no password in plain text, and creates keys', async () => {
    const body = apiForm({ password: 'correct horse' })
    await signUp(body)
    const found = await member(body.username)
    expect(found?.passwordHash).toMatch(/^\$scrypt\$/)
    const [account] = await context()
      .db.select()
      .from(accounts)
      .where(eq(accounts.id, found?.accountId ?? 0))
    expect(account?.publicKey).toContain('BEGIN PUBLIC KEY')
  })

  it('counts the new account', async () => {
    const count = async () =>
      (await context().db.select().from(counters).where(eq(counters.name, 'users')))[0]?.value
    const before = (await count()) ?? 0
    await signUp(apiForm())
    expect(await count()).toBe(before + 1)
    // A member who waits for approval is counted when it is given.
    const answer = await withSettings({ registrations: 'approval' }, () =>
      signUp(apiForm({ reason: 'Birds' })),
    )
    expect(answer.status).toBe(200)
    expect(await count()).toBe(before + 1)
  })

  it('POST /api/v1/accounts is refused with a user token [T-486]', async () => {
    const alice = await given.account()
    expect((await signUp(apiForm(), { token: alice.token })).status).toBe(403)
  })

  it.each([
    ['left out', undefined],
    ['false', false],
    ['"false"', 'false'],
  ])('requires an agreement: %s does not count [T-487]', async (_name, agreement) => {
    expect(await signUp(apiForm({ agreement }))).toMatchObject({
      status: 422,
      body: {
        error: 'Validation failed: Agreement must be accepted',
        details: { agreement: [{ error: 'ERR_ACCEPTED', description: 'must be accepted' }] },
      },
    })
  })

  it('requires a username, and creates nothing without [T-488]', async () => {
    const email = `${freshName('nameless')}@mail.test`
    const answer = await signUp(apiForm({ username: undefined, email }))
    expect(answer).toMatchObject({ status: 422, body: { details: { username: [{ error: 'ERR_BLANK' }] } } })
    expect(await context().db.select().from(users).where(eq(users.email, email))).toEqual([])
  })

  it.each([
    ['reserved', 'admin', 'ERR_RESERVED'],
    ['too long', 'x'.repeat(31), 'ERR_TOO_LONG'],
    ['malformed', 'a b', 'ERR_INVALID'],
  ])('refuses a username that is %s [T-489]', async (_name, username, error) => {
    expect(await signUp(apiForm({ username }))).toMatchObject({
      status: 422,
      body: { details: { username: [{ error }] } },
    })
  })

  it('refuses an existing name in another case of letters, and an address likewise [T-490]', async () => {
    const alice = await given.account()
    const name = await signUp(apiForm({ username: alice.username.toUpperCase() }))
    const address = await signUp(apiForm({ email: alice.email.toUpperCase() }))
    expect(name).toMatchObject({ status: 422, body: { details: { username: [{ error: 'ERR_TAKEN' }] } } })
    expect(address).toMatchObject({ status: 422, body: { details: { email: [{ error: 'ERR_TAKEN' }] } } })
  })

  it('gives a name to one of two concurrent requests', async () => {
    const body = apiForm()
    const other = { ...body, email: `other-${body.email}` }
    const answers = await Promise.all([signUp(body), signUp(other)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  it('refuses blocked domains and domains without mail [T-491]', async () => {
    const blocked = await withSettings({ blockedEmailDomains: ['bad.test'] }, () =>
      signUp(apiForm({ email: 'someone@mx.bad.test' })),
    )
    const unreachable = await signUp(apiForm(), { overrides: fakeMailer({ reaches: false }).overrides })
    expect(blocked).toMatchObject({ status: 422, body: { details: { email: [{ error: 'ERR_BLOCKED' }] } } })
    expect(unreachable).toMatchObject({
      status: 422,
      body: { details: { email: [{ error: 'ERR_UNREACHABLE' }] } },
    })
  })

  it('POST /api/v1/accounts refuses a short password [T-492]', async () => {
    expect(await signUp(apiForm({ password: 'short' }))).toMatchObject({
      status: 422,
      body: { details: { password: [{ error: 'ERR_TOO_SHORT' }] } },
    })
  })

  it('requires a date of birth with a minimum age [T-493]', async () => {
    await withSettings({ minimumAge: 16 }, async () => {
      const young = await signUp(apiForm({ date_of_birth: '2015-01-01' }))
      const missing = await signUp(apiForm())
      const old = await signUp(apiForm({ date_of_birth: '1990-01-01' }))
      expect(young).toMatchObject({
        status: 422,
        body: { details: { date_of_birth: [{ error: 'ERR_BELOW_LIMIT' }] } },
      })
      expect(missing).toMatchObject({
        status: 422,
        body: { details: { date_of_birth: [{ error: 'ERR_BLANK' }] } },
      })
      expect(old.status).toBe(200)
    })
  })

  it('POST /api/v1/accounts is forbidden while registrations are closed [T-494]', async () => {
    const answer = await withSettings({ registrations: 'closed' }, () => signUp(apiForm()))
    expect(answer.status).toBe(403)
  })

  it('requires a reason, and approval, where registrations need it', async () => {
    await withSettings({ registrations: 'approval' }, async () => {
      const none = await signUp(apiForm())
      const body = apiForm({ reason: 'I watch birds' })
      const answer = await signUp(body)
      expect(none).toMatchObject({ status: 422, body: { details: { reason: [{ error: 'ERR_BLANK' }] } } })
      expect(answer.status).toBe(200)
      expect(await member(body.username)).toMatchObject({ approved: false })
      expect((await as(tokenIn(answer.body)).get('/api/v1/timelines/home')).status).toBe(403)
    })
  })

  it('allows an address five in half an hour', async () => {
    const token = await appToken(await registerClient())
    const headers = { 'cf-connecting-ip': freshIp() }
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1)
      statuses.push((await as(token).post('/api/v1/accounts', {}, { headers })).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
  })

  it.each([
    ['lists', { username: ['a'], email: ['b'] }],
    ['objects', { password: { toString: 'x' } }],
    ['half a surrogate', { username: '\ud800', reason: '\udfff' }],
  ])('POST /api/v1/accounts answers %s with 422', async (_name, more) => {
    expect((await signUp(apiForm(more))).status).toBe(422)
  })

  it('strips zero bytes from name and address, like from every text', async () => {
    const username = freshName('wren')
    const email = `${username}@there.test`
    const answer = await signUp(apiForm({ username: `${username}\u0000`, email: `\u0000${email}` }))
    expect(answer.status).toBe(200)
    const [user] = await context().db.select().from(users).where(eq(users.email, email))
    expect(user?.accountId).toBeGreaterThan(0)
    expect((await member(username))?.accountId).toBe(user?.accountId)
  })
})
