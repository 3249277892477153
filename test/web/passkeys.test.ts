import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, passkeys, users } from '../../src/db/schema'
import { scriptAddresses } from '../../src/lib/assets'
import { instanceSecrets } from '../../src/lib/secrets'
import { Authenticator, type Circumstances, passkeyOptionsIn } from '../support/authenticator'
import { Browser, hiddenFields, textOf } from '../support/browser'
import { fakeMailer } from '../support/fake-mailer'
import { password, signedIn } from '../support/members'
import { clock, context } from '../support/test-app'
import {
  givenTotp,
  recoveryCodesIn,
  sendTwoFactorForm,
  signInStep,
  takeStep,
  twoFactorPath,
} from '../support/two-factor'

const addPath = `${twoFactorPath}/passkeys`
const signInPath = '/auth/sign_in/passkey'
const stepPath = '/auth/sign_in/verify/passkey'

const isSignedIn = async (browser: Browser) => (await browser.get('/auth/edit')).status === 200
const passkeysOf = (accountId: number) =>
  context().db.select().from(passkeys).where(eq(passkeys.accountId, accountId))

/** Adds a passkey as the page's script does. */
async function addPasskey(browser: Browser, key: Authenticator, changed: Circumstances = {}) {
  const { html } = await browser.get(twoFactorPath)
  const credential = await key.register(passkeyOptionsIn(html, addPath), changed)
  return browser.post(addPath, { ...hiddenFields(html, addPath), name: 'My phone', credential })
}

/** Account signed in with a passkey, and with recovery codes. */
async function givenPasskey() {
  const { member, browser } = await signedIn()
  const key = await Authenticator.create()
  const page = await addPasskey(browser, key)
  return { member, browser, key, recoveryCodes: recoveryCodesIn(page.html) }
}

/** Signs in by passkey alone. */
async function signInBy(key: Authenticator, changed: Circumstances = {}, browser = new Browser()) {
  const { html } = await browser.get('/auth/sign_in')
  const credential = await key.use(passkeyOptionsIn(html, signInPath), changed)
  const sent = { ...hiddenFields(html, signInPath), credential }
  return { browser, sent, page: await browser.post(signInPath, sent) }
}

describe('a passkey', () => {
  it('opens the account after the secret of the server was replaced, and after the former was removed', async () => {
    const { key } = await givenPasskey()
    const { config } = context()
    const next = 'the secret that the operator made today, 43'
    const browserWith = (accepted: string[]) =>
      new Browser({ config: { ...config, secrets: instanceSecrets(next, accepted) } })
    const rotated = await signInBy(key, {}, browserWith([config.secrets.current.text]))
    expect(rotated.page.status).toBe(303)
    const dropped = await signInBy(key, {}, browserWith([]))
    expect(dropped.page.status).toBe(303)
  })

  it('a passkey keeps its user handle after a rotation of the secret', async () => {
    const { member, browser } = await givenPasskey()
    const { config } = context()
    const secrets = instanceSecrets('another secret of the same server, long enough', [
      config.secrets.current.text,
    ])
    const later = new Browser({ config: { ...config, secrets } })
    for (const [name, value] of browser.jar) later.plant(name, value)
    await addPasskey(later, await Authenticator.create())
    const stored = await passkeysOf(member.id)
    expect(stored).toHaveLength(2)
    expect(new Set(stored.map(({ userHandle }) => userHandle)).size).toBe(1)
  })

  it('a passkey is added under a name, with recovery codes if it is the first factor, and with a mail', async () => {
    const office = fakeMailer()
    const { member, browser, key, recoveryCodes } = await givenPasskey()
    expect(recoveryCodes).toHaveLength(10)
    expect(await passkeysOf(member.id)).toMatchObject([{ name: 'My phone', transports: ['internal'] }])
    expect(textOf((await browser.get(twoFactorPath)).html)).toContain('My phone')
    // Key of the first registration, again.
    expect((await addPasskey(browser, key)).status).toBe(422)
    const mailed = new Browser(office.overrides)
    for (const [name, value] of browser.jar) mailed.plant(name, value)
    const second = await addPasskey(mailed, await Authenticator.create())
    expect(second.location).toBe(`${twoFactorPath}?done=passkey-added`)
    expect((await office.deliver()).map(({ subject }) => subject)).toEqual([
      'fieldfare.test: a passkey was added',
    ])
  })

  it('shows errors of the browser in the language of the page', async () => {
    const { html } = await new Browser().get('/auth/sign_in', { headers: { 'accept-language': 'de' } })
    const words = /data-words="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? ''
    expect(JSON.parse(words)).toMatchObject({
      NotAllowedError: 'Das ist nicht geschehen: Es wurde abgebrochen oder hat zu lange gedauert.',
      other: 'Der Browser konnte das nicht tun.',
    })
  })

  it('signs in without a password and second factor', async () => {
    const { member, key } = await givenPasskey()
    const { browser, page } = await signInBy(key)
    expect([page.status, page.location]).toEqual([303, '/home'])
    expect(textOf((await browser.get('/auth/edit')).html)).toContain(member.username)
    clock.advance(60_000)
    const [stored] = await passkeysOf(member.id)
    expect(stored).toMatchObject({ signCount: 1 })
    expect(stored?.lastUsedAt).not.toBeNull()
  })

  it('a passkey is the second factor after a password, without user verification', async () => {
    const { member, key } = await givenPasskey()
    const browser = new Browser()
    expect((await browser.signIn(member.username, password)).location).toBe(signInStep)
    const { html } = await browser.get(signInStep)
    const credential = await key.use(passkeyOptionsIn(html, stepPath), { isVerified: false })
    const page = await browser.post(stepPath, { ...hiddenFields(html, stepPath), credential })
    expect([page.location, await isSignedIn(browser)]).toEqual(['/home', true])
  })

  it('a passkey is no second factor for another account', async () => {
    const [alice, mallory] = [await givenPasskey(), await givenPasskey()]
    const browser = new Browser()
    await browser.signIn(alice.member.username, password)
    const { html } = await browser.get(signInStep)
    const credential = await mallory.key.use(passkeyOptionsIn(html, stepPath))
    const page = await browser.post(stepPath, { ...hiddenFields(html, stepPath), credential })
    expect([page.status, await isSignedIn(browser)]).toEqual([422, false])
  })

  it('a passkey can be lost: a recovery code replaces it', async () => {
    const { member, recoveryCodes } = await givenPasskey()
    const browser = new Browser()
    await browser.signIn(member.username, password)
    expect((await takeStep(browser, recoveryCodes[3] ?? '')).location).toBe('/home')
  })

  it.each<[string, Circumstances]>([
    ['given on another page', { origin: 'https://fieldfare.test.evil.test' }],
    ['given over plain http', { origin: 'http://fieldfare.test' }],
    ['bound to another name', { rpId: 'evil.test' }],
    ['that does not know the person', { isVerified: false }],
    ['of another account', { userHandle: 'AAAA' }],
    ['meant for something else', { type: 'webauthn.create' }],
    ['with a challenge that was made up', { challenge: 'AAAA' }],
    ['with a challenge in no form', { challenge: '§' }],
  ])('refuses an assertion %s', async (_, changed) => {
    const { key } = await givenPasskey()
    const { browser, page } = await signInBy(key, changed)
    expect([page.status, await isSignedIn(browser)]).toEqual([422, false])
    expect((await signInBy(key)).page.status).toBe(303)
  })

  it('a passkey accepts each assertion once', async () => {
    const { key } = await givenPasskey()
    const { browser, sent, page } = await signInBy(key)
    expect(page.status).toBe(303)
    await browser.fill('/auth/sign_out', {})
    const again = await browser.post(signInPath, sent)
    expect([again.status, await isSignedIn(browser)]).toEqual([422, false])
  })

  it('accepts an assertion of this browser only, for ten minutes', async () => {
    const { key } = await givenPasskey()
    const [mine, stolen] = [new Browser(), new Browser()]
    const { html } = await mine.get('/auth/sign_in')
    const credential = await key.use(passkeyOptionsIn(html, signInPath))
    const fields = hiddenFields((await stolen.get('/auth/sign_in')).html, signInPath)
    expect((await stolen.post(signInPath, { ...fields, credential })).status).toBe(422)
    const late = await key.use(passkeyOptionsIn(html, signInPath))
    clock.advance(11 * 60_000)
    const page = await mine.post(signInPath, { ...hiddenFields(html, signInPath), credential: late })
    expect(page.status).toBe(422)
  })

  it('refuses a challenge of another form', async () => {
    const { member, browser, key } = await givenPasskey()
    const options = passkeyOptionsIn((await browser.get(twoFactorPath)).html, addPath)
    expect((await signInBy(key, { challenge: options.challenge })).page.status).toBe(422)
    const other = await signedIn()
    const page = await addPasskey(other.browser, await Authenticator.create(), {
      challenge: options.challenge,
    })
    expect([page.status, await passkeysOf(other.member.id)]).toEqual([422, []])
    expect(await passkeysOf(member.id)).toHaveLength(1)
  })

  it('refuses a decreased counter, because the passkey may have been copied', async () => {
    const { key } = await givenPasskey()
    expect((await signInBy(key, { counter: 7 })).page.status).toBe(303)
    for (const counter of [7, 6, 1]) expect((await signInBy(key, { counter })).page.status).toBe(422)
    expect((await signInBy(key, { counter: 8 })).page.status).toBe(303)
  })

  it('redirects suspended and disabled accounts to their strikes', async () => {
    const { member, key } = await givenPasskey()
    const { db } = context()
    const strikes = { status: 303, location: '/settings/strikes' }
    await db.update(users).set({ disabledAt: clock.now() }).where(eq(users.accountId, member.id))
    const disabled = await signInBy(key)
    expect(disabled.page).toMatchObject(strikes)
    await db.update(users).set({ disabledAt: null }).where(eq(users.accountId, member.id))
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, member.id))
    const suspended = await signInBy(key)
    expect(suspended.page).toMatchObject(strikes)
    expect(await isSignedIn(suspended.browser)).toBe(false)
  })

  it.each(['', '{', '{}', '[]', 'null', '{"id":1}', JSON.stringify({ id: 'x'.repeat(30_000) })])(
    'refuses %s as a passkey',
    async (credential) => {
      const { browser } = await signedIn()
      const { html } = await browser.get(twoFactorPath)
      const added = await browser.post(addPath, { ...hiddenFields(html, addPath), name: 'x', credential })
      expect(added.status).toBe(422)
      const visitor = new Browser()
      const fields = hiddenFields((await visitor.get('/auth/sign_in')).html, signInPath)
      expect((await visitor.post(signInPath, { ...fields, credential })).status).toBe(422)
    },
  )

  it('a passkey is removed by its owner only, and the last one turns two-factor authentication off', async () => {
    const { member, browser, key } = await givenPasskey()
    const [stored] = await passkeysOf(member.id)
    const mallory = await givenPasskey()
    await sendTwoFactorForm(mallory.browser, `passkeys/${stored?.id}/remove`)
    expect(await passkeysOf(member.id)).toHaveLength(1)
    await sendTwoFactorForm(browser, `passkeys/${stored?.id}/remove`)
    expect((await signInBy(key)).page.status).toBe(422)
    expect((await new Browser().signIn(member.username, password)).location).toBe('/home')
  })

  it('keeps two-factor authentication when it is removed and an app remains', async () => {
    const { member, browser } = await givenTotp()
    await addPasskey(browser, await Authenticator.create())
    const [stored] = await passkeysOf(member.id)
    await sendTwoFactorForm(browser, `passkeys/${stored?.id}/remove`)
    expect((await new Browser().signIn(member.username, password)).location).toBe(signInStep)
  })
})

describe('the pages that use passkeys', () => {
  it('the pages that use passkeys run one script with its parts, and no other', async () => {
    const { browser } = await givenPasskey()
    const script = /script-src ([^;]*)/
    const allowed = scriptAddresses('https://fieldfare.test', 'passkeys.js').join(' ')
    expect(allowed).toContain('https://fieldfare.test/assets/passkeys.js')
    for (const path of [twoFactorPath, '/auth/edit']) {
      const policy = (await browser.get(path)).headers.get('content-security-policy') ?? ''
      const expected = path === twoFactorPath ? allowed : undefined
      expect(script.exec(policy)?.[1]).toBe(expected)
    }
    const policy = (await new Browser().get('/auth/sign_in')).headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`script-src ${allowed};`)
    expect(policy).not.toContain('unsafe')
  })
})
