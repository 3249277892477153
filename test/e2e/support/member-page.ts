import type { Browser, BrowserContext, Page } from 'playwright-core'
import { newWindows } from './browser'
import { origin } from './people'
import { type Member, signUp } from './sign-in'
import { Visitor } from './visitor'

type Options = Parameters<typeof newWindows>[1]

/** A page of a new member, and everything the browser complained about in its windows. */
export interface MemberPage {
  readonly member: Member
  readonly page: Page
  readonly context: BrowserContext
  readonly complaints: readonly string[]
  close(): Promise<void>
}

/** Signs a new member up and in, in windows of their own, on the way to `path`. */
export async function openAsMember(browser: Browser, path: string, options?: Options): Promise<MemberPage> {
  const member = await signUp(new Visitor())
  const { context, complaints } = await newWindows(
    browser,
    options ?? { viewport: { width: 900, height: 700 } },
  )
  const page = await context.newPage()
  await signInOn(page, member, path)
  return { member, page, context, complaints, close: () => context.close() }
}

/** Signs in on a page that leads to `path`. */
export async function signInOn(page: Page, { username, password }: Member, path: string): Promise<void> {
  await page.goto(origin + path)
  await page.getByLabel('E-mail address or username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(origin + path)
}
