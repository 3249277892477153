import { beforeEach, describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { clock } from '../../support/test-app'

let reader: TestAccount
let peer: KnownPeer

beforeEach(async () => {
  reader = await given.account()
  peer = await given.peer()
  await relation.follow(reader, peer)
})

/** Hours from now as a server writes it whose clock or time zone is wrong. */
const ahead = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000).toISOString()

async function home() {
  const { body } = await as(reader).get('/api/v1/timelines/home')
  return Array.isArray(body) ? body : []
}

describe('a post with a date in the future', () => {
  it.each([1, 12.5, 14, 15.9])(
    'a post dated %d hours ahead gets the time of its arrival, and sorts below later posts',
    async (hours) => {
      const at = clock.now().toISOString()
      const early = peer.note({ content: '<p>Ahead</p>', document: { published: ahead(hours) } })
      await peer.send(peer.create(early))
      clock.advance(1_000)
      await peer.send(peer.create(peer.note({ content: '<p>Later</p>' })))
      expect(await home()).toMatchObject([
        { content: '<p>Later</p>' },
        { content: '<p>Ahead</p>', created_at: at, edited_at: null },
      ])
    },
  )

  it('edits of a post with a date in the future are applied each time', async () => {
    const published = ahead(5)
    const note = peer.note({ document: { published } })
    await peer.send(peer.create(note))
    for (const content of ['<p>First</p>', '<p>Second</p>']) {
      clock.advance(60_000)
      const updated = ahead(5)
      await peer.send(peer.update({ ...note, content, contentMap: undefined, updated }))
      expect(await home()).toMatchObject([{ content, edited_at: clock.now().toISOString() }])
    }
  })

  it('an Update with equal dates or of an earlier version does not count as an edit', async () => {
    const note = peer.note({ document: { published: ahead(5), updated: ahead(5) } })
    await peer.send(peer.create(note))
    clock.advance(60_000)
    const changed = { ...note, content: '<p>Changed</p>', contentMap: undefined }
    await peer.send(peer.update(changed))
    await peer.send(peer.update({ ...changed, updated: ahead(-2) }))
    expect(await home()).toMatchObject([{ content: note['content'], edited_at: null }])
  })

  it('refuses a post dated days ahead', async () => {
    for (const published of [ahead(24), ahead(24 * 365), '9999-12-31T23:59:59Z'])
      await peer.send(peer.create(peer.note({ document: { published } })))
    expect(await home()).toEqual([])
  })
})
