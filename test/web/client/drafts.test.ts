import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { mostDrafts } from '../../../src/domain/drafts/store'
import { as } from '../../support/as'
import { type Browser, hiddenFields } from '../../support/browser'
import { given } from '../../support/given'
import { storedUpload } from '../../support/given-upload'
import { signedIn } from '../../support/members'
import { clock } from '../../support/test-app'

const path = '/publish'
const action = { action: path }

/** Sends the form of the composer to another address, as scripts do. */
async function sendTo(browser: Browser, to: string, fields: Readonly<Record<string, string>>) {
  const { html } = await browser.get(path)
  return browser.post(to, { ...hiddenFields(html, path), return_to: '/drafts', ...fields })
}

describe('drafts of posts', () => {
  it('are saved by a button, and opened again by the composer', async () => {
    const { browser } = await signedIn()
    const fields = { press: 'draft', status: 'Half a song', spoiler_text: 'birds', visibility: 'private' }
    const saved = await browser.fill(path, fields, action)
    expect(saved.html).toContain('Draft saved')
    const { html } = await browser.get(path)
    expect(html).toContain('Half a song</textarea>')
    expect(html).toMatch(/value="birds"/)
    expect(html).toMatch(/value="private" checked/)
    expect(html).toContain('Draft of this post')
    expect((await browser.get('/drafts')).html).toContain('Half a song')
  })

  it('are saved by scripts, and gone when nothing is typed any more', async () => {
    const { browser } = await signedIn()
    await sendTo(browser, '/drafts', { status: 'Typed a moment ago' })
    expect((await browser.get('/drafts')).html).toContain('Typed a moment ago')
    await sendTo(browser, '/drafts', { status: ' ' })
    expect((await browser.get('/drafts')).html).toContain('No drafts')
  })

  it('are one for each thing they are about, and are those of their author alone', async () => {
    const { browser } = await signedIn()
    const { body } = await as(await given.account()).post('/api/v1/statuses', { status: 'Hello' })
    const other = Status.parse(body)
    await browser.fill(path, { press: 'draft', status: 'A new post' }, action)
    const reply = `${path}?reply_to=${other.id}`
    await browser.fill(reply, { press: 'draft', status: 'An answer' }, action)
    expect((await browser.get(path)).html).toContain('A new post</textarea>')
    expect((await browser.get(reply)).html).toContain('An answer</textarea>')
    const stranger = await signedIn()
    expect((await stranger.browser.get(path)).html).not.toContain('A new post')
    expect((await stranger.browser.get('/drafts')).html).toContain('No drafts')
  })

  it('end with the post that is published, and by their button', async () => {
    const { browser } = await signedIn()
    await browser.fill(path, { press: 'draft', status: 'Soon to be read' }, action)
    await browser.fill(path, { press: 'post', status: 'Soon to be read' }, action)
    expect((await browser.get('/drafts')).html).toContain('No drafts')
    await browser.fill(path, { press: 'draft', status: 'Never mind' }, action)
    await browser.fill('/drafts', { context: 'new' }, { action: '/drafts/delete' })
    expect((await browser.get(path)).html).not.toContain('Never mind')
  })

  it('are started afresh by a button of the composer', async () => {
    const { browser } = await signedIn()
    await browser.fill(path, { press: 'draft', status: 'Not like this' }, action)
    const sent = await browser.fill(path, { press: 'discard', status: 'Not like this' }, action)
    expect([sent.status, sent.location]).toEqual([303, path])
    expect((await browser.get(path)).html).not.toContain('Not like this')
  })

  it('are fifty at most: the oldest goes', async () => {
    const { browser } = await signedIn()
    for (let number = 1; number <= mostDrafts + 1; number += 1) {
      clock.advance(1_000)
      await sendTo(browser, '/drafts', { status: `Quote number ${number}.`, quote: String(number) })
    }
    const { html } = await browser.get('/drafts')
    expect(html).not.toContain('Quote number 1.')
    expect(html).toContain('Quote number 2.')
    expect(html).toContain(`Quote number ${mostDrafts + 1}.`)
  })

  it('refuse what is too long, and keep the draft before', async () => {
    const { browser } = await signedIn()
    await browser.fill(path, { press: 'draft', status: 'Short' }, action)
    const sent = await browser.fill(path, { press: 'draft', status: 'x'.repeat(70_000) }, action)
    expect(sent.status).toBe(422)
    expect((await browser.get('/drafts')).html).toContain('Short')
  })
})

describe('a post that was just sent', () => {
  it('can be taken back: it is deleted, and its text and files open again', async () => {
    const { member, browser } = await signedIn()
    const upload = await storedUpload(member)
    const sent = await browser.fill(
      path,
      { press: 'post', status: 'Too early', spoiler_text: 'birds', media_ids: upload },
      action,
    )
    const shown = await browser.get(sent.location ?? '')
    expect(shown.html).toContain('Post sent')
    const id = /\/posts\/(\d+)\/redraft/.exec(shown.html)?.[1]
    const undone = await browser.fill(sent.location ?? '', {}, { action: `/posts/${id}/redraft` })
    expect([undone.status, undone.location]).toEqual([303, path])
    expect((await as(member).get(`/api/v1/statuses/${id}`)).status).toBe(404)
    const { html } = await browser.get(path)
    expect(html).toContain('Too early</textarea>')
    expect(html).toMatch(/value="birds"/)
    expect(html).toContain(`name="media_ids" value="${upload}"`)
  })

  it('is not taken back by another account', async () => {
    const { browser } = await signedIn()
    const author = await given.account()
    const { body } = await as(author).post('/api/v1/statuses', { status: 'Mine' })
    const { id } = Status.parse(body)
    const mine = await browser.get(`/@${author.username}/${id}?sent=1`)
    expect(mine.html).not.toContain('Post sent')
    const forged = await sendTo(browser, `/posts/${id}/redraft`, {})
    expect(forged.status).toBe(404)
    expect((await as(author).get(`/api/v1/statuses/${id}`)).status).toBe(200)
  })
})
