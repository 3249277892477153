import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { execute } from '../../src/db/query'
import { users } from '../../src/db/schema'
import { confirmAddress } from '../../src/domain/users/confirm'
import { findMemberById } from '../../src/domain/users/find'
import { anonymous, as } from '../support/as'
import { Browser } from '../support/browser'
import { fakeMailer, linkIn } from '../support/fake-mailer'
import { given } from '../support/given'
import { signedIn } from '../support/members'
import { type Client, exchange, givenCode, registerClient, tokenIn } from '../support/oauth'
import { clock, context } from '../support/test-app'

/** An account that signed up through `client`, with its token. */
async function newcomer(client: Client, user: { confirmedAt?: Date | null; unconfirmedEmail?: string } = {}) {
  const account = await given.account({
    user: { confirmedAt: null, ...user, createdByApplicationId: client.id },
  })
  const code = await givenCode(client, account.id, { scopes: 'read write' })
  return { ...account, token: tokenIn((await exchange(client, code)).body) }
}

const member = (id: number) => {
  const ctx = context()
  return execute(ctx.db, findMemberById(ctx, id))
}

const tokenOf = (link: string) => new URL(link, 'https://x.test').searchParams.get('confirmation_token') ?? ''

describe('POST /api/v1/emails/confirmations', () => {
  const path = '/api/v1/emails/confirmations'

  it('sends the mail again, and the earlier link no longer works [T-292]', async () => {
    const mailer = fakeMailer()
    const alice = await newcomer(await registerClient())
    const first = await as(alice).post(path, {}, mailer)
    const [earlier] = await mailer.deliver()
    await as(alice).post(path, {}, mailer)
    const [later] = await mailer.deliver()
    expect(first).toMatchObject({ status: 200, body: {} })
    expect(later).toMatchObject({ to: alice.email })
    expect(await confirmAddress(context(), tokenOf(linkIn(earlier)))).toBe('bad_link')
    expect(await confirmAddress(context(), tokenOf(linkIn(later)))).toBe('confirmed')
    expect(await member(alice.id)).toMatchObject({ confirmedAt: clock.now() })
  })

  it('replaces the address where one is given [T-293]', async () => {
    const mailer = fakeMailer()
    const alice = await newcomer(await registerClient())
    const email = `new-${alice.email}`
    expect((await as(alice).post(path, { email }, mailer)).status).toBe(200)
    expect(await mailer.deliver()).toMatchObject([{ to: email }])
    expect(await member(alice.id)).toMatchObject({ email })
  })

  it('refuses a malformed address, and one that is used [T-294]', async () => {
    const [mailer, bob] = [fakeMailer(), await given.account()]
    const alice = await newcomer(await registerClient())
    const malformed = await as(alice).post(path, { email: 'nonsense' }, mailer)
    const taken = await as(alice).post(path, { email: bob.email.toUpperCase() }, mailer)
    expect([malformed.status, taken.status]).toEqual([422, 422])
    expect(mailer.queued).toEqual([])
  })

  it('POST /api/v1/emails/confirmations is forbidden once the address is confirmed [T-295]', async () => {
    const alice = await newcomer(await registerClient(), { confirmedAt: clock.now() })
    expect(await as(alice).post(path, {}, fakeMailer())).toMatchObject({
      status: 403,
      body: { error: 'This method is only available while the e-mail is awaiting confirmation' },
    })
  })

  it('POST /api/v1/emails/confirmations is allowed for a confirmed user with a new address to confirm [T-296]', async () => {
    const mailer = fakeMailer()
    const alice = await newcomer(await registerClient(), {
      confirmedAt: clock.now(),
      unconfirmedEmail: 'fresh@mail.test',
    })
    expect((await as(alice).post(path, {}, mailer)).status).toBe(200)
    const [mail] = await mailer.deliver()
    expect(mail?.to).toBe('fresh@mail.test')
    expect(await confirmAddress(context(), tokenOf(linkIn(mail)))).toBe('address_changed')
    expect(await member(alice.id)).toMatchObject({ email: 'fresh@mail.test', unconfirmedEmail: null })
  })

  it('POST /api/v1/emails/confirmations is forbidden to any app except the one that created the account [T-297]', async () => {
    const [client, other] = [await registerClient(), await registerClient()]
    const alice = await newcomer(client)
    const code = await givenCode(other, alice.id, { scopes: 'write' })
    const token = tokenIn((await exchange(other, code)).body)
    expect((await as(token).post(path, {}, fakeMailer())).status).toBe(403)
  })

  it('allows an account five in half an hour [T-298]', async () => {
    const mailer = fakeMailer()
    const alice = await newcomer(await registerClient())
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) statuses.push((await as(alice).post(path, {}, mailer)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  it('POST /api/v1/emails/confirmations is refused without a token [T-299]', async () => {
    expect((await anonymous.post(path, {})).status).toBe(401)
  })
})

describe('a confirmation link', () => {
  it('a confirmation link works once, and for a day', async () => {
    const mailer = fakeMailer()
    const [alice, bob] = [await newcomer(await registerClient()), await newcomer(await registerClient())]
    await as(alice).post('/api/v1/emails/confirmations', {}, mailer)
    await as(bob).post('/api/v1/emails/confirmations', {}, mailer)
    const [hers, his] = await mailer.deliver()
    const start = clock.now()
    clock.advance(86_400_000)
    const late = await confirmAddress(context(), tokenOf(linkIn(his)))
    clock.set(start)
    expect(late).toBe('bad_link')
    expect(await confirmAddress(context(), tokenOf(linkIn(hers)))).toBe('confirmed')
    expect(await confirmAddress(context(), tokenOf(linkIn(hers)))).toBe('bad_link')
  })
})

describe('GET /api/v1/emails/check_confirmation', () => {
  const path = '/api/v1/emails/check_confirmation'
  const fromPage = { headers: { 'sec-fetch-site': 'same-origin' } }

  it('GET /api/v1/emails/check_confirmation returns true or false [T-300]', async () => {
    const alice = await given.account()
    const bob = await given.account({ user: { confirmedAt: null } })
    expect(await as(alice).get(path)).toMatchObject({ status: 200, body: true })
    expect(await as(bob).get(path)).toMatchObject({ status: 200, body: false })
  })

  it('GET /api/v1/emails/check_confirmation is refused without a token', async () => {
    expect((await anonymous.get(path)).status).toBe(401)
  })

  it('accepts the session of a browser as well, and no other, in one round trip [T-301]', async () => {
    const { member: alice, browser } = await signedIn()
    const confirmed = await browser.get(path, fromPage)
    await context().db.update(users).set({ confirmedAt: null }).where(eq(users.accountId, alice.id))
    const unconfirmed = await browser.get(path, fromPage)
    expect([confirmed.html, unconfirmed.html]).toEqual(['true', 'false'])
    expect(confirmed.costs.trips).toBeLessThanOrEqual(1)
    expect(confirmed.headers.get('cache-control')).toBe('private, no-store')
    expect(confirmed.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(confirmed.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('prefers a token to a session, and refuses an expired session', async () => {
    const { browser } = await signedIn()
    const bob = await given.account({ user: { confirmedAt: null } })
    const byToken = await browser.get(path, {
      headers: { ...fromPage.headers, authorization: `Bearer ${bob.token}` },
    })
    expect(byToken.html).toBe('false')
    const stranger = new Browser()
    for (const [name, value] of browser.jar) stranger.plant(name, `x${value}`)
    expect((await stranger.get(path, fromPage)).status).toBe(401)
    await browser.fill('/auth/sign_out', {})
    expect((await browser.get(path, fromPage)).status).toBe(401)
  })
})
