import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { recoveryCodes, totpSecrets } from '../../src/db/schema'
import { totpCode } from '../../src/lib/totp'
import { Browser, textOf } from '../support/browser'
import { fakeMailer } from '../support/fake-mailer'
import { givenMember, password, signedIn } from '../support/members'
import { secretIn } from '../support/shown-secret'
import { clock, context } from '../support/test-app'
import {
  givenTotp,
  recoveryCodesIn,
  sendTwoFactorForm,
  signInStep,
  takeStep,
  twoFactorPath,
} from '../support/two-factor'

const isSignedIn = async (browser: Browser) => (await browser.get('/auth/edit')).status === 200

async function halfSignedIn(username: string, overrides = {}) {
  const browser = new Browser(overrides)
  const page = await browser.signIn(username, password)
  expect(page.location).toBe(signInStep)
  return browser
}

describe('setting up an authenticator app', () => {
  it('an authenticator app is active only once it is confirmed by a code of it, and then shows ten recovery codes', async () => {
    const { member, browser } = await signedIn()
    await sendTwoFactorForm(browser, 'app')
    const secret = secretIn((await browser.get(twoFactorPath)).html)
    expect((await new Browser().signIn(member.username, password)).location).toBe('/home')
    const wrong = await sendTwoFactorForm(browser, 'app/confirm', { code: '000000' })
    expect([wrong.status, textOf(wrong.html).includes('Code is wrong or was used before.')]).toEqual([
      422,
      true,
    ])
    const right = await sendTwoFactorForm(browser, 'app/confirm', { code: totpCode(secret, clock.now()) })
    expect(new Set(recoveryCodesIn(right.html)).size).toBe(10)
    expect((await new Browser().signIn(member.username, password)).location).toBe(signInStep)
  })

  it('stores neither the secret nor a recovery code in plain text', async () => {
    const { member, secret, recoveryCodes: codes } = await givenTotp()
    const { db } = context()
    const [totp] = await db.select().from(totpSecrets).where(eq(totpSecrets.accountId, member.id))
    expect(totp?.sealedSecret).toMatch(/^aesgcm2\$[0-9a-f]{8}\$[\w-]{16}\$[\w-]{48}$/)
    expect(totp?.sealedSecret).not.toContain(secret.toBase64({ alphabet: 'base64url', omitPadding: true }))
    const stored = await db.select().from(recoveryCodes).where(eq(recoveryCodes.accountId, member.id))
    expect(stored).toHaveLength(10)
    for (const { codeHash } of stored) {
      expect(codeHash).toMatch(/^[\w-]{43}$/)
      expect(codes.join()).not.toContain(codeHash)
    }
  })

  it('an authenticator app cannot be confirmed by a secret moved from another account', async () => {
    const { member: mallory, secret } = await givenTotp()
    const { member: alice } = await givenTotp()
    const { db } = context()
    const [moved] = await db.select().from(totpSecrets).where(eq(totpSecrets.accountId, mallory.id))
    await db
      .update(totpSecrets)
      .set({ sealedSecret: moved?.sealedSecret ?? '' })
      .where(eq(totpSecrets.accountId, alice.id))
    const browser = await halfSignedIn(alice.username)
    const page = await takeStep(browser, totpCode(secret, clock.now()))
    expect([page.status, await isSignedIn(browser)]).toEqual([500, false])
  })

  it('asks for the password after fifteen minutes, and accepts no form before', async () => {
    const { browser } = await signedIn()
    clock.advance(16 * 60_000)
    for (const name of ['app', 'app/confirm', 'app/remove', 'recovery-codes']) {
      const page = await sendTwoFactorForm(browser, name)
      expect([page.status, textOf(page.html).includes('Please confirm your password again')]).toEqual([
        422,
        true,
      ])
    }
    const wrong = await sendTwoFactorForm(browser, 'password', { current_password: 'wrong' })
    expect(wrong.status).toBe(422)
    await sendTwoFactorForm(browser, 'password', { current_password: password })
    expect((await sendTwoFactorForm(browser, 'app')).location).toBe(twoFactorPath)
  })

  it('does not show the secret again once it is confirmed, nor to an old session', async () => {
    const { browser } = await signedIn()
    await sendTwoFactorForm(browser, 'app')
    const shown = (await browser.get(twoFactorPath)).html
    clock.advance(16 * 60_000)
    expect((await browser.get(twoFactorPath)).html).not.toContain('class="secret"')
    expect(shown).toContain('class="secret"')
    const { browser: done } = await givenTotp()
    expect((await done.get(twoFactorPath)).html).not.toContain('class="secret"')
    // A second secret would lock out the app that is confirmed.
    expect((await sendTwoFactorForm(done, 'app')).status).toBe(409)
  })

  it('an authenticator app can be cancelled, which keeps a confirmed app', async () => {
    const { browser } = await signedIn()
    await sendTwoFactorForm(browser, 'app')
    await sendTwoFactorForm(browser, 'app/cancel')
    expect((await browser.get(twoFactorPath)).html).not.toContain('class="secret"')
    const { member, browser: done } = await givenTotp()
    await sendTwoFactorForm(done, 'app/cancel')
    await halfSignedIn(member.username)
  })
})

describe('signing in with a second factor', () => {
  it('requires a code after the password, and continues to the requested page', async () => {
    const { member, code } = await givenTotp()
    const browser = await halfSignedInTo(member.username, '/about?a=1')
    expect(await isSignedIn(browser)).toBe(false)
    const wrong = await takeStep(browser, '123456', '/about?a=1')
    expect([wrong.status, await isSignedIn(browser)]).toEqual([422, false])
    expect((await takeStep(browser, code(), '/about?a=1')).location).toBe('/about?a=1')
    expect(await isSignedIn(browser)).toBe(true)
  })

  async function halfSignedInTo(username: string, returnTo: string) {
    const browser = new Browser()
    const { location } = await browser.signIn(username, password, returnTo)
    expect(location).toBe(`${signInStep}?${new URLSearchParams({ return_to: returnTo })}`)
    return browser
  }

  it('accepts no code twice, nor an earlier one after a later one [T-1022]', async () => {
    const { member, secret, code } = await givenTotp()
    const used = code()
    expect((await takeStep(await halfSignedIn(member.username), used)).status).toBe(303)
    expect((await takeStep(await halfSignedIn(member.username), used)).status).toBe(422)
    const earlier = totpCode(secret, new Date(clock.now().getTime() - 30_000))
    expect((await takeStep(await halfSignedIn(member.username), earlier)).status).toBe(422)
    clock.advance(30_000)
    expect((await takeStep(await halfSignedIn(member.username), code())).status).toBe(303)
  })

  it('accepts a code once in two requests at the same time', async () => {
    const { member, code } = await givenTotp()
    const browsers = [await halfSignedIn(member.username), await halfSignedIn(member.username)]
    const pages = await Promise.all(browsers.map((browser) => takeStep(browser, code())))
    expect(pages.map(({ status }) => status).toSorted()).toEqual([303, 422])
  })

  it('accepts each recovery code once, in any case of letters', async () => {
    const { member, recoveryCodes: codes } = await givenTotp()
    const [first = '', second = ''] = codes
    expect((await takeStep(await halfSignedIn(member.username), first)).status).toBe(303)
    expect((await takeStep(await halfSignedIn(member.username), first)).status).toBe(422)
    const typed = ` ${second.toUpperCase().replaceAll('-', ' ')} `
    expect((await takeStep(await halfSignedIn(member.username), typed)).status).toBe(303)
  })

  it('refuses the recovery code of another account', async () => {
    const [alice, mallory] = [await givenTotp(), await givenTotp()]
    const page = await takeStep(await halfSignedIn(alice.member.username), mallory.recoveryCodes[0] ?? '')
    expect(page.status).toBe(422)
  })

  it('starts again after five attempts', async () => {
    const { member, code } = await givenTotp()
    const browser = await halfSignedIn(member.username)
    for (let count = 0; count < 5; count += 1) await takeStep(browser, '000000')
    const page = await browser.get(signInStep)
    expect(page.location).toBe('/auth/sign_in?done=again')
    expect((await takeStep(browser, code())).location).not.toBe('/home')
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('the second factor is limited to ten attempts an hour by anonymous visitors, who do not lock out a known browser', async () => {
    const { member, browser: known, code } = await givenTotp()
    const guesses: number[] = []
    for (let count = 0; count < 11; count += 1)
      guesses.push((await takeStep(await halfSignedIn(member.username), '000000')).status)
    expect(guesses).toEqual([...Array<number>(10).fill(422), 429])
    await known.fill('/auth/sign_out', {})
    expect((await known.signIn(member.username, password)).location).toBe(signInStep)
    expect((await takeStep(known, code())).location).toBe('/home')
  })

  it('expires after ten minutes, and belongs to one browser', async () => {
    const { member, code } = await givenTotp()
    const browser = await halfSignedIn(member.username)
    expect((await new Browser().get(signInStep)).location).toBe('/auth/sign_in?done=again')
    clock.advance(11 * 60_000)
    expect((await browser.get(signInStep)).location).toBe('/auth/sign_in?done=again')
    expect((await takeStep(browser, code())).location).not.toBe('/home')
  })

  it('keeps code and secret out of addresses and logs', async () => {
    const logged: string[] = []
    const note = (...parts: readonly unknown[]) => void logged.push(JSON.stringify(parts))
    const { member, secret, code, recoveryCodes: codes } = await givenTotp()
    const browser = new Browser({ log: { info: note, error: note } })
    const visited: (string | null)[] = [(await browser.signIn(member.username, password)).location]
    visited.push((await takeStep(browser, '000000')).location, (await takeStep(browser, code())).location)
    for (const word of [code(), ...codes, secret.toBase64(), password])
      expect([...visited, ...logged].join(' ')).not.toContain(word)
  })

  it('the second factor is required before an application gets a code', async () => {
    const { member, code } = await givenTotp()
    const browser = new Browser()
    const returnTo = '/oauth/authorize?client_id=x'
    expect((await browser.signIn(member.username, password, returnTo)).location).toMatch(
      /^\/auth\/sign_in\/verify/,
    )
    expect((await takeStep(browser, code(), returnTo)).location).toBe(returnTo)
  })

  it('the second factor is required after a new password was set by mail', async () => {
    const { member } = await givenTotp()
    const office = fakeMailer()
    const browser = new Browser(office.overrides)
    await browser.fill('/auth/password/new', { email: member.email })
    const [mail] = await office.deliver()
    const link = /https:\/\/fieldfare\.test(\/\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    const fresh = 'three small wrens'
    await browser.fill(link, { password: fresh, password_confirmation: fresh })
    expect((await browser.signIn(member.username, fresh)).location).toBe(signInStep)
  })
})

describe('two-factor authentication', () => {
  it('two-factor authentication is turned off with the password only', async () => {
    const { member, browser } = await givenTotp()
    expect((await sendTwoFactorForm(browser, 'off', { current_password: 'wrong' })).status).toBe(422)
    await halfSignedIn(member.username)
    await sendTwoFactorForm(browser, 'off', { current_password: password })
    expect((await new Browser().signIn(member.username, password)).location).toBe('/home')
  })

  it('two-factor authentication is off once its only factor is removed, and the recovery codes with it', async () => {
    const { member, browser } = await givenTotp()
    await sendTwoFactorForm(browser, 'app/remove')
    expect((await new Browser().signIn(member.username, password)).location).toBe('/home')
    const left = await context().db.select().from(recoveryCodes).where(eq(recoveryCodes.accountId, member.id))
    expect(left).toEqual([])
  })

  it('gets new recovery codes, which replace the others', async () => {
    const { member, browser, recoveryCodes: old } = await givenTotp()
    const fresh = recoveryCodesIn((await sendTwoFactorForm(browser, 'recovery-codes')).html)
    expect(fresh).toHaveLength(10)
    expect((await takeStep(await halfSignedIn(member.username), old[0] ?? '')).status).toBe(422)
    expect((await takeStep(await halfSignedIn(member.username), fresh[0] ?? '')).status).toBe(303)
  })

  it('gives no recovery codes to an account without a second factor', async () => {
    const { browser } = await signedIn()
    expect((await sendTwoFactorForm(browser, 'recovery-codes')).status).toBe(403)
  })

  it('sends a mail when it is turned on or off', async () => {
    const office = fakeMailer()
    const member = await givenMember()
    const browser = new Browser(office.overrides)
    await browser.signIn(member.username, password)
    await sendTwoFactorForm(browser, 'app')
    const secret = secretIn((await browser.get(twoFactorPath)).html)
    await sendTwoFactorForm(browser, 'app/confirm', { code: totpCode(secret, clock.now()) })
    await sendTwoFactorForm(browser, 'off', { current_password: password })
    expect((await office.deliver()).map(({ to, subject }) => [to, subject])).toEqual([
      [member.email, 'fieldfare.test: two-factor authentication is on'],
      [member.email, 'fieldfare.test: two-factor authentication is off'],
    ])
  })
})
