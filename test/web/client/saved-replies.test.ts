import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { savedReplies } from '../../../src/db/schema'
import { deleteOwnAccount } from '../../../src/domain/accounts/delete-own'
import { savedReplyLimits } from '../../../src/domain/drafts/saved-replies'
import { as } from '../../support/as'
import { type Browser, hiddenFields, textOf } from '../../support/browser'
import { given } from '../../support/given'
import { signedIn } from '../../support/members'
import { context } from '../../support/test-app'
import { typedFields } from '../../support/typed-fields'

const path = '/settings/saved_replies'
const welcome = { name: 'Welcome', text: 'Welcome to the flock!' }

/** Ids of the saved replies that the page lists, in its order. */
async function idsOn(browser: Browser): Promise<readonly string[]> {
  const { html } = await browser.get(path)
  return [...html.matchAll(/saved_replies\?id=(\d+)"/g)].map(([, id = '']) => id)
}

async function savedReply(browser: Browser): Promise<string> {
  await browser.fill(path, welcome)
  const [id] = await idsOn(browser)
  if (id === undefined) throw new Error('no saved reply is listed')
  return id
}

async function answeredPost(fields: Readonly<Record<string, unknown>> = {}) {
  const author = await given.account()
  const { body } = await as(author).post('/api/v1/statuses', { status: 'Hello', ...fields })
  return { author, id: Status.parse(body).id }
}

describe('the page of saved replies', () => {
  it('the page of saved replies adds, changes and deletes one', async () => {
    const { browser } = await signedIn()
    const added = await browser.fill(path, welcome)
    expect([added.status, added.location]).toEqual([303, `${path}?done=added`])
    const [id] = await idsOn(browser)
    const at = `${path}?id=${id}`
    expect((await browser.get(at)).html).toContain('Welcome to the flock!</textarea>')
    const changed = { name: 'Hello', text: 'Two\r\nlines ' }
    const saved = await browser.fill(at, changed, { action: `${path}/${id}` })
    expect(saved.location).toBe(`${path}?done=saved`)
    expect((await browser.get(at)).html).toContain('Two\nlines</textarea>')
    const deleted = await browser.fill(at, {}, { action: `${path}/${id}/delete` })
    expect(deleted.location).toBe(`${path}?done=deleted`)
    expect(await idsOn(browser)).toEqual([])
  })

  it('the page of saved replies lists them by their names, whatever their case', async () => {
    const { browser } = await signedIn()
    for (const name of ['wren', 'Owl', 'barn owl']) await browser.fill(path, { name, text: 'Hoo' })
    const words = textOf((await browser.get(path)).html)
    const places = ['barn owl', 'Owl', 'wren'].map((name) => words.lastIndexOf(name))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it.each([
    ['an empty name', { name: ' ', text: 'Hi' }, 'field-name'],
    ['an empty text', { name: 'Hi', text: '\r\n' }, 'field-text'],
    ['a name that is too long', { name: 'n'.repeat(41), text: 'Hi' }, 'field-name'],
    ['a text that is too long', { name: 'Hi', text: 't'.repeat(501) }, 'field-text'],
    ['a name that is taken, in another case', { name: 'WELCOME', text: 'Hi' }, 'field-name'],
  ])('refuses %s and shows what was typed', async (_, fields, field) => {
    const { browser } = await signedIn()
    const id = await savedReply(browser)
    const refused = await browser.fill(path, fields)
    expect(refused.status).toBe(422)
    expect(refused.html).toContain(`href="#${field}"`)
    expect(refused.html).toContain(`value="${fields.name}"`)
    expect(await idsOn(browser)).toEqual([id])
  })

  it('the page of saved replies keeps thirty of an account and refuses one more', async () => {
    const { browser } = await signedIn()
    const hidden = hiddenFields((await browser.get(path)).html, path)
    for (let number = 1; number <= savedReplyLimits.perAccount; number += 1)
      await browser.post(path, { ...hidden, name: `Reply ${number}`, text: 'Hi' })
    expect(await idsOn(browser)).toHaveLength(savedReplyLimits.perAccount)
    const refused = await browser.post(path, { ...hidden, name: 'One more', text: 'Hi' })
    expect(refused.status).toBe(422)
    expect(textOf(refused.html)).toContain('No more than 30 are possible here.')
    expect(await idsOn(browser)).toHaveLength(savedReplyLimits.perAccount)
  })

  it('the page of saved replies answers 404 for a saved reply of another member, and changes nothing', async () => {
    const owner = await signedIn()
    const id = await savedReply(owner.browser)
    const { browser } = await signedIn()
    const hidden = hiddenFields((await browser.get(path)).html, path)
    expect((await browser.get(`${path}?id=${id}`)).status).toBe(404)
    const fields = { ...hidden, name: 'Mine', text: 'Mine' }
    for (const action of [`${path}/${id}`, `${path}/${id}/delete`])
      expect((await browser.post(action, fields)).status).toBe(404)
    expect((await owner.browser.get(`${path}?id=${id}`)).html).toContain('Welcome to the flock!</textarea>')
  })

  it('saved replies are deleted with their account', async () => {
    const { member, browser } = await signedIn()
    await savedReply(browser)
    await deleteOwnAccount(context(), member.id)
    const left = await context().db.select().from(savedReplies).where(eq(savedReplies.accountId, member.id))
    expect(left).toEqual([])
  })
})

describe('saved replies in the composer', () => {
  it('a press appends the text to what was typed, and the reply keeps audience and language of the post', async () => {
    const { member, browser } = await signedIn()
    const id = await savedReply(browser)
    const post = await answeredPost({ visibility: 'unlisted', language: 'ja' })
    const reply = `/publish?reply_to=${post.id}`
    const typed = typedFields((await browser.get(reply)).html)
    const fields = { ...typed, press: `saved:${id}`, status: `@${post.author.username} Hi!` }
    const shown = await browser.fill(reply, fields, { action: '/publish' })
    expect(shown.html).toContain(`@${post.author.username} Hi! Welcome to the flock!</textarea>`)
    expect(shown.html).toMatch(/value="unlisted" checked/)
    expect(shown.html).toMatch(/value="ja" selected/)
    const again = { ...hiddenFields(shown.html, '/publish'), ...typedFields(shown.html) }
    await browser.post('/publish', { ...again, press: 'post' })
    const { body } = await as(member).get(`/api/v1/accounts/${member.id}/statuses`)
    expect(body).toMatchObject([{ visibility: 'unlisted', language: 'ja', in_reply_to_id: post.id }])
  })

  it('only the composer of a reply offers saved replies, and only to those who keep some', async () => {
    const { browser } = await signedIn()
    const post = await answeredPost()
    const reply = `/publish?reply_to=${post.id}`
    expect((await browser.get(reply)).html).not.toContain('Saved replies')
    const id = await savedReply(browser)
    expect((await browser.get(reply)).html).toContain(`value="saved:${id}"`)
    expect((await browser.get('/publish')).html).not.toContain('Saved replies')
  })

  it('the composer in a thread opens the whole one with the menu and what was typed', async () => {
    const { browser } = await signedIn()
    const { author, id } = await answeredPost({ visibility: 'unlisted' })
    const thread = `/@${author.username}/${id}`
    expect((await browser.get(thread)).html).not.toContain('value="saved"')
    const saved = await savedReply(browser)
    expect((await browser.get(thread)).html).toContain('value="saved"')
    const opened = await browser.fill(thread, { status: 'Typed', press: 'saved' }, { action: '/publish' })
    expect(opened.html).toContain('>Typed</textarea>')
    expect(opened.html).toMatch(/value="unlisted" checked/)
    expect(opened.html).toMatch(
      new RegExp(`<details class="menu" open="">(?:(?!</details>).)*saved:${saved}`, 's'),
    )
  })

  it('a saved reply that was deleted meanwhile, or is not the member’s, inserts nothing and loses nothing', async () => {
    const owner = await signedIn()
    const foreign = await savedReply(owner.browser)
    const { browser } = await signedIn()
    const { id } = await answeredPost()
    const fields = { press: `saved:${foreign}`, status: 'Typed' }
    const shown = await browser.fill(`/publish?reply_to=${id}`, fields, { action: '/publish' })
    expect(shown.status).toBe(422)
    expect(shown.html).toContain('>Typed</textarea>')
    expect(textOf(shown.html)).toContain('This saved reply was deleted in the meantime.')
  })
})
