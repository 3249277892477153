import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import {
  accounts,
  accountWarnings,
  appeals,
  auditLog,
  reports,
  users,
  warningPresets,
} from '../../../src/db/schema'
import { createAppeal } from '../../../src/domain/moderation/appeal'
import type { Permission } from '../../../src/domain/policy/permissions'
import { as } from '../../support/as'
import { type Browser, textOf } from '../../support/browser'
import { given } from '../../support/given'
import { givenRole } from '../../support/given-staff'
import { givenStrike } from '../../support/given-strike'
import { signedIn } from '../../support/members'
import { clock, context } from '../../support/test-app'

const staff = async (...permissions: Permission[]) =>
  signedIn({ user: { roleId: await givenRole({ permissions }) } })

/** A report about a new account and one of its statuses. */
async function reported(text = 'Buy seeds <now>') {
  const [reporter, target] = [await given.account(), await given.account()]
  const status = await given.status({ by: target, text })
  const { body } = await as(reporter).post('/api/v1/reports', {
    account_id: target.id,
    comment: '<b>Sells</b> seeds',
    status_ids: [status.id],
  })
  return { reporter, target, status, id: Number(Object(body).id) }
}

const stored = {
  report: (id: number) => context().db.select().from(reports).where(eq(reports.id, id)).get(),
  account: (id: number) => context().db.select().from(accounts).where(eq(accounts.id, id)).get(),
  user: (id: number) => context().db.select().from(users).where(eq(users.accountId, id)).get(),
  strikes: (id: number) =>
    context().db.select().from(accountWarnings).where(eq(accountWarnings.targetAccountId, id)).all(),
}

/** Opens a page, sends one of its forms and answers the question about it. */
function confirm(
  browser: Browser,
  page: string,
  action: string,
  fields: Readonly<Record<string, string>> = {},
) {
  return browser.confirm(page, fields, { action: `${page}/${action}` })
}

interface Decision {
  readonly type: string
  readonly text?: string
  readonly send_email?: 'true'
  readonly preset?: string
}

/** Opens the page of a decision about an account or report, and sends it. */
function decide(browser: Browser, page: string, { type, ...fields }: Decision) {
  const path = `${page}/decision/${type}`
  return browser.fill(path, { ...fields, confirmed: 'true' })
}

/** A saved reply as long as one can be. */
function givenLongReply() {
  const [id, now] = [context().ids.next(), clock.now()]
  const reply = { id, title: 'Long', text: 'x'.repeat(5_000), createdAt: now, updatedAt: now }
  return context().db.insert(warningPresets).values(reply).returning().get()
}

/** Opens a page and sends one of its forms. */
async function send(
  browser: Browser,
  page: string,
  action: string,
  fields: Readonly<Record<string, string>> = {},
) {
  return browser.fill(page, fields, { action: `${page}/${action}` })
}

describe('the page of a report', () => {
  it('shows the reporter, the reported account, the comment, and the posts as they were', async () => {
    const { browser } = await staff('manageReports')
    const { id, reporter, target, status } = await reported()
    await as(target).delete(`/api/v1/statuses/${status.id}`)
    const { html } = await browser.get(`/admin/reports/${id}`)
    const text = textOf(html)
    for (const shown of [
      `@${reporter.username}`,
      `@${target.username}`,
      '<b>Sells</b> seeds',
      'Buy seeds <now>',
      'deleted since',
    ])
      expect(text).toContain(shown)
    expect(html).not.toContain('<b>Sells')
    const list = textOf((await browser.get('/admin/reports')).html)
    expect(list).toContain(`@${target.username}`)
  })

  it('assigns, unassigns, resolves and reopens a report', async () => {
    const { browser, member } = await staff('manageReports')
    const { id } = await reported()
    const page = `/admin/reports/${id}`
    const assigned = await send(browser, page, 'assign')
    expect([assigned.status, assigned.location]).toEqual([303, `${page}?done=assign`])
    expect((await stored.report(id))?.assignedAccountId).toBe(member.id)
    await send(browser, page, 'unassign')
    expect((await stored.report(id))?.assignedAccountId).toBeNull()
    await browser.fill(`${page}/decision/resolve`, {}, { action: `${page}/resolve` })
    expect(await stored.report(id)).toMatchObject({ actionTakenByAccountId: member.id })
    expect(textOf((await browser.get('/admin/reports?resolved=1')).html)).toContain('<b>Sells</b> seeds')
    await send(browser, page, 'reopen')
    expect((await stored.report(id))?.actionTakenAt).toBeNull()
  })

  it('deletes the reported posts, with a strike, a notification and an entry in the audit log', async () => {
    const { browser, member } = await staff('manageReports', 'manageUsers')
    const { id, target, status } = await reported()
    const decision = { type: 'delete', text: 'No adverts please', send_email: 'true' } as const
    const { status: code, location } = await decide(browser, `/admin/reports/${id}`, decision)
    expect([code, location]).toEqual([303, `/admin/reports/${id}?done=decided`])
    expect((await as(null).get(`/api/v1/statuses/${status.id}`)).status).toBe(404)
    expect(await stored.strikes(target.id)).toMatchObject([
      { action: 'delete_statuses', text: 'No adverts please' },
    ])
    expect((await stored.report(id))?.actionTakenAt).not.toBeNull()
    const entries = await context().db.select().from(auditLog).where(eq(auditLog.accountId, member.id)).all()
    expect(entries.map(({ ip }) => ip)).toContain(browser.ip)
    expect((await browser.get(`/admin/reports/${id}`)).html).not.toContain('/decision/')
    const late = await browser.get(`/admin/reports/${id}/decision/suspend`)
    expect([late.status, late.html.includes('name="confirmed"')]).toEqual([200, false])
  })

  it('offers a link to the page of each decision, which says what happens, and changes nothing', async () => {
    const { browser } = await staff('manageReports', 'manageUsers')
    const { id, target } = await reported()
    const page = `/admin/reports/${id}`
    const { html } = await browser.get(page)
    const links = [...html.matchAll(/href="[^"]*\/decision\/(\w+)"/g)].map(([, type]) => type)
    expect(links).toEqual([
      'resolve',
      'none',
      'delete',
      'mark_as_sensitive',
      'sensitive',
      'disable',
      'silence',
      'suspend',
    ])
    expect(html).not.toContain('type="radio"')
    for (const [type, ...words] of [
      ['resolve', 'nobody is notified'],
      ['none', 'Nothing changes.', '1 reported item is kept as evidence.', 'appeal'],
      ['delete', `Delete posts of @${target.username}?`, 'Posts 1', 'keeps them as evidence'],
      ['mark_as_sensitive', 'Their media are hidden', 'Posts 1'],
      ['silence', 'Only followers see new posts.', 'Posts 1', 'Followers 0'],
      ['suspend', `Suspend @${target.username}?`, 'Posts and boosts 1', '1 reported item is kept'],
    ] as const) {
      const shown = await browser.get(`${page}/decision/${type}`)
      for (const word of words)
        expect([type, textOf(shown.html)]).toEqual([type, expect.stringContaining(word)])
      expect(shown.costs.trips).toBeLessThanOrEqual(3)
    }
    expect(await stored.strikes(target.id)).toEqual([])
    expect((await stored.report(id))?.actionTakenAt).toBeNull()
  })

  it('resolves a report without action from the page that says so, also without the permission for accounts', async () => {
    const { browser, member } = await staff('manageReports')
    const { id, target } = await reported()
    const page = `/admin/reports/${id}`
    expect((await browser.get(page)).html).toContain(`href="${page}/decision/resolve"`)
    const done = await browser.fill(`${page}/decision/resolve`, {}, { action: `${page}/resolve` })
    expect(done.location).toBe(`${page}?done=resolve`)
    expect(await stored.report(id)).toMatchObject({ actionTakenByAccountId: member.id })
    expect(await stored.strikes(target.id)).toEqual([])
  })

  it('decides nothing without the permission for accounts, and shows no form', async () => {
    const { browser } = await staff('manageReports')
    const { id, target } = await reported()
    expect((await browser.get(`/admin/reports/${id}`)).html).not.toContain('/decision/suspend')
    expect((await browser.get(`/admin/reports/${id}/decision/suspend`)).html).not.toContain(
      'name="confirmed"',
    )
    const { status } = await browser.fill(
      `/admin/reports/${id}`,
      { type: 'suspend' },
      { action: `/admin/reports/${id}/notes` },
    )
    expect(status).toBe(422)
    const { html } = await browser.get(`/admin/reports/${id}`)
    const token = /name="csrf_token" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const refused = await browser.post(`/admin/reports/${id}/decision/suspend`, {
      csrf_token: token,
      confirmed: 'true',
    })
    expect(refused.status).toBe(403)
    expect((await stored.account(target.id))?.suspendedAt).toBeNull()
  })

  it('keeps typed values when a decision is refused', async () => {
    const { browser } = await staff('manageReports', 'manageUsers')
    const { id } = await reported()
    const page = `/admin/reports/${id}`
    const preset = await givenLongReply()
    const { status, html } = await decide(browser, page, {
      type: 'silence',
      text: `My <words> ${'y'.repeat(5_000)}`,
      preset: String(preset.id),
    })
    expect(status).toBe(422)
    expect(textOf(html)).toContain('Text is too long')
    expect(html).toContain('My &lt;words&gt;')
    expect(html).toMatch(/<input(?=[^>]*name="send_email")(?![^>]*checked)/)
  })

  it('knows no decision of another name', async () => {
    const { browser } = await staff('manageReports', 'manageUsers')
    const { id } = await reported()
    const page = `/admin/reports/${id}/decision`
    const shown = await browser.get(`${page}/nonsense`)
    expect([shown.status, shown.html.includes(`href="${page}/suspend"`)]).toEqual([200, true])
    const token =
      /name="csrf_token" value="([^"]+)"/.exec((await browser.get(`${page}/none`)).html)?.[1] ?? ''
    expect((await browser.post(`${page}/nonsense`, { csrf_token: token })).status).toBe(404)
  })

  it('stores notes, and their author deletes them', async () => {
    const { browser } = await staff('manageReports')
    const { id } = await reported()
    const page = `/admin/reports/${id}`
    await send(browser, page, 'notes', { note: 'Seen this <before>' })
    const shown = await browser.get(page)
    expect(textOf(shown.html)).toContain('Seen this <before>')
    const [, noteId] = /\/notes\/(\d+)\/delete/.exec(shown.html) ?? []
    await send(browser, page, `notes/${noteId}/delete`)
    expect(textOf((await browser.get(page)).html)).not.toContain('Seen this')
    const blank = await send(browser, page, 'notes', { note: ' ' })
    expect([blank.status, textOf(blank.html)]).toEqual([
      422,
      expect.stringContaining("Content can't be blank"),
    ])
  })

  it.each(['/admin/reports/1', '/admin/reports/nonsense', '/admin/accounts/1', '/admin/accounts/nonsense'])(
    'the page of a report answers 404 for %s',
    async (path) => {
      const { browser } = await staff('administrator')
      expect((await browser.get(path)).status).toBe(404)
    },
  )
})

describe('the page of an account', () => {
  it.each([
    ['silence', 'unsilence', 'silencedAt'],
    ['sensitive', 'unsensitive', 'sensitizedAt'],
    ['suspend', 'unsuspend', 'suspendedAt'],
  ] as const)('%s and %s change the state and back', async (type, undoing, column) => {
    const { browser } = await staff('manageUsers')
    const target = await given.account()
    const page = `/admin/accounts/${target.id}`
    await decide(browser, page, { type, text: 'Why' })
    expect((await stored.account(target.id))?.[column]).not.toBeNull()
    await send(browser, page, undoing)
    expect((await stored.account(target.id))?.[column]).toBeNull()
  })

  it('disables and enables an account', async () => {
    const { browser } = await staff('manageUsers')
    const target = await given.account()
    const page = `/admin/accounts/${target.id}`
    await decide(browser, page, { type: 'disable' })
    expect((await stored.user(target.id))?.disabledAt).not.toBeNull()
    await send(browser, page, 'enable')
    expect((await stored.user(target.id))?.disabledAt).toBeNull()
  })

  it('refuses actions on accounts of equal or higher rank', async () => {
    const { browser } = await staff('manageUsers')
    const equal = await given.account({ user: { roleId: await givenRole() } })
    const page = `/admin/accounts/${equal.id}`
    for (const type of ['suspend', 'silence', 'none'])
      expect([type, (await browser.get(`${page}/decision/${type}`)).status]).toEqual([type, 403])
    const { html } = await browser.get(`/admin/accounts/${(await given.account()).id}/decision/suspend`)
    const token = /name="csrf_token" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const sent = { csrf_token: token, confirmed: 'true' }
    expect((await browser.post(`${page}/decision/suspend`, sent)).status).toBe(403)
    expect((await stored.account(equal.id))?.suspendedAt).toBeNull()
  })

  it('deletes the data of a suspended account only with the permission', async () => {
    const target = await given.account({ suspendedAt: clock.now() })
    const page = `/admin/accounts/${target.id}`
    const { browser: other } = await staff('manageUsers')
    const { html } = await other.get(page)
    expect(html).not.toContain(`${page}/delete`)
    const token = /name="csrf_token" value="([^"]+)"/.exec(html)?.[1] ?? ''
    expect((await other.post(`${page}/delete`, { csrf_token: token })).status).toBe(403)
    const { browser } = await staff('manageUsers', 'deleteUserData')
    expect((await confirm(browser, page, 'delete')).location).toBe(`${page}?done=deleted`)
    expect(await stored.user(target.id)).toBeUndefined()
  })

  it('shows reports, decisions and notes of the account to staff who manage reports', async () => {
    const { target } = await reported()
    await givenStrike(target, { text: 'Was warned' })
    const { browser } = await staff('manageUsers', 'manageReports')
    const text = textOf((await browser.get(`/admin/accounts/${target.id}`)).html)
    expect(text).toContain('Was warned')
    expect(text).toContain('Sells')
    const { browser: other } = await staff('manageUsers')
    expect(textOf((await other.get(`/admin/accounts/${target.id}`)).html)).not.toContain('Was warned')
  })
})

describe('the page of an account', () => {
  it('shows public posts and addresses of the account to staff who manage reports, in three round trips', async () => {
    const author = await given.account()
    await given.status({ by: author, text: 'Seen by everybody' })
    await given.status({ by: author, text: 'Seen at home', localOnly: true })
    for (const visibility of ['private', 'direct'] as const)
      await given.status({ by: author, text: 'Seen by few', visibility })
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, author.id))
    const page = `/admin/accounts/${author.id}`
    const { browser } = await staff('manageUsers', 'manageReports')
    const { html, costs } = await browser.get(page)
    const text = textOf(html)
    expect(text).toContain('Seen by everybody')
    expect(text).toContain('Seen at home')
    expect(text).not.toContain('Seen by few')
    expect(costs.trips).toBeLessThanOrEqual(3)
    const { browser: other } = await staff('manageUsers')
    expect(textOf((await other.get(page)).html)).not.toContain('Seen by everybody')
  })
})

describe('the list of accounts', () => {
  it('finds accounts by the beginning of their name, and pending sign-ups', async () => {
    const { browser } = await staff('manageUsers')
    const waiting = await given.account({ user: { approved: false, signUpReason: 'I like <birds>' } })
    const found = async (query: string) => textOf((await browser.get(`/admin/accounts?${query}`)).html)
    expect(await found(`username=${waiting.username}`)).toContain(`@${waiting.username}`)
    expect(await found('username=nobody-like-this')).toContain('No matching accounts.')
    expect(await found('status=pending')).toContain('I like <birds>')
    expect(await found('ip=nonsense')).toContain('This is not an IP address.')
  })

  it('the list of accounts accepts and rejects sign-ups', async () => {
    const { browser } = await staff('manageUsers')
    const [one, other] = [
      await given.account({ user: { approved: false } }),
      await given.account({ user: { approved: false } }),
    ]
    const page = '/admin/accounts?status=pending'
    const actionOf = (id: number, verdict: string) => ({ action: `/admin/accounts/${id}/${verdict}` })
    expect((await browser.fill(page, {}, actionOf(one.id, 'approve'))).location).toBe(
      '/admin/accounts?done=approved',
    )
    expect((await stored.user(one.id))?.approved).toBe(true)
    expect((await browser.confirm(page, {}, actionOf(other.id, 'reject'))).location).toBe(
      '/admin/accounts?done=rejected',
    )
    expect(await stored.user(other.id)).toBeUndefined()
  })
})

describe('the list of appeals', () => {
  it.each(['approve', 'reject'] as const)('%s decides an appeal', async (verdict) => {
    const { browser } = await staff('manageAppeals')
    const target = await given.account({ silencedAt: clock.now() })
    const strikeId = await givenStrike(target, { action: 'silence' })
    await createAppeal(context(), target.id, { strikeId, text: 'It was <not> me' })
    const { html } = await browser.get('/admin/disputes/appeals')
    expect(textOf(html)).toContain('It was <not> me')
    const appeal = await context().db.select().from(appeals).where(eq(appeals.strikeId, strikeId)).get()
    const path = `/admin/disputes/appeals/${appeal?.id}/${verdict}`
    const { location } = await browser.confirm('/admin/disputes/appeals', {}, { action: path })
    expect(location).toBe(`/admin/disputes/appeals?done=${verdict}`)
    const isLimited = (await stored.account(target.id))?.silencedAt !== null
    expect(isLimited).toBe(verdict === 'reject')
    expect(textOf((await browser.get('/admin/disputes/appeals?all=1')).html)).toContain('It was <not> me')
  })
})

it('the dashboard counts pending items, and links only to pages that the role can open', async () => {
  await reported()
  const { browser } = await staff('viewDashboard', 'manageReports')
  const { html } = await browser.get('/admin/dashboard')
  expect(textOf(html)).toMatch(/\d+(?: or more)? reports/)
  const { browser: other } = await staff('viewDashboard')
  expect((await other.get('/admin/dashboard')).html).not.toContain('href="/admin/reports"')
})

it('the audit log shows actions with their changes, also of one moderator only', async () => {
  const { browser, member } = await staff('manageUsers', 'viewAuditLog')
  const target = await given.account()
  await decide(browser, `/admin/accounts/${target.id}`, { type: 'silence' })
  const text = textOf((await browser.get(`/admin/action_logs?by=${member.id}`)).html)
  expect(text).toContain(`@${member.username} Account limited Account ${target.username}`)
  expect(textOf((await browser.get(`/admin/action_logs?by=${target.id}`)).html)).toContain('No entries yet.')
})
