import { describe, expect, it } from 'vitest'
import { readActivity, readFlag, readReaction } from '../../../src/activitypub/vocab/activity'
import { readActor } from '../../../src/activitypub/vocab/actor'
import { readCollection } from '../../../src/activitypub/vocab/collections'
import { isTombstone, readQuoteAuthorization } from '../../../src/activitypub/vocab/quotes'
import { readStatus, readVote } from '../../../src/activitypub/vocab/status'
import type { AttachmentType } from '../../../src/db/values'
import type { RemoteActor } from '../../../src/domain/accounts/remote-rows'
import type { RemoteAttachment, RemoteStatus } from '../../../src/domain/statuses/remote/remote-status'
import { corpus, wire } from '../../wire/corpus'

const now = new Date('2026-11-01T12:00:00.000Z')
const eve = 'https://evil.test/users/eve'
const rosa = 'https://mastodon.test/users/rosa'
const ada = 'https://fieldfare.test/users/ada'
const note = `${rosa}/statuses/113400000000000001`
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
const reading = { authorFollowers: `${eve}/followers`, now }

const hostile = (name: string) => wire(`hostile/${name}`)
const image = (url: string, type: AttachmentType = 'image'): RemoteAttachment => ({
  type,
  url,
  previewUrl: null,
  description: null,
  blurhash: null,
  meta: {},
})

const actors: Readonly<Record<string, Partial<RemoteActor> | { unreadable: string }>> = {
  'actor-inbox-elsewhere': { unreadable: 'an actor without an inbox on its server' },
  'actor-inbox-unprotected': { unreadable: 'an actor without an inbox on its server' },
  'actor-inbox-lookalike-host': { unreadable: 'an actor without an inbox on its server' },
  'actor-without-inbox': { unreadable: 'an actor without an inbox on its server' },
  'actor-username-path': { unreadable: 'an actor without a user name' },
  'actor-username-markup': { unreadable: 'an actor without a user name' },
  'actor-username-list': { unreadable: 'an actor without a user name' },
  'actor-username-long': { unreadable: 'an actor without a user name' },
  'actor-id-credentials': { unreadable: 'an actor without an id' },
  'actor-id-scheme': { unreadable: 'an actor without an id' },
  'actor-two-types': { type: 'Person' },
  'actor-key-of-another': { keys: [] },
  'actor-key-no-pem': { keys: [] },
  'actor-collections-elsewhere': {
    outbox: null,
    followers: null,
    following: null,
    featured: null,
    featuredTags: null,
    sharedInbox: null,
    url: null,
  },
  'actor-markup': {
    displayName: '<img src=x onerror=alert(1)> Eve',
    noteHtml: '<p>hix</p>go<p></p>',
    fields: [
      { name: '<script>', value: 'site', html: 'site', verifiedAt: null },
      { name: 'n', value: '', html: '', verifiedAt: null },
    ],
  },
  'actor-addresses': {
    url: null,
    avatar: null,
    header: null,
    movedTo: null,
    alsoKnownAs: ['https://other.test/users/eve'],
    attributionDomains: ['ok.test'],
  },
  'actor-wrong-kinds': {
    displayName: 'Eve',
    noteHtml: '',
    avatar: null,
    header: null,
    emojis: [],
    fields: [],
    keys: [],
    discoverable: null,
    locked: true,
    memorial: false,
    suspended: false,
    sharedInbox: null,
    publishedAt: null,
    alsoKnownAs: [],
    attributionDomains: [],
  },
  'key-alone': { unreadable: 'not an actor' },
}

const statuses: Readonly<Record<string, Partial<RemoteStatus> | { unreadable: string }>> = {
  'note-author-elsewhere': { unreadable: 'a status on another server than its author' },
  'note-id-elsewhere': { unreadable: 'a status on another server than its author' },
  'note-author-lookalike-port': { unreadable: 'a status on another server than its author' },
  'note-id-null': { unreadable: 'a status without an id' },
  'note-own-base': { unreadable: 'a status without an id' },
  'note-all-null': { unreadable: 'a status without an id' },
  'note-next-day': { publishedAt: now, editedAt: now },
  'note-far-future': { unreadable: 'published in the future' },
  'note-soon': { publishedAt: now, editedAt: now },
  'note-before-1970': { publishedAt: now, editedAt: null },
  'note-no-date': { publishedAt: now, editedAt: null },
  'note-graph': { unreadable: 'not a plain document' },
  'note-expanded': { unreadable: 'not a plain document' },
  'note-prefixed': { unreadable: 'not a status' },
  list: { unreadable: 'not a plain document' },
  text: { unreadable: 'not a plain document' },
  null: { unreadable: 'not a plain document' },
  number: { unreadable: 'not a plain document' },
  empty: { unreadable: 'not a plain document' },
  'note-only-required': { content: '', visibility: 'direct', publishedAt: now, mentioned: [] },
  'note-numbers': {
    content: '',
    spoilerText: '',
    visibility: 'direct',
    publishedAt: now,
    url: null,
    inReplyTo: null,
    tags: [],
    attachments: [],
    repliesUri: null,
  },
  'note-wrong-kinds': {
    content: '<p>first</p>',
    spoilerText: '',
    visibility: 'public',
    sensitive: false,
    url: null,
    publishedAt: now,
    editedAt: null,
    inReplyTo: null,
    quote: null,
    repliesUri: null,
    mentioned: [],
    language: null,
    replyPolicy: 'public',
    quotePolicy: 'nobody',
  },
  'note-markup': {
    content:
      '<p><strong>&lt;i&gt;t&lt;/i&gt;</strong></p><p>hi</p>a<p class="mention">b</p>' +
      '<ruby>漢<rt>kan</rt></ruby><ul><li>c</li></ul><blockquote>d</blockquote><code>e</code>',
    spoilerText: 'cw',
  },
  'note-public-lookalikes': { visibility: 'direct' },
  'note-followers-of-another': { visibility: 'direct', mentioned: [] },
  'note-deep': {
    visibility: 'unlisted',
    url: null,
    tags: [],
    attachments: [image('https://evil.test/flat.png')],
  },
  'note-cyclic-context': { content: '<p>hello</p>', spoilerText: '', visibility: 'public' },
  'cyclic-id': {
    uri: `${eve}/notes/1`,
    inReplyTo: `${eve}/notes/1`,
    quote: { uri: `${eve}/notes/1`, authorization: null, legacy: false },
  },
  'note-prototype-keys': {
    sensitive: false,
    tags: [
      { name: '__proto__', display: '__proto__' },
      { name: 'constructor', display: 'constructor' },
    ],
    emojis: [{ shortcode: '__proto__', image: { remote: 'https://evil.test/e.png' } }],
    attachments: [image('https://evil.test/x.constructor', 'unknown')],
  },
  'note-duplicate-tags': {
    mentioned: [rosa],
    silent: [],
    tags: [{ name: 'cafe', display: 'Café' }],
    emojis: [{ shortcode: 'x_x', image: { remote: 'https://evil.test/1.png' } }],
  },
  'note-broken-tags': { mentioned: [rosa], tags: [{ name: 'fine', display: 'fine' }], emojis: [] },
  'note-broken-attachments': {
    attachments: [
      image('https://evil.test/a.PNG?x=1'),
      image('https://evil.test/a.mp3', 'audio'),
      image('https://evil.test/a.zip', 'unknown'),
      image('https://evil.test/stream', 'audio'),
      image('https://evil.test/b.bin', 'video'),
    ],
  },
  'note-quote-script': { quote: null, content: '<p class="quote-inline">RE: stays</p>' },
  'question-bad-numbers': {
    poll: {
      options: ['a', 'b', 'c', 'd', 'e'],
      tallies: [3, 0, 0, 0, 0],
      multiple: false,
      votersCount: null,
      expiresAt: null,
      closedAt: null,
    },
  },
  'question-no-options': { poll: null, content: '<p>hello</p>' },
  'vote-with-content': { visibility: 'direct', content: '<p><strong>Moss</strong></p><p>and words</p>' },
  // Votes are for one person; a name everybody may read is a post, if a short one.
  'vote-to-everybody': { visibility: 'public', content: '<p><strong>Moss</strong></p>' },
}

describe('hostile actors', () => {
  it.each(Object.entries(actors))('%s', (name, expected) => {
    expect(readActor(hostile(name), now)).toMatchObject(expected)
  })

  it('actor-key-elsewhere: ignores a key of another server', () => {
    expect(readActor(hostile('actor-key-elsewhere'), now)).toMatchObject({ keys: [{ id: `${eve}#second` }] })
  })

  it('actor-keys-many: reads at most eight keys', () => {
    const actor = readActor(hostile('actor-keys-many'), now)
    expect('keys' in actor ? actor.keys.length : 0).toBe(8)
  })
})

describe('hostile posts', () => {
  it.each(Object.entries(statuses))('%s', (name, expected) => {
    expect(readStatus(hostile(name), reading)).toMatchObject(expected)
  })

  it('note-unclosed-markup: closes unclosed elements', () => {
    const status = readStatus(hostile('note-unclosed-markup'), reading)
    const html = 'content' in status ? status.content : ''
    expect(html.match(/<[biup]\b/g)?.length).toBe(html.match(/<\/[biup]>/g)?.length)
    expect(html).not.toContain('href')
  })

  it('vote-with-content, vote-to-everybody: are not votes', () => {
    expect(readVote(hostile('vote-with-content'))).toBeNull()
    expect(readVote(hostile('vote-to-everybody'))).toBeNull()
  })
})

/** [type, actor, id of the object, actor of the embedded object], or null. */
const activities: Readonly<Record<string, readonly unknown[] | null>> = {
  'create-object-of-another': ['Create', eve, note],
  'update-object-of-another': ['Update', eve, note],
  'update-actor-of-another': ['Update', eve, rosa],
  'delete-object-of-another': ['Delete', eve, note],
  'delete-actor-of-another': ['Delete', eve, rosa],
  'announce-forged-object': ['Announce', eve, note],
  'undo-follow-of-another': ['Undo', eve, 'https://mastodon.test/f1', rosa],
  'accept-follow-of-others': ['Accept', eve, `${ada}#follows/3`, ada],
  'activity-actor-of-another': ['Follow', rosa, ada],
  'activity-two-actors': ['Like', eve, `${ada}/statuses/9`],
  'activity-actor-embedded': ['Like', eve, `${ada}/statuses/9`],
  'activity-without-actor': null,
  'activity-without-object': ['Like', eve, undefined],
  'activity-without-id': ['Like', eve, `${ada}/statuses/9`],
  'activity-type-unknown': ['Unknown', eve, ada],
  'activity-type-list': ['Follow', eve, ada],
  'activity-type-number': null,
  'activity-object-script': ['Follow', eve, undefined],
  'undo-nested': ['Undo', eve, `https://evil.test/users/eve/activities/1`, eve],
  'activity-wrong-kinds': ['Move', eve, rosa],
  'reaction-markup': ['EmojiReact', eve, `${ada}/statuses/9`],
  'reaction-words': ['Like', eve, `${ada}/statuses/9`],
  'reaction-no-picture': ['EmojiReact', eve, `${ada}/statuses/9`],
  'reaction-long': ['EmojiReact', eve, `${ada}/statuses/9`],
  'flag-nobody': ['Flag', eve, undefined],
}

describe('hostile activities', () => {
  it.each(Object.entries(activities))('%s', (name, expected) => {
    const activity = readActivity(hostile(name))
    if (activity === null || expected === null) {
      expect(activity).toBe(expected)
      return
    }
    const inner = readActivity(activity.object?.document)
    const [type, actor, object, of] = expected
    expect([activity.type, activity.actor, activity.object?.id, inner?.actor]).toEqual([
      type,
      actor,
      object,
      of,
    ])
    expect(readReaction(activity)).toBeNull()
    expect(readFlag(activity)).toBeNull()
  })

  it('activity-wrong-kinds: keeps readable properties', () => {
    expect(readActivity(hostile('activity-wrong-kinds'))).toMatchObject({
      to: [],
      cc: [PUBLIC],
      published: null,
      target: null,
    })
  })

  it('collection-loop: keeps items with an id or a body', () => {
    expect(readCollection(hostile('collection-loop'))).toMatchObject({
      totalItems: null,
      items: [{ id: eve }, { id: null, document: { type: 'Note' } }],
    })
  })

  it('quote-authorization-partial: is not an authorization', () => {
    expect(readQuoteAuthorization(hostile('quote-authorization-partial'))).toBeNull()
  })
})

describe('every document of the corpus', () => {
  it.each(corpus.map(({ name }) => [name]))(
    '%s is read by every reader without an exception [T-157]',
    (name) => {
      const document = wire(name)
      const before = JSON.stringify(document)
      for (const part of [document, readActivity(document)?.object?.document]) {
        readActor(part, now)
        readStatus(part, { ...reading, audience: { to: [], cc: [] } })
        readVote(part)
        readCollection(part)
        readQuoteAuthorization(part)
        isTombstone(part)
        const activity = readActivity(part)
        if (activity !== null) readReaction(activity)
        if (activity !== null) readFlag(activity)
      }
      expect(JSON.stringify(document)).toBe(before)
    },
  )

  it('every document has an expected result', () => {
    const elsewhere = ['actor-key-elsewhere', 'actor-keys-many', 'note-unclosed-markup', 'collection-loop']
    const expected = new Set([
      ...[actors, statuses, activities].flatMap((table) => Object.keys(table)),
      ...elsewhere,
      'quote-authorization-partial',
    ])
    const names = corpus.filter(({ isHostile }) => isHostile).map(({ name }) => name.slice('hostile/'.length))
    expect(names.filter((name) => !expected.has(name))).toEqual([])
  })
})
