import { describe, expect, it } from 'vitest'
import {
  acceptFollowActivity,
  addActivity,
  announceActivity,
  blockActivity,
  createOrAnnounceActivity,
  deleteActorActivity,
  deleteStatusActivity,
  emojiReactActivity,
  flagActivity,
  followActivity,
  likeActivity,
  moveActivity,
  rejectFollowActivity,
  removeActivity,
  undoActivity,
  updateActorActivity,
  updateNoteActivity,
  voteActivity,
} from '../../../src/activitypub/serialise/activities'
import {
  acceptQuoteActivity,
  quoteAuthorization,
  quoteRequestActivity,
  rejectQuoteActivity,
} from '../../../src/activitypub/serialise/approvals'
import { instant, withContext } from '../../../src/activitypub/serialise/document'
import { noteFacts, noteOf } from '../../support/documents'
import { given } from '../../support/given'
import { storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

const everybody = 'https://www.w3.org/ns/activitystreams#Public'
const actor = 'https://fieldfare.test/users/alice'
const other = 'https://elsewhere.test/users/bob'
const note = 'https://elsewhere.test/notes/1'

describe('activities of a status', () => {
  it('builds a Create with the recipients of its note', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice, visibility: 'unlisted' })
    const { config } = context()

    const facts = await noteFacts(alice, id)
    const create = createOrAnnounceActivity(config, clock.now(), facts)

    const object = await noteOf(alice, id)
    expect(create).toEqual({
      id: `${facts.uri}/activity`,
      type: 'Create',
      actor: facts.actor,
      object,
      published: object['published'],
      to: object['to'],
      cc: object['cc'],
    })
  })

  it('builds an Announce for a reblog, addressed to the author as well', async () => {
    const alice = await given.account()
    const bob = await given.remoteAccount()
    const shared = await storedStatus({ accountId: bob.id, local: false })
    const id = await storedStatus({ accountId: alice.id, reblogOfId: shared })

    const announce = createOrAnnounceActivity(context().config, clock.now(), await noteFacts(alice, id))

    const uri = `https://fieldfare.test/users/${alice.username}`
    expect(announce).toMatchObject({
      id: `${uri}/statuses/${id}/activity`,
      type: 'Announce',
      actor: uri,
      object: `https://elsewhere.test/statuses/${shared}`,
      to: [everybody],
      cc: [`${uri}/followers`, bob.uri],
    })
    expect(undoActivity(announceActivity(context().config, await noteFacts(alice, id)))).toMatchObject({
      id: `${uri}/statuses/${id}/activity/undo`,
      type: 'Undo',
      to: [everybody],
      object: { type: 'Announce', id: `${uri}/statuses/${id}/activity` },
    })
  })

  it('refuses to build an Announce of a status that is not a reblog', async () => {
    const alice = await given.account()
    const facts = await noteFacts(alice, await storedStatus({ accountId: alice.id }))
    expect(() => announceActivity(context().config, facts)).toThrow('Only a reblog')
  })

  it('builds each Update with its own id', async () => {
    const alice = await given.account()
    const facts = await noteFacts(alice, await storedStatus({ accountId: alice.id }))
    const at = { now: clock.now(), version: 7 }
    expect(updateNoteActivity(context().config, facts, at)).toMatchObject({
      id: `${facts.uri}#updates/7`,
      type: 'Update',
      actor: facts.actor,
      object: { type: 'Note' },
    })
  })
})

describe('the activities of an actor', () => {
  const interaction = { actor, id: 5, object: other }

  it.each([
    [followActivity(interaction), { id: `${actor}#follows/5`, type: 'Follow', actor, object: other }],
    [blockActivity(interaction), { id: `${actor}#blocks/5`, type: 'Block', actor, object: other }],
    [
      likeActivity({ ...interaction, object: note }),
      { id: `${actor}#likes/5`, type: 'Like', actor, object: note },
    ],
    [
      moveActivity(interaction),
      {
        id: `${actor}#moves/5`,
        type: 'Move',
        actor,
        object: actor,
        target: other,
        to: [`${actor}/followers`],
      },
    ],
    [
      flagActivity({ actor, id: 5, objects: [other, note], content: 'Spam' }),
      { id: `${actor}#reports/5`, type: 'Flag', actor, object: [other, note], content: 'Spam' },
    ],
    [
      emojiReactActivity({ ...interaction, object: note }, { content: '🐦', tag: null, author: other }),
      {
        id: `${actor}#reactions/5`,
        type: 'EmojiReact',
        actor,
        object: note,
        content: '🐦',
        to: [other],
        tag: [],
      },
    ],
    [
      updateActorActivity(actor, { id: actor, type: 'Person' }, 9),
      {
        id: `${actor}#updates/9`,
        type: 'Update',
        actor,
        object: { id: actor, type: 'Person' },
        to: [everybody],
        cc: [`${actor}/followers`],
      },
    ],
    [
      deleteStatusActivity(actor, note),
      {
        id: `${note}#delete`,
        type: 'Delete',
        actor,
        to: [everybody],
        object: { id: note, type: 'Tombstone', atomUri: note },
      },
    ],
    [
      deleteActorActivity(actor),
      { id: `${actor}#delete`, type: 'Delete', actor, to: [everybody], object: actor },
    ],
    [
      addActivity(actor, '3', note),
      {
        id: `${actor}#pins/3/add`,
        type: 'Add',
        actor,
        object: note,
        to: [everybody],
        cc: [`${actor}/followers`],
        target: `${actor}/collections/featured`,
      },
    ],
    [
      removeActivity(actor, '3', note),
      {
        id: `${actor}#pins/3/remove`,
        type: 'Remove',
        actor,
        object: note,
        to: [everybody],
        cc: [`${actor}/followers`],
        target: `${actor}/collections/featured`,
      },
    ],
  ])('$type', (activity, expected) => {
    expect(activity).toEqual(expected)
  })

  it('Undo activities embed the whole activity', () => {
    const follow = followActivity(interaction)
    const undo = { id: `${actor}#follows/5/undo`, type: 'Undo', actor, object: follow }
    expect(undoActivity(follow)).toEqual(undo)
  })

  it('answers to a follow are by the followed account and embed the follow as received', () => {
    const follow = { id: 5, uri: `${other}#f/1`, follower: other }
    const object = { id: `${other}#f/1`, type: 'Follow', actor: other, object: actor }
    const answer = { actor, to: [other], object }
    expect(acceptFollowActivity(actor, follow)).toEqual({
      id: `${actor}#accepts/follows/5`,
      type: 'Accept',
      ...answer,
    })
    expect(rejectFollowActivity(actor, follow)).toEqual({
      id: `${actor}#rejects/follows/5`,
      type: 'Reject',
      ...answer,
    })
  })

  it('a vote is a note of the choice to the author of the poll alone', () => {
    const vote = { actor, pollId: 4, index: 1, choice: 'Wren', question: note, author: other }
    expect(voteActivity(vote)).toEqual({
      id: `${actor}#votes/4/1/activity`,
      type: 'Create',
      actor,
      to: [other],
      object: {
        id: `${actor}#votes/4/1`,
        type: 'Note',
        attributedTo: actor,
        name: 'Wren',
        inReplyTo: note,
        to: [other],
      },
    })
  })

  it('sent activities carry one context', () => {
    const document = withContext(followActivity(interaction))
    expect(document).toMatchObject({ type: 'Follow', id: `${actor}#follows/5` })
    expect(Object.keys(document)[0]).toBe('@context')
  })
})

describe('consent to a quote', () => {
  const quoting = `${actor}/statuses/8`
  const request = { id: 8, uri: `${actor}#quotes/8`, actor, quoted: note, quoting }

  it('builds a QuoteRequest with the quoting status', () => {
    const asked = { actor, id: 8, quoted: note, quotedAuthor: other, quoting: { id: quoting, type: 'Note' } }
    expect(quoteRequestActivity(asked)).toEqual({
      id: `${actor}#quotes/8`,
      type: 'QuoteRequest',
      actor,
      to: [other],
      object: note,
      instrument: { id: quoting, type: 'Note' },
    })
  })

  it('builds an Accept with the address of the authorization, or a Reject', () => {
    const object = { id: `${actor}#quotes/8`, type: 'QuoteRequest', actor, object: note, instrument: quoting }
    expect(acceptQuoteActivity(other, request, `${other}/stamps/8`)).toEqual({
      id: `${other}#accepts/quotes/8`,
      type: 'Accept',
      actor: other,
      to: [actor],
      object,
      result: `${other}/stamps/8`,
    })
    expect(rejectQuoteActivity(other, request)).toEqual({
      id: `${other}#rejects/quotes/8`,
      type: 'Reject',
      actor: other,
      to: [actor],
      object,
    })
  })

  it('builds an authorization that names both statuses and its author', () => {
    const consent = { id: `${other}/stamps/8`, author: other, quoting, quoted: note }
    expect(quoteAuthorization(consent)).toEqual({
      id: `${other}/stamps/8`,
      type: 'QuoteAuthorization',
      attributedTo: other,
      interactingObject: quoting,
      interactionTarget: note,
    })
  })
})

it.each([
  ['2026-11-01T12:00:00.000Z', '2026-11-01T12:00:00Z'],
  ['2026-11-01T12:00:00.120Z', '2026-11-01T12:00:00.120Z'],
])(
  'writes the instant %s as %s, so that posts of one second keep their order on other servers',
  (at, written) => {
    expect(instant(new Date(at))).toBe(written)
  },
)
