import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { context, settleLateWork } from '../../support/test-app'

const mention = (href: string, name = '@somebody') => ({ type: 'Mention', href, name })
const pageOf = ({ username }: { readonly username: string }) => `https://fieldfare.test/@${username}`
const actorOf = ({ username }: { readonly username: string }) => `https://fieldfare.test/users/${username}`

async function mentionsOf(who: TestAccount) {
  await settleLateWork()
  const { body } = await as(who).get('/api/v1/notifications?types[]=mention')
  return body
}

describe('a Mention whose href is a profile page', () => {
  it('resolves a Mention by profile page to the local account, once where its id is addressed as well', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const document = { tag: [mention(pageOf(alice))], cc: [actorOf(alice), pageOf(alice)] }
    await peer.send(peer.create(peer.note({ document })))
    expect(await mentionsOf(alice)).toMatchObject([
      { type: 'mention', status: { mentions: [{ id: String(alice.id), acct: alice.username }] } },
    ])
  })

  it('lets a local account mentioned by its profile page read a direct message', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    await relation.follow(alice, peer)
    const document = { tag: [mention(pageOf(alice))], to: [pageOf(alice)], cc: [] }
    await peer.send(peer.create(peer.note({ document })))
    expect(await mentionsOf(alice)).toMatchObject([{ status: { visibility: 'direct' } }])
  })

  it.each(['mastodon', 'gotosocial', 'misskey'] as const)(
    'resolves a Mention of a remote account by the page of its server: %s',
    async (software) => {
      const [alice, peer] = [await given.account(), await given.peer()]
      const other = await given.peer({ software })
      const page = String(other.document['url'])
      expect(page).not.toBe(other.uri)
      const document = { tag: [mention(page), mention(actorOf(alice)), mention(other.uri)] }
      await peer.send(peer.create(peer.note({ document })))
      expect(await mentionsOf(alice)).toMatchObject([
        { status: { mentions: [{ acct: other.handle, url: page }, { acct: alice.username }] } },
      ])
    },
  )

  it('resolves a page that several accounts of a server share to one account', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const url = 'https://shared.test/about'
    const first = await given.peer({ host: 'shared.test' })
    for (let index = 0; index < 3; index += 1) await given.peer({ host: 'shared.test' })
    await context().db.run(sql`update accounts set url = ${url} where domain = 'shared.test'`)
    const document = { tag: [mention(url), mention(actorOf(alice))] }
    await peer.send(peer.create(peer.note({ document })))
    expect(await mentionsOf(alice)).toMatchObject([
      { status: { mentions: [{ acct: first.handle }, { acct: alice.username }] } },
    ])
  })
})

describe('more than a hundred Mentions', () => {
  const strangers = (count: number) =>
    Array.from({ length: count }, (_, index) => mention(`https://crowd.test/users/${index}`))

  it.each<[string, (address: string) => Record<string, unknown>]>([
    ['the 101st', (address) => ({ tag: [...strangers(100), mention(address)] })],
    [
      'the 900th, behind emojis',
      (address) => ({
        tag: [
          ...strangers(500),
          ...Array.from({ length: 399 }, (_, index) => ({ type: 'Emoji', name: `:e${index}:` })),
          mention(address),
        ],
      }),
    ],
    [
      'addressed and named last',
      (address) => ({
        tag: [...strangers(300), mention(address)],
        cc: [...strangers(300).map(({ href }) => href), address],
      }),
    ],
  ])('notifies a mentioned local account that is %s', async (_place, documentFor) => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const note = peer.note({ document: documentFor(actorOf(alice)) })
    const { costs } = await peer.send(peer.create(note))
    expect(await mentionsOf(alice)).toMatchObject([{ status: { mentions: [{ acct: alice.username }] } }])
    expect(costs.rowsRead).toBeLessThan(1_000)
  })

  it('keeps a hundred of more than a hundred mentioned local accounts', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const nobody = Array.from({ length: 100 }, (_, index) =>
      mention(`https://fieldfare.test/users/no${index}`),
    )
    await peer.send(peer.create(peer.note({ document: { tag: [...nobody, mention(actorOf(alice))] } })))
    expect(await mentionsOf(alice)).toEqual([])
    expect(fediverse.network.requests('https://crowd.test/')).toEqual([])
  })
})
