import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { CredentialAccount } from '../../src/contract/entities/account'
import { Status } from '../../src/contract/entities/status'
import { statuses } from '../../src/db/schema'
import { findLinks } from '../../src/lib/html-walk'
import { as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { processActivity } from '../support/fediverse/process-activity'
import { given, type TestAccount } from '../support/given'
import { freshHost, page, postAndProcess } from '../support/given-page'
import { followed } from '../support/given-remote'
import { context } from '../support/test-app'

const post = async (by: TestAccount, status: string, more = {}) =>
  as(by).post('/api/v1/statuses', { status, ...more })

/** Addresses that HTML links. */
const hrefsIn = (html: string) => [...html.matchAll(/ href="([^"]*)"/g)].map(([, href]) => href)

const addresses = [
  ['（https://example.org/a）', 'https://example.org/a'],
  ['https://example.org/b、次', 'https://example.org/b'],
  ['https://example.org/c。次の文', 'https://example.org/c'],
  ['https://example.org/wiki/君の名は。', 'https://example.org/wiki/君の名は。'],
  ['【gemini://example.org/d】', 'gemini://example.org/d'],
  ['xmpp:room@example.org?join', 'xmpp:room@example.org?join'],
  ['magnet:?xt=urn:btih:c12fe1c0', 'magnet:?xt=urn:btih:c12fe1c0'],
  ['ipfs://example.org/e！', 'ipfs://example.org/e'],
  ['https://i❤.ws', 'https://i❤.ws'],
  ['https://📙.la/f。', 'https://📙.la/f。'],
] as const
const text = addresses.map(([typed]) => typed).join(' ')
const linked = addresses.map(([, address]) => address)

describe('addresses in texts', () => {
  it.each(['text/plain', 'text/markdown'])(
    'addresses in texts become links in posts of %s',
    async (content_type) => {
      const alice = await given.account()
      const status = Status.parse((await post(alice, text, { content_type })).body)
      expect(hrefsIn(status.content)).toEqual(linked)
    },
  )

  it('addresses in texts become links in biographies and fields', async () => {
    const alice = await given.account()
    const fields_attributes = linked.slice(0, 4).map((value, at) => ({ name: `${at}`, value: `${value} x` }))
    const answer = await as(alice).patch('/api/v1/accounts/update_credentials', {
      note: text,
      fields_attributes: [...fields_attributes.slice(0, 3), { name: 'Chat', value: 'xmpp:me@example.org】' }],
    })
    const { note, fields } = CredentialAccount.parse(answer.body)
    expect(hrefsIn(note)).toEqual(linked)
    expect(fields.flatMap(({ value }) => hrefsIn(value))).toEqual([
      ...linked.slice(0, 3),
      'xmpp:me@example.org',
    ])
  })

  it('addresses in texts survive the sanitiser in remote posts', async () => {
    const [reader, peer] = [await given.account(), await given.peer()]
    await followed(reader, peer)
    const schemes = ['gemini', 'gopher', 'dat', 'dweb', 'ipfs', 'ipns', 'ssb', 'xmpp', 'magnet']
    const hrefs = schemes.map((scheme) => `${scheme}://example.org/x`)
    const content = [...hrefs, 'javascript:alert(1)', 'feed://example.org']
      .map((href) => `<a href="${href}">x</a>`)
      .join('')
    const note = peer.note({ content })
    await processActivity(peer, peer.create(note))
    const [row] = await context().db.select().from(statuses).where(eq(statuses.uri, note.id))
    expect(hrefsIn(row?.content ?? '')).toEqual(hrefs)
  })

  it('addresses in texts count 23 characters with a host, and in full without', async () => {
    const alice = await given.account()
    const tail = 'y'.repeat(300)
    for (const [address, counted] of [
      [`gemini://example.org/${tail}`, 23],
      [`https://📙.la/${tail}`, 23],
      [`magnet:?dn=${tail}`, 311],
      [`xmpp:example.org/${tail}`, 317],
    ] as const) {
      expect((await post(alice, `${'x'.repeat(499 - counted)} ${address}`)).status, address).toBe(200)
      expect((await post(alice, `${'x'.repeat(500 - counted)} ${address}`)).status, address).toBe(422)
    }
  })

  it('addresses in texts get their preview from the linked page', async () => {
    const alice = await given.account()
    const host = freshHost()
    page(`https://${host}/wren`, '<title>Wren</title>')
    const { card } = await postAndProcess(alice, `xmpp:a@${host} 「https://${host}/wren」と、`)
    expect(card).toMatchObject({ url: `https://${host}/wren`, title: 'Wren' })
  })

  it('addresses in texts have no preview unless they are http or https', async () => {
    const alice = await given.account()
    const { content } = Status.parse((await post(alice, text)).body)
    expect(findLinks(content)).toEqual(linked.filter((address) => address.startsWith('https:')))
  })
})

describe('hashtags with zero-width joiners', () => {
  const names = ['ශ්\u200dරී', 'বাংলাদেশ\u200d', 'क्\u200dष', 'ന്\u200dറെ', 'می\u200cخواهم']

  it.each(names)(
    'hashtags with zero-width joiners are one hashtag in posts, timelines and search: %s',
    async (name) => {
      const [alice, peer] = [await given.account({ indexable: true }), await given.peer()]
      await followed(alice, peer)
      const { id, content } = Status.parse((await post(alice, `a #${name} b`)).body)
      expect(content).toContain(`>#<span>${name}</span></a> b`)
      const note = peer.note({ hashtags: [name] })
      await processActivity(peer, peer.create(note))
      const [row] = await context().db.select().from(statuses).where(eq(statuses.uri, note.id))

      const timeline = await as(alice).get(`/api/v1/timelines/tag/${encodeURIComponent(name)}`)
      expect(idsOf(timeline)).toEqual([String(row?.id), id])
      for (const q of [`#${name}`, name]) {
        const found = await as(alice).get(`/api/v2/search?${new URLSearchParams({ q })}`)
        expect(found.body).toMatchObject({ hashtags: [{ name: expect.any(String) }] })
      }
      const posts = await as(alice).get(
        `/api/v2/search?${new URLSearchParams({ q: `#${name}`, type: 'statuses' })}`,
      )
      expect(posts.body).toMatchObject({ statuses: [{ id }] })
    },
  )

  it('hashtags with zero-width joiners are found under the spelling of the text where Mastodon sends the name without joiners', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    await followed(alice, peer)
    for (const [written, sent] of [
      ['හෙළ්\u200dරූ', 'හෙළරූ'],
      ['हिन्दी', 'हिनदी'],
    ] as const) {
      const content = `<p><a href="https://far.test/tags/x" class="mention hashtag" rel="tag">#<span>${written}</span></a></p>`
      const tag = [{ type: 'Hashtag', name: `#${sent}`, href: 'https://far.test/tags/x' }]
      const note = { ...peer.note({ content }), tag }
      await processActivity(peer, peer.create(note))
      const timeline = await as(alice).get(`/api/v1/timelines/tag/${encodeURIComponent(written)}`)
      expect(timeline.body).toMatchObject([{ uri: note.id }])
    }
  })
})
