import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../support/as'
import { fediverse } from '../support/fediverse'
import type { Document } from '../support/fediverse/documents'
import { given } from '../support/given'

/** Bytes over the wire of one status of another server, with its author. */
const mostStatusBytes = 384 * 1024

const Notices = z.array(z.object({ status: z.looseObject({ content: z.string() }).nullish() }))

const many = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index))
const address = (name: string, length: number) => `https://far.example/${name}?${'x'.repeat(length)}`
const emojis = (length: number) =>
  many(110, (index) => ({
    type: 'Emoji',
    name: `:e${index}:`,
    icon: { type: 'Image', url: address(String(index), length) },
  }))

/** A profile with every property, each as long as is read. */
const profile: Document = {
  name: '\u6f22'.repeat(1_000),
  summary: '<a href="http:a">&amp;'.repeat(1_500),
  attachment: many(16, () => ({
    type: 'PropertyValue',
    name: '\u6f22'.repeat(255),
    value: '<a href="http:a">&amp;'.repeat(100),
  })),
  tag: emojis(400),
  icon: { type: 'Image', url: address('icon', 2_000), name: '\u6f22'.repeat(2_000) },
  image: { type: 'Image', url: address('image', 2_000), name: '\u6f22'.repeat(2_000) },
}

const parts: Readonly<Record<string, Document>> = {
  'links and escapes': { content: '<a href="http:a">&'.repeat(6_000) },
  'words without a break': { content: '\u6f22'.repeat(100_000) },
  'plain text': { content: '&'.repeat(100_000), mediaType: 'text/plain' },
  'a warning': { summary: '\u6f22'.repeat(100_000) },
  files: {
    attachment: many(16, (index) => ({
      type: 'Image',
      mediaType: 'image/png',
      url: address(`${index}`, 2_000),
      name: '\u6f22'.repeat(10_000),
    })),
  },
  emojis: { tag: emojis(400) },
  'emojis at long addresses': { tag: emojis(2_000) },
  hashtags: { tag: many(400, (index) => ({ type: 'Hashtag', name: `#${index}${'\u6f22'.repeat(130)}` })) },
}

async function received(note: Document, author: Document = {}) {
  const alice = await given.account()
  const peer = await fediverse.actor({ document: author })
  const options = { mentions: [fediverse.local(alice)], served: false }
  const made = peer.note({ ...options })
  const tags = [...[made['tag']].flat(), ...[note['tag'] ?? []].flat()]
  const reply = await peer.send(peer.create({ ...made, contentMap: undefined, ...note, tag: tags }))
  expect(reply.status).toBe(202)
  const notices = Notices.parse((await as(alice).get('/api/v1/notifications')).body)
  const status = notices[0]?.status
  if (status == null) throw new Error('The post did not arrive')
  return { status, bytes: Buffer.byteLength(JSON.stringify(status)) }
}

describe('a post of another server', () => {
  it.each(Object.entries(parts))(
    'a post of another server stays within its bounds with %s [T-028]',
    async (_name, note) => {
      const { bytes, status } = await received(note)
      expect(Buffer.byteLength(status.content)).toBeLessThanOrEqual(65_536)
      expect(bytes).toBeLessThan(200 * 1024)
    },
  )

  it('a post of another server stays within its bounds with all of that at once, by the longest profile', async () => {
    // As much as fits into the megabyte that a delivery may have.
    const tag = [...emojis(400), ...[parts['hashtags']?.['tag']].flat().slice(0, 130)]
    const { content } = parts['links and escapes'] ?? {}
    const attachment = [parts['files']?.['attachment']].flat().slice(0, 8)
    const note = { content, attachment, tag, summary: '\u6f22'.repeat(1_000) }
    const { bytes } = await received(note, profile)
    expect(bytes).toBeLessThan(mostStatusBytes)
  })

  it('keeps a long article completely', async () => {
    const words = '<p>Der Zaunk\u00f6nig singt laut.</p>'.repeat(1_500)
    const { status } = await received({ content: words })
    expect(status.content).toBe(words)
  })
})
