import { Hono } from 'hono'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { roles } from '../../src/db/schema'
import { ownerRole } from '../../src/domain/policy/owners'
import { permissions } from '../../src/domain/policy/permissions'
import { AppError } from '../../src/errors'
import type { AppEnv } from '../../src/ports/app-env'
import { TextField } from '../../src/web/components/field'
import { PostForm } from '../../src/web/components/form'
import { FormPage } from '../../src/web/components/form-page'
import { settingsGroups, settingsTopics } from '../../src/web/member-pages/declaration'
import { memberPage, memberPageRoutes } from '../../src/web/member-pages/member-page'
import { usePage } from '../../src/web/page-context'
import { interactPages } from '../../src/web/pages/interact'
import { settingsPages } from '../../src/web/pages/settings'
import { Browser, hiddenFields, textOf } from '../support/browser'
import { inEnglish as t } from '../support/english'
import { signedIn } from '../support/members'
import { expectSkippedMenu } from '../support/skip-link'
import { clock, context } from '../support/test-app'

const home = '/auth/edit'
const memberPages = [...settingsPages, ...interactPages]
const routes = memberPages.flatMap((page) =>
  page.routes.map(({ method, path }) => ({ method, page, path: path.replace(':id', '1') })),
)
const forms = routes.filter(({ method }) => method !== 'GET')
const send = (browser: Browser, method: string, path: string, fields: Readonly<Record<string, string>>) =>
  method === 'DELETE' ? browser.delete(path, fields) : browser.post(path, fields)

/** A member and an owner, for requests that change nothing. */
let reader: Browser
let owner: Browser
beforeAll(async () => {
  reader = (await signedIn()).browser
  owner = (await signedIn({ user: { roleId: ownerRole } })).browser
})

/** The pages that share the topic of the page at `path`, in the order of the menu. */
function topicOf(path: string) {
  const own = memberPages.find((page) => page.path === path)?.menu
  if (own?.topic === undefined) return []
  return settingsPages
    .filter(({ menu }) => menu?.topic === own.topic)
    .toSorted((one, other) => (one.menu?.order ?? 0) - (other.menu?.order ?? 0))
}

/** Path and label of the entry of the menu that the page at `path` belongs to. */
function entryOf(path: string) {
  const own = memberPages.find((page) => page.path === path)?.menu
  if (own == null) return { path, label: '' }
  const [first] = topicOf(path)
  if (first === undefined || own.topic === undefined) return { path, label: t(own.label) }
  return { path: first.path, label: t(settingsTopics[own.topic]) }
}

describe.each(memberPages)('the page $path', ({ path, title, menu, notices, noticesAt }) => {
  it('redirects a signed-out visitor to sign-in and back', async () => {
    const { status, location } = await new Browser().get(path)
    expect([status, location]).toEqual([302, `/auth/sign_in?${new URLSearchParams({ return_to: path })}`])
  })

  it('the page $path shows its title, without caching and framing', async () => {
    const { status, html, headers } = await reader.get(path)
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(headers.get('content-security-policy')).toContain("form-action 'self'; frame-ancestors 'none'")
    expect(html).toContain(`<title>${t(title)} · `)
  })

  it('the page has a skip link before the menu', async () => {
    expectSkippedMenu((await reader.get(path)).html)
  })

  it('the page is in a group of the menu of every page, alone or by its topic, and marked on its own page', async () => {
    const [own, elsewhere] = [await owner.get(path), await owner.get(path === home ? '/start' : home)]
    const menuOf = (html: string) =>
      /<nav class="sub" aria-label="Settings">.*?<\/nav>/s.exec(html)?.[0] ?? ''
    const entry = entryOf(path)
    const times = menu === null ? 1 : 2
    const marked = `<a class="item" href="${entry.path}" aria-current="page">${entry.label}</a>`
    expect(menuOf(own.html).split(marked)).toHaveLength(times)
    expect(menuOf(own.html).split('aria-current')).toHaveLength(times)
    expect(menuOf(elsewhere.html)).toContain(menu === null ? '' : `"${entry.path}"`)
    if (menu !== null) expect(Object.keys(settingsGroups)).toContain(menu.group)
  })

  it('the page has tabs to all pages of its topic, and none where it is alone', async () => {
    const { html } = await owner.get(path)
    const tabs = /<nav class="tabs".*?<\/nav>/s.exec(html)?.[0] ?? ''
    const shared = topicOf(path)
    const links = shared.map((one) => [one.path, one.path === path])
    expect(
      [...tabs.matchAll(/href="([^"]+)"( aria-current="page")?/g)].map(([, at, is]) => [
        at,
        is !== undefined,
      ]),
    ).toEqual(shared.length > 1 ? links : [])
  })

  it('the page $path shows its messages, and nothing for unknown codes', async () => {
    const at = noticesAt ?? path
    for (const [code, notice] of Object.entries(notices))
      if (typeof notice === 'string')
        expect((await reader.get(`${at}?done=${code}`)).html).toContain(`<p>${t(notice)}</p>`)
    expect((await reader.get(`${at}?done=toString`)).html).not.toContain('note success')
  })
})

it('the menu of settings has the links in the order that their pages declare', async () => {
  const html = (await owner.get(home)).html.replaceAll(' aria-current="page"', '')
  const places = settingsPages.flatMap(({ path, menu }) => {
    const entry = entryOf(path)
    if (menu === null || entry.path !== path) return []
    return [{ at: html.indexOf(`"${path}">${entry.label}<`), order: menu.order }]
  })
  expect(places.filter(({ at }) => at === -1)).toEqual([])
  const shown = places.toSorted((one, other) => one.at - other.at).map(({ order }) => order)
  expect(shown).toEqual(places.map(({ order }) => order).toSorted((one, other) => one - other))
})

describe.each(routes)('$method $path', ({ method, page, path }) => {
  it('does nothing for a signed-out visitor', async () => {
    const browser = new Browser()
    const token = hiddenFields((await browser.get('/auth/sign_in')).html, '/auth/sign_in')
    const { status, location } =
      method === 'GET' ? await browser.get(path) : await send(browser, method, path, token)
    expect([302, 303]).toContain(status)
    // Old addresses redirect anybody, to the page that asks.
    if (location !== page.path) expect(location).toMatch(/^\/auth\/sign_in(\?return_to=|$)/)
  })
})

describe.each(forms)('the form $method $path', ({ method, path }) => {
  it.each([
    ['without a CSRF token', {}],
    ['with a wrong one', { csrf_token: 'made up' }],
  ])('the form is refused %s', async (_, fields) => {
    const { status, html } = await send(reader, method, path, fields)
    expect(status).toBe(422)
    expect(textOf(html)).toContain('This form has expired.')
  })
})

function Said() {
  return <p>{usePage().message}</p>
}

function Menu() {
  return (
    <ul>
      {usePage().menu.map(({ label }) => (
        <li>{label}</li>
      ))}
    </ul>
  )
}

const saved: string[] = []
const limitsPage = memberPage({
  kind: 'admin',
  path: '/admin/limits',
  title: 'admin.limits',
  access: 'manageUsers',
  menu: { label: 'admin.limitsOnServers', order: 20 },
  form: z.object({ limit: z.string().regex(/^\d+$/) }),
  submissions: [
    {
      run: async ({ input }) => {
        if (input.limit === '13') return { problem: 'problem.pleaseChooseFromWhat' as const }
        saved.push(input.limit)
        return { notice: 'saved' as const }
      },
    },
  ],
  notices: { saved: 'admin.saved' },
  load: () => ({ limit: '5' }),
  view: ({ typed, found }) => (
    <FormPage title="Limits" intro={<Said />}>
      <Menu />
      <PostForm action="/admin/limits">
        <TextField name="limit" label="Limit" autocomplete="off" value={typed('limit') || found.limit} />
      </PostForm>
    </FormPage>
  ),
})

/** Sends requests of a signed-in browser to a server that has one administration page beside the settings. */
function withLimits(browser: Browser) {
  const app = new Hono<AppEnv>()
  app.use('*', async (c, next) => {
    c.set('ctx', context())
    await next()
  })
  app.route('/', memberPageRoutes([...settingsPages, limitsPage]))
  app.onError((failure, c) => c.text(failure.message, failure instanceof AppError ? failure.status : 500))
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  return async (path: string, fields?: Readonly<Record<string, string>>) => {
    const body = fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) }
    const response = await app.request(`https://fieldfare.test${path}`, { ...body, headers: { cookie } })
    return {
      status: response.status,
      location: response.headers.get('location'),
      html: await response.text(),
    }
  }
}

async function moderator(user: { readonly confirmedAt?: null } = {}) {
  const ctx = context()
  const now = clock.now()
  const role = {
    id: ctx.ids.next(),
    name: 'Moderator of limits',
    position: 5,
    permissions: permissions.manageUsers,
    createdAt: now,
    updatedAt: now,
  }
  await ctx.db.insert(roles).values(role)
  return withLimits((await signedIn({ user: { roleId: role.id, ...user } })).browser)
}

describe('an administration page', () => {
  it('an administration page is shown to a role with its permission, in its own menu', async () => {
    const { status, html } = await (await moderator())('/admin/limits')
    expect(status).toBe(200)
    expect(html).toContain('<title>Limits · ')
    expect(html).toContain('<ul><li>admin.limitsOnServers</li>')
  })

  it('an administration page is refused without the permission, and so is its form', async () => {
    const send = withLimits((await signedIn()).browser)
    const token = hiddenFields((await send('/settings/delete')).html, '/settings/delete')
    const answers = [await send('/admin/limits'), await send('/admin/limits', { ...token, limit: '666' })]
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
    expect(saved).not.toContain('666')
  })

  it('an administration page requires a confirmed account', async () => {
    const { status, html } = await (await moderator({ confirmedAt: null }))('/admin/limits')
    expect(status).toBe(403)
    expect(textOf(html)).toContain('is not confirmed yet')
  })

  it('an administration page is not in the menu of settings', async () => {
    expect((await (await moderator())(home)).html).not.toContain('admin.limitsOnServers')
  })

  it('saves a form, and shows a message', async () => {
    const send = await moderator()
    const token = hiddenFields((await send('/admin/limits')).html, '/admin/limits')
    const { status, location } = await send('/admin/limits', { ...token, limit: '42' })
    expect([status, location]).toEqual([303, '/admin/limits?done=saved'])
    expect(saved).toContain('42')
    expect((await send('/admin/limits?done=saved')).html).toContain('admin.saved')
  })

  it.each([
    ['many', 'Limit is not valid.'],
    ['13', 'Please choose from what is offered'],
  ])('refuses %s, and keeps typed values', async (limit, problem) => {
    const send = await moderator()
    const token = hiddenFields((await send('/admin/limits')).html, '/admin/limits')
    const { status, html } = await send('/admin/limits', { ...token, limit })
    expect(status).toBe(422)
    expect(html).toContain(problem)
    expect(html).toContain(`value="${limit}"`)
    expect(saved).not.toContain(limit)
  })
})
