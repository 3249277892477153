import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launch, newWindows, withChromium } from '../support/browser'
import { type Door, openDoor } from './support/door'
import type { Person } from './support/instance'
import { Visitor } from './support/pages'
import { openWorld, type World } from './support/world'

withChromium('the web client between two servers', () => {
  let world: World
  let door: Door
  let browser: Awaited<ReturnType<typeof launch>>

  beforeAll(async () => {
    world = await openWorld('a', 'b')
    const addressOf = (host: string) => world.instance(host === 'a.test' ? 'a' : 'b').address()
    door = await openDoor(world.router, ['a.test', 'b.test'], addressOf)
    browser = await launch(`--proxy-server=${door.proxy}`)
  })
  afterAll(async () => {
    await browser?.close()
    door?.close()
    await world?.close()
  })

  /** A window of a person who is signed in, at home. */
  async function openHome(person: Person, width: number) {
    const { context, complaints } = await newWindows(browser, {
      ignoreHTTPSErrors: true,
      viewport: { width, height: 800 },
    })
    // Files come from the folder: what is in front of a Worker serves them, and here nothing is.
    await context.route('**/assets/**', (route) =>
      route.fulfill({ path: `public${new URL(route.request().url()).pathname}` }),
    )
    await context.addCookies((await Visitor.of(person)).cookies())
    // Playwright tells when a socket is made, and not when it is open.
    await context.addInitScript(`WebSocket = class extends WebSocket {
      constructor(address) {
        super(address)
        this.addEventListener('open', () => document.documentElement.setAttribute('data-live', ''))
      }
    }`)
    const page = await context.newPage()
    const go = async (path: string) => {
      await page.goto(person.instance.origin + path)
      await page.locator('html[data-live]').waitFor()
    }
    await go('/home')
    return { page, go, complaints, context }
  }

  /** Posts from the composer in place. */
  async function post(page: Page, text: string, beginning = ''): Promise<void> {
    const form = page.locator('form[data-quick]')
    await form.locator('[type=file]').waitFor({ state: 'attached' })
    await form.getByRole('textbox').fill(beginning + text)
    await form.getByRole('textbox').press('Control+Enter')
    await page.getByRole('article').getByText(text).waitFor()
  }

  const follow = async (page: Page) => {
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Follow / })
      .first()
      .click()
    await page
      .getByRole('button', { name: /^(Following|Requested)/ })
      .first()
      .waitFor()
  }

  it('two members and a person of another server follow, post, answer, boost and delete while all watch', async () => {
    const [here, there] = [world.instance('a'), world.instance('b')]
    const [ada, ben, cleo] = [
      await here.member('ada_reads'),
      await here.member('ben_reads'),
      await there.member('cleo_writes'),
    ]
    const [desk, phone, away] = [
      await openHome(ada, 1_280),
      await openHome(ben, 390),
      await openHome(cleo, 800),
    ]

    await desk.go(`/search?q=${encodeURIComponent(`@${cleo.handle}`)}`)
    await desk.page.getByRole('main').getByRole('link', { name: 'cleo_writes' }).first().click()
    await follow(desk.page)
    await away.page.getByRole('link', { name: /Notifications.*1/ }).waitFor()
    await away.go('/notifications')
    await away.page.getByText('followed you').waitFor()

    await desk.go('/home')
    await away.go('/home')
    await post(away.page, 'Larks over the heath')
    await desk.page.getByRole('link', { name: /New posts/ }).click()
    await desk.page.getByText('Larks over the heath').waitFor()

    await phone.go(`/@${ada.username}`)
    await follow(phone.page)
    await phone.go('/home')
    await desk.page.getByRole('button', { name: 'Boost', exact: true }).click()
    await phone.page.getByRole('link', { name: /New posts/ }).click()
    await phone.page.getByText('ada_reads boosted').waitFor()

    await desk.page.getByRole('article').locator('time').first().click()
    await post(desk.page, 'How many?', `@${cleo.handle} `)
    await away.page.getByRole('link', { name: /Notifications.*[23]/ }).waitFor()
    await away.go('/notifications')
    const answer = away.page.getByRole('article').filter({ hasText: 'How many?' })
    await answer.getByRole('button', { name: 'Favourite' }).click()
    await desk.page.getByRole('link', { name: /Notifications.*2/ }).waitFor()
    await desk.go('/notifications')
    await desk.page.getByText('favourited your post').waitFor()

    await away.go('/home')
    await away.page.getByLabel('More about this post').last().click()
    await away.page.getByRole('link', { name: 'Delete', exact: true }).last().click()
    await away.page.getByText('Post deleted').waitFor()
    await away.go('/notifications')
    await phone.page.getByText('Deleted by its author').waitFor()
    for (const { complaints, context } of [desk, phone, away]) {
      expect(complaints).toEqual([])
      await context.close()
    }
  })
})
