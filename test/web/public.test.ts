import { describe, expect, it } from 'vitest'
import { Browser, textOf } from '../support/browser'
import { given } from '../support/given'
import { signedIn } from '../support/members'
import { withSettings } from '../support/settings'
import { context } from '../support/test-app'

describe('the landing page', () => {
  it('shows the instance, cacheable, without a cookie, in one round trip', async () => {
    const alice = await given.account()
    const patch = { title: 'Aviary', shortDescription: 'For <birds>', contactUsername: alice.username }
    await withSettings(patch, async () => {
      const page = await new Browser().get('/')
      expect(page.status).toBe(200)
      expect(textOf(page.html)).toContain('Aviary')
      expect(page.html).toContain('For &lt;birds&gt;')
      expect(page.html).toContain(`@${alice.username}`)
      expect(page.headers.get('cache-control')).toBe('public, max-age=60')
      expect(page.cookies).toEqual([])
      expect(page.costs.trips).toBeLessThanOrEqual(1)
    })
  })

  it('leads members to their home', async () => {
    const { browser } = await signedIn()
    expect((await browser.get('/')).location).toBe('/home')
  })

  it('runs no script and is never framed', async () => {
    const policy = (await new Browser().get('/')).headers.get('content-security-policy') ?? ''
    for (const rule of [
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
      expect(policy).toContain(rule)
  })
})

describe('the texts of the instance', () => {
  it('render Markdown, with no markup of their own', async () => {
    const patch = {
      extendedDescription: '# Nests\n\n<script>alert(1)</script> **here**',
      privacyPolicy: 'We keep *eggs*.',
    }
    await withSettings(patch, async () => {
      const about = await new Browser().get('/about')
      const privacy = await new Browser().get('/privacy-policy')
      expect(about.html).toContain('<strong>here</strong>')
      expect(about.html).not.toContain('<script')
      expect(privacy.html).toContain('<em>eggs</em>')
      expect(about.costs.trips).toBeLessThanOrEqual(1)
    })
  })

  it('the texts of the instance have default texts where the operator wrote none, except the terms', async () => {
    expect((await new Browser().get('/about')).status).toBe(200)
    expect((await new Browser().get('/about/rules')).status).toBe(200)
    expect(textOf((await new Browser().get('/privacy-policy')).html)).toContain('Cookies')
    expect((await new Browser().get('/terms-of-service')).status).toBe(404)
  })
})

describe('a failure', () => {
  it('a failure outside the API is a page for browsers and JSON for programs [T-774]', async () => {
    const page = await new Browser().get('/nowhere')
    const json = await new Browser().get('/nowhere', { headers: { accept: 'application/json' } })
    expect(page.status).toBe(404)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(textOf(page.html)).toContain('Page not found')
    expect(json.status).toBe(404)
    expect(JSON.parse(json.html)).toEqual({ error: expect.any(String) })
  })

  it.each(['/api/v1/nowhere', '/oauth/applications', '/oauth/token', '/setup/owner', '/.well-known/nowhere'])(
    'a failure of %s is JSON, whatever is accepted [T-775]',
    async (path) => {
      const page = await new Browser().post(path, {})
      expect(page.status).toBeGreaterThanOrEqual(400)
      expect(page.headers.get('content-type')).toContain('application/json')
    },
  )

  it('an internal failure shows no detail, also when the database failed', async () => {
    const broken = new Proxy(context().db, {
      get: (target, key) =>
        key === 'batch' ? () => Promise.reject(new Error('secret detail')) : Reflect.get(target, key),
    })
    const log = { info: () => undefined, error: () => undefined }
    const page = await new Browser({ db: broken, log }).get('/')
    expect(page.status).toBe(500)
    expect(textOf(page.html)).toContain('Something went wrong')
    expect(page.html).not.toContain('secret detail')
  })
})
