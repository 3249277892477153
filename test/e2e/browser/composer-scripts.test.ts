import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hangLimit } from '../../support/hang-limit'
import { useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { openAsMember } from '../support/member-page'
import { newPerson, origin } from '../support/people'
import { mediaPath } from '../support/pictures'
import { eventually } from '../support/receiver'

/** Counts the drafts that the device keeps, in the page. */
const draftsKept = "Object.keys(localStorage).filter((key) => key.startsWith('draft ')).length"

withChromium('the composer with scripts', () => {
  const place = useBrowser()

  async function openComposer() {
    const opened = await openAsMember(place.browser, '/publish')
    await opened.page.getByText('Characters left:').waitFor()
    return opened
  }

  const field = (page: Page) => page.getByLabel('What would you like to say?')
  const ownPosts = async (username: string) => {
    const found = await fetch(`${origin}/api/v1/accounts/lookup?acct=${username}`)
    const { id } = Object.assign({ id: '' }, await found.json())
    const answer = await fetch(`${origin}/api/v1/accounts/${id}/statuses`)
    return answer.json()
  }

  it('the composer keeps what is typed on the device at once and on the server after a pause, and opens with it', async () => {
    const { page, complaints, close } = await openComposer()
    await field(page).pressSequentially('Half a song')
    await page.reload()
    expect(await field(page).inputValue()).toBe('Half a song')
    await page.getByText('Your text has been restored.').waitFor()
    await field(page).pressSequentially(' and more')
    await eventually(async () => {
      const drafts = await page.evaluate(`fetch('/drafts').then((answer) => answer.text())`)
      expect(drafts).toContain('Half a song and more')
    })
    expect(complaints).toEqual([])
    await close()
  })

  it('a described picture is added without leaving the page, and sent by Ctrl and Enter', async () => {
    const { page, member, complaints, close } = await openComposer()
    await field(page).fill('A wren')
    await page.getByLabel('Pictures, video or sound').setInputFiles(mediaPath('gray.png'))
    await page.getByLabel('Description of attachment 1').fill('A wren on a fence')
    await page.getByText('Focal point').click()
    await page.getByLabel('Focal point').selectOption('Top')
    expect(await field(page).inputValue()).toBe('A wren')
    await field(page).press('Control+Enter')
    await page.getByText('Post sent').waitFor()
    expect(await ownPosts(member.username)).toMatchObject([
      { media_attachments: [{ description: 'A wren on a fence', meta: { focus: { x: 0, y: 0.7 } } }] },
    ])
    await page.goto(`${origin}/publish`)
    expect(await field(page).inputValue()).toBe('')
    expect(complaints).toEqual([])
    await close()
  })

  it('people are suggested while their name is typed', async () => {
    const person = await newPerson('nightingale')
    const { page, close } = await openComposer()
    await field(page).pressSequentially(`Hello @${person.username.slice(0, -1)}`)
    await page.getByRole('option', { name: `@${person.username}` }).waitFor()
    await field(page).press('Enter')
    expect(await field(page).inputValue()).toBe(`Hello @${person.username} `)
    await close()
  })

  it('the language follows the script of what is typed, until one is chosen', async () => {
    const { page, close } = await openComposer()
    const language = page.getByLabel('Language')
    const usual = await language.inputValue()
    await field(page).fill('今日は川でカワセミを見ました')
    expect(await language.inputValue()).toBe('ja')
    await field(page).fill('A kingfisher at the river')
    expect(await language.inputValue()).toBe(usual)
    await language.selectOption('fr')
    await field(page).fill('今日は川でカワセミを見ました')
    expect(await language.inputValue()).toBe('fr')
    await close()
  })

  it('puts a saved reply where one types without leaving the page, and keeps the language of the post', async () => {
    const { page, complaints, close } = await openComposer()
    await page.goto(`${origin}/settings/saved_replies`)
    await page.getByLabel('Name').fill('Welcome')
    await page.getByLabel('Text').fill('ようこそ')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('The saved reply is added.').waitFor()
    const author = await newPerson('thrush')
    const { id } = await mastoOf(author).v1.statuses.create({ status: 'Hello', language: 'fr' })
    await page.goto(`${origin}/publish?reply_to=${id}`)
    await page.getByText('Characters left:').waitFor()
    const choose = async () => {
      await page.getByLabel('Saved replies').click()
      await page.getByRole('button', { name: 'Welcome' }).click()
    }
    await choose()
    expect(await field(page).inputValue()).toBe(`@${author.username} ようこそ`)
    await field(page).fill('Before. After.')
    await page.evaluate("document.querySelector('textarea[name=status]').setSelectionRange(7, 7)")
    await choose()
    expect(await field(page).inputValue()).toBe('Before. ようこそ After.')
    await field(page).press('End')
    await field(page).pressSequentially(' も')
    expect(await page.getByLabel('Language').inputValue()).toBe('fr')
    expect(new URL(page.url()).search).toBe(`?reply_to=${id}`)
    expect(complaints).toEqual([])
    await close()
  })

  it('a refused post keeps its text, and says why beside it', async () => {
    const { page, member, close } = await openComposer()
    await field(page).fill('x'.repeat(5_100))
    await page.getByText('Characters left: -').waitFor()
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByRole('alert').waitFor()
    expect(await field(page).inputValue()).toHaveLength(5_100)
    expect(await ownPosts(member.username)).toEqual([])
    await close()
  })

  it('a lost connection loses nothing', async () => {
    const { page, context, member, close } = await openComposer()
    await field(page).fill('Said once')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByText('No connection. Please try again.').waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByText('Post sent').waitFor()
    expect(await ownPosts(member.username)).toHaveLength(1)
    await close()
  })

  it('the composer starts over, and does not bring back a draft that was deleted in the list', async () => {
    const { page, close } = await openComposer()
    await field(page).pressSequentially('Not like this')
    await expect.poll(() => page.evaluate(draftsKept), hangLimit).toBe(0)
    await page.reload()
    expect(await field(page).inputValue()).toBe('Not like this')
    await field(page).pressSequentially(' at all')
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.getByText('Draft of this post').waitFor({ state: 'detached' })
    await page.getByText('Characters left:').waitFor()
    expect(await field(page).inputValue()).toBe('')
    await field(page).pressSequentially('Nor like that')
    await expect.poll(() => page.evaluate(draftsKept), hangLimit).toBe(0)
    await page.goto(`${origin}/drafts`)
    await page.getByRole('button', { name: 'Delete this draft' }).click()
    await page.getByText('No drafts').waitFor()
    await page.goto(`${origin}/publish`)
    await page.getByText('Characters left:').waitFor()
    expect(await field(page).inputValue()).toBe('')
    await close()
  })

  it('a text that a link brings along leaves the draft of another as it is, and is kept for itself', async () => {
    const { page, close } = await openComposer()
    await field(page).pressSequentially('Half a song')
    await page.goto(`${origin}/publish?text=Hello`)
    await page.getByText('Characters left:').waitFor()
    expect(await field(page).inputValue()).toBe('Hello')
    await field(page).press('End')
    await field(page).pressSequentially(' there')
    await page.reload()
    await page.getByText('Characters left:').waitFor()
    expect(await field(page).inputValue()).toBe('Hello there')
    await page.goto(`${origin}/publish`)
    await page.getByText('Characters left:').waitFor()
    expect(await field(page).inputValue()).toBe('Half a song')
    await close()
  })

  it('signing out deletes what the device keeps', async () => {
    const { page, close } = await openComposer()
    await field(page).pressSequentially('For my eyes')
    expect(await page.evaluate(draftsKept)).toBe(1)
    await page.goto(`${origin}/auth/sign_out`)
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${origin}/`)
    expect(await page.evaluate(draftsKept)).toBe(0)
    await close()
  })
})
