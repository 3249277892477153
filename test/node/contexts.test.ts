import { describe, expect, it } from 'vitest'
import {
  acceptFollowActivity,
  addActivity,
  blockActivity,
  deleteActorActivity,
  deleteStatusActivity,
  emojiReactActivity,
  flagActivity,
  followActivity,
  likeActivity,
  moveActivity,
  type OutgoingActivity,
  rejectFollowActivity,
  undoActivity,
  voteActivity,
} from '../../src/activitypub/serialise/activities'
import { acceptQuoteActivity, quoteRequestActivity } from '../../src/activitypub/serialise/approvals'
import { extensions, withContext } from '../../src/activitypub/serialise/document'
import { expand } from './json-ld'

const actor = 'https://fieldfare.test/users/alice'
const object = 'https://mastodon.test/users/rosa/statuses/113400000000000001'
const author = 'https://mastodon.test/users/rosa'
const follow = { id: 12, uri: `${author}#follows/12`, follower: author }
const interaction = { actor, id: 2563787980800011, object }
const request = { id: 1, uri: `${author}/quote_requests/1`, actor: author, quoted: object, quoting: object }

/** Each kind of activity, and how many bytes it may take. With one context for all it was some 3,000 each. */
const sent: Readonly<Record<string, readonly [OutgoingActivity, number]>> = {
  Follow: [followActivity({ ...interaction, object: author }), 250],
  Like: [likeActivity(interaction), 270],
  Block: [blockActivity({ ...interaction, object: author }), 250],
  Undo: [undoActivity(likeActivity(interaction)), 450],
  Accept: [acceptFollowActivity(actor, follow), 400],
  Reject: [rejectFollowActivity(actor, follow), 400],
  Announce: [
    { ...likeActivity(interaction), type: 'Announce', to: ['https://www.w3.org/ns/activitystreams#Public'] },
    330,
  ],
  'Delete of an actor': [deleteActorActivity(actor), 270],
  'Delete of a status': [deleteStatusActivity(actor, `${actor}/statuses/9`), 450],
  Move: [moveActivity({ ...interaction, object: author }), 330],
  Flag: [flagActivity({ ...interaction, objects: [author, object], content: 'Spam' }), 330],
  Add: [addActivity(actor, '1', `${actor}/statuses/9`), 400],
  vote: [voteActivity({ actor, pollId: 1, index: 0, choice: 'Wren', question: object, author }), 510],
  EmojiReact: [emojiReactActivity(interaction, { content: '🐦', tag: null, author }), 450],
  'Accept of a quote': [acceptQuoteActivity(actor, request, `${actor}/quote_authorizations/1`), 700],
}

/** As it was sent with every term there is. */
const withAll = (activity: OutgoingActivity) => ({
  '@context': [
    'https://www.w3.org/ns/activitystreams',
    'https://w3id.org/security/v1',
    {
      ostatus: 'http://ostatus.org#',
      schema: 'http://schema.org#',
      toot: 'http://joinmastodon.org/ns#',
      litepub: 'http://litepub.social/ns#',
      gts: 'https://gotosocial.org/ns#',
      ...extensions,
    },
  ],
  ...activity,
})

const bytes = (document: object) => new TextEncoder().encode(JSON.stringify(document)).byteLength

describe('the context of a document', () => {
  it.each(Object.entries(sent))(
    'the context of %s is small, and means the same as all terms together',
    async (kind, given) => {
      const [activity, most] = given
      const [before, after] = [bytes(withAll(activity)), bytes(withContext(activity))]
      console.log(`${kind}: ${before} bytes before, ${after} now`)
      expect(after).toBeLessThanOrEqual(most)
      expect(await expand(withContext(activity))).toEqual(await expand(withAll(activity)))
    },
  )

  it('the context of a document is only that of ActivityStreams where nothing else is used', () => {
    for (const kind of ['Follow', 'Like', 'Block', 'Undo', 'Accept', 'Reject', 'Announce', 'Move', 'Flag']) {
      const [activity] = sent[kind] ?? []
      expect(withContext(activity ?? {})['@context'], kind).toBe('https://www.w3.org/ns/activitystreams')
    }
  })

  it('the context of a document has the terms used at any depth, with their prefixes', async () => {
    const quoting = { id: object, type: 'Note', quote: author, contentMap: { value: '<p>de</p>' } }
    const asked = quoteRequestActivity({ actor, id: 1, quoted: object, quotedAuthor: author, quoting })
    const document = withContext({ ...asked, tag: [{ type: 'Emoji', name: ':wren:' }] })
    expect(document['@context']).toEqual([
      'https://www.w3.org/ns/activitystreams',
      {
        toot: 'http://joinmastodon.org/ns#',
        Emoji: 'toot:Emoji',
        QuoteRequest: 'https://w3id.org/fep/044f#QuoteRequest',
        quote: { '@id': 'https://w3id.org/fep/044f#quote', '@type': '@id' },
      },
    ])
    expect(JSON.stringify(await expand(document))).toContain('http://joinmastodon.org/ns#Emoji')
  })

  it('defines the terms of keys where there are any', () => {
    const key = { id: `${actor}#main-key`, owner: actor, publicKeyPem: 'x' }
    expect(withContext({ id: actor, type: 'Person', publicKey: key })['@context']).toEqual([
      'https://www.w3.org/ns/activitystreams',
      'https://w3id.org/security/v1',
    ])
  })

  it('gives every extension a meaning', async () => {
    for (const term of Object.keys(extensions)) {
      const document = /^[A-Z]/.test(term) ? { type: term } : { type: 'Note', [term]: 'https://a.test/x' }
      const expanded = JSON.stringify(await expand(withContext({ id: object, ...document })))
      expect(expanded, term).not.toContain(`"${term}"`)
    }
  })
})
