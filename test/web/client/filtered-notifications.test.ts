import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../../support/as'
import { Browser, textOf } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { given, type TestAccount } from '../../support/given'
import { signedIn } from '../../support/members'

const Requests = z.array(z.object({ id: z.string(), account: z.object({ id: z.string() }) }))
const path = '/notifications/requests'

/** The token of the forms that a browser is shown. */
async function tokenOf(browser: Browser): Promise<string> {
  return /name="csrf_token" value="([^"]+)"/.exec((await browser.get('/menu')).html)?.[1] ?? ''
}

/** A member whose settings hold back the words of people they do not follow, and people who wrote to them. */
async function held(words: readonly string[]) {
  const { member, browser } = await signedIn()
  await as(member).patch('/api/v2/notifications/policy', { for_not_following: 'filter' })
  const senders: TestAccount[] = []
  for (const word of words) {
    const sender = await given.account()
    await as(sender).post('/api/v1/statuses', { status: `@${member.username} ${word}` })
    senders.push(sender)
  }
  const requests = async () => Requests.parse((await as(member).get('/api/v1/notifications/requests')).body)
  const idOf = async (index: number) => {
    const found = await requests()
    return found.find(({ account }) => account.id === String(senders[index]?.id))?.id ?? ''
  }
  const shown = async () => textOf((await browser.get('/notifications')).html)
  return { member, browser, senders, requests, idOf, shown }
}

describe('filtered notifications', () => {
  it('filtered notifications are one row above the notifications while there are any', async () => {
    const { member, browser, shown } = await held(['a wren', 'a robin'])
    const { html, costs } = await browser.get('/notifications')
    expect(textOf(html)).toContain('Filtered notifications from 2 people')
    expect(html).toContain(`href="${path}"`)
    expect(textOf(html)).not.toContain('a wren')
    expectCosts(costs, { trips: 2 })
    expect(textOf((await browser.get('/notifications/mentions')).html)).not.toContain('Filtered')
    await as(member).post('/api/v1/notifications/requests/dismiss', {
      id: Requests.parse((await as(member).get(path.replace('/', '/api/v1/'))).body).map(({ id }) => id),
    })
    expect(await shown()).not.toContain('Filtered notifications')
  })

  it('filtered notifications are listed by person, with their number, the last post and the settings', async () => {
    const { browser, senders } = await held(['a wren', 'a robin'])
    const { html, costs } = await browser.get(path)
    for (const { username } of senders) expect(html).toContain(`@${username}`)
    expect(textOf(html)).toMatch(/1 notification · .*a robin/s)
    expect(html).toContain('href="/settings/notification_policy"')
    expectCosts(costs, { trips: 2 })
  })

  it('filtered notifications of one person are shown on a page of their own', async () => {
    const { browser, idOf } = await held(['a wren', 'a robin'])
    const { html, costs } = await browser.get(`${path}/${await idOf(0)}`)
    const text = textOf(html)
    expect(text).toContain('a wren')
    expect(text).toContain('mentioned you')
    expect(text).not.toContain('a robin')
    expectCosts(costs, { trips: 2 })
  })

  it.each([
    ['accept', true],
    ['dismiss', false],
  ] as const)('pressing %s decides about one person, and leads back to the list', async (act, isShown) => {
    const { browser, idOf, requests, shown } = await held(['a wren', 'a robin'])
    const action = `${path}/${await idOf(0)}`
    const sent = await browser.fill(path, { act }, { action })
    expect([sent.status, sent.location]).toEqual([303, path])
    expect(await requests()).toHaveLength(1)
    expect((await shown()).includes('a wren')).toBe(isShown)
    expect(await shown()).not.toContain('a robin')
    // A second press changes nothing; the page of the person is gone.
    expect((await browser.post(action, { act, csrf_token: await tokenOf(browser) })).status).toBe(303)
    expect(await requests()).toHaveLength(1)
    expect((await browser.get(action)).status).toBe(404)
  })

  it.each([
    ['accept', true],
    ['dismiss', false],
  ] as const)('pressing %s for all decides about everybody on the page', async (act, isShown) => {
    const { browser, requests, shown } = await held(['a wren', 'a robin'])
    const sent = await browser.fill(path, { act })
    expect([sent.status, sent.location]).toEqual([303, path])
    expect(await requests()).toEqual([])
    for (const word of ['a wren', 'a robin']) expect((await shown()).includes(word)).toBe(isShown)
    expect(textOf((await browser.get(path)).html)).toContain('Nothing here yet')
  })

  it('filtered notifications of another member are shown to nobody, and nobody decides about them', async () => {
    const { browser, idOf, requests } = await held(['a wren'])
    const { browser: stranger } = await signedIn()
    const page = `${path}/${await idOf(0)}`
    expect((await stranger.get(page)).status).toBe(404)
    expect((await new Browser().get(page)).location).toContain('/auth/sign_in')
    expect((await stranger.get(path)).html).not.toContain('a wren')
    const token = await tokenOf(stranger)
    await stranger.post(page, { act: 'dismiss', csrf_token: token })
    await stranger.post(path, { act: 'accept', ids: await idOf(0), csrf_token: token })
    expect(await requests()).toHaveLength(1)
    expect((await browser.post(page, { act: 'dismiss' })).status).toBe(422)
    expect(await requests()).toHaveLength(1)
  })
})
