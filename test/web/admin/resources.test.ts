import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { auditLog } from '../../../src/db/schema'
import { ownerRole } from '../../../src/domain/policy/owners'
import { adminPages } from '../../../src/web/pages/admin'
import { type Browser, hiddenFields, textOf } from '../../support/browser'
import { freshName, type TestAccount } from '../../support/given'
import { signedIn } from '../../support/members'
import { context } from '../../support/test-app'
import { addSample, samples } from './samples'

let browser: Browser
let owner: TestAccount
beforeAll(async () => {
  const signed = await signedIn({ user: { roleId: ownerRole } })
  browser = signed.browser
  owner = signed.member
})

const acts = async () =>
  (await context().db.select().from(auditLog).where(eq(auditLog.accountId, owner.id)).all()).length

it('every resource has a sample', () => {
  const removing = adminPages.flatMap(({ path, routes }) =>
    routes.some((route) => route.path === `${path}/:id/remove`) ? [path] : [],
  )
  expect(
    samples(freshName('word'))
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(removing.toSorted())
})

describe.each(samples(freshName('word')))('$path', (sample) => {
  const { path, fields, shown, changed, refused } = sample

  it('adds, shows, changes and removes an entry, each with an entry in the audit log', async () => {
    const before = await acts()
    const id = await addSample(browser, sample)
    const { html } = await browser.get(path)
    expect(textOf(html)).toContain(shown)
    expect(html).not.toMatch(/<(kind|meet|please|often|all|of)>/)
    expect(await acts()).toBeGreaterThan(before)
    if (changed !== undefined) {
      const page = await browser.get(`${path}/${id}`)
      expect(page.status).toBe(200)
      const kept = { ...fields, ...changed }
      const sent = await browser.fill(`${path}/${id}`, kept)
      expect([sent.status, sent.location]).toEqual([303, `${path}?done=changed`])
      expect(textOf((await browser.get(path)).html)).toContain(Object.values(changed)[0] ?? '')
    }
    const removed = await browser.confirm(path, {}, { action: `${path}/${id}/remove` })
    expect([removed.status, removed.location]).toEqual([303, `${path}?done=remove`])
    expect((await browser.get(path)).html).not.toContain(`${path}/${id}/remove`)
  })

  it('refuses invalid fields with the problem, and keeps typed values', async () => {
    const [bad, problem] = refused
    const before = await acts()
    const { status, html } = await browser.fill(path, bad)
    expect(status).toBe(422)
    expect(textOf(html)).toContain(problem)
    for (const typed of Object.values(bad).filter((text) => /^\w{5,}$/.test(text)))
      expect(html).toContain(typed)
    expect(await acts()).toBe(before)
  })

  it('refuses to change or remove a missing entry', async () => {
    const token = hiddenFields((await browser.get('/settings/delete')).html, '/settings/delete')
    expect((await browser.post(`${path}/4711/remove`, { ...token, confirmed: 'true' })).status).toBe(404)
    if (changed !== undefined) expect((await browser.get(`${path}/4711`)).status).toBe(404)
  })
})
