import { beforeEach, describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { clock, settleLateWork } from '../../support/test-app'
import { wireFrom } from '../../support/wire-from'

/** Forms that other software writes, unlike Mastodon, and that Mastodon accepts. */

let reader: TestAccount
let peer: KnownPeer

beforeEach(async () => {
  reader = await given.account()
  peer = await given.peer()
  await relation.follow(reader, peer)
})

async function newest(who: TestAccount = reader) {
  await settleLateWork()
  const { body } = await as(who).get('/api/v1/timelines/home')
  return Array.isArray(body) ? (body[0] ?? null) : null
}

/** The document without these properties: what is undefined is not sent. */
const without = (document: object, ...keys: readonly string[]) => ({
  ...document,
  ...Object.fromEntries(keys.map((key) => [key, undefined])),
})

describe('a post without attributedTo', () => {
  it('attributes a post without attributedTo to the actor of its Create', async () => {
    const note = without(peer.note({ content: '<p>Whose?</p>' }), 'attributedTo')
    expect((await peer.send(peer.create(note))).status).toBe(202)
    expect(await newest()).toMatchObject({ content: '<p>Whose?</p>', account: { id: String(peer.id) } })
  })

  it('the actor of an Update changes a post without attributedTo and its poll results', async () => {
    const note = peer.note()
    const question = peer.question()
    for (const one of [note, question]) await peer.send(peer.create(one))
    clock.advance(60_000)
    const updated = clock.now().toISOString()
    await peer.send(peer.update({ ...without(note, 'attributedTo'), content: '<p>Newer</p>', updated }))
    const figures = { oneOf: [option('Wren', 7), option('Robin', 2)], votersCount: 9 }
    await peer.send(peer.update({ ...without(question, 'attributedTo'), ...figures }))
    const { body } = await as(reader).get('/api/v1/timelines/home')
    expect(body).toMatchObject([{ poll: { votes_count: 9, voters_count: 9 } }, { content: '<p>Newer</p>' }])
  })

  it('does not attribute a post to an actor of another server, and lets no other actor of the same server change it', async () => {
    const note = peer.note()
    await peer.send(peer.create(note))
    clock.advance(60_000)
    const updated = clock.now().toISOString()
    const forged = { ...without(note, 'attributedTo'), content: '<p>Forged</p>', updated }
    const others = [await given.peer({ host: peer.host }), await given.peer()]
    for (const other of others) await other.send(other.update(forged))
    expect(await newest()).toMatchObject({ content: note['content'] })
    const away = without({ ...note, id: 'https://elsewhere.test/notes/1' }, 'attributedTo')
    await peer.send(peer.create(away, { id: `${peer.uri}#creates/away` }))
    expect(await newest()).toMatchObject({ uri: note.id })
  })
})

function option(name: string, votes: number) {
  return { type: 'Note', name, replies: { type: 'Collection', totalItems: votes } }
}

describe('a quote whose target is a Tombstone', () => {
  const wire = () =>
    wireFrom('mastodon-4.5-note-quote-tombstone', {
      from: peer,
      to: reader,
      actor: 'https://mastodon.test/users/rosa',
    })

  it('shows a quote of a Tombstone as deleted', async () => {
    await peer.send(peer.create(wire()))
    expect(await newest()).toMatchObject({
      content: '<p>Hello</p>',
      quote: { state: 'deleted', quoted_status: null },
    })
  })

  it('an Update turns a quote into a deleted one, which no longer counts', async () => {
    const target = peer.note()
    const note = peer.note({ document: { quote: target.id } })
    for (const one of [target, note]) await peer.send(peer.create(one))
    const shown = await newest()
    expect(shown).toMatchObject({ quote: { state: 'accepted', quoted_status: { quotes_count: 1 } } })
    await peer.send(peer.update({ ...note, quote: { type: 'Tombstone' } }))
    expect(await newest()).toMatchObject({ quote: { state: 'deleted', quoted_status: null } })
    const { body } = await as(reader).get(`/api/v1/statuses/${shown.quote.quoted_status.id}`)
    expect(body).toMatchObject({ quotes_count: 0 })
  })
})

describe('an attachment', () => {
  it('reads an attachment with an href and no type as a link', async () => {
    const picture = { type: 'Document', mediaType: 'image/png', url: 'https://files.test/wren.png' }
    const links = [
      { href: 'https://pages.test/wren' },
      { href: 'https://pages.test/wren', name: 'A page' },
      { type: 'Link', href: 'https://pages.test/wren', mediaType: 'text/html' },
    ]
    await peer.send(peer.create(peer.note({ document: { attachment: [...links, picture] } })))
    expect(await newest()).toMatchObject({
      media_attachments: [{ type: 'image', remote_url: 'https://files.test/wren.png' }],
    })
  })

  it('the attachment names the addresses of its file and preview on the origin server', async () => {
    const [url, icon] = ['https://files.test/song.ogg', 'https://files.test/cover.png']
    const song = { type: 'Audio', mediaType: 'audio/ogg', url, icon: { type: 'Image', url: icon } }
    const bare = { type: 'Audio', mediaType: 'audio/ogg', url }
    await peer.send(peer.create(peer.note({ document: { attachment: [song, bare] } })))
    expect(await newest()).toMatchObject({
      media_attachments: [
        { remote_url: url, preview_remote_url: icon, thumbnail_remote_url: icon, text_url: null },
        { remote_url: url, preview_remote_url: null, thumbnail_remote_url: null, text_url: null },
      ],
    })
  })

  it('reads an attachment with an href, no type and an image media type as an image', async () => {
    const attachment = [{ href: 'https://files.test/wren.webp', mediaType: 'image/webp' }]
    await peer.send(peer.create(peer.note({ document: { attachment } })))
    expect(await newest()).toMatchObject({ media_attachments: [{ type: 'image' }] })
  })

  it('cuts the description of an attachment at 10,000 characters', async () => {
    const url = 'https://files.test/wren.png'
    const described = (characters: number) => ({ type: 'Image', url, name: 'w'.repeat(characters) })
    await peer.send(
      peer.create(peer.note({ document: { attachment: [described(10_000), described(10_001)] } })),
    )
    const { media_attachments: found } = (await newest()) ?? {}
    expect(found.map(({ description }: { description: string }) => description.length)).toEqual([
      10_000, 10_000,
    ])
  })
})
