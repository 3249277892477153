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
  it('the composer saves a draft by a button, and opens it again', async () => {
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

  it('scripts save drafts, and an empty form deletes its draft', async () => {
    const { browser } = await signedIn()
    await sendTo(browser, '/drafts', { status: 'Typed a moment ago' })
    expect((await browser.get('/drafts')).html).toContain('Typed a moment ago')
    await sendTo(browser, '/drafts', { status: ' ' })
    expect((await browser.get('/drafts')).html).toContain('No drafts')
  })

  it('a member has one draft for each new post and reply, and sees those of nobody else', async () => {
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

  it('a published post and the button in the list delete a draft', async () => {
    const { browser } = await signedIn()
    await browser.fill(path, { press: 'draft', status: 'Soon to be read' }, action)
    await browser.fill(path, { press: 'post', status: 'Soon to be read' }, action)
    expect((await browser.get('/drafts')).html).toContain('No drafts')
    await browser.fill(path, { press: 'draft', status: 'Never mind' }, action)
    await browser.fill('/drafts', { context: 'new' }, { action: '/drafts/delete' })
    expect((await browser.get(path)).html).not.toContain('Never mind')
  })

  it('a button of the composer deletes the draft it shows', async () => {
    const { browser } = await signedIn()
    await browser.fill(path, { press: 'draft', status: 'Not like this' }, action)
    const sent = await browser.fill(path, { press: 'discard', status: 'Not like this' }, action)
    expect([sent.status, sent.location]).toEqual([303, path])
    expect((await browser.get(path)).html).not.toContain('Not like this')
  })

  it('an account keeps fifty drafts: a newer one replaces the oldest', async () => {
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

  it('a draft that is too long is refused, and the one before stays', async () => {
    const { browser } = await signedIn()
    await browser.fill(path, { press: 'draft', status: 'Short' }, action)
    const sent = await browser.fill(path, { press: 'draft', status: 'x'.repeat(70_000) }, action)
    expect(sent.status).toBe(422)
    expect((await browser.get('/drafts')).html).toContain('Short')
  })
})

describe('a post that was just sent', () => {
  it('undo deletes a post that was just sent, and opens its text and files again', async () => {
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

  it('undo opens a reply as a reply with its poll, and leaves the draft of a new post alone', async () => {
    const { member, browser } = await signedIn()
    const { body } = await as(await given.account()).post('/api/v1/statuses', { status: 'Hello' })
    const parent = Status.parse(body)
    const reply = `${path}?reply_to=${parent.id}`
    const poll = {
      has_poll: '1',
      choice_0: 'Wren',
      choice_1: 'Robin',
      poll_length: '3600',
      poll_multiple: '1',
    }
    const sent = await browser.fill(reply, { press: 'post', status: 'Which bird?', ...poll }, action)
    await browser.fill(path, { press: 'draft', status: 'Something else' }, action)
    const shown = await browser.get(sent.location ?? '')
    const id = /\/posts\/(\d+)\/redraft/.exec(shown.html)?.[1]
    const undone = await browser.fill(sent.location ?? '', {}, { action: `/posts/${id}/redraft` })
    expect([undone.status, undone.location]).toEqual([303, reply])
    const { html } = await browser.get(reply)
    expect(html).toContain('Which bird?</textarea>')
    expect(hiddenFields(html, path)).toMatchObject({ reply_to: parent.id, has_poll: '1' })
    expect(html).toContain('value="Robin"')
    expect(html).toMatch(/value="3600" selected/)
    expect((await browser.get(path)).html).toContain('Something else</textarea>')
    expect((await as(member).get(`/api/v1/statuses/${id}`)).status).toBe(404)
  })

  it('nobody undoes a post of another account', async () => {
    const { browser } = await signedIn()
    const author = await given.account()
    const { body } = await as(author).post('/api/v1/statuses', { status: 'Mine' })
    const { id } = Status.parse(body)
    const mine = await browser.get(`/@${author.username}/${id}?sent=1`)
    expect(mine.html).not.toContain('/redraft')
    const forged = await sendTo(browser, `/posts/${id}/redraft`, {})
    expect(forged.status).toBe(404)
    expect((await as(author).get(`/api/v1/statuses/${id}`)).status).toBe(200)
  })
})
