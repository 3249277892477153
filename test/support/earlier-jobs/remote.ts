import type { JobKind } from '../../../src/messages/jobs'
import { runCourierAlarms } from '../courier'
import { fediverse } from '../fediverse'
import { given } from '../given'
import type { KnownPeer } from '../given-peer'
import { relation } from '../given-relationships'
import { acceptedRelay } from '../given-relay'
import { importedStatus } from '../given-remote'
import { storedRow } from '../stored-row'
import { clock, settleLateWork } from '../test-app'
import { type Scenario, stored } from './scenario'

const statusesAt = (uri: unknown) => () => stored('select count(*) from statuses where uri = ?', String(uri))

const acceptsTo = (peer: KnownPeer) => async () => {
  await settleLateWork()
  await runCourierAlarms()
  return peer.received().filter(({ type }) => type === 'Accept').length
}

/** Jobs that fetch from other servers, or answer them. */
export const jobsOfFederation = {
  'fetch-ancestors': async () => {
    const peer = await given.peer()
    const top = peer.note()
    const { id } = await importedStatus(peer, { inReplyTo: top.id })
    return {
      message: { kind: 'fetch-ancestors', statusId: id, levels: 3 },
      seen: statusesAt(top.id),
      before: 0,
      after: 1,
    }
  },
  'fetch-replies': async () => {
    const peer = await given.peer()
    const repliesUri = `${peer.uri}/replies`
    const { id, uri } = await importedStatus(peer, { repliesUri })
    const reply = peer.note({ inReplyTo: uri })
    peer.collection(repliesUri, [reply.id])
    return {
      message: { kind: 'fetch-replies', statusId: id, levels: 1 },
      seen: statusesAt(reply.id),
      before: 0,
      after: 1,
    }
  },
  'backfill-account': async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    await relation.follow(alice, peer)
    const note = peer.note()
    peer.collection(peer.at.outbox, [peer.create(note)])
    return {
      message: { kind: 'backfill-account', accountId: peer.id },
      seen: statusesAt(note.id),
      before: 0,
      after: 1,
    }
  },
  'refetch-object': async () => {
    const peer = await given.peer()
    const updated = new Date(clock.now().getTime() + 60_000).toISOString()
    const note = peer.note({ content: '<p>Two wrens.</p>', document: { updated } })
    const { id } = await importedStatus(peer, { uri: String(note.id) })
    clock.advance(120_000)
    return {
      message: { kind: 'refetch-object', uri: note.id },
      seen: () => stored('select content from statuses where id = ?', id),
      before: '<p>The wren sings.</p>',
      after: '<p>Two wrens.</p>',
    }
  },
  'fetch-pinned-status': async () => {
    const peer = await given.peer()
    const note = peer.note()
    return {
      message: {
        kind: 'fetch-pinned-status',
        accountId: peer.id,
        statusUri: note.id,
        collection: peer.at.featured,
      },
      seen: () => stored('select count(*) from status_pins where account_id = ?', peer.id),
      before: 0,
      after: 1,
    }
  },
  'fetch-reblogged-status': async () => {
    const [alice, peer, author] = [await given.account(), await given.peer(), await given.peer()]
    await relation.follow(alice, peer)
    const uri = `${peer.uri}/shares/1`
    return {
      message: {
        kind: 'fetch-reblogged-status',
        accountId: peer.id,
        uri,
        statusUri: author.note().id,
        visibility: 'public',
        publishedAt: clock.now().getTime(),
      },
      seen: statusesAt(uri),
      before: 0,
      after: 1,
    }
  },
  'fetch-relayed-status': async () => {
    const [relay, author] = [await acceptedRelay(), await given.peer()]
    const note = author.note()
    return {
      message: { kind: 'fetch-relayed-status', relayId: relay.id, statusUri: note.id },
      seen: statusesAt(note.id),
      before: 0,
      after: 1,
    }
  },
  'verify-quote': async () => {
    const peer = await given.peer()
    const quoted = await importedStatus(peer)
    const { id } = await importedStatus(peer)
    await storedRow('quotes', {
      status_id: id,
      account_id: peer.id,
      quoted_uri: quoted.uri,
      state: 'pending',
      created_at: clock.now().getTime(),
    })
    return {
      message: { kind: 'verify-quote', statusId: id },
      seen: () => stored('select state from quotes where status_id = ?', id),
      before: 'pending',
      after: 'accepted',
    }
  },
  'answer-quote-request': async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const { id } = await given.status({ by: alice })
    const quotedUri = `https://fieldfare.test/users/${alice.username}/statuses/${id}`
    const note = peer.note({ document: { quote: quotedUri, quoteUri: quotedUri } })
    return {
      message: {
        kind: 'answer-quote-request',
        accountId: peer.id,
        uri: `${peer.uri}/quote_requests/1`,
        quotedUri,
        quotingUri: note.id,
      },
      seen: acceptsTo(peer),
      before: 0,
      after: 1,
    }
  },
  'answer-feature-request': async () => {
    const [alice, peer] = [await given.account({ discoverable: true }), await given.peer()]
    const collectionUri = `${peer.uri}/featured/1`
    fediverse.network.serve(collectionUri, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: collectionUri,
      type: 'FeaturedCollection',
      attributedTo: peer.uri,
      name: 'Birders',
      discoverable: true,
      sensitive: false,
    })
    return {
      message: {
        kind: 'answer-feature-request',
        accountId: peer.id,
        uri: `${peer.uri}/requests/1`,
        username: alice.username,
        collectionUri,
      },
      seen: acceptsTo(peer),
      before: 0,
      after: 1,
    }
  },
} satisfies Partial<Record<JobKind, Scenario>>
