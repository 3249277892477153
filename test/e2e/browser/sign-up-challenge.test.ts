import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeWindows, newWindows, openBrowser, overflow, withChromium } from '../support/browser'
import { type Instance, startInstance } from '../support/instance'

withChromium('a sign-up page with a challenge', () => {
  let browser: Browser
  let instance: Instance

  beforeAll(async () => {
    ;[browser, instance] = await Promise.all([
      openBrowser(),
      startInstance({ title: 'The Hedge', signUpChallenge: true }),
    ])
  })

  afterAll(async () => {
    await closeWindows()
    await instance?.close()
  })

  async function fillIn(page: Page, username: string) {
    await page.goto(`${instance.origin}/auth/sign_up`)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('E-mail address').fill(`${username}@hedge.example`)
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await page.getByLabel('Confirm password').fill('a long password')
    await page.getByRole('checkbox').check()
  }

  it('solves the challenge in the browser, also when the form is sent at once', async () => {
    const { context, complaints } = await newWindows(browser)
    const page = await context.newPage()
    await fillIn(page, 'dunnock')
    expect(await page.getByText('It needs JavaScript for that').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL(`${instance.origin}/start`)
    await page.goto(`${instance.origin}/auth/edit`)
    expect(await page.getByText('@dunnock').first().isVisible()).toBe(true)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('shows that it waits for the challenge', async () => {
    const { context, complaints } = await newWindows(browser)
    const page = await context.newPage()
    await page.setViewportSize({ width: 360, height: 740 })
    // A slow device: keys are derived ten times in a second.
    await page.addInitScript(`
      const derive = crypto.subtle.deriveBits.bind(crypto.subtle)
      crypto.subtle.deriveBits = async (...order) => {
        await new Promise((resolve) => setTimeout(resolve, 100))
        return derive(...order)
      }
    `)
    await fillIn(page, 'wheatear')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('your browser is solving a small task').waitFor()
    expect(await overflow(page)).toBe(0)
    expect(page.url()).toBe(`${instance.origin}/auth/sign_up`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('shows without JavaScript that it is needed, and creates no account', async () => {
    const { context } = await newWindows(browser, { javaScriptEnabled: false })
    const page = await context.newPage()
    await page.setViewportSize({ width: 360, height: 740 })
    await fillIn(page, 'redstart')
    expect(await page.getByText('It needs JavaScript for that').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('Challenge was not solved by the browser')
    expect(await overflow(page)).toBe(0)
    await context.close()
  })
})
