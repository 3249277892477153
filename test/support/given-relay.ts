import { operator } from '../../src/domain/policy/permissions'
import { createRelay, enableRelay } from '../../src/domain/relays/change'
import { sentByCouriers } from './courier'
import type { Peer } from './fediverse/peer'
import { given } from './given'
import type { KnownPeer } from './given-peer'
import { context } from './test-app'

/** A relay as it follows the protocol: an actor with an inbox, and the Follow that this server sent to it. */
export interface TestRelay {
  readonly peer: KnownPeer
  readonly id: number
  readonly followUri: string
}

/** A relay that was asked and has not answered. */
export async function pendingRelay(): Promise<TestRelay> {
  const peer = await given.peer({ type: 'Application' })
  const { id, followId } = await createRelay(context(), operator, peer.inbox)
  await sentByCouriers()
  return { peer, id, followUri: `https://fieldfare.test/actor#follows/${followId}` }
}

/** A relay that accepted, by a signed request to the inbox. */
export async function acceptedRelay(): Promise<TestRelay> {
  const relay = await pendingRelay()
  const { status } = await relay.peer.send(answerOf(relay, 'Accept'))
  if (status !== 202) throw new Error(`The Accept was answered ${status}`)
  return relay
}

/** A relay asked again, after it was left or rejected. */
export async function askedAgain({ peer, id }: TestRelay): Promise<TestRelay> {
  const { followId } = await enableRelay(context(), operator, id)
  await sentByCouriers()
  return { peer, id, followUri: `https://fieldfare.test/actor#follows/${followId}` }
}

/** Accept or Reject with a copy of the Follow, as relays answer. */
export function answerOf({ peer, followUri }: TestRelay, type: 'Accept' | 'Reject', by: Peer = peer) {
  return {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${by.uri}#answers/${followUri.length}/${type}`,
    type,
    actor: by.uri,
    to: ['https://fieldfare.test/actor'],
    object: {
      id: followUri,
      type: 'Follow',
      actor: 'https://fieldfare.test/actor',
      object: 'https://www.w3.org/ns/activitystreams#Public',
    },
  }
}
