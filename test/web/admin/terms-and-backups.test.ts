import { beforeAll, describe, expect, it } from 'vitest'
import { ownerRole } from '../../../src/domain/policy/owners'
import { operator } from '../../../src/domain/policy/permissions'
import { createWebhook } from '../../../src/domain/webhooks/change'
import { dayText } from '../../../src/lib/days'
import { as } from '../../support/as'
import { type Browser, textOf } from '../../support/browser'
import { fediverse } from '../../support/fediverse'
import { freshName, type TestAccount } from '../../support/given'
import { givenOwner } from '../../support/given-staff'
import { signedIn } from '../../support/members'
import { clock, context } from '../../support/test-app'

let browser: Browser
let owner: TestAccount
beforeAll(async () => {
  browser = (await signedIn({ user: { roleId: ownerRole } })).browser
  owner = await givenOwner()
})

const inDays = (days: number) => dayText(new Date(clock.now().getTime() + days * 86_400_000))
const tokenIn = (html: string) => /name="csrf_token" value="([^"]+)"/.exec(html)?.[1] ?? ''

describe('the page of the terms of service', () => {
  const path = '/admin/terms'
  const api = '/api/fieldfare/v1/admin/terms'

  it('shows a version before it is published, notifies members, and deletes it', async () => {
    const day = inDays(20)
    const draft = { text: '# Be <kind>\n\nAlways.', changelog: 'New *rule*', effective_date: day }
    const preview = await browser.fill(path, draft, { action: `${path}/preview` })
    expect(preview.status).toBe(200)
    expect(textOf(preview.html)).toContain(`In force from ${day}.`)
    expect(preview.html).not.toContain('<kind>')
    expect((await as(owner).get(`${api}/${day}`)).status).toBe(404)
    const published = await browser.post(path, { csrf_token: tokenIn(preview.html), ...draft })
    expect(published.location).toBe(`${path}?done=published`)
    expect((await as(owner).get(`${api}/${day}`)).body).toMatchObject({ text: draft.text, effective: false })
    expect(textOf((await browser.get(path)).html)).toContain(`${day} not in force yet`)
    const act = (verb: string) =>
      browser.post(`${path}/${verb}`, { csrf_token: tokenIn(preview.html), day, confirmed: 'true' })
    expect((await act('notify')).location).toBe(`${path}?done=notified`)
    expect((await act('notify')).status).toBe(409)
    const cancelled = await act('cancel')
    expect(cancelled.location).toBe(`${path}?done=cancelled`)
    expect((await as(owner).get(`${api}/${day}`)).status).toBe(404)
  })

  it.each([
    [{ text: ' ' }, "Text can't be blank"],
    [{ text: 'Be kind, all of you', effective_date: '2026-13-40' }, 'In force from is not valid'],
    [{ text: 'Be kind, all of you', effective_date: '2020-01-01' }, 'In force from must be today or later'],
  ])('refuses %j, and keeps typed values', async (fields, problem) => {
    const { status, html } = await browser.fill(path, fields, { action: `${path}/preview` })
    expect(status).toBe(422)
    expect(textOf(html)).toContain(problem)
    expect(html).toContain(fields.text)
  })
})

describe('the page of backups', () => {
  const path = '/admin/backups'

  it('starts a backup, shows its state, and deletes it', async () => {
    const sent = await browser.fill(path, {})
    expect(sent.location).toBe(`${path}?done=started`)
    const { html } = await browser.get(path)
    expect(textOf(html)).toContain('A backup is running.')
    const [, name = ''] = /name="name" value="([^"]+)"/.exec(html) ?? []
    const action = `${path}/delete`
    expect((await browser.confirm(path, { name: 'other' }, { action })).status).toBe(404)
    expect((await browser.confirm(path, { name }, { action })).location).toBe(`${path}?done=deleted`)
    expect(textOf((await browser.get(path)).html)).not.toContain('A backup is running.')
  })
})

describe('the page of a webhook', () => {
  it('tests the address, shows its log, and creates a new secret', async () => {
    const url = `https://${freshName('hook')}.test/in`
    fediverse.network.respond(url, () => new Response('', { status: 503 }))
    const { id, secret } = await createWebhook(context(), operator, {
      url,
      events: ['account.created'],
      template: '',
    })
    const path = `/admin/webhooks/${id}/deliveries`
    const page = await browser.get(path)
    expect(textOf(page.html)).toContain('No deliveries yet.')
    const act = (verb: string, answer: Readonly<Record<string, string>> = {}) =>
      browser.post(`/admin/webhooks/${id}/${verb}`, { csrf_token: tokenIn(page.html), ...answer })
    const tested = await act('test')
    expect(textOf(tested.html)).toContain('failed It answered 503.')
    const rotated = await act('secret', { confirmed: 'true' })
    const [, shown = ''] = /<code class="code-to-copy">([^<]+)</.exec(rotated.html) ?? []
    expect(shown.length).toBeGreaterThan(20)
    expect(shown).not.toBe(secret)
  })
})
