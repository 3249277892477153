import { describe, expect, it } from 'vitest'
import { statusUri } from '../../../src/contract/addresses'
import { as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import type { Activity } from '../../support/fediverse/documents'
import { given } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { storedStatus } from '../../support/given-stored'

interface Place {
  readonly peer: KnownPeer
  readonly local: { readonly uri: string; readonly handle: string }
  readonly post: string
}

async function place(): Promise<Place> {
  const [alice, peer] = [await given.account(), await given.peer()]
  const id = await storedStatus({ accountId: alice.id })
  return {
    peer,
    local: fediverse.local(alice),
    post: statusUri('https://fieldfare.test', alice.username, id),
  }
}

/** Makes the activities that come first, and last the one whose costs are counted. */
type Make = (place: Place) => readonly Activity[] | Promise<readonly Activity[]>

interface Case {
  readonly make: Make
  /** D1 counts each entry of an index as a row: a follow is four of them, a notification three. */
  readonly written: number
  readonly trips?: number
}

const undoing = (peer: KnownPeer, activity: Activity) => [activity, peer.undo(activity)]

const cases: Readonly<Record<string, Case>> = {
  Follow: { written: 12, make: ({ peer, local }) => [peer.follow(local)] },
  'Undo of a Follow': { written: 7, make: ({ peer, local }) => undoing(peer, peer.follow(local)) },
  Block: { written: 5, make: ({ peer, local }) => [peer.block(local)] },
  Like: { written: 8, make: ({ peer, post }) => [peer.like(post)] },
  'Undo of a Like': { written: 5, make: ({ peer, post }) => undoing(peer, peer.like(post)) },
  'Undo of a Like by its id': {
    written: 5,
    trips: 4,
    make: ({ peer, post }) => {
      const like = peer.like(post)
      return [like, peer.activity('Undo', like.id)]
    },
  },
  // Reblogs are sorted up to a hundred, and those that come to more are in an index.
  Announce: { written: 11, make: ({ peer, post }) => [peer.announce(post)] },
  'Undo of an Announce': { written: 7, make: ({ peer, post }) => undoing(peer, peer.announce(post)) },
  // The staff to notify is read once the reported account is known.
  Flag: { written: 6, trips: 4, make: ({ peer, local }) => [peer.flag([local.uri], 'rude')] },
  Accept: {
    written: 11,
    make: async ({ peer }) => {
      const follower = await given.account()
      await as(follower).post(`/api/v1/accounts/${peer.id}/follow`)
      return [peer.accept({ type: 'Follow', actor: fediverse.local(follower).uri, object: peer.uri })]
    },
  },
}

describe('costs of an activity', () => {
  for (const [name, { make, written, trips = 3 }] of Object.entries(cases))
    it(`${name}: ${trips} round trips, ${written} rows written`, async () => {
      const where = await place()
      const answers = []
      for (const activity of await make(where)) answers.push(await where.peer.send(activity))
      const last = answers.at(-1)
      expect(last?.status).toBe(202)
      expect.soft(last?.costs.trips, 'trips').toBeLessThanOrEqual(trips)
      expect.soft(last?.costs.statements, 'statements').toBeLessThanOrEqual(24)
      expect.soft(last?.costs.rowsRead, 'rows read').toBeLessThanOrEqual(60)
      expect.soft(last?.costs.rowsWritten, 'rows written').toBeLessThanOrEqual(written)
    })
})
