import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { pickSettings } from '../../../src/domain/instance/settings'
import { operator } from '../../../src/domain/policy/permissions'
import { as } from '../../support/as'
import { Browser, textOf } from '../../support/browser'
import type { TestAccount } from '../../support/given'
import { givenOwner, givenRole } from '../../support/given-staff'
import { signedIn } from '../../support/members'
import { clock, context } from '../../support/test-app'

const path = '/admin/branding'
const api = '/api/fieldfare/v1/admin/settings'
const stored = async () => (await execute(context().db, pickSettings(context(), ['customCss']))).customCss
const reset = () => saveSettings(context(), operator, { customCss: null })

let browser: Browser
let owner: TestAccount
beforeAll(async () => {
  owner = await givenOwner()
  browser = (await signedIn({ user: { roleId: await givenRole({ permissions: ['manageSettings'] }) } }))
    .browser
})
afterEach(reset)
afterAll(reset)

const save = (customCss: string) => browser.fill(path, { customCss }, { action: `${path}/css` })
const addressIn = (html: string) => /href="(\/styles\/custom\.css\?v=\w+)"/.exec(html)?.[1] ?? null

describe('the CSS of the operator', () => {
  it('every page but those of administration and sign-in loads the CSS, with a policy that allows no inline style', async () => {
    expect((await save('.post { border: 0 }')).location).toBe(`${path}?done=css&at=css`)
    const visitor = new Browser()
    for (const page of ['/', '/about', '/privacy-policy', '/explore', '/no-such-page']) {
      const { html, headers } = await visitor.get(page)
      expect(addressIn(html), page).not.toBeNull()
      expect(headers.get('content-security-policy'), page).toContain("style-src 'self'")
    }
    expect(addressIn((await browser.get('/home')).html)).not.toBeNull()
    for (const page of [path, '/admin/settings', '/admin/no-such-page'])
      expect([page, addressIn((await browser.get(page)).html)]).toEqual([page, null])
    for (const page of ['/auth/sign_in', '/auth/password/new', '/oauth/authorize'])
      expect([page, addressIn((await visitor.get(page)).html)]).toEqual([page, null])
  })

  it('the CSS is served in a layer of its own, and kept for ever at the address of this version alone', async () => {
    await save('.post { border: 0 }')
    const visitor = new Browser()
    const first = addressIn((await visitor.get('/about')).html) ?? ''
    const { html, headers } = await visitor.get(first)
    expect(html).toBe('@layer operator{\n.post { border: 0 }\n}')
    expect(headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    for (const other of ['/styles/custom.css', '/styles/custom.css?v=zzz'])
      expect((await visitor.get(other)).headers.get('cache-control')).toBe('no-cache')
    clock.advance(1_000)
    await save('.post { border: 1px solid }')
    const second = addressIn((await visitor.get('/about')).html) ?? ''
    expect(second).not.toBe(first)
    expect((await visitor.get(first)).headers.get('cache-control')).toBe('no-cache')
    await save(' ')
    expect(addressIn((await visitor.get('/about')).html)).toBeNull()
    expect((await visitor.get(second)).status).toBe(404)
  })

  it('long CSS makes no page read more: neither trips nor statements nor rows', async () => {
    const visitor = new Browser()
    const without = (await visitor.get('/about')).costs
    await save('.post { border: 0 }\n'.repeat(1_500))
    const page = await visitor.get('/about')
    expect(addressIn(page.html)).not.toBeNull()
    expect(page.costs).toMatchObject({ trips: without.trips, statements: without.statements })
    expect(page.costs.rowsRead - without.rowsRead).toBeLessThanOrEqual(1)
  })

  it.each([
    [
      'a {\n background: \\75rl(//elsewhere.test) }',
      'CSS: line 2 has “\\75rl(//elsewhere.test)”, which is not allowed.',
    ],
    ['@import "https://elsewhere.test/x.css";', 'CSS: line 1 has “@import”, which is not allowed.'],
    ['a { color red }', 'CSS: line 1 cannot be read at “color”.'],
    ['a { content: "</textarea></style>" }', 'CSS: line 1 has “</”, which is not allowed.'],
  ])(
    'the panel refuses %j with line and reason, keeps what was typed, and saves nothing',
    async (css, said) => {
      const { status, html } = await save(css)
      expect([status, textOf(html)]).toEqual([422, expect.stringContaining(said)])
      expect(html).not.toContain('"</textarea></style>"')
      expect(textOf(html)).toContain(css.split('\n')[0])
      const { status: answered, body } = await as(owner).patch(api, { customCss: css })
      expect([answered, body]).toEqual([
        422,
        { error: expect.stringContaining('Custom css is invalid: line') },
      ])
      expect(await stored()).toBeNull()
    },
  )

  it('the CSS of the operator refuses CSS of more than 32 KiB', async () => {
    expect((await as(owner).patch(api, { customCss: 'a{color:red}'.repeat(2_731) })).status).toBe(422)
    expect(await stored()).toBeNull()
    expect((await as(owner).patch(api, { customCss: 'a{color:red}'.repeat(2_730) })).status).toBe(200)
  })
})
