import type { BrowserContext, Page, Worker } from 'playwright-core'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { hangLimit } from '../../support/hang-limit'
import { newWindows, overflow, press, useBrowser, withChromium } from '../support/browser'
import { call } from '../support/http'
import { signInOn } from '../support/member-page'
import { newPerson, origin } from '../support/people'
import { withoutPushService } from '../support/push-service'
import { type Member, signUp } from '../support/sign-in'
import { Visitor } from '../support/visitor'

const settings = `${origin}/settings/push`

interface Notice {
  readonly title: string
  readonly tag: string
  readonly data: unknown
}

/**
 * Delivers messages to the service worker, as the browser does with what its push service sends; answers what it then shows.
 * Chromium without windows shows no notifications, so that they are listed instead.
 */
async function shownAfter(
  context: BrowserContext,
  messages: readonly object[],
): Promise<{ readonly shown: readonly Notice[]; readonly badges: readonly number[] }> {
  const worker = await workerOf(context)
  return worker.evaluate(
    async (texts) => {
      const scope = Reflect.get(globalThis, 'self')
      const shown: Notice[] = []
      const badges: number[] = []
      const { promise, resolve } = Promise.withResolvers<{ shown: Notice[]; badges: number[] }>()
      const showNotification = async (title: string, options: Omit<Notice, 'title'>) => {
        const replaced = shown.findIndex(({ tag }) => tag === options.tag)
        if (replaced !== -1) shown.splice(replaced, 1)
        shown.push({ title, ...options })
      }
      // Badges, which it lacks as well, would end the worker.
      scope.navigator.setAppBadge = async (count: number) => {
        badges.push(count)
        if (badges.length === texts.length) resolve({ shown, badges })
      }
      Object.assign(scope.registration, { showNotification, getNotifications: async () => shown })
      for (const data of texts) scope.dispatchEvent(new scope.PushEvent('push', { data }))
      return promise
    },
    messages.map((one) => JSON.stringify(one)),
  )
}

async function workerOf(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
}

/** Lets pages find these notifications, and keeps those that they do not close in the storage of the site. */
async function showOn(page: Page, notices: readonly Notice[]): Promise<void> {
  await page.evaluate((kept) => localStorage.setItem('shown', JSON.stringify(kept)), notices)
  await page.addInitScript(() => {
    const kept = (): Notice[] => JSON.parse(localStorage.getItem('shown') ?? '[]')
    const close = (tag: string) =>
      localStorage.setItem('shown', JSON.stringify(kept().filter((one) => one.tag !== tag)))
    Reflect.get(globalThis, 'ServiceWorkerRegistration').prototype.getNotifications = async () =>
      kept().map((one) => ({ ...one, close: () => close(one.tag) }))
  })
}

const leftOn = (page: Page) =>
  page.evaluate(() => {
    const kept: readonly Notice[] = JSON.parse(localStorage.getItem('shown') ?? '[]')
    return kept.map(({ title }) => title)
  })

/** Makes pages those of the installed site, and keeps the number on its icon in the storage of the site. */
async function asInstalled(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const find = Reflect.get(globalThis, 'matchMedia')
    Object.assign(globalThis, {
      matchMedia: (query: string) => (query === '(display-mode: browser)' ? { matches: false } : find(query)),
    })
    Object.assign(Reflect.get(globalThis, 'Navigator').prototype, {
      setAppBadge: async (count: number) => localStorage.setItem('badge', String(count)),
      clearAppBadge: async () => localStorage.setItem('badge', 'none'),
    })
  })
}

const badgeOn = (page: Page) => page.evaluate(() => localStorage.getItem('badge'))

const message = (id: number, title: string, more: object = {}) => ({
  access_token: '',
  preferred_locale: 'en',
  notification_id: id,
  notification_type: 'mention',
  title,
  body: 'Waxwings!',
  url: '/home',
  tag: `notification-${id}`,
  ...more,
})

/** Lets somebody follow a member, who is notified. */
async function follow({ username }: Member): Promise<void> {
  const as = await newPerson()
  const found = await call(`/api/v1/accounts/lookup?acct=${username}`, { as })
  const { id } = z.object({ id: z.string() }).parse(await found.json())
  expect((await call(`/api/v1/accounts/${id}/follow`, { method: 'POST', as })).status).toBe(200)
}

withChromium('push notifications of a browser', () => {
  const place = useBrowser()

  it('push notifications are turned on and off with one press, shown in groups, and closed once they are read', async () => {
    const { context, complaints } = await newWindows(place.browser, { serviceWorkers: 'allow' })
    await context.grantPermissions(['notifications'], { origin })
    await withoutPushService(context)
    const page = await context.newPage()
    const member = await signUp(new Visitor())
    await signInOn(page, member, '/settings/push')
    expect(
      await page.evaluate(
        async () => (await Reflect.get(navigator, 'serviceWorker').getRegistrations()).length,
      ),
    ).toBe(0)
    await press(page, 'Turn on notifications')
    await page.getByText('Notifications are on in this browser.', { exact: true }).waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
    expect(await page.getByRole('button', { name: 'Turn on notifications' }).isVisible()).toBe(false)

    const { shown, badges } = await shownAfter(context, [
      message(1, 'Bob mentioned you', { url: '/bookmarks' }),
      message(2, 'Bob boosted your post', { tag: 'reblog-7' }),
      message(3, 'Carol boosted your post', { tag: 'reblog-7' }),
    ])
    expect(shown.map(({ title }) => title)).toEqual(['Bob mentioned you', 'Carol boosted your post'])
    // The worker shows on the icon how many notifications wait, those of a group once.
    expect(badges.at(-1)).toBe(2)
    // With nothing unread, all would be closed.
    await follow(member)
    await showOn(page, shown)
    await asInstalled(page)
    await page.goto(`${origin}/bookmarks`)
    await expect.poll(() => leftOn(page), hangLimit).toEqual(['Carol boosted your post'])
    await expect.poll(() => badgeOn(page), hangLimit).toBe('1')
    const read = page.waitForResponse('**/api/v1/markers')
    await page.goto(`${origin}/notifications`)
    await expect.poll(() => leftOn(page), hangLimit).toEqual([])
    // In view for a second they count as read, on this device and on others.
    await read
    await expect.poll(() => badgeOn(page), hangLimit).toBe('none')
    expect(await page.locator('.count, [data-unread-form]').count()).toBe(0)
    await page.goto(`${origin}/bookmarks`)
    expect(await page.locator('.count').count()).toBe(0)

    await page.goto(settings)
    await press(page, 'Turn off notifications')
    await page.getByText('Notifications are off in this browser.', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Turn on notifications' }).isVisible()).toBe(true)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a push notification opens the page it is about', async () => {
    const { context } = await newWindows(place.browser, { serviceWorkers: 'allow' })
    await context.grantPermissions(['notifications'], { origin })
    await withoutPushService(context)
    const page = await context.newPage()
    await signInOn(page, await signUp(new Visitor()), '/settings/push')
    await press(page, 'Turn on notifications')
    const worker = await workerOf(context)
    // Only a press of a person may open a window: what the worker asks for is listed instead.
    const asked = await worker.evaluate(
      async (paths) => {
        const scope = Reflect.get(globalThis, 'self')
        const opened: string[] = []
        const { promise, resolve } = Promise.withResolvers<void>()
        scope.clients.openWindow = async (address: string) => {
          opened.push(address)
          if (opened.length === paths.length) resolve()
        }
        const closed: string[] = []
        for (const path of paths) {
          const notification = { data: { path, id: 1 }, close: () => void closed.push(path) }
          scope.dispatchEvent(Object.assign(new scope.ExtendableEvent('notificationclick'), { notification }))
        }
        await promise
        return { opened, closed }
      },
      ['/@bob/1', '/follow_requests'],
    )
    expect(asked).toEqual({
      opened: [`${origin}/@bob/1`, `${origin}/follow_requests`],
      closed: ['/@bob/1', '/follow_requests'],
    })
    await context.close()
  })

  it('push notifications are not turned on where the reader refuses or the browser has none, and a sentence says so', async () => {
    const { context, complaints } = await newWindows(place.browser, { serviceWorkers: 'allow' })
    const page = await context.newPage()
    await signInOn(page, await signUp(new Visitor()), '/settings/push')
    await page.getByRole('button', { name: 'Turn on notifications' }).click()
    await page
      .getByText(/(?:does not allow notifications from this site|have not allowed notifications)/)
      .waitFor()
    await page.addInitScript(() => void Reflect.deleteProperty(globalThis, 'PushManager'))
    await page.goto(settings)
    await page.getByText('This browser cannot receive notifications from web pages.').waitFor()
    expect(await page.getByRole('button', { name: 'Turn on notifications' }).isVisible()).toBe(false)
    expect(complaints).toEqual([])
    await context.close()
  })
})
