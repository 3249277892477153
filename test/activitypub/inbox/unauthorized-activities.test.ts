import { beforeAll, describe, expect, it } from 'vitest'
import { type AttackScenario, attackScenario, expectRejected, runAttack } from '../../support/attack-scenario'
import { captureDelivery } from '../../support/capture-delivery'
import type { Document } from '../../support/fediverse/documents'
import type { Sending } from '../../support/fediverse/peer'

/**
 * Attacks with a valid signature: each is answered and explained in the log as stated, causes no request to anybody
 * and leaves no row behind.
 */

let scene: AttackScenario

beforeAll(async () => {
  scene = await attackScenario()
})

type Attack = (scene: AttackScenario) => Document

const elsewhere = 'https://other.test/activities/1'

describe('an actor who speaks for others', () => {
  const passedOn = (type: string) => `${type} forwarded by another server`

  it.each<[string, Attack, string]>([
    ['follows in the name of others', ({ rosa, ada }) => rosa.follow(ada), passedOn('Follow')],
    [
      'follows in the name of others, with a signature inside (pitfall 16)',
      ({ rosa, ada }) => ({ ...rosa.follow(ada), signature: signatureInside(rosa.keyId) }),
      passedOn('Follow'),
    ],
    ['favours in the name of others', ({ rosa, posts }) => rosa.like(posts.public), passedOn('Like')],
    ['shares in the name of others', ({ rosa, posts }) => rosa.announce(posts.public), passedOn('Announce')],
    ['blocks in the name of others', ({ rosa, ada }) => rosa.block(ada), passedOn('Block')],
    ['moves others', ({ rosa, eve }) => rosa.move(eve), passedOn('Move')],
    ['reports in the name of others', ({ rosa, ada }) => rosa.flag([ada.uri], 'bad'), passedOn('Flag')],
    [
      'accepts in the name of others',
      ({ finn, ada }) => finn.accept(finn.uri, { to: ada.uri }),
      passedOn('Accept'),
    ],
    ['undoes what others did', ({ rosa, ada }) => rosa.undo(rosa.follow(ada)), passedOn('Undo')],
    [
      'writes in the name of others',
      ({ rosa }) => rosa.create(rosa.note({ served: false })),
      'forwarded, but irrelevant here',
    ],
    [
      'writes what others would have written',
      ({ eve, rosa }) => eve.create(rosa.note({ served: false }), { id: `${eve.uri}#create` }),
      'forwarded, but irrelevant here',
    ],
    [
      'makes an activity on another host',
      ({ eve, posts }) => eve.like(posts.public, { id: elsewhere }),
      'its id is on another host than its actor',
    ],
    [
      'makes an activity of this host',
      ({ eve, ada, posts }) => eve.like(posts.public, { id: `${ada.uri}#likes/1` }),
      'its id is on another host than its actor',
    ],
    [
      'undoes a copy of what others did',
      ({ eve, rosa, ada }) => eve.undo(rosa.follow(ada), { id: `${eve.uri}#undo` }),
      'undoes an activity of another actor',
    ],
    [
      'undoes the id of what others did',
      ({ eve, rosa }) => eve.activity('Undo', `${rosa.uri}#follows/1`),
      'undoes no identifiable activity',
    ],
    [
      'votes for another actor',
      ({ eve, rosa, ada, posts }) => {
        const vote = rosa.vote({ id: posts.poll, author: ada.uri }, 'Wren')
        return eve.create(asDocument(vote['object']), { id: `${eve.uri}#vote` })
      },
      'votes for another actor',
    ],
  ])('answers without an explanation and changes nothing: %s [T-097]', async (_, attack, reason) => {
    expectRejected(await assault(attack), { status: 202, reason })
  })
})

describe('an actor who changes what others own', () => {
  it.each<[string, Attack, string]>([
    [
      'changes a post of another server (pitfall 36)',
      ({ eve, rosaNote, rosa }) =>
        eve.update({ id: rosaNote, type: 'Note', attributedTo: rosa.uri, content: 'x' }),
      'updates an object of another server',
    ],
    [
      'changes a post of another server and says it is theirs',
      ({ eve, rosaNote }) => eve.update({ id: rosaNote, type: 'Note', attributedTo: eve.uri, content: 'x' }),
      'updates an object of another server',
    ],
    [
      'changes a post of this server',
      ({ eve, posts }) => eve.update({ id: posts.public, type: 'Note', attributedTo: eve.uri, content: 'x' }),
      'updates an object of another server',
    ],
    [
      'changes a post of a neighbour',
      ({ eve, neighbourNote, neighbour }) =>
        eve.update({ id: neighbourNote, type: 'Note', attributedTo: neighbour.uri, content: 'x' }),
      'changes what somebody else wrote',
    ],
    [
      'claims a post of a neighbour',
      ({ eve, neighbourNote }) =>
        eve.update({ id: neighbourNote, type: 'Note', attributedTo: eve.uri, content: 'x' }),
      'edits a status of another actor',
    ],
    [
      'changes a profile of another server',
      ({ eve, rosa }) => eve.update({ ...rosa.document, name: 'Eve' }),
      'updates an object of another server',
    ],
    [
      'changes a profile of this server',
      ({ eve, ada }) => eve.update({ id: ada.uri, type: 'Person', name: 'Eve' }),
      'updates an object of another server',
    ],
    [
      'changes the profile of a neighbour',
      ({ eve, neighbour }) => eve.update({ ...neighbour.document, name: 'Eve' }),
      'updates an unsupported object',
    ],
    [
      'deletes a post of another server (pitfall 35)',
      ({ eve, rosaNote }) => eve.activity('Delete', rosaNote),
      'deletes an object of another server',
    ],
    [
      'deletes a post of this server (pitfall 35)',
      ({ eve, posts }) => eve.activity('Delete', posts.public),
      'deletes an object of another server',
    ],
    [
      'deletes a post of a neighbour (pitfall 35)',
      ({ eve, neighbourNote }) => eve.delete(neighbourNote),
      'deletes a status of another actor',
    ],
    [
      'deletes somebody of another server (pitfall 35)',
      ({ eve, rosa }) => eve.activity('Delete', rosa.uri),
      'deletes an object of another server',
    ],
    [
      'deletes somebody of this server (pitfall 35)',
      ({ eve, ada }) => eve.activity('Delete', ada.uri),
      'deletes an object of another server',
    ],
    [
      'pins what others wrote',
      ({ eve, rosaNote }) => eve.pin('Add', rosaNote),
      'pins a status of another account',
    ],
    [
      'pins to the profile of others',
      ({ eve, rosa, rosaNote }) => eve.activity('Add', rosaNote, { target: rosa.at.featured }),
      'adds to an unsupported collection',
    ],
    [
      'moves somebody else',
      ({ eve, rosa }) => eve.activity('Move', rosa.uri, { target: eve.uri }),
      'moves another actor, or has no target',
    ],
    [
      'moves to somebody here who does not know them',
      ({ eve, ada }) => eve.move(ada),
      'the target of the move does not list the account as an alias',
    ],
    [
      'moves to an address of no server',
      ({ eve }) => eve.move({ uri: 'https://127.0.0.1/users/x' }),
      'moves to an actor that cannot be fetched',
    ],
    ['moves nowhere', ({ eve }) => eve.activity('Move', eve.uri), 'moves another actor, or has no target'],
  ])('changes no data of other actors: %s [T-098]', async (_, attack, reason) => {
    expectRejected(await assault(attack), { status: 202, reason })
  })
})

describe('an actor who asks for hidden content', () => {
  const unseen = 'status unknown, or not visible to the actor'
  const unshared = 'status unknown, or not visible to the actor'

  it.each<[string, Attack, string]>([
    ['favours a private post', ({ eve, posts }) => eve.like(posts.private), unseen],
    ['favours a direct post', ({ eve, posts }) => eve.like(posts.direct), unseen],
    ['favours a private post of another server', ({ eve, rosaSecret }) => eve.like(rosaSecret), unseen],
    [
      'reacts to a private post',
      ({ eve, posts }) => eve.emojiReact(posts.private, '🔥'),
      'status unknown, or not visible to the actor',
    ],
    ['shares a private post (pitfall 38)', ({ eve, posts }) => eve.announce(posts.private), unshared],
    ['shares a direct post (pitfall 38)', ({ eve, posts }) => eve.announce(posts.direct), unshared],
    [
      'votes in a private poll',
      ({ eve, ada, posts }) => eve.vote({ id: posts.privatePoll, author: ada.uri }, 'Wren'),
      'votes in a poll that is unknown or not visible to its actor',
    ],
    [
      'votes for what is no choice',
      ({ eve, ada, posts }) => eve.vote({ id: posts.poll, author: ada.uri }, 'Eagle'),
      'Validation failed: The chosen vote option does not exist',
    ],
    [
      'asks to quote a private post',
      ({ eve, posts }) =>
        eve.activity('QuoteRequest', posts.private, { instrument: `${eve.uri}/statuses/1` }),
      'asks to quote a status its actor cannot see',
    ],
    [
      'asks to quote for others',
      ({ eve, posts, rosaNote }) => eve.activity('QuoteRequest', posts.public, { instrument: rosaNote }),
      'requests an object of another server',
    ],
    [
      'asks to quote for a neighbour',
      ({ eve, posts, neighbour }) => {
        const note = neighbour.note({ served: false, document: { quote: posts.public } })
        return eve.activity('QuoteRequest', posts.public, { instrument: note })
      },
      'requests for another actor',
    ],
    [
      'agrees to a quote nobody asked for',
      ({ eve, ada, posts }) => {
        const request = { type: 'QuoteRequest', actor: ada.uri, object: eve.uri, instrument: posts.public }
        return eve.accept(request, { result: `${eve.uri}/consent` })
      },
      'answers no local request',
    ],
    [
      'takes back consent of others to a quote',
      ({ eve, ada }) =>
        eve.activity('Delete', { id: `${ada.uri}/quote_authorizations/1`, type: 'QuoteAuthorization' }),
      'deletes an object of another server',
    ],
    [
      'accepts a Follow of others',
      ({ eve, ada, finn }) => eve.accept(followOf(ada.uri, finn.uri)),
      'accepts no local object',
    ],
    [
      'accepts a Follow nobody made',
      ({ eve, ada }) => eve.accept(followOf(ada.uri, eve.uri)),
      'accepts an unknown follow request',
    ],
    [
      'accepts a Follow nobody made by its id',
      ({ eve, ada }) => eve.accept(`${ada.uri}#follows/1`),
      'accepts an unknown follow request',
    ],
    [
      'rejects a Follow of others',
      ({ eve, ada, rosa }) => eve.reject(followOf(ada.uri, rosa.uri)),
      'rejects no local object',
    ],
    [
      'follows nobody',
      ({ eve }) => eve.follow('https://fieldfare.test/users/nobody'),
      'the target of the follow is unknown',
    ],
    ['follows others than ours', ({ eve, rosa }) => eve.follow(rosa), 'follows no local account'],
    [
      'reports others than ours',
      ({ eve, rosa, rosaNote }) => eve.flag([rosa.uri, rosaNote], 'bad'),
      'reports no local account',
    ],
  ])('does not reveal hidden content: %s', async (_, attack, reason) => {
    expectRejected(await assault(attack), { status: 202, reason })
  })

  it.each<[string, (scene: AttackScenario) => string, string]>([
    ['a private post', ({ posts }) => posts.private, 'reblogs a private status of another account'],
    ['a direct post to them', ({ posts }) => posts.direct, 'reblogs a direct status'],
  ])('accepts the reblog of %s that its actor may see (pitfall 38)', async (_, uri, reason) => {
    const { rosa } = scene
    expectRejected(await runAttack(() => captureDelivery(rosa, rosa.announce(uri(scene)))), {
      status: 202,
      reason,
    })
  })
})

describe('an embedded copy', () => {
  it('does not trust an embedded copy of another author’s post: the reblogged post is fetched (pitfall 37) [T-099]', async () => {
    const { eve, rosa } = scene
    const forged = rosa.note({ content: '<p>never said</p>', served: false })
    const after = await runAttack(() => captureDelivery(eve, eve.announce(forged)))
    expect(after.status).toBe(202)
    expect(after.changes).toEqual([])
    expect(after.jobs).toMatchObject([{ kind: 'fetch-reblogged-status', statusUri: forged.id }])
  })

  it('an embedded copy of a known post does not change it (pitfall 37)', async () => {
    const { eve, rosa, rosaNote } = scene
    const forged = { ...rosa.note({ content: '<p>never said</p>', served: false }), id: rosaNote }
    const after = await runAttack(() => captureDelivery(eve, eve.announce(forged)))
    expect([after.status, after.reasons, after.foreign]).toEqual([202, [], []])
    await captureDelivery(eve, eve.undo(eve.announce(rosaNote)))
  })
})

async function assault(attack: Attack, sending: Sending = {}) {
  return runAttack(() => captureDelivery(scene.eve, attack(scene), sending))
}

function signatureInside(creator: string): Document {
  const created = '2026-11-01T12:00:00Z'
  return { type: 'RsaSignature2017', creator, created, signatureValue: btoa('forged') }
}

function followOf(actor: string, object: string): Document {
  return { id: `${actor}#follows/1`, type: 'Follow', actor, object }
}

function asDocument(value: unknown): Document {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
