import { beforeEach, describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { clock, settleLateWork } from '../../support/test-app'
import { wireFrom } from '../../support/wire-from'

/** Mastodon sends a post for followers along with the Announce of its own author: nobody could fetch it. */

let fan: TestAccount
let rosa: KnownPeer

beforeEach(async () => {
  fan = await given.account()
  rosa = await given.peer()
  await relation.follow(fan, rosa)
})

function announce(from: KnownPeer = rosa) {
  const document = wireFrom('mastodon-4.5-announce-private', {
    from,
    to: fan,
    actor: 'https://mastodon.test/users/rosa',
  })
  return { ...document, published: clock.now().toISOString() }
}

const noteIn = ({ object }: Record<string, unknown>): Record<string, unknown> => {
  if (typeof object !== 'object' || object === null) throw new Error('nothing is inlined')
  return { ...object }
}

const home = async (who: TestAccount = fan) => {
  await settleLateWork()
  return (await as(who).get('/api/v1/timelines/home')).body
}

describe('an Announce with a post for followers inlined', () => {
  it('accepts the embedded followers-only post where its author sends it', async () => {
    const mark = fediverse.network.mark()
    const { status, costs } = await rosa.send(announce())
    expect(status).toBe(202)
    expect(costs.trips).toBeLessThanOrEqual(6)
    expect(await home()).toMatchObject([
      {
        visibility: 'private',
        account: { id: String(rosa.id) },
        reblog: { visibility: 'private', content: '<p>Only for you</p>', account: { id: String(rosa.id) } },
      },
    ])
    expect(fediverse.network.since(mark).filter(({ method }) => method === 'GET')).toEqual([])
  })

  it('shows the embedded post only to followers', async () => {
    await rosa.send(announce())
    const body = await home()
    const [found] = Array.isArray(body) ? body : []
    const stranger = await given.account()
    for (const id of [found?.id, found?.reblog.id])
      expect((await as(stranger).get(`/api/v1/statuses/${id}`)).status).toBe(404)
  })

  it('takes the three usual round trips where the post is known, and announces it once', async () => {
    await rosa.send({ ...rosa.create(noteIn(announce())) })
    const again = announce()
    const { costs } = await rosa.send(again)
    expect(costs.trips).toBeLessThanOrEqual(3)
    await rosa.send(again)
    const { body } = await as(fan).get(`/api/v1/accounts/${rosa.id}/statuses`)
    expect(body).toMatchObject([{ reblog: { content: '<p>Only for you</p>' } }, { reblog: null }])
  })

  it('stores nothing where the author has no local followers', async () => {
    const other = await given.peer()
    const sent = announce(other)
    expect((await other.send(sent)).status).toBe(202)
    expect((await as(fan).get(`/api/v2/search?q=${String(noteIn(sent)['id'])}`)).body).toMatchObject({
      statuses: [],
    })
  })

  it.each<[string, (sent: Record<string, unknown>, eve: KnownPeer) => unknown]>([
    ['is the post of somebody else', (sent) => sent['object']],
    [
      'claims to be theirs at an address of somebody else',
      (sent, eve) => ({ ...noteIn(sent), attributedTo: eve.uri }),
    ],
    [
      'is theirs under another id than it says',
      (sent, eve) => ({ ...noteIn(sent), attributedTo: rosa.uri, id: `${eve.uri}/statuses/1` }),
    ],
  ])('does not trust the embedded post where it %s: it is fetched instead', async (_case, change) => {
    const eve = await given.peer({ host: rosa.host })
    await relation.follow(fan, eve)
    const sent = announce()
    const forged = { ...eve.announce(change(sent, eve)), to: [eve.followers], cc: [] }
    const { status } = await eve.send(forged)
    expect(status).toBe(202)
    expect(await home()).toEqual([])
  })
})
