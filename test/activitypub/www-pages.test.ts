import { describe, expect, it } from 'vitest'
import { as } from '../support/as'
import { fediverse } from '../support/fediverse'
import { freshName, given } from '../support/given'
import { knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'

const { network } = fediverse

describe('a page at www. of the registrable domain', () => {
  it.each<[string, (host: string) => string, (page: string) => unknown]>([
    ['of the own host, as Threads writes it', (name) => `${name}.test`, (page) => page],
    ['of a subdomain, as a Link', (name) => `ap.social.${name}.test`, (href) => ({ type: 'Link', href })],
    [
      'in a list, behind a file',
      (name) => `video.${name}.test`,
      (href) => [
        { type: 'Link', mediaType: 'application/x-mpegURL', href: href.replace('www.', 'files.') },
        { type: 'Link', mediaType: 'text/html', href },
      ],
    ],
    ['in capitals', (name) => `${name}.test`, (page) => page.replace('https://www.', 'HTTPS://WWW.')],
    ['with the port of HTTPS', (name) => `${name}.test`, (page) => page.replace('.test/', '.test:443/')],
  ])('treats %s as the host of post and actor, and finds both', async (_, hostOf, written) => {
    const alice = await given.account()
    const name = freshName('threads').toLowerCase()
    const peer = await knownPeer({ host: hostOf(name) })
    await relation.follow(alice, peer)
    const page = (path: string) => `https://www.${name}.test/@ada/${path}`
    const note = peer.note({ document: { url: written(page('post/1')) } })
    expect((await peer.send(peer.create(note))).status).toBe(202)
    await peer.send(peer.update({ ...peer.document, url: written(page('')) }))
    // Posts have no index of their pages: the page is fetched, and names the id of the post.
    network.serve(page('post/1'), note)
    const search = async (q: string) =>
      (await as(alice).get(`/api/v2/search?${new URLSearchParams({ q, resolve: 'true' })}`)).body
    expect(await search(page('post/1'))).toMatchObject({ statuses: [{ uri: note.id, url: page('post/1') }] })
    const mark = network.mark()
    expect(await search(page(''))).toMatchObject({ accounts: [{ uri: peer.uri, url: page('') }] })
    expect(network.since(mark)).toEqual([])
  })

  it('does not match a sibling below a public suffix, another port or a host below www', async () => {
    const alice = await given.account()
    for (const [host, url] of [
      ['ada.github.io', 'https://www.github.io/ada'],
      ['ada.example.co.uk', 'https://www.co.uk/ada'],
      ['ada.port.test', 'https://www.port.test:8443/ada'],
      ['ada.deep.test', 'https://www.ada.deep.test/ada'],
      ['ada.other.test', 'https://www.other.test.evil.test/ada'],
    ] as const) {
      const peer = await knownPeer({ host })
      await relation.follow(alice, peer)
      const note = peer.note({ document: { url } })
      await peer.send(peer.create(note))
      const { body } = await as(alice).get(
        `/api/v2/search?${new URLSearchParams({ q: note.id, resolve: 'true' })}`,
      )
      expect(body, host).toMatchObject({ statuses: [{ uri: note.id, url: note.id }] })
    }
  })
})
