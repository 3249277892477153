import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Browser, textOf } from '../support/browser'
import { given } from '../support/given'
import { subscribedBrowser } from '../support/given-push'
import { signedIn } from '../support/members'
import { pushDevice } from '../support/push-device'

const path = '/settings/push'
const on = { action: `${path}/on` }
const off = { action: `${path}/off` }

const ticked = (html: string) =>
  [...html.matchAll(/<input[^>]* name="([^"]+)" type="checkbox"[^>]* checked/g)].map(([, name]) => name)
const offered = (html: string) =>
  [...html.matchAll(/<input[^>]* name="([^"]+)" type="checkbox"/g)].map(([, name]) => name)

const everybody = [
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
  'quote',
  'quoted_update',
]

describe('the page of notifications in this browser', () => {
  it('offers to turn them on, with the key of this server and the words of the script', async () => {
    const { browser } = await signedIn()
    const { html, costs } = await browser.get(path)
    expect(html).toMatch(/data-push="on" data-key="[\w-]{87}"/)
    expect(offered(html)).toEqual([])
    expect(textOf(html)).toContain('Turning on notifications needs JavaScript.')
    expect(costs.trips).toBeLessThanOrEqual(4)
    expect((await browser.get(path)).costs.trips).toBeLessThanOrEqual(2)
  })

  it('lets a worker of this server run there, and its one script', async () => {
    const { browser } = await signedIn()
    const policy = (await browser.get(path)).headers.get('content-security-policy')
    expect(policy).toContain("worker-src 'self'")
    expect(policy).toContain('/assets/push.js')
    expect(policy).not.toContain('connect-src')
  })

  it('the page of notifications in this browser turns them on with every kind that is not for moderators', async () => {
    const { browser } = await signedIn()
    const { location } = await subscribedBrowser(browser)
    expect(location).toBe(`${path}?done=on`)
    const { html } = await browser.get(`${path}?done=on`)
    expect(textOf(html)).toContain('Notifications are on in this browser.')
    expect(ticked(html)).toEqual(everybody)
    expect(html).toMatch(/<option value="all" selected/)
  })

  it('the page of notifications in this browser saves kinds and senders', async () => {
    const { browser } = await signedIn()
    await subscribedBrowser(browser)
    const saved = await browser.fill(path, { poll: 'true', policy: 'follower', 'admin.report': 'true' })
    expect(saved.location).toBe(`${path}?done=saved`)
    const { html } = await browser.get(path)
    expect(ticked(html)).toEqual(['poll'])
    expect(html).toMatch(/<option value="follower" selected/)
  })

  it('offers moderators their kinds, not chosen', async () => {
    const { browser } = await signedIn({ user: { roleId: 3 } })
    await subscribedBrowser(browser)
    const { html } = await browser.get(path)
    expect(offered(html).toSorted()).toEqual([...everybody, 'admin.report', 'admin.sign_up'].toSorted())
    expect(ticked(html)).toEqual(everybody)
  })

  it('the page of notifications in this browser turns them off with one press', async () => {
    const { browser } = await signedIn()
    await subscribedBrowser(browser)
    expect((await browser.fill(path, {}, off)).location).toBe(`${path}?done=off`)
    expect(offered((await browser.get(path)).html)).toEqual([])
  })

  it.each([
    ['an unknown policy', { policy: 'friends' }, 'Show notifications from'],
    ['choices without a subscription', { mention: 'true', policy: 'all' }, 'are off in this browser now'],
  ])('the page of notifications in this browser refuses %s in words', async (name, fields, words) => {
    const { browser } = await signedIn()
    await subscribedBrowser(browser)
    const page = await browser.get(path)
    if (name.startsWith('choices')) await browser.fill(path, {}, off)
    const token = /name="csrf_token" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
    const answer = await browser.post(path, { csrf_token: token, ...fields })
    expect(answer.status).toBe(422)
    expect(textOf(answer.html)).toContain(words)
  })

  const sound = pushDevice().subscription
  it.each([
    ['no address', { endpoint: '', ...sound.keys }],
    ['an address of this server', { endpoint: 'https://fieldfare.test/1', ...sound.keys }],
    ['an address in a private network', { endpoint: 'https://127.0.0.1/1', ...sound.keys }],
    ['keys that are none', { endpoint: sound.endpoint, p256dh: 'AA', auth: 'AA' }],
  ])('refuses %s with a sentence', async (_, fields) => {
    const { browser } = await signedIn()
    const answer = await browser.fill(path, fields, on)
    expect(answer.status).toBe(422)
    expect(textOf(answer.html)).toContain('The browser gave no address')
  })

  it('lists the browser among devices, which end there too', async () => {
    const { browser } = await signedIn()
    const { endpoint } = await subscribedBrowser(browser)
    const { html } = await browser.get('/oauth/authorized_applications')
    expect(textOf(html)).toContain(`through ${new URL(endpoint).host} since`)
    expect(html).not.toContain(endpoint)
    const action = /action="(\/settings\/push\/\d+\/remove)"/.exec(html)?.[1] ?? ''
    await browser.fill('/oauth/authorized_applications', {}, { action })
    expect(offered((await browser.get(path)).html)).toEqual([])
  })

  it('never shows the address or the keys, nor to another session of the account', async () => {
    const { browser } = await signedIn()
    const { endpoint, subscription } = await subscribedBrowser(browser)
    const { html } = await browser.get(path)
    for (const secret of [endpoint, subscription.keys.auth, subscription.keys.p256dh])
      expect(html).not.toContain(secret)
    const elsewhere = await signedIn()
    expect(offered((await elsewhere.browser.get(path)).html)).toEqual([])
  })

  it('the page of notifications in this browser is for members alone', async () => {
    expect((await new Browser().get(path)).location).toContain('/auth/sign_in')
    expect((await given.account()).id).toBeGreaterThan(0)
    expect(z.string().parse((await new Browser().get(path)).location)).toContain('return_to')
  })
})
