import { beforeAll, describe, expect, it } from 'vitest'
import { type Permission, permissions } from '../../../src/domain/policy/permissions'
import type { PageAccess } from '../../../src/web/member-pages/declaration'
import { adminPages } from '../../../src/web/pages/admin'
import { as } from '../../support/as'
import { Browser, hiddenFields, type Page, textOf } from '../../support/browser'
import { inEnglish as t } from '../../support/english'
import { freshName, given } from '../../support/given'
import { givenEmoji } from '../../support/given-emoji'
import { givenRole } from '../../support/given-staff'
import { signedIn } from '../../support/members'
import { expectSkippedMenu } from '../../support/skip-link'
import { addSample, samples } from './samples'

/**
 * Every administration page and form × browsers {signed out, member, the permission needed, all but that}.
 * Generated from the pages, so none can be forgotten.
 */

const permissionNames = Object.keys(permissions).filter((key): key is Permission => key in permissions)
const isPermission = (access: PageAccess): access is Permission => access in permissions

/** Id of an existing entry by the path of its list. */
const ids = new Map<string, string>()
const fill = (path: string) => {
  const [list = ''] = path.split('/:id')
  return path
    .replace(':id', ids.get(list) ?? '1')
    .replace(':domain', 'known.example')
    .replaceAll(/:\w+/g, '1')
}

const browsers = new Map<string, Browser>()
async function browserWith(granted: readonly Permission[]): Promise<Browser> {
  const key = granted.join(' ')
  const known = browsers.get(key)
  if (known !== undefined) return known
  const { browser } = await signedIn({ user: { roleId: await givenRole({ permissions: granted }) } })
  browsers.set(key, browser)
  return browser
}

/** A browser that is signed out, with its token for forms. */
let visitor: Readonly<{ browser: Browser; token: Awaited<ReturnType<typeof tokenAt>> }>
/** The token of a member for forms. */
let memberToken: Awaited<ReturnType<typeof tokenAt>>

async function tokenAt(browser: Browser, path: string) {
  return hiddenFields((await browser.get(path)).html, path)
}

const shown = new Map<string, Promise<Page>>()

/** A page as a browser with these permissions sees it; opened once, as opening changes nothing. */
function pageFor(granted: readonly Permission[], path: string): Promise<Page> {
  const key = `${granted.join(' ')}: ${path}`
  const known = shown.get(key) ?? browserWith(granted).then((browser) => browser.get(path))
  shown.set(key, known)
  return known
}

beforeAll(async () => {
  const [reporter, target] = [await given.account(), await given.account()]
  const { body } = await as(reporter).post('/api/v1/reports', {
    account_id: target.id,
    comment: 'Sells seeds',
  })
  ids.set('/admin/reports', String(Object(body).id)).set('/admin/accounts', String(target.id))
  ids.set('/admin/custom_emojis', String((await givenEmoji()).id))
  const browser = new Browser()
  visitor = { browser, token: await tokenAt(browser, '/auth/sign_in') }
  memberToken = await tokenAt(await browserWith([]), '/settings/delete')
  const administrator = await browserWith(['administrator'])
  for (const sample of samples(freshName('word')))
    ids.set(sample.path, await addSample(administrator, sample))
})

describe.each(adminPages)('the page $path', ({ path, title, access, menu, notices }) => {
  it('redirects a signed-out visitor to sign-in and back', async () => {
    const { status, location } = await new Browser().get(fill(path))
    const returnTo = new URLSearchParams({ return_to: fill(path) })
    expect([status, location]).toEqual([302, `/auth/sign_in?${returnTo}`])
  })

  it('the page $path requires a permission', () => {
    expect(isPermission(access)).toBe(true)
  })

  it('opens with its permission or that of administrators, and with no other', async () => {
    if (!isPermission(access)) throw new Error('A page of administration needs a permission')
    for (const permission of [access, 'administrator'] as const) {
      const { status } = await pageFor([permission], fill(path))
      expect([permission, status]).toEqual([permission, 200])
    }
    const others = permissionNames.filter((one) => one !== access && one !== 'administrator')
    expect((await pageFor(others, fill(path))).status).toBe(403)
  })

  it('the page is not a page for members', async () => {
    const { status, html } = await pageFor([], fill(path))
    expect(status).toBe(403)
    expect(textOf(html)).not.toContain('Sells seeds')
  })

  it('the page $path shows its title, without caching and framing, in at most three round trips', async () => {
    const { html, headers, costs } = await pageFor(['administrator'], fill(path))
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(html).toContain(`<title>${t(title)} · `)
    expect(html).toContain(`<h1>${t(title)}</h1>`)
    expect(costs.trips).toBeLessThanOrEqual(3)
  })

  it('the page has a skip link before the menu', async () => {
    expectSkippedMenu((await pageFor(['administrator'], fill(path))).html)
  })

  it('the page is in the menu of staff who can open it, and of nobody else', async () => {
    if (menu === null || !isPermission(access)) return
    const link = `<a class="item" href="${path}" aria-current="page">${t(menu.label)}</a>`
    expect((await pageFor([access], path)).html).toContain(link)
    const other = adminPages.find((one) => one.access !== access && one.menu !== null)
    if (other === undefined || !isPermission(other.access)) throw new Error('All pages need one permission')
    expect((await pageFor([other.access], other.path)).html).not.toContain(`href="${path}"`)
  })

  it('the page $path shows its messages, and nothing for unknown codes', async () => {
    const browser = await browserWith(['administrator'])
    for (const [code, notice] of Object.entries(notices))
      if (typeof notice === 'string')
        expect((await browser.get(`${fill(path)}?done=${code}`)).html).toContain(`<p>${t(notice)}</p>`)
    expect((await browser.get(`${fill(path)}?done=toString`)).html).not.toContain('note success')
  })
})

const forms = adminPages.flatMap((page) =>
  page.routes
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => ({ method, path, access: page.access })),
)
const downloads = adminPages.flatMap((page) =>
  page.routes
    .filter(({ method, path }) => method === 'GET' && path !== page.path)
    .map(({ path }) => ({ path })),
)

describe.each(forms)('the form $path', ({ path }) => {
  it.each([
    ['without a CSRF token', {}],
    ['with a wrong one', { csrf_token: 'made up' }],
  ])('the form is refused %s', async (_, fields) => {
    const { status, html } = await (await browserWith(['administrator'])).post(fill(path), fields)
    expect(status).toBe(422)
    expect(textOf(html)).toContain('This form has expired.')
  })

  it('the form does nothing for a signed-out visitor, and for a member', async () => {
    const sent = await visitor.browser.post(fill(path), visitor.token)
    expect([302, 303]).toContain(sent.status)
    expect(sent.location).toMatch(/^\/auth\/sign_in(\?return_to=|$)/)
    const member = await browserWith([])
    expect((await member.post(fill(path), memberToken)).status).toBe(403)
  })
})

it.each(downloads)('$path is for staff alone', async ({ path }) => {
  const member = await browserWith([])
  const { status, location } = await member.get(fill(path))
  // Redirects of old addresses lead to the page, which refuses.
  expect(status === 403 || (location !== null && (await member.get(location)).status === 403)).toBe(true)
  expect((await new Browser().get(fill(path))).status).toBe(302)
})

it('the menu of settings links administration for staff only', async () => {
  const link = 'href="/admin/reports">Administration</a>'
  expect((await (await browserWith(['manageReports'])).get('/auth/edit')).html).toContain(link)
  expect((await (await browserWith([])).get('/auth/edit')).html).not.toContain('Administration')
})
