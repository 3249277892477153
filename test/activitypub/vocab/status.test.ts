import { describe, expect, it } from 'vitest'
import { readStatus, type StatusReading } from '../../../src/activitypub/vocab/status'
import { isUnreadable } from '../../../src/activitypub/vocab/unreadable'

const now = new Date('2026-11-01T12:00:00.000Z')
const author = 'https://a.test/users/ada'
const followers = `${author}/followers`
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

const note = {
  id: 'https://a.test/notes/1',
  type: 'Note',
  attributedTo: author,
  to: [PUBLIC],
  cc: [followers],
  content: '<p>Hello</p>',
  published: '2026-11-01T11:00:00Z',
}

function read(changes: object = {}, reading: Partial<StatusReading> = {}) {
  const status = readStatus({ ...note, ...changes }, { authorFollowers: followers, now, ...reading })
  if (isUnreadable(status)) throw new Error(status.unreadable)
  return status
}

function refusal(changes: object) {
  const status = readStatus({ ...note, ...changes }, { authorFollowers: followers, now })
  return isUnreadable(status) ? status.unreadable : 'read'
}

describe('readStatus', () => {
  it('reads a plain note', () => {
    expect(read()).toEqual({
      uri: 'https://a.test/notes/1',
      url: null,
      author,
      visibility: 'public',
      content: '<p>Hello</p>',
      spoilerText: '',
      sensitive: false,
      language: null,
      inReplyTo: null,
      publishedAt: new Date('2026-11-01T11:00:00Z'),
      editedAt: null,
      mentioned: [],
      silent: [],
      tags: [],
      emojis: [],
      attachments: [],
      poll: null,
      quote: null,
      repliesUri: null,
      quotePolicy: 'nobody',
      replyPolicy: 'public',
      reblogPolicy: 'public',
    })
  })

  it.each([
    ['no id', { id: null }, 'a status without an id'],
    ['an id that is no address', { id: 'at://did:plc:x/1' }, 'a status without an id'],
    ['no author', { attributedTo: undefined }, 'a status without an author'],
    [
      'an author elsewhere',
      { attributedTo: 'https://b.test/users/eve' },
      'a status on another server than its author',
    ],
    ['a type that is no status', { type: 'Person' }, 'not a status'],
    ['a graph', { '@graph': [note] }, 'not a plain document'],
    ['expanded keys', { type: undefined, '@type': ['Note'] }, 'not a plain document'],
    ['a date a day ahead', { published: '2026-11-02T12:00:00Z' }, 'published in the future'],
  ])('refuses %s', (_what, changes, reason) => {
    expect(refusal(changes)).toBe(reason)
  })

  it.each([
    ['public by the full address', { to: PUBLIC, cc: followers }, 'public'],
    ['public by a short name', { to: ['as:Public'], cc: [] }, 'public'],
    ['public by the shortest name', { to: 'Public' }, 'public'],
    ['public by an object', { to: { id: PUBLIC } }, 'public'],
    ['unlisted', { to: [followers], cc: [PUBLIC] }, 'unlisted'],
    ['private', { to: [followers], cc: [] }, 'private'],
    ['private where the followers get a copy', { to: ['https://b.test/u/bo'], cc: followers }, 'private'],
    ['direct', { to: ['https://b.test/u/bo'], cc: [] }, 'direct'],
    ['direct for followers of somebody else', { to: ['https://b.test/u/bo/followers'], cc: [] }, 'direct'],
    ['direct for nobody at all', { to: undefined, cc: null }, 'direct'],
  ])('sees %s', (_what, changes, visibility) => {
    expect(read(changes).visibility).toBe(visibility)
  })
})
