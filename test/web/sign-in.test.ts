import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sessions, users } from '../../src/db/schema'
import { Browser, hiddenFields, textOf } from '../support/browser'
import { freshName } from '../support/given'
import { givenMember, password, signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

const day = 86_400_000
const isSignedIn = async (browser: Browser) => (await browser.get('/auth/edit')).status === 200
const sessionsOf = (accountId: number) =>
  context().db.select().from(sessions).where(eq(sessions.accountId, accountId))

describe('signing in', () => {
  it('works with user name, handle and e-mail address, in any case of letters', async () => {
    const alice = await givenMember()
    const { username, email } = alice
    for (const name of [
      username,
      username.toUpperCase(),
      `@${username}`,
      `@${username}@fieldfare.test`,
      email,
      ` ${email.toUpperCase()} `,
    ]) {
      const browser = new Browser()
      expect((await browser.signIn(name, password)).location).toBe('/home')
      expect(await isSignedIn(browser)).toBe(true)
    }
  })

  it('sets a signed cookie that scripts and other sites cannot use, on this host and https only [T-776]', async () => {
    const alice = await givenMember()
    const page = await new Browser().signIn(alice.username, password)
    const cookie = page.cookies.find((text) => text.startsWith('__Host-session=')) ?? ''
    expect(cookie).toMatch(/^__Host-session=[\w-]{43}\.[\w-]{43};/)
    for (const flag of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/', 'Max-Age=2592000'])
      expect(cookie).toContain(flag)
    expect(cookie).not.toContain('Domain')
  })

  it('works over plain http on the machine of a developer', async () => {
    const alice = await givenMember()
    const origin = 'http://localhost:8787'
    const config = { ...context().config, origin, mediaBase: `${origin}/media` }
    const page = await new Browser({ config }).fill('/auth/sign_in', { username: alice.username, password })
    expect(page.cookies.some((text) => /^session=/.test(text) && !text.includes('Secure'))).toBe(true)
  })

  it('stores no secret of a session', async () => {
    const { member, browser } = await signedIn()
    const [secret = ''] = (browser.jar.get('__Host-session') ?? '').split('.')
    const [stored] = await sessionsOf(member.id)
    expect(stored?.tokenHash).toHaveLength(43)
    expect(stored?.tokenHash).not.toBe(secret)
  })

  it('does not distinguish an unknown name from a wrong password', async () => {
    const alice = await givenMember()
    const shown = async (username: string) => {
      const page = await new Browser().signIn(username, 'wrong')
      const html = page.html
        .replaceAll(username, 'NAME')
        .replaceAll(/name="csrf_token" value="[^"]*"|challenge&quot;:&quot;[\w-]*/g, '')
      return { status: page.status, html, trips: page.costs.trips }
    }
    expect(await shown('nobody_at_all')).toEqual(await shown(alice.username))
  })

  it('takes as long for an unknown name as for a wrong password', async () => {
    const alice = await givenMember()
    const asked: string[] = []
    const vault = {
      ...context().vault,
      verifyPassword: async (_password: string, hash: string) => {
        asked.push(
          hash
            .split('$')
            .map((part) => part.length)
            .join(' '),
        )
        return false
      },
    }
    for (const name of [alice.username, 'nobody_at_all']) await new Browser({ vault }).signIn(name, 'wrong')
    expect(asked[0]).toBe(asked[1])
  })

  it('hashes a correct password again whose hash has older parameters', async () => {
    // `correct horse` by N = 16, r = 8, p = 1.
    const outdated = '$scrypt$ln=4,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$Q7EcH175P/kcU7JE2HRU+qTRrq/BS6UbCRYPdBaC5y8'
    const alice = await givenMember({ user: { passwordHash: outdated } })
    const stored = async () => {
      const [user] = await context().db.select().from(users).where(eq(users.accountId, alice.id))
      return user?.passwordHash
    }
    await new Browser().signIn(alice.username, 'wrong')
    expect(await stored()).toBe(outdated)
    expect((await new Browser().signIn(alice.username, 'correct horse')).status).toBe(303)
    const renewed = await stored()
    expect(renewed).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$/)
    expect((await new Browser().signIn(alice.username, 'correct horse')).status).toBe(303)
    expect(await stored()).toBe(renewed)
  })

  it('redirects disabled and suspended users to the page of strikes, and signs them in nowhere else', async () => {
    const now = clock.now()
    for (const options of [{ user: { disabledAt: now } }, { suspendedAt: now }]) {
      const alice = await givenMember(options)
      const browser = new Browser()
      const right = await browser.signIn(alice.username, password)
      const wrong = await new Browser().signIn(alice.username, 'wrong')
      expect(right.location).toBe('/settings/strikes')
      expect(await isSignedIn(browser)).toBe(false)
      expect(textOf(wrong.html)).toContain('Wrong name or password')
    }
  })

  it('ends the session of a user disabled later [T-777]', async () => {
    const { member, browser } = await signedIn()
    await context().db.update(users).set({ disabledAt: clock.now() }).where(eq(users.accountId, member.id))
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('creates a new secret with every sign-in, so that a fixed session is worthless', async () => {
    const { browser: attacker } = await signedIn()
    const planted = attacker.jar.get('__Host-session') ?? ''
    const bob = await givenMember()
    const browser = new Browser()
    browser.plant('__Host-session', planted)
    const start = await browser.get('/auth/sign_in')
    expect(start.location).toBe('/home')
    const outside = new Browser()
    await outside.signIn(bob.username, password)
    expect(outside.jar.get('__Host-session')).not.toBe(planted)
  })

  it('accepts no cookie that was not signed here', async () => {
    const { browser } = await signedIn()
    const [secret = ''] = (browser.jar.get('__Host-session') ?? '').split('.')
    for (const forged of [secret, `${secret}.`, `${secret}.${'A'.repeat(43)}`, '..', '%00', '"']) {
      const other = new Browser()
      other.plant('__Host-session', forged)
      expect(await isSignedIn(other)).toBe(false)
    }
  })

  it('allows 25 attempts in five minutes from an address, and then shows an error', async () => {
    const browser = new Browser()
    const fields = hiddenFields((await browser.get('/auth/sign_in')).html, '/auth/sign_in')
    const statuses: number[] = []
    let html = ''
    for (let count = 0; count < 26; count += 1) {
      const vault = { ...context().vault, verifyPassword: async () => false }
      const username = `nobody_${count}`
      const page = await browser.post(
        '/auth/sign_in',
        { ...fields, username, password: 'x' },
        { overrides: { vault } },
      )
      statuses.push(page.status)
      html = page.html
    }
    expect(statuses.filter((status) => status === 422)).toHaveLength(25)
    expect(statuses[25]).toBe(429)
    expect(textOf(html)).toContain('Wait a few minutes')
  })

  describe('attempts by name', () => {
    const guess = async (name: string) => {
      const vault = { ...context().vault, verifyPassword: async () => false }
      return (await new Browser({ vault }).signIn(name, 'wrong')).status
    }
    const guesses = async (names: readonly string[]) => {
      const statuses: number[] = []
      for (const name of names) statuses.push(await guess(name))
      return statuses
    }
    const refusedAfter = (count: number) => [...Array<number>(count).fill(422), 429]

    it('allows 25 attempts an hour by name, from any number of addresses [T-778]', async () => {
      const alice = await givenMember()
      expect(await guesses(Array<string>(26).fill(alice.username))).toEqual(refusedAfter(25))
    })

    it('counts attempts together however the account is named', async () => {
      const erin = await givenMember()
      const { username, email } = erin
      const spellings = [
        username,
        `@${username}`,
        username.toUpperCase(),
        ` ${username} `,
        `@${username}@fieldfare.test`,
        ` @${username}@FIELDFARE.test `,
        email,
        email.toUpperCase(),
        `\t${email} `,
      ]
      const names = Array.from({ length: 25 }, (_, index) => spellings[index % spellings.length] ?? '')
      expect(await guesses(names)).toEqual(Array<number>(25).fill(422))
      expect(await guesses(spellings)).toEqual(spellings.map(() => 429))
      expect(await guess((await givenMember()).username)).toBe(422)
    })

    it('counts attempts together for an unknown name', async () => {
      const name = freshName('nobody')
      const names = Array.from({ length: 26 }, (_, index) =>
        index % 2 === 0 ? name : `@${name.toUpperCase()} `,
      )
      expect(await guesses(names)).toEqual(refusedAfter(25))
    })
  })

  it.each([
    '//evil.test/',
    '/\\evil.test/',
    '\\\\evil.test',
    'https://evil.test/',
    'javascript:alert(1)',
    '/\t/evil.test',
    '/.//evil.test',
    'evil.test',
    '@evil.test',
  ])('never redirects to %s', async (returnTo) => {
    const alice = await givenMember()
    const browser = new Browser()
    expect((await browser.signIn(alice.username, password, returnTo)).location).toBe('/home')
    const again = await browser.get(`/auth/sign_in?${new URLSearchParams({ return_to: returnTo })}`)
    expect(again.location).toBe('/home')
    const out = await browser.fill('/auth/sign_out', { return_to: returnTo })
    expect(out.location).toBe('/')
  })

  it('redirects to a path of this server', async () => {
    const alice = await givenMember()
    const page = await new Browser().signIn(alice.username, password, '/about?a=1&b=2')
    expect(page.location).toBe('/about?a=1&b=2')
  })
})

describe('a session', () => {
  it('ends thirty days after the browser was last seen', async () => {
    const { browser } = await signedIn()
    const start = clock.now()
    clock.advance(20 * day)
    const renewed = await browser.get('/auth/edit')
    clock.advance(20 * day)
    const later = await isSignedIn(browser)
    clock.advance(31 * day)
    const last = await isSignedIn(browser)
    clock.set(start)
    expect(renewed.cookies.some((text) => text.startsWith('__Host-session='))).toBe(true)
    expect([later, last]).toEqual([true, false])
  })

  it('a session is listed with its browser, and can be ended from another', async () => {
    const { member, browser } = await signedIn()
    const other = new Browser()
    const fields = hiddenFields((await other.get('/auth/sign_in')).html, '/auth/sign_in')
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    await other.post('/auth/sign_in', { ...fields, username: member.username, password }, { headers })
    const page = await browser.get('/auth/edit')
    expect(textOf(page.html)).toContain('Firefox on Linux')
    const [newest] = (await sessionsOf(member.id)).sort((a, b) => b.id - a.id)
    const path = `/auth/sessions/${newest?.id}/revoke`
    await browser.post(path, hiddenFields(page.html, path))
    expect(await isSignedIn(other)).toBe(false)
    expect(await isSignedIn(browser)).toBe(true)
  })

  it('a session of another user cannot be ended', async () => {
    const [alice, bob] = [await signedIn(), await signedIn()]
    const [his] = await sessionsOf(bob.member.id)
    const { csrf_token = '' } = hiddenFields((await alice.browser.get('/auth/edit')).html, '/auth/sign_out')
    await alice.browser.post(`/auth/sessions/${his?.id}/revoke`, { csrf_token })
    expect(await isSignedIn(bob.browser)).toBe(true)
  })

  it('ends with sign-out, on the server as well [T-779]', async () => {
    const { browser } = await signedIn()
    const kept = browser.jar.get('__Host-session') ?? ''
    expect((await browser.fill('/auth/sign_out', {})).location).toBe('/')
    const thief = new Browser()
    thief.plant('__Host-session', kept)
    expect(await isSignedIn(browser)).toBe(false)
    expect(await isSignedIn(thief)).toBe(false)
  })
})

describe('a form', () => {
  it('refuses a form without its token, and with the token of another browser', async () => {
    const alice = await givenMember()
    const other = hiddenFields((await new Browser().get('/auth/sign_in')).html, '/auth/sign_in')
    const browser = new Browser()
    await browser.get('/auth/sign_in')
    for (const fields of [{}, { csrf_token: '' }, { csrf_token: 'x' }, other]) {
      const page = await browser.post('/auth/sign_in', { username: alice.username, password, ...fields })
      expect(page.status).toBe(422)
      expect(textOf(page.html)).toContain('This form has expired')
    }
  })

  it.each(['https://evil.test', 'null', 'https://fieldfare.test.evil.test', 'http://fieldfare.test'])(
    'refuses a form sent by a page of %s, even with its token [T-780]',
    async (origin) => {
      const { browser } = await signedIn()
      const fields = hiddenFields((await browser.get('/auth/edit')).html, '/auth/sign_out')
      const page = await browser.post('/auth/sign_out', fields, { headers: { origin } })
      expect(page.status).toBe(403)
      expect(await isSignedIn(browser)).toBe(true)
    },
  )

  it('accepts a form opened before signing in, in another tab', async () => {
    const alice = await givenMember()
    const browser = new Browser()
    const early = hiddenFields((await browser.get('/auth/sign_in')).html, '/auth/sign_in')
    await browser.signIn(alice.username, password)
    const page = await browser.post('/auth/sign_in', { ...early, username: alice.username, password })
    expect(page.status).toBe(303)
  })

  it.each([
    ['/auth/sign_in', {}],
    ['/auth/sign_up', {}],
    ['/auth/sign_out', {}],
    ['/auth/edit/password', {}],
    ['/auth/password/new', {}],
    ['/auth/password/edit', {}],
    ['/auth/confirmation/new', {}],
    ['/auth/sessions/1/revoke', {}],
    ['/oauth/authorized_applications/1/revoke', {}],
    ['/oauth/authorize', {}],
  ])('requires the token of a form posted to %s, signed in or not', async (path, fields) => {
    const { browser } = await signedIn()
    expect((await browser.post(path, fields)).status).toBe(422)
    expect((await new Browser().post(path, fields)).status).toBe(422)
  })
})
