import type { BrowserContext, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { press, useBrowser, withChromium } from '../support/browser'
import { openAsMember } from '../support/member-page'
import { origin } from '../support/people'
import { type Member, signUp } from '../support/sign-in'
import { Visitor } from '../support/visitor'

const another = 'Another account is active in this browser.'

withChromium('several accounts in one browser', () => {
  const place = useBrowser()

  /** Adds an account in a window of its own, where it is then active. */
  async function addIn(context: BrowserContext, { username, password }: Member): Promise<Page> {
    const page = await context.newPage()
    await page.goto(`${origin}/auth/sign_in?add=1&return_to=/home`)
    await page.getByLabel('E-mail address or username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${origin}/home`)
    return page
  }

  async function switchTo(page: Page, { username }: Member): Promise<void> {
    await page.goto(`${origin}/accounts?return_to=/home`)
    await page.getByRole('button', { name: `Switch to @${username}` }).click()
    await page.waitForURL(`${origin}/home`)
  }

  const field = (page: Page) => page.getByLabel('What would you like to say?')
  const postsOf = async ({ username }: Member): Promise<unknown> => {
    const found = await fetch(`${origin}/api/v1/accounts/lookup?acct=${username}`)
    const { id } = Object.assign({ id: '' }, await found.json())
    return (await fetch(`${origin}/api/v1/accounts/${id}/statuses`)).json()
  }

  it('a window of another account than the active one says so, sends nothing, and goes on once it is active again', async () => {
    const { page, context, member: first, complaints, close } = await openAsMember(place.browser, '/publish')
    await page.getByText('Characters left:').waitFor()
    const second = await signUp(new Visitor())
    const other = await addIn(context, second)
    await page.bringToFront()
    await page.getByText(another).waitFor()
    await field(page).fill('A heron of the first account')
    await field(page).press('Control+Enter')
    await page.getByText(another).waitFor()
    expect(await field(page).inputValue()).toBe('A heron of the first account')
    for (const member of [first, second]) expect(await postsOf(member)).toEqual([])

    await switchTo(other, first)
    await page.bringToFront()
    await field(page).press('Control+Enter')
    await page.getByText('Post sent').waitFor()
    expect(await postsOf(first)).toHaveLength(1)
    expect(await postsOf(second)).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })

  it('back, drafts and what the device keeps show nothing of one account to another', async () => {
    const { page, context, member: first, close } = await openAsMember(place.browser, '/publish')
    await page.getByText('Characters left:').waitFor()
    await field(page).fill('Secret of the first account')
    await page.evaluate(`localStorage.setItem('draft ${first.username} reply:7', '{}')`)
    const second = await signUp(new Visitor())
    const other = await addIn(context, second)
    await other.close()
    await page.goto(`${origin}/accounts`)
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().waitFor()
    await page.goBack()
    expect(await page.content()).not.toContain('Secret of the first account')
    expect(await field(page).inputValue()).toBe('')
    await page.getByText('Characters left:').waitFor()
    await field(page).fill('Of the second account')
    await page.goto(`${origin}/accounts`)
    const row = page.getByRole('listitem').filter({ hasText: first.username })
    const loaded = page.waitForEvent('load')
    await row.getByRole('button', { name: 'Sign out', exact: true }).click()
    await loaded
    await page.getByText('The others stay.').waitFor()
    const keys = await page.evaluate<string[]>('Object.keys(localStorage)')
    expect(keys.filter((key) => key.includes(first.username))).toEqual([])
    expect(keys.some((key) => key.startsWith(`draft ${second.username} `))).toBe(true)
    await close()
  })

  it('a form of another account leads on after a switch with its text, also without scripts', async () => {
    const {
      page,
      context,
      member: first,
      close,
    } = await openAsMember(place.browser, '/publish', {
      javaScriptEnabled: false,
    })
    const second = await signUp(new Visitor())
    await addIn(context, second)
    await field(page).fill('A siskin of the first account')
    await press(page, 'Post')
    await page.getByText(`The page was opened by @${first.username}.`, { exact: false }).waitFor()
    expect(await postsOf(second)).toEqual([])
    await press(page, `Switch to @${first.username} and go on`)
    expect(await field(page).inputValue()).toBe('A siskin of the first account')
    await press(page, 'Post')
    expect(await postsOf(first)).toHaveLength(1)
    await close()
  })
})
