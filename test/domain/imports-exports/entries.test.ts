import { describe, expect, it } from 'vitest'
import { type TransferKind, transferKinds } from '../../../src/db/schema/transfers'
import { cellsOf, headingsOf, parseLines } from '../../../src/domain/imports-exports/entries'
import { formatCsv } from '../../../src/lib/csv'
import { textOfFile } from '../../../src/lib/text/bytes'

const own = { ownDomains: ['here.test', 'www.here.test'], ownDomain: 'here.test' }
const read = (kind: TransferKind, text: string) => parseLines(text, kind, own) ?? []
const isRefused = (kind: TransferKind, text: string) => parseLines(text, kind, own) === null
const entries = (kind: TransferKind, text: string) => read(kind, text).map(({ entry }) => entry)
const ada = { username: 'Ada', domain: 'there.test' }

describe('files of follows', () => {
  const follow = { kind: 'following', account: ada, showReblogs: true, notify: false, languages: null }

  it('reads a follows file with and without a heading, by the names of its columns', () => {
    expect(entries('following', 'Ada@there.test\n')).toEqual([follow])
    const named =
      'Account address,Languages,Notify on new posts,Show boosts\n@Ada@there.test,"de, en-GB,x",true,false'
    expect(entries('following', named)).toEqual([
      { ...follow, showReblogs: false, notify: true, languages: ['de', 'en'] },
    ])
  })

  it('recognises local accounts by any domain of this server', () => {
    const [line] = read('following', 'bob@WWW.here.test')
    expect(line).toMatchObject({
      key: 'bob@here.test',
      entry: { account: { username: 'bob', domain: null } },
    })
  })

  it('keeps each account once, with its last line', () => {
    const text = 'Account address,Show boosts\nADA@there.test,true\nada@THERE.test,false\n'
    expect(read('following', text)).toMatchObject([{ key: 'ada@there.test', entry: { showReblogs: false } }])
  })
})

it('reads the other kinds of files', () => {
  expect(entries('blocks', 'Ada@there.test')).toEqual([{ kind: 'blocks', account: ada }])
  const mutes = 'Account address,Hide notifications\nAda@there.test,false\nbob@there.test,true'
  expect(entries('mutes', mutes)).toMatchObject([{ hideNotifications: false }, { hideNotifications: true }])
  expect(entries('domain_blocks', '#domain\nBücher.test\n')).toEqual([
    { kind: 'domain_blocks', domain: 'xn--bcher-kva.test' },
  ])
  expect(entries('bookmarks', 'https://there.test/notes/1')).toMatchObject([
    { uri: 'https://there.test/notes/1' },
  ])
  expect(entries('lists', '"Friends, old",Ada@there.test')).toEqual([
    { kind: 'lists', title: 'Friends, old', account: ada },
  ])
})

/** Files as GoToSocial 0.21 and Hollo 0.9 write them. */
const written: readonly (readonly [string, TransferKind, string, readonly object[]])[] = [
  [
    'GoToSocial',
    'following',
    'Account address,Show boosts\nAda@there.test,false\nbob@here.test,true\n',
    [
      { account: ada, showReblogs: false, notify: false, languages: null },
      { account: { username: 'bob', domain: null }, showReblogs: true },
    ],
  ],
  ['GoToSocial', 'lists', 'Cool people,Ada@there.test\n', [{ title: 'Cool people', account: ada }]],
  ['GoToSocial', 'blocks', 'Ada@there.test\n', [{ account: ada }]],
  [
    'GoToSocial',
    'mutes',
    'Account address,Hide notifications\nAda@there.test,true\n',
    [{ account: ada, hideNotifications: true }],
  ],
  [
    'Hollo',
    'following',
    'Account address,Show boosts,Notify on new posts,Languages\nAda@there.test,true,true,"en, ko"\n',
    [{ account: ada, showReblogs: true, notify: true, languages: ['en', 'ko'] }],
  ],
  ['Hollo', 'lists', '"Friends, old",Ada@there.test\n', [{ title: 'Friends, old', account: ada }]],
  ['Hollo', 'blocks', 'Ada@there.test\n', [{ account: ada }]],
  [
    'Hollo',
    'mutes',
    'Account address,Hide notifications\nAda@there.test,false\n',
    [{ account: ada, hideNotifications: false }],
  ],
  [
    'Hollo',
    'bookmarks',
    'https://there.test/ap/notes/01930c2e-0000-7000-8000-000000000001\n',
    [{ uri: 'https://there.test/ap/notes/01930c2e-0000-7000-8000-000000000001' }],
  ],
]

it.each(written)('reads a file of %s with %s', (_software, kind, text, expected) => {
  expect(entries(kind, text)).toMatchObject(expected)
})

it.each<[TransferKind, string]>([
  ['following', 'not an address,true'],
  ['following', '=cmd()@@'],
  ['lists', 'Ada@there.test'],
  ['lists', ',Ada@there.test'],
  ['domain_blocks', 'here.test'],
  ['domain_blocks', 'https://there.test/about'],
  ['bookmarks', 'javascript:alert(1)'],
])('reports unreadable lines as %s: %j', (kind, text) => {
  expect(read(kind, text)).toMatchObject([{ entry: null, key: expect.stringMatching(/^\? /) }])
})

/** A file of each kind, as this server and Mastodon write it. */
const files: Readonly<Record<TransferKind, string>> = {
  following: 'Account address,Show boosts,Notify on new posts,Languages\nAda@there.test,true,false,\n',
  lists: 'Friends,Ada@there.test\n',
  blocks: 'Ada@there.test\n',
  mutes: 'Account address,Hide notifications\nAda@there.test,true\n',
  domain_blocks: '#domain\nbad.example\n',
  bookmarks: '#uri\nhttps://there.test/notes/1\n',
}

it.each(transferKinds.flatMap((kind) => transferKinds.map((other) => [kind, other] as const)))(
  'takes a file of %s as %s only where it is one, or may be one',
  (kind, other) => {
    const asked = files[kind]
    const readable = entries(other, asked).filter((entry) => entry !== null)
    // A list of addresses alone says no more than that.
    const isFitting = kind === other || (kind === 'blocks' && ['following', 'mutes'].includes(other))
    expect(readable.length > 0).toBe(isFitting)
    if (kind !== 'blocks' && !isFitting) expect(isRefused(other, asked)).toBe(true)
  },
)

it.each<[string, TransferKind]>([
  ['Ada@there.test,true,false,de\nbob@there.test,true,false,\n', 'blocks'],
  ['Ada@there.test,true,false,de\n', 'mutes'],
  ['Ada@there.test,true\n', 'blocks'],
  ['Friends,Ada@there.test\n', 'following'],
  ['Account address;Hide notifications\nAda@there.test;true\n', 'following'],
  ['sep=;\nAccount address;Show boosts\nAda@there.test;true\n', 'blocks'],
  ['domain,severity\nbad.example,suspend\n', 'blocks'],
])('refuses %j as %s', (text, kind) => {
  expect(isRefused(kind, text)).toBe(true)
})

describe('a file saved by a spreadsheet program', () => {
  const follow = {
    kind: 'following',
    account: ada,
    showReblogs: false,
    notify: true,
    languages: ['de', 'fr'],
  }
  const rows = (separator: string, languages: string) =>
    `Account address,Show boosts,Notify on new posts,Languages\nAda@there.test,false,true,`.replaceAll(
      ',',
      separator,
    ) + languages

  it.each([
    ['semicolons', rows(';', 'de, fr')],
    ['tabs', rows('\t', 'de, fr')],
    ['a line that names the separator', `sep=;\n${rows(';', '"de, fr"')}`],
    ['such a line for commas', `sep=,\n${rows(',', '"de, fr"')}`],
  ])('reads a file saved with %s', (_, text) => {
    expect(entries('following', text)).toEqual([follow])
    expect(entries('following', `\u{feff}${text.replaceAll('\n', '\r\n')}`)).toEqual([follow])
  })

  it('keeps semicolons in a title where commas separate columns', () => {
    expect(entries('lists', 'One; two; three,Ada@there.test')).toMatchObject([{ title: 'One; two; three' }])
  })

  it('reads UTF-8 and both kinds of UTF-16, with or without a byte order mark', () => {
    const text = 'Vögel,Ada@there.test\r\n'
    const units = [...text].map((character) => character.charCodeAt(0))
    const little = units.flatMap((unit) => [unit & 255, unit >> 8])
    const big = units.flatMap((unit) => [unit >> 8, unit & 255])
    const all = [
      [...new TextEncoder().encode(text)],
      [0xef, 0xbb, 0xbf, ...new TextEncoder().encode(text)],
      little,
      [0xff, 0xfe, ...little],
      big,
      [0xfe, 0xff, ...big],
    ]
    for (const bytes of all)
      expect(entries('lists', textOfFile(new Uint8Array(bytes)))).toEqual([
        { kind: 'lists', title: 'Vögel', account: ada },
      ])
  })
})

it.each([
  'acct:Ada@there.test',
  'https://there.test/@Ada',
  'https://there.test/users/Ada/',
  'https://other.test/@Ada@there.test',
])('reads %s as an account', (text) => {
  expect(entries('blocks', text)).toEqual([{ kind: 'blocks', account: ada }])
})

it.each(['https://here.test/@bob', 'acct:bob@here.test'])('reads %s as a local account', (text) => {
  expect(entries('mutes', text)).toMatchObject([{ account: { username: 'bob', domain: null } }])
})

it.each([
  'https://bad.example/',
  'bad.example/',
  'domain,severity,public_comment\nbad.example,suspend,spam',
  '#domain,#severity\nbad.example,silence',
  'domain;severity\nbad.example;suspend',
])('reads %j as one server to block', (text) => {
  expect(entries('domain_blocks', text)).toEqual([{ kind: 'domain_blocks', domain: 'bad.example' }])
})

it('accepts the changes that editors make to a file', () => {
  expect(entries('blocks', '\u{feff}Ada@there.test\r\n\r\n , \r\n')).toHaveLength(1)
  expect(entries('blocks', '')).toEqual([])
  expect(entries('blocks', `"${'a\n'.repeat(1_000)}`)).toEqual([null])
})

it.each<[TransferKind, readonly string[]]>([
  ['following', ['Ada@there.test', 'false', 'true', 'de, fr']],
  ['lists', ['A "quoted", title', 'bob@here.test']],
  ['blocks', ['bob@here.test']],
  ['mutes', ['bob@here.test', 'false']],
  ['domain_blocks', ['there.test']],
  ['bookmarks', ['https://there.test/notes/1']],
])('reads the %s it writes', (kind, cells) => {
  const headings = headingsOf[kind]
  const [entry] = entries(kind, formatCsv(headings === null ? [cells] : [headings, cells]))
  if (entry === undefined || entry === null) throw new Error('the line was not read')
  expect(cellsOf(entry, 'here.test')).toEqual(cells)
})
