import { describe, expect, it } from 'vitest'
import { readActivity, readFlag, readReaction } from '../../../src/activitypub/vocab/activity'
import { readActor } from '../../../src/activitypub/vocab/actor'
import { readCollection } from '../../../src/activitypub/vocab/collections'
import { isUnreadable } from '../../../src/activitypub/vocab/json'
import { isTombstone, readQuoteAuthorization } from '../../../src/activitypub/vocab/quotes'
import { readStatus, readVote } from '../../../src/activitypub/vocab/status'
import { corpus, wire } from '../../wire/corpus'
import { activities } from './expected/activities'
import { actors } from './expected/actors'
import { statuses } from './expected/statuses'

const now = new Date('2026-11-01T12:00:00.000Z')
const ada = 'https://fieldfare.test/users/ada'
const rosa = 'https://mastodon.test/users/rosa'
const mo = 'https://gotosocial.test/users/mo/statuses/01JBF00000000000000000001'

function activityOf(name: string) {
  const activity = readActivity(wire(name))
  if (activity === null) throw new Error(`${name} is no activity`)
  return activity
}

/** The post a document is, or is about. */
function statusDocument(name: string): unknown {
  const document = wire(name)
  return readActivity(document)?.object?.document ?? document
}

describe('the actors of other software', () => {
  it.each(Object.entries(actors))('%s', (name, { keys, ...expected }) => {
    const actor = readActor(wire(name), now)
    if (isUnreadable(actor)) throw new Error(actor.unreadable)
    expect(actor).toMatchObject(expected)
    expect(actor.keys.map(({ id }) => id)).toEqual(keys ?? [`${actor.uri}#main-key`])
  })
})

describe('the posts of other software', () => {
  it.each(Object.entries(statuses))('%s', (name, { followers, read }) => {
    const status = readStatus(statusDocument(name), { authorFollowers: followers, now })
    expect(status).toMatchObject(read)
  })
})

describe('the activities of other software', () => {
  it.each(Object.entries(activities))('%s', (name, expected) => {
    const activity = activityOf(name)
    expect({
      type: activity.type,
      actor: activity.actor,
      id: activity.id,
      objects: activity.objects.map(({ id }) => id),
      target: activity.target?.id,
      instrument: expected.instrument === undefined ? undefined : activity.instrument?.id,
      result: activity.result?.id,
      reaction: readReaction(activity) ?? undefined,
    }).toEqual({
      target: undefined,
      instrument: undefined,
      result: undefined,
      reaction: undefined,
      ...expected,
    })
  })
})

const others: Readonly<Record<string, () => void>> = {
  'gotosocial-0.19-key-stub': () => {
    expect(readActor(wire('gotosocial-0.19-key-stub'), now)).toEqual({
      unreadable: 'an actor without an inbox on its server',
    })
  },
  'mastodon-4.3-outbox': () => {
    expect(readCollection(wire('mastodon-4.3-outbox'))).toEqual({
      id: `${rosa}/outbox`,
      isPage: false,
      items: [],
      totalItems: 42,
      first: { id: `${rosa}/outbox?page=true`, document: null },
      next: null,
      partOf: null,
    })
  },
  'mastodon-4.3-outbox-page': () => {
    const page = readCollection(wire('mastodon-4.3-outbox-page'))
    expect(page).toMatchObject({
      isPage: true,
      next: `${rosa}/outbox?max_id=1&page=true`,
      partOf: `${rosa}/outbox`,
    })
    expect(page?.items.map(({ document }) => readActivity(document)?.type)).toEqual(['Create', 'Announce'])
  },
  'mastodon-4.3-replies-page': () => {
    expect(readCollection(wire('mastodon-4.3-replies-page'), 1)).toMatchObject({
      isPage: true,
      items: [{ id: 'https://hollo.test/@lin/0192f0aa-0000-7000-8000-000000000002', document: null }],
    })
  },
  'mastodon-4.5-context': () => {
    const thread = readCollection(wire('mastodon-4.5-context'))
    expect(thread).toMatchObject({ isPage: false, items: [], first: { id: null } })
    expect(readCollection(thread?.first?.document)).toMatchObject({
      isPage: true,
      items: [{ id: `${rosa}/statuses/113400000000000001` }, { id: `${rosa}/statuses/113400000000000002` }],
      next: 'https://mastodon.test/contexts/109-113400000000000001/items?min_id=113400000000000002&page=true',
    })
  },
  'mastodon-4.5-context-page': () => {
    expect(readCollection(wire('mastodon-4.5-context-page'), 1)).toMatchObject({
      isPage: true,
      items: [{ id: 'https://fieldfare.test/users/ada/statuses/9' }],
      partOf: 'https://mastodon.test/contexts/109-113400000000000001',
    })
  },
  'mastodon-4.3-featured': () => {
    const featured = readCollection(wire('mastodon-4.3-featured'))
    expect(featured).toMatchObject({ isPage: false, totalItems: 1 })
    expect(featured?.items.map(({ id }) => id)).toEqual([`${rosa}/statuses/113400000000000001`])
  },
  'mastodon-4.3-featured-tags': () => {
    const tags = readCollection(wire('mastodon-4.3-featured-tags'))
    expect(tags?.items.map(({ id, document }) => [id, document?.['name']])).toEqual([[null, '#ferns']])
  },
  'misskey-2025.10-featured': () => {
    const featured = readCollection(wire('misskey-2025.10-featured'))
    expect(featured?.items).toEqual([{ id: 'https://misskey.test/notes/9note1', document: null }])
  },
  'gotosocial-0.20-replies': () => {
    expect(readCollection(wire('gotosocial-0.20-replies'))).toMatchObject({
      isPage: false,
      items: [],
      first: { id: `${mo}/replies?limit=20&only_other_accounts=true`, document: null },
    })
  },
  'gotosocial-0.20-replies-page': () => {
    expect(readCollection(wire('gotosocial-0.20-replies-page'))).toMatchObject({
      isPage: true,
      items: [{ id: 'https://gotosocial.test/users/mo/statuses/01JBF00000000000000000002', document: null }],
      next: `${mo}/replies?limit=20&max_id=01JBF00000000000000000002&only_other_accounts=false`,
    })
  },
  'mastodon-4.3-tombstone': () => {
    expect(isTombstone(wire('mastodon-4.3-tombstone'))).toBe(true)
    expect(isTombstone(wire('mastodon-4.3-note-private'))).toBe(false)
  },
  'mastodon-4.5-quote-authorization': () => {
    expect(readQuoteAuthorization(wire('mastodon-4.5-quote-authorization'))).toEqual({
      id: `${rosa}/quote_authorizations/12`,
      author: rosa,
      quote: `${ada}/statuses/10`,
      quoted: `${rosa}/statuses/113400000000000001`,
    })
  },
}

describe('further documents of other software', () => {
  it.each(Object.entries(others))('%s', (_name, check) => check())

  it('distinguishes votes from posts [T-166]', () => {
    const votes = ['mastodon-4.3-vote', 'misskey-2025.10-vote', 'gotosocial-0.19-vote'].map((name) =>
      activityOf(name).objects.map(({ document }) => readVote(document)?.choice),
    )
    expect(votes).toEqual([['Yes, please'], ['Moss'], ['Moss', 'Lichen']])
    expect(readVote(activityOf('mastodon-4.3-vote').object?.document)).toEqual({
      id: `${rosa}#votes/77`,
      author: rosa,
      question: `${ada}/statuses/9`,
      choice: 'Yes, please',
    })
    const reading = { authorFollowers: `${rosa}/followers`, now }
    expect(readStatus(statusDocument('mastodon-4.3-vote'), reading)).toEqual({ unreadable: 'a vote' })
  })

  it.each([
    'pleroma-2.9-chat-message',
    'lemmy-0.19-create-private-message',
    'lemmy-1.0-create-private-message',
  ])('reads a message to one person as a direct post to them: %s', (name) => {
    const status = readStatus(statusDocument(name), { authorFollowers: null, now })
    expect(status).toMatchObject({ visibility: 'direct', mentioned: [ada], silent: [] })
  })

  it('reads reports with their comments', () => {
    expect(readFlag(activityOf('mastodon-4.3-flag'))).toEqual({
      uris: [ada, `${ada}/statuses/9`],
      comment: 'Spam\nagain & again',
    })
    expect(readFlag(activityOf('misskey-2025.10-flag'))).toEqual({ uris: [ada], comment: 'Local: spam' })
    expect(readFlag(activityOf('mastodon-4.3-like'))).toBeNull()
  })
})

it('every honest document has an expected result', () => {
  const expected = new Set([actors, statuses, activities, others].flatMap((table) => Object.keys(table)))
  const honest = corpus.filter(({ isHostile }) => !isHostile).map(({ name }) => name)
  expect(honest.filter((name) => !expected.has(name))).toEqual([])
})
