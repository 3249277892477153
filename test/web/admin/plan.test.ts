import { beforeEach, describe, expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { loadSettings } from '../../../src/domain/instance/settings'
import { operator, type Permission } from '../../../src/domain/policy/permissions'
import { textOf } from '../../support/browser'
import { givenRole } from '../../support/given-staff'
import { signedIn } from '../../support/members'
import { context } from '../../support/test-app'

const path = '/admin/plan'
const staff = async (...permissions: Permission[]) =>
  (await signedIn({ user: { roleId: await givenRole({ permissions }) } })).browser
const chosen = async () => (await execute(context().db, loadSettings(context()))).plan

beforeEach(() => saveSettings(context(), operator, { plan: null }))

describe('the page of the plan', () => {
  it('the page of the plan names it, what each means, and what the server uses', async () => {
    const browser = await staff('manageSettings')
    const text = textOf((await browser.get(path)).html)
    for (const words of [
      'Cloudflare’s Free plan',
      '500 MB',
      '10 GB',
      'from 400 MB on',
      'from 8 GB on',
      'from $5 a month',
    ])
      expect(text).toContain(words)
    expect(text).toMatch(/Largest part of a daily quota of Free that was used today [\d.]+%/)
    expect(text).not.toContain('This was chosen here')
  })

  it('the page of the plan changes it after a question that says what it costs, and back', async () => {
    const browser = await staff('manageSettings')
    const question = await browser.fill(path, {}, { action: `${path}/paid` })
    expect(textOf(question.html)).toContain('It costs $5 a month')
    expect(await chosen()).toBeNull()
    const sent = await browser.confirm(path, {}, { action: `${path}/paid` })
    expect([sent.location, await chosen()]).toEqual([`${path}?done=changed`, 'paid'])
    const text = textOf((await browser.get(path)).html)
    expect(text).toContain('Cloudflare’s Paid plan')
    expect(text).toContain('This was chosen here')
    await browser.confirm(path, {}, { action: `${path}/free` })
    expect(await chosen()).toBeNull()
  })

  it('the page of the plan is not for staff who may not change settings', async () => {
    const browser = await staff('viewDashboard', 'viewDevops')
    expect((await browser.get(path)).status).toBe(403)
  })
})
