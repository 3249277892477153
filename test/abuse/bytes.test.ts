import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { customEmojis } from '../../src/db/schema'
import { anonymous, as } from '../support/as'
import { freshName, given, type TestAccount } from '../support/given'
import { storedUpload } from '../support/given-upload'
import { context } from '../support/test-app'

/** Bytes over the wire of one status without its quote, and of a page of forty: docs/decisions/0064. */
const mostStatusBytes = 192 * 1024
const mostPageBytes = 40 * 2 * mostStatusBytes

type Draft = Readonly<Record<string, unknown>>
type Sent = { readonly status: number; readonly body: unknown }

const Posted = z.object({ id: z.string() })
const Page = z.array(z.object({ account: Posted }))
const bytesOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body))

/** A base letter and its combining marks, which are a single character to readers. */
const marked = (marks: number) => `a${'\u0301'.repeat(marks)}`
const hashtag = (index: number, marks: number) => `#t${index}${'\u0e31'.repeat(marks)}`

/** Ways to make a status long, each the longer the greater `size`. */
const ways: Readonly<Record<string, (size: number) => Draft>> = {
  'one address': (size) => ({ status: `https://a.example/?${'a'.repeat(size)}` }),
  'an address of what HTML escapes': (size) => ({ status: `https://a.example/?${'&'.repeat(size)}b` }),
  'combining marks': (size) => ({ status: marked(size) }),
  'combining marks in the warning': (size) => ({ status: 'a', spoiler_text: marked(size) }),
  'a hundred hashtags of marks': (size) => ({
    status: Array.from({ length: 100 }, (_, index) => hashtag(index, Math.min(130, size / 100))).join(' '),
  }),
  'quotation marks': (size) => ({ status: '"'.repeat(size) }),
  birds: (size) => ({ status: '\u{1f426}'.repeat(size / 4) }),
  'combining marks in Markdown': (size) => ({
    status: `*${marked(size)}*`,
    content_type: 'text/markdown',
  }),
  'short links of Markdown': (size) => ({
    status: '[a](http:a) '.repeat(size / 12),
    content_type: 'text/markdown',
  }),
  'nested quotes of Markdown': (size) => ({
    status: `${'> '.repeat(size / 2)}a`,
    content_type: 'text/markdown',
  }),
  'options of a poll': (size) => ({
    status: 'a',
    poll: { expires_in: 3600, options: ['a', 'b', 'c', 'd'].map((option) => option + marked(size)) },
  }),
}

/** The largest draft of its kind that is taken; what is refused is refused in Mastodon's own form. */
async function largest(make: (size: number) => Draft, send: (draft: Draft) => Promise<Sent>) {
  let [taken, refused] = [1, 200_000]
  while (refused - taken > 1 + taken / 32) {
    const middle = Math.floor((taken + refused) / 2)
    const { status, body } = await send(make(middle))
    if (status === 200) taken = middle
    else {
      expect({ status, body }).toMatchObject({
        status: 422,
        body: { error: expect.stringMatching(/^Validation/) },
      })
      refused = middle
    }
  }
  return make(taken)
}

describe('an account with the longest texts allowed', () => {
  let mallory: TestAccount
  let emojis = ''
  const post = (draft: Draft) => as(mallory).post('/api/v1/statuses', draft)
  const update = (draft: Draft) => as(mallory).patch('/api/v1/accounts/update_credentials', draft)
  beforeAll(async () => {
    mallory = await given.account()
    emojis = await manyEmojis()
    const note = await largest((size) => ({ note: `https://a.example/?${'&'.repeat(size)}b` }), update)
    const field = { name: '\u{1f426}'.repeat(255), value: '"'.repeat(255) }
    const profile = {
      ...note,
      display_name: '\u{1f426}'.repeat(40),
      fields_attributes: [field, field, field, field],
    }
    expect((await update(profile)).status).toBe(200)
  })

  it.each(Object.entries(ways))('sends by %s no more than one status may have', async (_way, make) => {
    const draft = await largest(make, post)
    const { body } = await post(draft)
    expect(bytesOf(body)).toBeLessThan(mostStatusBytes)
  })

  it('fills a public page of forty, files, emojis and quotes included, up to the bound and not beyond', async () => {
    const { status } = await largest(
      (size) => ({ status: `${emojis} https://a.example/?${'&'.repeat(size)}b` }),
      post,
    )
    const draft = async () => ({ status, media_ids: await files() })
    const quoted = Posted.parse((await post(await draft())).body).id
    for (let index = 0; index < 40; index++)
      expect((await post({ ...(await draft()), quoted_status_id: quoted })).status).toBe(200)
    const page = (await anonymous.get('/api/v1/timelines/public?limit=40')).body
    expect(Page.parse(page).filter(({ account }) => account.id === String(mallory.id)).length).toBe(40)
    expect(bytesOf(page)).toBeLessThan(mostPageBytes)
  })

  async function manyEmojis(): Promise<string> {
    const { db, ids } = context()
    // As many as five hundred characters name, whatever number names have come to.
    const shortcodes = Array.from({ length: 40 }, () => freshName('e'))
    for (const shortcode of shortcodes)
      await db.insert(customEmojis).values({
        id: ids.next(),
        shortcode,
        image: { key: `emojis/${shortcode}.png` },
        createdAt: new Date(0),
      })
    return shortcodes.map((code) => `:${code}:`).join(' ')
  }

  /** Four files with the longest descriptions that a status takes; JSON escapes each character of them. */
  function files(): Promise<readonly string[]> {
    const description = '"'.repeat(10_000)
    return Promise.all(Array.from({ length: 4 }, () => storedUpload(mallory, { description })))
  }
})
