import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { pendingSignIns, users } from '../../src/db/schema'
import { looksNew } from '../../src/domain/sign-in/next-step'
import { Browser, hiddenFields, textOf } from '../support/browser'
import { fakeMailer } from '../support/fake-mailer'
import type { AccountOptions } from '../support/given'
import { givenMember, password } from '../support/members'
import { clock, context } from '../support/test-app'
import { givenTotp, signInStep, takeStep } from '../support/two-factor'

/** Account that signed in from one address before, and a server that sends mail. */
async function known(options: AccountOptions = {}) {
  const office = fakeMailer()
  const member = await givenMember(options)
  const home = new Browser(office.overrides)
  await signInFrom(home, member.username, '192.0.2.1')
  return { office, member, home, stranger: new Browser(office.overrides) }
}

async function signInFrom(browser: Browser, username: string, ip: string) {
  const headers = { 'cf-connecting-ip': ip }
  return browser.fill('/auth/sign_in', { username, password }, { headers })
}

const codeIn = (text: string | undefined) => /^ {4}(\d{6})$/m.exec(text ?? '')?.[1] ?? ''
const elsewhere = '198.51.100.7'

describe('a sign-in from an unknown browser', () => {
  it('requires the mailed code, and then the browser is known', async () => {
    const { office, member, stranger } = await known()
    expect((await signInFrom(stranger, member.username, elsewhere)).location).toBe(signInStep)
    expect(office.sent.map(({ to, subject }) => [to, subject])).toEqual([
      [member.email, 'Your code to sign in to fieldfare.test'],
    ])
    expect((await stranger.get('/auth/edit')).status).toBe(302)
    const page = await stranger.get(signInStep)
    expect(textOf(page.html)).toContain(`We sent a code to ${member.email.slice(0, 1)}…@mail.test`)
    expect(page.html).not.toContain(member.email)
    expect((await takeStep(stranger, '000000')).status).toBe(422)
    expect((await takeStep(stranger, codeIn(office.sent[0]?.text))).location).toBe('/home')
    await stranger.fill('/auth/sign_out', {})
    expect((await signInFrom(stranger, member.username, '203.0.113.9')).location).toBe('/home')
  })

  it('a sign-in from an unknown browser is not the first of an account, nor one from a known browser or network', async () => {
    const { member, home, stranger } = await known()
    await home.fill('/auth/sign_out', {})
    expect((await signInFrom(home, member.username, elsewhere)).location).toBe('/home')
    expect((await signInFrom(stranger, member.username, '192.0.77.3')).location).toBe('/home')
  })

  it.each([
    ['192.0.2.1', ['192.0.200.3'], false],
    ['192.0.2.1', ['192.1.2.1'], true],
    ['2001:db8:1:2::9', ['2001:db8:1:2:3::4'], false],
    ['2001:db8:1:2::9', ['2001:db8:1:3::9'], true],
    ['::ffff:192.0.2.1', ['192.0.9.9'], false],
    ['192.0.2.1', ['2001:db8::1', '198.51.100.1'], true],
    ['192.0.2.1', [], false],
  ])('a sign-in from %s, after %j, is %s', (ip, addresses, isNew) => {
    expect(looksNew({ isDeviceKnown: false, ip, addresses })).toBe(isNew)
    expect(looksNew({ isDeviceKnown: true, ip, addresses })).toBe(false)
  })

  it('requires no code where none can be mailed', async () => {
    const { member } = await known()
    const withoutMail = new Browser({ mailer: null })
    expect((await signInFrom(withoutMail, member.username, elsewhere)).location).toBe('/home')

    const failing = fakeMailer()
    const mailer = { ...failing.overrides.mailer, send: () => Promise.reject(new Error('out of order')) }
    const log = { info: () => undefined, error: () => undefined }
    const broken = new Browser({ mailer, log })
    expect((await signInFrom(broken, (await known()).member.username, elsewhere)).location).toBe('/home')

    const unconfirmed = await known({ user: { confirmedAt: null } })
    expect((await signInFrom(unconfirmed.stranger, unconfirmed.member.username, elsewhere)).status).toBe(303)
    expect(unconfirmed.office.sent).toEqual([])

    // An account that was made without an address.
    const username = `owner_${clock.now().getTime()}`
    const made = await known({ username, user: { email: `${username}@fieldfare.test` } })
    expect((await signInFrom(made.stranger, username, elsewhere)).location).toBe('/home')
    expect(made.office.sent).toEqual([])
  })

  it('requires no code of exempt accounts', async () => {
    const { office, member, stranger } = await known()
    await context().db.update(users).set({ skipSignInToken: true }).where(eq(users.accountId, member.id))
    expect((await signInFrom(stranger, member.username, elsewhere)).location).toBe('/home')
    expect(office.sent).toEqual([])
  })

  it('requires the second factor instead, where there is one', async () => {
    const { member, code } = await givenTotp()
    const office = fakeMailer()
    const stranger = new Browser(office.overrides)
    await signInFrom(stranger, member.username, elsewhere)
    expect((await takeStep(stranger, code())).location).toBe('/home')
    expect(office.sent).toEqual([])
  })

  it('accepts a code for thirty minutes, once, from one browser, with five attempts', async () => {
    const { office, member, stranger } = await known()
    await signInFrom(stranger, member.username, elsewhere)
    const thief = new Browser(office.overrides)
    await signInFrom(thief, member.username, '203.0.113.5')
    const [mine, other] = office.sent.map(({ text }) => codeIn(text))
    // A code belongs to the browser that its sign-in began in.
    expect((await takeStep(thief, mine ?? '')).status).toBe(mine === other ? 303 : 422)
    for (let count = 0; count < 4; count += 1) await takeStep(thief, 'wrong')
    expect((await thief.get(signInStep)).location).toBe('/auth/sign_in?done=again')
    clock.advance(31 * 60_000)
    expect((await stranger.get(signInStep)).location).toBe('/auth/sign_in?done=again')
  })

  it('sends another code on request, five times in half an hour, of which the last works', async () => {
    const { office, member, stranger } = await known()
    await signInFrom(stranger, member.username, elsewhere)
    const again = '/auth/sign_in/code'
    const fields = hiddenFields((await stranger.get(signInStep)).html, again)
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) statuses.push((await stranger.post(again, fields)).status)
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429])
    expect(office.sent).toHaveLength(6)
    const last = codeIn(office.sent.at(-1)?.text)
    expect((await takeStep(stranger, last)).location).toBe('/home')
  })

  it('a sign-in from an unknown browser stores its code as a hash with the secret of the server', async () => {
    const { office, member, stranger } = await known()
    await signInFrom(stranger, member.username, elsewhere)
    const [row] = await context()
      .db.select()
      .from(pendingSignIns)
      .where(eq(pendingSignIns.accountId, member.id))
    expect(row?.codeHash).toMatch(/^[\w-]{43}$/)
    expect(codeIn(office.sent[0]?.text)).toMatch(/^\d{6}$/)
  })
})

describe('guesses by anonymous visitors', () => {
  it('guesses by anonymous visitors do not lock an account out of a known browser', async () => {
    const { member, home } = await known()
    const vault = { ...context().vault, verifyPassword: async () => false }
    for (let count = 0; count < 26; count += 1)
      await new Browser({ vault }).signIn(`@${member.username}`, 'wrong')
    expect((await new Browser().signIn(member.username, password)).status).toBe(429)
    await home.fill('/auth/sign_out', {})
    expect((await signInFrom(home, member.username, elsewhere)).location).toBe('/home')
  })

  it('guesses by anonymous visitors are limited in a known browser as well', async () => {
    const { member, home } = await known()
    await home.fill('/auth/sign_out', {})
    const vault = { ...context().vault, verifyPassword: async () => false }
    const statuses: number[] = []
    const fields = hiddenFields((await home.get('/auth/sign_in')).html, '/auth/sign_in')
    for (let count = 0; count < 26; count += 1) {
      const headers = { 'cf-connecting-ip': `192.0.2.${count}` }
      const sent = { ...fields, username: member.username, password: 'wrong' }
      statuses.push((await home.post('/auth/sign_in', sent, { headers, overrides: { vault } })).status)
    }
    // The first sign-in was counted for the account, before it knew the browser.
    expect(statuses).toEqual([...Array<number>(25).fill(422), 429])
  })
})
