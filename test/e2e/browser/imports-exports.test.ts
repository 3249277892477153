import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hangLimit } from '../../support/hang-limit'
import { newWindows, overflow, press, useBrowser, withChromium } from '../support/browser'
import { registerAt } from '../support/client-site'
import { idsOf } from '../support/ids'
import { mastoOf } from '../support/masto'
import { domain, newPerson, origin } from '../support/people'
import { authorize, signUp } from '../support/sign-in'
import { Visitor } from '../support/visitor'

withChromium('a person who moves with a browser', () => {
  const place = useBrowser()

  /** An account signed in with a browser and with a client, on the page of imports and exports. */
  async function moving() {
    const visitor = new Visitor()
    const member = await signUp(visitor)
    const app = await registerAt(place.site, 'Mover')
    const { token } = await app.exchange((await authorize(visitor, member, app.authorizeUrl)).url.href)
    const { context, complaints } = await newWindows(place.browser)
    const page = await context.newPage()
    await page.goto(`${origin}/auth/sign_in`)
    await page.getByLabel('E-mail address or username').fill(member.username)
    await page.getByLabel('Password', { exact: true }).fill(member.password)
    await press(page, 'Sign in')
    await page.goto(`${origin}/auth/edit`)
    await page.getByRole('link', { name: 'Import and export' }).click()
    await page.getByRole('heading', { level: 1, name: 'Import and export' }).waitFor()
    return { context, complaints, page, client: mastoOf({ token }) }
  }

  async function download(page: Page, name: string): Promise<string> {
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name, exact: true }).click()
    return readFile(await (await coming).path(), 'utf8')
  }

  async function upload(page: Page, kind: string, text: string): Promise<void> {
    await page.getByLabel('Type of data').selectOption({ label: kind })
    const file = { name: 'things.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await page.getByLabel('File', { exact: true }).setInputFiles(file)
    await press(page, 'Import')
    await page.getByText('Nothing has changed yet.').waitFor()
    await press(page, 'Start the import')
    await page.getByText('The file is being processed').waitFor()
  }

  it('exports follows, and imports them to another account', async () => {
    const friends = [await newPerson('one'), await newPerson('two')]
    const old = await moving()
    for (const { id } of friends) await old.client.v1.accounts.$select(id).follow()
    await old.page.reload()
    const file = await download(old.page, 'People you follow')
    expect(file.split('\n')[0]).toBe('Account address,Show boosts,Notify on new posts,Languages')
    for (const { username } of friends) expect(file).toContain(`${username}@${domain}`)

    const fresh = await moving()
    await upload(fresh.page, 'People you follow', file)
    const { id } = await fresh.client.v1.accounts.verifyCredentials()
    const followed = async () => idsOf(await fresh.client.v1.accounts.$select(id).following.list()).toSorted()
    await expect.poll(followed, hangLimit).toEqual(idsOf(friends).toSorted())
    const progress = async () => {
      await fresh.page.goto(`${origin}/settings/imports`)
      return fresh.page.getByRole('region', { name: 'Your imports' }).innerText()
    }
    await expect.poll(progress, hangLimit).toContain('Finished: 2 done.')
    for (const width of [360, 1280]) {
      await fresh.page.setViewportSize({ width, height: 800 })
      expect(await overflow(fresh.page)).toBe(0)
    }
    expect([...old.complaints, ...fresh.complaints]).toEqual([])
    await Promise.all([old.context.close(), fresh.context.close()])
  })

  it('shows entries that could not be imported, and why', async () => {
    const { page, client, context, complaints } = await moving()
    await upload(page, 'Servers you block', 'far.example\nnot a domain\n')
    await expect
      .poll(async () => [...(await client.v1.domainBlocks.list())], hangLimit)
      .toEqual(['far.example'])
    const failed = async () => {
      await page.goto(`${origin}/settings/imports`)
      return page.getByRole('link', { name: 'What failed, and why' }).count()
    }
    await expect.poll(failed, hangLimit).toBe(1)
    expect(await download(page, 'What failed, and why')).toContain('not a domain')
    expect(complaints).toEqual([])
    await context.close()
  })
})
