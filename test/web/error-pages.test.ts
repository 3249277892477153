import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts } from '../../src/db/schema'
import { Overloaded } from '../../src/errors'
import type { Overrides } from '../../src/wire'
import { Browser, textOf } from '../support/browser'
import { given } from '../support/given'
import { signedIn } from '../support/members'
import { withSettings } from '../support/settings'
import { clock, context } from '../support/test-app'

const silent = { info: () => undefined, error: () => undefined }

/** A database whose answers fail from the n-th round trip on. */
function failingFrom(trip: number, failure: Error = new Error('secret detail')): Overrides {
  let trips = 0
  const db = new Proxy(context().db, {
    get: (target, key) => {
      if (key !== 'batch') return Reflect.get(target, key)
      trips += 1
      return trips >= trip ? () => Promise.reject(failure) : target.batch.bind(target)
    },
  })
  return { db, log: silent }
}

const isNamed = (html: string, { username }: { readonly username: string }) =>
  html.includes(`<a class="item me" href="/@${username}">`)

describe('an error page, signed in', () => {
  it('names the member and the server where nothing is found, in one round trip', async () => {
    const { browser, member } = await signedIn()
    await withSettings({ title: 'Aviary' }, async () => {
      for (const path of ['/nowhere/at/all', '/@nobody_here', '/@nobody_here/123', '/tags/%20']) {
        const { status, html } = await browser.get(path)
        expect([path, status]).toEqual([path, 404])
        expect([path, isNamed(html, member)]).toEqual([path, true])
        expect(textOf(html)).toContain('Aviary')
      }
      expect((await browser.get('/nowhere/at/all')).costs.trips).toBe(1)
    })
  })

  it('names the member on forbidden and deleted pages and refused forms', async () => {
    const { browser, member } = await signedIn()
    const gone = await given.account()
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, gone.id))
    const answers = [
      await browser.get('/admin/reports'),
      await browser.get(`/@${gone.username}`),
      await browser.post('/settings/preferences', {}),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 410, 422])
    expect(answers.map(({ html }) => isNamed(html, member))).toEqual([true, true, true])
  })

  it('names the member where the database fails after the session was read', async () => {
    const { browser, member } = await signedIn()
    const { status, html } = await browser.get('/settings/strikes', { overrides: failingFrom(2) })
    expect(status).toBe(500)
    expect(isNamed(html, member)).toBe(true)
    expect(html).not.toContain('secret detail')
  })

  it('works without the database where that fails or must be spared', async () => {
    const { browser, member } = await signedIn()
    const failed = await browser.get('/settings/strikes', { overrides: failingFrom(1) })
    const throttle = { ...context().throttle, admits: (gate: string) => Promise.resolve(gate !== 'caller') }
    const limited = await browser.get('/settings/strikes', { overrides: { throttle } })
    expect([failed.status, limited.status]).toEqual([500, 429])
    expect([isNamed(failed.html, member), isNamed(limited.html, member)]).toEqual([false, false])
    expect(limited.costs.trips).toBe(0)
    expect(limited.headers.get('retry-after')).not.toBeNull()
    expect(textOf(limited.html)).toContain('Wait a few minutes')
  })

  it('names the member and the retry time while the server is busy', async () => {
    const { browser, member } = await signedIn()
    const busy = new Overloaded(30)
    const { status, html, headers } = await browser.get('/settings/strikes', {
      overrides: failingFrom(2, busy),
    })
    expect([status, headers.get('retry-after')]).toEqual([503, '30'])
    expect(isNamed(html, member)).toBe(true)
    expect(textOf(html)).toContain('This server is busy. Please try again in a moment')
    const spared = await browser.get('/settings/strikes', { overrides: failingFrom(1, busy) })
    expect([spared.status, isNamed(spared.html, member)]).toEqual([503, false])
  })

  it('treats the session of a suspended account as a visitor', async () => {
    const { browser, member } = await signedIn()
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, member.id))
    const { status, html } = await browser.get('/nowhere')
    expect([status, isNamed(html, member)]).toEqual([404, false])
  })
})

describe('an error page, signed out', () => {
  it('links to sign-in and back, the same for hidden and missing pages', async () => {
    const author = await given.account()
    const hidden = await given.status({ by: author, visibility: 'private' })
    for (const id of [hidden.id, 123]) {
      const path = `/@${author.username}/${id}`
      const { status, html, headers } = await new Browser().get(path)
      expect(status).toBe(404)
      expect(html).toContain(`href="/auth/sign_in?${new URLSearchParams({ return_to: path })}"`)
      expect(headers.get('cache-control')).toBe('private, no-store')
    }
  })

  it('reads nothing for a cookie that this server has not signed', async () => {
    const browser = new Browser()
    browser.plant('__Host-session', 'made.up')
    const { status, costs } = await browser.get('/nowhere')
    expect([status, costs.trips, costs.statements]).toEqual([404, 1, 1])
  })
})
