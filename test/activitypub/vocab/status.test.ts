import { describe, expect, it } from 'vitest'
import { isUnreadable } from '../../../src/activitypub/vocab/json'
import { type ReadStatusOptions, readStatus } from '../../../src/activitypub/vocab/status'

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

function read(changes: object = {}, reading: Partial<ReadStatusOptions> = {}) {
  const status = readStatus({ ...note, ...changes }, { authorFollowers: followers, now, ...reading })
  if (isUnreadable(status)) throw new Error(status.unreadable)
  return status
}

function refusal(changes: object) {
  const status = readStatus({ ...note, ...changes }, { authorFollowers: followers, now })
  return isUnreadable(status) ? status.unreadable : 'read'
}

describe('readStatus', () => {
  it('readStatus reads a plain note', () => {
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
      attachedPage: null,
      poll: null,
      quote: null,
      repliesUri: null,
      contextUri: null,
      favouritesCount: null,
      reblogsCount: null,
      collections: [],
      quotePolicy: 'nobody',
      replyPolicy: 'public',
      reblogPolicy: 'public',
      likePolicy: 'public',
      askedFirst: [],
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
  ])('readStatus refuses %s', (_what, changes, reason) => {
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
  ])('readStatus sees %s [T-160]', (_what, changes, visibility) => {
    expect(read(changes).visibility).toBe(visibility)
  })

  it('uses the narrower of two audiences when activity and object disagree [T-161]', () => {
    const private_ = { to: [followers], cc: [] }
    expect(read({}, { audience: private_ }).visibility).toBe('private')
    expect(read({ to: [followers], cc: [] }, { audience: { to: [PUBLIC], cc: [] } }).visibility).toBe(
      'private',
    )
    expect(read({}, { audience: { to: [], cc: [] } }).visibility).toBe('public')
  })

  it('uses the audience of the activity where the object names none', () => {
    const status = read(
      { to: [], cc: undefined },
      { audience: { to: ['https://b.test/u/bo'], cc: [PUBLIC] } },
    )
    expect(status).toMatchObject({ visibility: 'unlisted', mentioned: ['https://b.test/u/bo'] })
  })

  it('distinguishes mentioned accounts from other recipients', () => {
    const status = read({
      tag: { type: 'Mention', href: 'https://b.test/u/bo', name: '@bo' },
      cc: ['https://c.test/u/cy', 'https://b.test/u/bo', author, followers],
    })
    expect(status.mentioned).toEqual(['https://b.test/u/bo', 'https://c.test/u/cy'])
    expect(status.silent).toEqual(['https://c.test/u/cy'])
  })

  it('resolves a mention by the id in its href, whatever its name says [T-162]', () => {
    expect(
      read({ tag: [{ type: 'Mention', href: 'https://B.test/u/bo', name: '@ada@a.test' }] }).mentioned,
    ).toEqual(['https://b.test/u/bo'])
  })

  it.each([
    ['contentMap alone', { content: undefined, contentMap: { de: '<p>Hallo</p>' } }, ['<p>Hallo</p>', 'de']],
    ['content alone', {}, ['<p>Hello</p>', null]],
    ['both', { contentMap: { en: '<p>Hello</p>' } }, ['<p>Hello</p>', 'en']],
    [
      'several languages, one of them in content',
      { contentMap: { de: '<p>Hallo</p>', 'en-GB': '<p>Hello</p>' } },
      ['<p>Hello</p>', 'en'],
    ],
    ['a language nobody knows', { contentMap: { und: '<p>Hello</p>' } }, ['<p>Hello</p>', null]],
    ['a literal', { content: { '@value': '<p>Hello</p>' } }, ['<p>Hello</p>', null]],
  ])('reads content and language from %s [T-163]', (_what, changes, expected) => {
    const { content, language } = read(changes)
    expect([content, language]).toEqual(expected)
  })

  it.each([
    ['an hour ahead', '2026-11-01T13:00:00Z', now],
    ['twelve hours ahead', '2026-11-02T00:00:00Z', now],
    ['before 1970', '1969-12-31T23:59:59Z', now],
    ['no date', 'soon', now],
    ['another zone', '2026-11-01T12:00:00+02:00', new Date('2026-11-01T10:00:00Z')],
    ['long ago', '2003-05-05T00:00:00Z', new Date('2003-05-05T00:00:00Z')],
  ])('dates a post from %s [T-164]', (_what, published, at) => {
    expect(read({ published }).publishedAt).toEqual(at)
  })

  it('treats only a later update as an edit', () => {
    expect(read({ updated: '2026-11-01T11:00:00Z' }).editedAt).toBeNull()
    expect(read({ updated: '2026-11-01T10:00:00Z' }).editedAt).toBeNull()
    expect(read({ updated: '2026-11-01T11:30:00Z' }).editedAt).toEqual(new Date('2026-11-01T11:30:00Z'))
    expect(read({ updated: '2026-11-03T11:30:00Z' }).editedAt).toEqual(now)
  })

  it.each([
    ['a string', 'https://b.test/1'],
    ['an object', { type: 'Note', id: 'https://b.test/1' }],
    ['a list', ['https://b.test/1', 'https://b.test/2']],
  ])('finds the parent of a post in %s', (_what, inReplyTo) => {
    expect(read({ inReplyTo }).inReplyTo).toBe('https://b.test/1')
  })

  it.each([
    ['a string', 'https://a.test/@ada/1', 'https://a.test/@ada/1'],
    ['an object', { type: 'Link', href: 'https://a.test/@ada/1' }, 'https://a.test/@ada/1'],
    [
      'a list with an HTML page',
      [
        { type: 'Link', mediaType: 'application/activity+json', href: 'https://a.test/1.json' },
        { type: 'Link', mediaType: 'text/html', href: 'https://a.test/@ada/1' },
      ],
      'https://a.test/@ada/1',
    ],
    ['nothing but a script', 'javascript:alert(1)', null],
  ])('finds the page of a post in %s', (_what, url, expected) => {
    expect(read({ url }).url).toBe(expected)
  })

  it.each([
    ['quoteUri', { quoteUri: 'https://b.test/1' }],
    ['quoteUrl', { quoteUrl: 'https://b.test/1' }],
    ['_misskey_quote', { _misskey_quote: 'https://b.test/1' }],
    ['quote', { quote: 'https://b.test/1', quoteUri: 'https://b.test/2' }],
    ['an embedded quote', { quote: { type: 'Note', id: 'https://b.test/1' } }],
    [
      'a Link tag',
      {
        tag: [
          { type: 'Link', mediaType: 'application/activity+json', href: 'https://b.test/1', name: 'RE: x' },
        ],
      },
    ],
  ])('finds the quoted post in %s [T-165]', (_what, changes) => {
    expect(read(changes).quote).toEqual({
      uri: 'https://b.test/1',
      authorization: null,
      legacy: !('quote' in changes),
    })
  })

  it('reads consent only with the quote it belongs to', () => {
    const consent = { quoteAuthorization: 'https://b.test/stamp' }
    expect(read({ ...consent, quote: 'https://b.test/1' }).quote?.authorization).toBe('https://b.test/stamp')
    expect(read({ ...consent, quoteUrl: 'https://b.test/1' }).quote?.authorization).toBeNull()
  })

  it('removes the fallback text of a quote that asks for consent, and only then', () => {
    const content = '<p class="quote-inline">RE: x</p><p>Hello</p>'
    expect(read({ content, quote: 'https://b.test/1' }).content).toBe('<p>Hello</p>')
    // The quote may not resolve; then the words are all there is.
    expect(read({ content, quoteUrl: 'https://b.test/1' }).content).toBe(content)
    expect(read({ content }).content).toBe(content)
  })

  it.each([
    ['a caption', { summary: 'careful' }, true],
    ['a caption and an explicit no', { summary: 'careful', sensitive: false }, false],
    ['a hidden file', { attachment: { type: 'Image', url: 'https://a.test/1.png', sensitive: true } }, true],
    ['nothing', {}, false],
  ])('marks a post as sensitive by %s', (_what, changes, sensitive) => {
    expect(read(changes).sensitive).toBe(sensitive)
  })

  it('cuts long values and long lists', () => {
    const many = <Item>(count: number, make: (index: number) => Item) =>
      Array.from({ length: count }, (_, i) => make(i))
    const status = read({
      type: 'Question',
      content: `<p>${'<b>a</b>'.repeat(40_000)}</p>`,
      summary: '😀'.repeat(10_000),
      url: `https://a.test/${'x'.repeat(3_000)}`,
      oneOf: many(100, (i) => ({ name: `${i}${'y'.repeat(2_000)}` })),
      attachment: many(100, (i) => ({
        type: 'Image',
        url: `https://a.test/${i}.png`,
        name: 'z'.repeat(20_000),
      })),
      tag: [
        ...many(120, (i) => ({ type: 'Mention', href: `https://b.test/u/${i}` })),
        ...many(120, (i) => ({ type: 'Hashtag', name: `#t${i}` })),
        ...many(120, (i) => ({ type: 'Emoji', name: `:e_${i}:`, icon: 'https://a.test/e.png' })),
      ],
      cc: [followers, ...many(3_000, (i) => `https://c.test/u/${i}`)],
    })
    expect(status.content.length).toBeLessThan(70_000)
    expect(status.content.slice(-200)).toMatch(
      /<\/b>…<\/p><p><a href="https:\/\/a\.test\/notes\/1" [^>]*>[^<]*<\/a><\/p>$/,
    )
    expect(status.spoilerText).toBe('😀'.repeat(500))
    expect(status.url).toBeNull()
    expect(status.poll?.options.map(({ length }) => length)).toEqual(many(20, () => 500))
    expect(status.attachments.map(({ description }) => description?.length)).toEqual(many(16, () => 2_500))
    // 500 addresses are read, the followers among them.
    expect([status.mentioned.length, status.silent.length]).toEqual([619, 499])
    expect([status.tags.length, status.emojis.length]).toEqual([100, 100])
  })

  it('accepts a page address only on the post’s own server', () => {
    for (const page of ['https://a.test/@ada/1', 'https://www.a.test/@ada/1'])
      expect(read({ url: page })).toMatchObject({ url: page })
    const strange = [
      'https://b.test/@bea/1',
      'https://www.b.test/1',
      'https://web.a.test/1',
      'https://www.test/1',
    ]
    for (const elsewhere of [...strange, 'https://a.test.b.test/1', 'https://a.test@b.test/1'])
      for (const url of [elsewhere, [elsewhere], { type: 'Link', href: elsewhere, mediaType: 'text/html' }])
        expect(read({ url, type: 'Article', name: 'x' })).toMatchObject({
          url: null,
          content: expect.stringContaining('https://a.test/notes/1'),
        })
    for (const script of ['javascript:alert(1)', 'data:text/html,x', 'ftp://a.test/1', '//a.test/1'])
      expect(read({ url: script })).toMatchObject({ url: null })
  })

  it('survives nesting as deep as the parser allows', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)
    const keys = [
      'to',
      'cc',
      'tag',
      'attachment',
      'url',
      'content',
      'inReplyTo',
      'replies',
      'quote',
      'summary',
    ]
    const status = read(Object.fromEntries(keys.map((key) => [key, deep])))
    expect(status).toMatchObject({ visibility: 'direct', content: '', tags: [], attachments: [], url: null })
  })
})
