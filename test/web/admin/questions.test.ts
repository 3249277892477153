import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, accountWarnings, statuses, users } from '../../../src/db/schema'
import type { Permission } from '../../../src/domain/policy/permissions'
import { adminPages } from '../../../src/web/pages/admin'
import { type Browser, hiddenFields, textOf } from '../../support/browser'
import { given } from '../../support/given'
import { knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { givenRole } from '../../support/given-staff'
import { signedIn } from '../../support/members'
import { clock, context } from '../../support/test-app'

const staff = async (...permissions: Permission[]) =>
  (await signedIn({ user: { roleId: await givenRole({ permissions }) } })).browser
const pageOf = ({ id }: { readonly id: number }) => `/admin/accounts/${id}`
const accountOf = ({ id }: { readonly id: number }) =>
  context().db.select().from(accounts).where(eq(accounts.id, id)).get()
const strikesOf = ({ id }: { readonly id: number }) =>
  context().db.select().from(accountWarnings).where(eq(accountWarnings.targetAccountId, id)).all()

type Fields = Readonly<Record<string, string>>

/** Sends a form of the page of an account. */
const send = (browser: Browser, page: string, verb: string, fields: Fields = {}) =>
  browser.fill(page, fields, { action: `${page}/${verb}` })

/** Sends the form of the page of a decision as a browser does that leaves the value of its button out. */
const decide = (browser: Browser, page: string, type: string, fields: Fields = {}) =>
  browser.fill(`${page}/decision/${type}`, fields)

/** Answers the question on a page. */
const answer = (browser: Browser, html: string, action: string, confirmed: string) =>
  browser.post(action, { ...hiddenFields(html, action), confirmed })

const forms = adminPages.flatMap(({ routes }) => routes.filter(({ method }) => method !== 'GET'))
/** Notes of moderators are deleted by their authors alone. */
const unasked = /\/notes\/:note_id\/delete$/

describe('the forms of the panel', () => {
  it('the forms ask for confirmation before they delete, end or reject something', () => {
    const risky =
      /\/(delete|remove|drop|cancel|deactivate_all|lift|limit|decision\/:type|posts|secret|notify)$/
    const missing = forms.filter(({ path, asks }) => risky.test(path) && !unasked.test(path) && asks !== true)
    expect(missing.map(({ path }) => path)).toEqual([])
  })

  it('the forms preselect nothing', async () => {
    const browser = await staff('manageUsers', 'manageReports', 'manageFederation', 'manageBlocks')
    const target = await given.account()
    await given.status({ by: target })
    for (const path of [pageOf(target), '/admin/instances/spam.example', '/admin/ip_blocks']) {
      const { html } = await browser.get(path)
      expect([path, html.match(/<input[^>]*type="radio"[^>]*checked/)]).toEqual([path, null])
      expect([path, html.match(/name="block_email"[^>]*checked/)]).toEqual([path, null])
    }
    const { html } = await browser.get('/admin/ip_blocks')
    const select = /<select[^>]*name="severity"[\s\S]*?<\/select>/.exec(html)?.[0] ?? ''
    expect(/<option value="([^"]*)"/.exec(select)?.[1]).toBe('')
    expect(select).not.toMatch(/<option value="\w+" selected/)
  })
})

describe('a suspension', () => {
  it('asks for confirmation with the affected data, and changes nothing before', async () => {
    const browser = await staff('manageUsers')
    const [target, reader, far] = [await given.account(), await given.account(), await knownPeer()]
    for (const text of ['one', 'two']) await given.status({ by: target, text })
    await relation.follow(reader, target)
    await relation.follow(far, target)
    await relation.follow(target, far)
    const page = pageOf(target)
    const facts = ['Posts and boosts 2', 'Followers 2', 'Follows 1', 'Servers of these accounts 1']
    const shown = textOf((await browser.get(`${page}/decision/suspend`)).html)
    for (const fact of [`Suspend @${target.username}?`, ...facts]) expect(shown).toContain(fact)
    const fields = { text: 'Sells <seeds>', block_email: 'true' }
    const { status, html, costs } = await decide(browser, page, 'suspend', fields)
    const text = textOf(html)
    expect(status).toBe(200)
    expect(text).toContain(`Suspend @${target.username}?`)
    for (const fact of facts) expect(text).toContain(fact)
    expect(text).toContain('The e-mail address cannot sign up again.')
    expect(text).toContain('The person is not notified.')
    expect(html).not.toContain('<seeds>')
    expect(costs.trips).toBeLessThanOrEqual(2)
    expect([(await accountOf(target))?.suspendedAt, await strikesOf(target)]).toEqual([null, []])

    const done = await answer(browser, html, `${page}/decision/suspend`, 'true')
    expect(done.location).toBe(`${page}?done=decided`)
    expect((await accountOf(target))?.suspendedAt).not.toBeNull()
    expect(await strikesOf(target)).toMatchObject([{ action: 'suspend', text: 'Sells <seeds>' }])
  })

  it('“Cancel” changes nothing and keeps typed values', async () => {
    const browser = await staff('manageUsers')
    const target = await given.account()
    const page = pageOf(target)
    const { html } = await decide(browser, page, 'suspend', { text: 'My <words>' })
    const back = await answer(browser, html, `${page}/decision/suspend`, 'false')
    expect(back.status).toBe(200)
    expect(back.html).toContain('My &lt;words&gt;')
    expect(back.html).not.toContain('note danger')
    expect((await accountOf(target))?.suspendedAt).toBeNull()
  })

  it('counts at most a thousand rows of each kind, and says that there are more', async () => {
    const browser = await staff('manageUsers')
    const target = await given.account()
    const ids = JSON.stringify(Array.from({ length: 1_001 }, () => context().ids.next()))
    await context().db.run(sql`insert into statuses (id, account_id, local, visibility, conversation_id, created_at)
      select value, ${target.id}, 1, 'private', value, 0 from json_each(${ids})`)
    const { html, costs } = await browser.get(`${pageOf(target)}/decision/suspend`)
    expect(textOf(html)).toContain('Posts and boosts more than 1,000')
    expect(costs.rowsRead).toBeLessThan(2_500)
  })

  it('the page of a decision asks once: its button carries it out', async () => {
    const browser = await staff('manageUsers')
    const target = await given.account()
    const { html } = await browser.get(`${pageOf(target)}/decision/suspend`)
    expect(html).toMatch(/<button(?=[^>]*name="confirmed")(?=[^>]*value="true")/)
    const done = await decide(browser, pageOf(target), 'suspend', { confirmed: 'true' })
    expect(done.location).toBe(`${pageOf(target)}?done=decided`)
    expect(await strikesOf(target)).toHaveLength(1)
  })

  it('refuses the suspension where another moderator acted first, before and after the question', async () => {
    const [browser, other] = [await staff('manageUsers'), await staff('manageUsers')]
    const target = await given.account()
    const page = pageOf(target)
    const path = `${page}/decision/suspend`
    const asked = await decide(browser, page, 'suspend', { text: 'My words' })
    await other.confirm(path, {})
    const late = await answer(browser, asked.html, path, 'true')
    expect(late.status).toBe(409)
    expect(textOf(late.html)).toContain('My words')
    expect(textOf(late.html)).toContain('The account is in this state already')
    const again = await browser.post(path, hiddenFields(asked.html, path))
    expect(again.status).toBe(409)
    expect(await strikesOf(target)).toHaveLength(1)
  })

  it('does not ask without the permission or a CSRF token', async () => {
    const browser = await staff('manageUsers')
    const equal = await given.account({ user: { roleId: await givenRole() } })
    const target = await given.account()
    expect((await browser.get(`${pageOf(equal)}/decision/suspend`)).status).toBe(403)
    const forged = await browser.post(`${pageOf(target)}/decision/suspend`, { confirmed: 'true' })
    expect([forged.status, (await accountOf(target))?.suspendedAt]).toEqual([422, null])
  })
})

describe('other actions', () => {
  it('a warning is sent without a question', async () => {
    const browser = await staff('manageUsers')
    const target = await given.account()
    const { location } = await decide(browser, pageOf(target), 'none', { text: 'Mind that' })
    expect(location).toBe(`${pageOf(target)}?done=decided`)
    expect(await strikesOf(target)).toMatchObject([{ action: 'none' }])
  })

  it('deleting posts asks with their number', async () => {
    const browser = await staff('manageUsers', 'manageReports')
    const target = await given.account()
    const ids = []
    for (const text of ['one', 'two', 'three']) ids.push((await given.status({ by: target, text })).id)
    const page = pageOf(target)
    const chosen = { 'post-0': String(ids[0]), 'post-1': String(ids[1]), posts_type: 'delete' }
    const { html } = await send(browser, page, 'posts', chosen)
    expect(textOf(html)).toContain(`Delete posts of @${target.username}?`)
    expect(textOf(html)).toContain('Posts 2')
    const left = () =>
      context().db.select({ id: statuses.id }).from(statuses).where(eq(statuses.accountId, target.id)).all()
    expect(await left()).toHaveLength(3)
    await answer(browser, html, `${page}/posts`, 'true')
    expect(await left()).toHaveLength(1)
    const blank = await send(browser, page, 'posts', { 'post-0': String(ids[2]) })
    expect(blank.status).toBe(422)
    expect(blank.html).toContain('href="#field-posts_type"')
  })

  it('rejecting a sign-up asks with its name, and keeps it where the moderator cancels', async () => {
    const browser = await staff('manageUsers')
    const waiting = await given.account({ user: { approved: false } })
    const action = `${pageOf(waiting)}/reject`
    const { html } = await browser.fill('/admin/accounts?status=pending', {}, { action })
    expect(textOf(html)).toContain(`Reject the sign-up of @${waiting.username}?`)
    expect((await answer(browser, html, action, 'false')).location).toBe('/admin/accounts')
    const user = () => context().db.select().from(users).where(eq(users.accountId, waiting.id)).get()
    expect(await user()).toBeDefined()
    await answer(browser, html, action, 'true')
    expect(await user()).toBeUndefined()
    expect((await answer(browser, html, action, 'true')).status).toBe(404)
  })

  it('deleting data asks with what is deleted', async () => {
    const browser = await staff('manageUsers', 'deleteUserData')
    const target = await given.account({ suspendedAt: clock.now() })
    await given.status({ by: target })
    const { html } = await send(browser, pageOf(target), 'delete')
    expect(textOf(html)).toContain(`Delete the data of @${target.username}?`)
    expect(textOf(html)).toContain('Posts and boosts 1')
    const lively = await given.account()
    const action = `${pageOf(lively)}/delete`
    expect((await browser.post(action, hiddenFields(html, `${pageOf(target)}/delete`))).status).toBe(403)
  })
})
