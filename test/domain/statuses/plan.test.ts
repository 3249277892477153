import { describe, expect, it } from 'vitest'
import type { UserSettings } from '../../../src/db/schema/accounts'
import { visibilities } from '../../../src/db/schema/statuses'
import type { Viewer } from '../../../src/domain/core/viewer'
import { refusePin } from '../../../src/domain/interactions/pin'
import { decideReblog } from '../../../src/domain/interactions/reblog'
import type { MediaRow } from '../../../src/domain/media/find'
import { parseDraft, type StatusDraft } from '../../../src/domain/statuses/draft'
import {
  type DraftFacts,
  planStatus,
  subscribersInLanguage,
  UnexpectedMentions,
} from '../../../src/domain/statuses/plan'
import { Forbidden, Invalid, NotFound } from '../../../src/errors'

const now = new Date('2026-11-01T12:00:00.000Z')
const terms = { origin: 'https://here.test', ownDomains: ['here.test'], now, id: 100, pollId: 101 }
const author: Viewer = {
  id: 1,
  username: 'alice',
  locked: false,
  silenced: false,
  locale: 'en',
  settings: {},
  permissions: 0,
  applicationId: 7,
}
const nothing: DraftFacts = {
  author,
  parent: null,
  answering: null,
  quoted: null,
  media: [],
  mentioned: [],
  blocked: [],
  emojis: [],
  listeners: [],
}
const listener = (id: number) => ({ id, languages: null })
const bob = { id: 2, username: 'Bob', domain: null, uri: null, url: null, suspendedAt: null }
const far = { ...bob, id: 3, username: 'carol', domain: 'far.test', uri: 'https://far.test/u/carol' }

function plan(draft: Partial<StatusDraft>, facts: Partial<DraftFacts> = {}) {
  const read = parseDraft(
    { text: 'text', spoilerText: '', mediaIds: [], ...draft },
    { statusCharacters: 500, contentType: 'text/plain' },
  )
  return planStatus(read, { ...nothing, ...facts }, terms)
}

function upload(id: number, type: MediaRow['type']): MediaRow {
  return {
    id,
    type,
    accountId: 1,
    statusId: null,
    releasedFrom: null,
    scheduledStatusId: null,
    mime: 'x/y',
    sizeBytes: 1,
    fileKey: `f${id}`,
    previewKey: null,
    description: null,
    blurhash: null,
    meta: {},
    createdAt: now,
  }
}

describe('the plan of a status', () => {
  it('the plan of a status starts its own conversation', () => {
    const { status, poll, mediaIds, notifyMentioned } = plan({})
    expect(status).toMatchObject({
      id: 100,
      accountId: 1,
      local: true,
      visibility: 'public',
      conversationId: 100,
      applicationId: 7,
      inReplyToId: null,
      inReplyToAccountId: null,
      pollId: null,
      createdAt: now,
      content: '<p>text</p>',
    })
    expect({ poll, mediaIds, notifyMentioned }).toEqual({ poll: null, mediaIds: [], notifyMentioned: [] })
  })

  const visible: readonly (readonly [UserSettings, Partial<Viewer>, StatusDraft['visibility'], string])[] = [
    [{}, {}, undefined, 'public'],
    [{}, { locked: true }, undefined, 'private'],
    [{ defaultVisibility: 'unlisted' }, { locked: true }, undefined, 'unlisted'],
    [{ defaultVisibility: 'unlisted' }, {}, 'public', 'public'],
    [{}, { silenced: true }, undefined, 'unlisted'],
    [{}, { silenced: true }, 'public', 'unlisted'],
    [{}, { silenced: true }, 'direct', 'direct'],
  ]
  for (const [settings, change, visibility, expected] of visible)
    it(`a status has visibility ${expected} for ${JSON.stringify({ settings, ...change, asked: visibility })}`, () => {
      const by = { ...author, settings, ...change }
      expect(plan({ visibility }, { author: by }).status.visibility).toBe(expected)
    })

  it('refuses a reply to a status that its author may not see', () => {
    expect(() => plan({ inReplyToId: 5 })).toThrow(NotFound)
  })

  it('attaches found uploads in the requested order', () => {
    const media = [upload(11, 'image'), upload(12, 'gifv'), upload(13, 'image')]
    const { status, mediaIds } = plan({ mediaIds: [13, 11, 12] }, { media })
    expect(mediaIds).toEqual([13, 11, 12])
    expect(status.attachments?.map(({ id }) => id)).toEqual([13, 11, 12])
    expect(() => plan({ mediaIds: [13, 14] }, { media })).toThrow(Invalid)
  })

  for (const [first, second, fits] of [
    ['image', 'image', true],
    ['image', 'gifv', true],
    ['image', 'video', false],
    ['audio', 'image', false],
    ['video', 'video', false],
    ['audio', 'video', false],
  ] as const)
    it(`${fits ? 'accepts' : 'refuses'} ${first} and ${second} together`, () => {
      const media = [upload(11, first), upload(12, second)]
      const make = () => plan({ mediaIds: [11, 12] }, { media })
      if (fits) expect(make().mediaIds).toEqual([11, 12])
      else expect(make).toThrow(Invalid)
    })

  it('links and notifies each mentioned account once, however it is written', () => {
    const text = '@bob @BOB @bob@here.test @carol@far.test @unknown'
    const { mentions, notifyMentioned, status } = plan({ text }, { mentioned: [bob, far] })
    expect(mentions).toEqual([
      { id: 2, username: 'Bob', domain: null, url: 'https://here.test/@Bob' },
      {
        id: 3,
        username: 'carol',
        domain: 'far.test',
        uri: 'https://far.test/u/carol',
        url: 'https://far.test/u/carol',
      },
    ])
    expect(notifyMentioned).toEqual([2, 3])
    expect(status.content?.match(/href="https:\/\/here\.test\/@Bob"/g)).toHaveLength(3)
    expect(status.content).toContain(' @unknown')
  })

  it('does not notify blocking or suspended accounts', () => {
    const text = '@bob @carol@far.test'
    const facts = { mentioned: [bob, { ...far, suspendedAt: now }], blocked: [2] }
    expect(plan({ text }, facts)).toMatchObject({ mentions: [], notifyMentioned: [] })
  })

  it('refuses mentions outside allowed_mentions, by id', () => {
    const facts = { mentioned: [bob, far] }
    const make = (allowedMentions: readonly number[]) => () =>
      plan({ text: '@bob @carol@far.test', allowedMentions }, facts)
    expect(make([3])).toThrow(UnexpectedMentions)
    expect(make([])).toThrow(UnexpectedMentions)
    expect(make([2, 3, 4])).not.toThrow()
  })

  const heard = [
    [{}, [8, 9]],
    [{ visibility: 'private' }, [8, 9]],
    [{ visibility: 'direct' }, []],
    [{ text: '@bob' }, [8, 9]],
  ] as const
  for (const [draft, expected] of heard)
    it(`notifies subscribers ${JSON.stringify(expected)} of ${JSON.stringify(draft)}`, () => {
      expect(plan(draft, { listeners: [8, 9].map(listener), mentioned: [bob] }).notifySubscribers).toEqual(
        expected,
      )
    })

  it('notifies subscribers of their chosen languages, and of posts without one', () => {
    const listeners = [
      { id: 8, languages: ['de'] },
      { id: 9, languages: ['de', 'en'] },
    ]
    expect(plan({ language: 'en' }, { listeners }).notifySubscribers).toEqual([9])
    expect(plan({ language: 'de' }, { listeners }).notifySubscribers).toEqual([8, 9])
    expect(plan({ language: 'fr' }, { listeners }).notifySubscribers).toEqual([])
    expect(subscribersInLanguage(listeners, null)).toEqual([8, 9])
  })

  it('the plan of a status notifies nobody twice', () => {
    const facts = { listeners: [2, 9].map(listener), mentioned: [bob] }
    expect(plan({ text: '@bob' }, facts)).toMatchObject({ notifyMentioned: [2], notifySubscribers: [9] })
  })

  it('ends a poll after the requested time', () => {
    const poll = { options: ['a', 'b'], expiresInSeconds: 300, multiple: true, hideTotals: true }
    const made = plan({ poll })
    expect(made.status.pollId).toBe(101)
    expect(made.poll).toEqual({
      options: ['a', 'b'],
      multiple: true,
      hideTotals: true,
      tallies: [0, 0],
      votesCount: 0,
      votersCount: 0,
      closedAt: null,
      expiresAt: new Date(now.getTime() + 300_000),
    })
  })
})

describe('a reblog', () => {
  const own = (visibility: (typeof visibilities)[number]) => ({ accountId: 1, visibility })
  const other = (visibility: (typeof visibilities)[number]) => ({ accountId: 2, visibility })

  it('a reblog of an open status has the requested visibility, or the default of the account', () => {
    for (const visibility of ['public', 'unlisted'] as const) {
      expect(decideReblog(author, other(visibility), undefined)).toBe('public')
      expect(decideReblog(author, other(visibility), 'private')).toBe('private')
      const secretive = { ...author, settings: { defaultVisibility: 'direct' as const } }
      expect(decideReblog(secretive, other(visibility), undefined)).toBe('private')
    }
  })

  it('only the author reblogs a private status, privately, and nobody a direct one', () => {
    expect(decideReblog(author, own('private'), 'public')).toBe('private')
    expect(() => decideReblog(author, other('private'), undefined)).toThrow(Forbidden)
    expect(() => decideReblog(author, own('direct'), undefined)).toThrow(Forbidden)
    expect(() => decideReblog(author, other('direct'), undefined)).toThrow(Forbidden)
  })
})

describe('a pin', () => {
  for (const visibility of visibilities)
    it(`${visibility === 'direct' ? 'refuses' : 'accepts'} the pin of an own ${visibility} status`, () => {
      const refusal = refusePin(1, { accountId: 1, reblogOfId: null, visibility })
      expect(refusal === null).toBe(visibility !== 'direct')
    })

  it('refuses the pin of a reblog or of another account’s status', () => {
    expect(refusePin(1, { accountId: 1, reblogOfId: 5, visibility: 'public' })).toBeInstanceOf(Invalid)
    expect(refusePin(1, { accountId: 2, reblogOfId: null, visibility: 'public' })).toBeInstanceOf(Invalid)
  })
})
