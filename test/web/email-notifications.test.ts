import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { roles, users } from '../../src/db/schema'
import { unsubscribeToken } from '../../src/domain/users/unsubscribe'
import { Browser, textOf } from '../support/browser'
import { given } from '../support/given'
import { emailedAccount, fakeMailScenario } from '../support/given-mail'
import { signedIn } from '../support/members'
import { clock, context, fetchApp } from '../support/test-app'

const path = '/settings/notifications'

const ticked = (html: string) =>
  [...html.matchAll(/<input[^>]* name="([^"]+)"[^>]* checked/g)].map(([, name]) => name)
const offered = (html: string) =>
  [...html.matchAll(/<input[^>]* name="([^"]+)" type="checkbox"/g)].map(([, name]) => name)

async function settingsOf(id: number) {
  const [row] = await context().db.select().from(users).where(eq(users.accountId, id))
  return row?.settings
}

const everybody = [
  'mention',
  'quote',
  'follow',
  'follow_request',
  'favourite',
  'reblog',
  'moderation_warning',
]

describe('the page of mails about notifications', () => {
  it('offers each kind of mail, with only the important ones chosen', async () => {
    const { browser } = await signedIn()
    const { status, html } = await browser.get(path)
    expect(status).toBe(200)
    expect(offered(html)).toEqual([...everybody, 'always'])
    expect(ticked(html)).toEqual(['moderation_warning'])
  })

  it('the page of mails about notifications is linked from who may notify, and from Mastodon’s address for it', async () => {
    const { browser } = await signedIn()
    expect((await browser.get('/settings/notification_policy')).html).toContain(`href="${path}"`)
    expect((await browser.get('/settings/preferences/notifications')).location).toBe(path)
  })

  it('shows whether the server sends any mail', async () => {
    const { browser } = await signedIn()
    const silent = 'This server sends no mail'
    expect(textOf((await browser.get(path)).html)).toContain(silent)
    const { overrides } = fakeMailScenario()
    expect(textOf((await browser.get(path, { overrides })).html)).not.toContain(silent)
  })

  it('saves ticked kinds, removes unticked ones, and keeps other settings', async () => {
    const user = { settings: { mail: { mention: true }, defaultLanguage: 'fr' } }
    const { member, browser } = await signedIn({ user })
    const saved = await browser.fill(path, { follow: 'true', always: 'true' })
    expect(saved).toMatchObject({ status: 303, location: '/settings/notifications?done=mail' })
    expect(textOf((await browser.get('/settings/notifications?done=mail')).html)).toContain('are saved')
    expect(ticked((await browser.get(path)).html)).toEqual(['follow', 'always'])
    expect(await settingsOf(member.id)).toMatchObject({ defaultLanguage: 'fr', mail: { mention: false } })
  })

  it('offers staff kinds to staff, and accepts them from no other user', async () => {
    const ctx = context()
    const roleId = ctx.ids.next()
    const now = clock.now()
    const role = { name: 'Mail moderator', position: 5, permissions: 1 << 4, createdAt: now, updatedAt: now }
    await ctx.db.insert(roles).values({ ...role, id: roleId })
    const { browser } = await signedIn({ user: { roleId } })
    const { html } = await browser.get(path)
    expect(offered(html)).toEqual([...everybody, 'admin.report', 'always'])
    expect(ticked(html)).toContain('admin.report')
    await browser.fill(path, {})
    expect(ticked((await browser.get(path)).html)).toEqual([])

    const { member, browser: other } = await signedIn()
    await other.fill(path, { 'admin.report': 'true', 'admin.sign_up': 'true', nonsense: 'true' })
    expect(Object.keys((await settingsOf(member.id))?.mail ?? {})).toEqual([...everybody, 'always'])
  })

  it('asks anonymous visitors to sign in, and saves nothing without the token of the form', async () => {
    expect((await new Browser().get(path)).location).toContain('/auth/sign_in')
    const { browser } = await signedIn()
    expect((await browser.post(path, { follow: 'true' })).status).toBe(422)
    expect(ticked((await browser.get(path)).html)).toEqual(['moderation_warning'])
  })
})

/** The address in the header of a mail about a favourite, and the one in its text. */
async function unsubscribing() {
  const ada = await emailedAccount({ favourite: true, mention: true })
  const mailer = fakeMailScenario()
  const { id } = await given.status({ by: ada })
  await mailer.post(await given.account(), `/api/v1/statuses/${id}/favourite`)
  const [mail] = await mailer.deliver()
  const [, address = ''] =
    /^<https:\/\/fieldfare\.test(\/.*)>$/.exec(mail?.headers?.['List-Unsubscribe'] ?? '') ?? []
  return { ada, address, mail }
}

/** Posts as a mail program does (RFC 8058): no session, no origin, no page before it. */
function oneClick(
  address: string,
  body: BodyInit = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
) {
  return fetchApp(
    new Request(`https://fieldfare.test${address}`, { method: 'POST', body, redirect: 'manual' }),
  )
}

describe('the unsubscribe link in a mail', () => {
  it('stops mails of its kind with one click, and no others', async () => {
    const { ada, address, mail } = await unsubscribing()
    expect(mail?.text).toContain(`Stop these e-mails: https://fieldfare.test${address}\n`)
    expect(mail?.html).toContain(`href="https://fieldfare.test${address}"`)
    const { response, costs } = await oneClick(address)
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(costs.trips).toBeLessThanOrEqual(2)
    expect((await settingsOf(ada.id))?.mail).toEqual({ favourite: false, mention: true })
    const mailer = fakeMailScenario()
    const { id } = await given.status({ by: ada })
    await mailer.post(await given.account(), `/api/v1/statuses/${id}/favourite`)
    expect(mailer.queued).toEqual([])
  })

  it('accepts every form of the request, any number of times', async () => {
    const { ada, address } = await unsubscribing()
    const multipart = new FormData()
    multipart.append('List-Unsubscribe', 'One-Click')
    for (const body of [multipart, '', new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })])
      expect((await oneClick(address, body)).response.status).toBe(200)
    expect((await settingsOf(ada.id))?.mail).toMatchObject({ favourite: false })
  })

  it('asks a visitor for confirmation, because programs open links to scan them', async () => {
    const { ada, address } = await unsubscribing()
    const browser = new Browser()
    const { status, html, headers, cookies } = await browser.get(address)
    expect([status, cookies]).toEqual([200, []])
    expect(textOf(html)).toContain(
      `@${ada.username}@fieldfare.test gets e-mails about favourites of your posts`,
    )
    expect(html).toContain(`<form method="post" action="${address}"`)
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(html).toContain('name="robots" content="noindex"')
    const head = new Request(`https://fieldfare.test${address}`, { method: 'HEAD' })
    await fetchApp(head)
    expect((await settingsOf(ada.id))?.mail).toMatchObject({ favourite: true })

    const pressed = await browser.post(address, {})
    expect([pressed.status, textOf(pressed.html).includes('no longer gets e-mails about')]).toEqual([
      200,
      true,
    ])
    expect((await settingsOf(ada.id))?.mail).toMatchObject({ favourite: false })
  })

  it('works only complete, and for its own account', async () => {
    const { ada, address } = await unsubscribing()
    const eve = await emailedAccount({ favourite: true })
    const { secrets } = context().config
    const odd = await unsubscribeToken(secrets, { accountId: ada.id, kind: 'status' })
    const gone = await unsubscribeToken(secrets, { accountId: 1, kind: 'favourite' })
    const wrong = [
      address.slice(0, -1),
      address.replace(String(ada.id), String(eve.id)),
      address.replace('favourite', 'mention'),
      `/unsubscribe/${odd}`,
      `/unsubscribe/${gone}`,
      '/unsubscribe/nonsense',
      '/unsubscribe/%00',
    ]
    for (const one of wrong) {
      const { status, html } = await new Browser().get(one)
      expect([one, status, textOf(html).includes('Invalid link')]).toEqual([one, 404, true])
      expect((await oneClick(one)).response.status).toBe(404)
    }
    expect((await settingsOf(ada.id))?.mail).toEqual({ favourite: true, mention: true })
    expect((await settingsOf(eve.id))?.mail).toEqual({ favourite: true })
  })

  it('the unsubscribe link in a mail gives no other access', async () => {
    const { address } = await unsubscribing()
    const token = address.split('/').at(-1) ?? ''
    for (const at of [
      '/auth/confirmation?confirmation_token=',
      '/auth/password/edit?reset_password_token=',
    ]) {
      const { html } = await new Browser().get(`${at}${token}`)
      expect(html).not.toContain('type="password"')
    }
    const { response } = await fetchApp(
      new Request('https://fieldfare.test/api/v1/preferences', {
        headers: { authorization: `Bearer ${token}` },
      }),
    )
    expect(response.status).toBe(401)
  })
})
