import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeWindows, openBrowser, sendForm, withChromium } from '../support/browser'
import { type Application, type ClientSite, openClientSite, registerAt } from '../support/client-site'
import { ContactSheet } from '../support/contact-sheet'
import { mastoOf } from '../support/masto'
import { german, problemsOf, viewsOr } from '../support/page-problems'
import { newName, origin, resetLink } from '../support/people'
import { mediaFile } from '../support/pictures'
import { authorize, type Member, newMember, signUp } from '../support/sign-in'
import { type Reader, Tabs } from '../support/tabs'
import { Visitor } from '../support/visitor'

/** States of pages that their address alone does not bring about, with the checks of every other page. */

const views = viewsOr(german)

interface SignedUp extends Reader {
  readonly member: Member
}

withChromium('the pages of a person', () => {
  let site: ClientSite
  let tabs: Tabs
  const sheet = ContactSheet.ifWanted()
  const visitors = views.map(({ language }): Reader => ({ language, cookies: new Map() }))
  const members: SignedUp[] = []

  beforeAll(async () => {
    site = await openClientSite()
    tabs = new Tabs(await openBrowser(), origin)
    for (const { language } of views) {
      const visitor = new Visitor()
      const member = await signUp(visitor, newMember(), language)
      members.push({ member, language, cookies: visitor.cookies })
      const app = await registerAt(site, 'An application whose name is long for such a small window')
      const { token } = await app.exchange((await authorize(visitor, member, app.authorizeUrl)).url.href)
      await mastoOf({ token }).v1.accounts.updateCredentials({
        displayName: 'Robin of the long and wide sky',
        avatar: await mediaFile('rgb.png', 'image/png'),
      })
    }
  })

  afterAll(async () => {
    if (sheet !== null) console.log(`Contact sheet: ${sheet.save()}`)
    site?.close()
    await closeWindows()
  })

  /** Looks at a page in each view. `open` opens it for a reader of the language of the view. */
  async function inspect<R extends Reader>(
    name: string,
    readers: readonly R[],
    open: (page: Page, reader: R) => Promise<unknown>,
  ): Promise<void> {
    const problems: string[] = []
    for (const view of views) {
      const reader = readers.find(({ language }) => language === view.language)
      if (reader === undefined) throw new Error(`${name} has no reader in ${view.language}`)
      const visit = { name, view, sheet, open: (page: Page) => open(page, reader) }
      problems.push(...(await tabs.use(reader, (page) => problemsOf(page, visit))))
    }
    expect(problems).toEqual([])
  }

  /** Types into the fields of a form, and sends it to a server that refuses it. */
  async function sendWrong(page: Page, path: string, values: Readonly<Record<string, string>>) {
    await page.goto(origin + path)
    await page.evaluate('document.querySelector("main form").noValidate = true')
    for (const [name, value] of Object.entries(values)) await page.locator(`main [name=${name}]`).fill(value)
    await sendForm(page, 'password')
    await page.locator('.note.danger').waitFor()
  }

  it.each([
    ['password-reset-dead', '/auth/password/edit?reset_password_token=dead'],
    ['confirmation-dead', '/auth/confirmation?confirmation_token=dead'],
    ['oauth-error', '/oauth/authorize?client_id=nobody&redirect_uri=https://x.example&response_type=code'],
  ])('%s is complete without sign-in', (name, path) =>
    inspect(name, visitors, (page) => page.goto(origin + path)),
  )

  it('shows errors in forms beside their fields', async () => {
    await inspect('sign-up-mistakes', visitors, (page) =>
      sendWrong(page, '/auth/sign_up', { username: 'two words', email: 'nowhere', password: 'short' }),
    )
    await inspect('sign-in-mistake', visitors, (page) =>
      sendWrong(page, '/auth/sign_in', { username: newName('nobody'), password: 'nothing' }),
    )
  })

  it('leads from a mailed link to a new password', async () => {
    const links = new Map<string, string>()
    for (const { language, member } of members) links.set(language, await resetLink(member))
    await inspect('password-reset', visitors, async (page, { language }) => {
      await page.goto(links.get(language) ?? '')
      await page.locator('main [name=password_confirmation]').waitFor()
    })
  })

  it.each(['/start', '/auth/edit', '/oauth/authorized_applications', '/menu'])(
    'shows the pages of the own account completely, with long names: %s',
    (path) => inspect(`${path} with long names`, members, (page) => page.goto(origin + path)),
  )

  it.each([
    ['consent', 'read write follow push'],
    ['consent-small', 'profile'],
    ['consent-fine', 'read:accounts read:statuses write:statuses write:media admin:read'],
  ])('shows the consent page completely: %s', async (name, scope) => {
    const app = await registerAt(site, 'Thicket for Android', scope)
    await inspect(name, members, (page) => openConsent(page, app))
  })

  it('shows the page with a code for an app without an address completely', async () => {
    const shell = await registerAt({ callback: 'urn:ietf:wg:oauth:2.0:oob' }, 'Shell')
    await inspect('code', members, async (page) => {
      await openConsent(page, shell)
      const loaded = page.waitForEvent('load')
      await page.locator('main button[value=authorize]').click()
      await loaded
      expect(await page.locator('main').innerHTML()).toMatch(/[\w-]{20,}/)
    })
  })

  async function openConsent(page: Page, { authorizeUrl }: Application): Promise<void> {
    await page.goto(`${authorizeUrl}&force_login=true`)
    await page.locator('main button[value=authorize]').waitFor()
  }
})
