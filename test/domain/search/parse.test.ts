import { describe, expect, it } from 'vitest'
import { linkTrait, viewerMark } from '../../../src/domain/search/document'
import { type Clause, parseStatusQuery } from '../../../src/domain/search/parse'
import { planSearch } from '../../../src/domain/search/plan'
import type { AccountId } from '../../../src/lib/ids'

const bird: AccountId = 34
const terms = { timeZone: 'UTC', authors: new Map([['@bird@far.test', bird]]) }

/** Parses a query into a short form. */
function read(text: string): unknown {
  const query = parseStatusQuery(text)
  if (query === null) return null
  const [wanted, unwanted] = [query.wanted.map(inShort), query.unwanted.map((one) => `-${inShort(one)}`)]
  return [...wanted, ...unwanted, ...(query.reach === 'all' ? [] : [`in:${query.reach}`])]
}

function inShort(clause: Clause): string {
  switch (clause.kind) {
    case 'words':
      return `${clause.sequence.tokens.join('+')}${clause.sequence.isOpen ? '…' : ''}`
    case 'trait':
      return `[${clause.trait}]`
    case 'embed':
      return '[embed]'
    case 'author':
      return `by ${clause.name}`
    case 'date':
      return `${clause.side} ${clause.span.year}/${clause.span.month}/${clause.span.day}`
  }
}

/** Trait of the page `a.test/b`. */
const pageB = linkTrait('https://a.test/b')

describe('parseStatusQuery', () => {
  it.each([
    ['Wren  elder', ['wren', 'elder']],
    ['"two wrens" singing', ['two+wrens', 'singing']],
    ['“two wrens”', ['two+wrens']],
    ['wren -robin +thrush -"song thrush"', ['wren', 'thrush', '-robin', '-song+thrush']],
    ["don't well-known foo_bar", ['don+t', 'well+known', 'foo+bar']],
    ['#Wren #vögel_2026 -#ad', ['[twren0]', '[tvogel20260]', '-[tad0]']],
    ['"#wren"', ['wren']],
    ['東京 犬', ['東京', '犬…']],
    ['has:image is:reply -is:sensitive', ['[ximage0]', '[xreply0]', '-[xsensitive0]']],
    ['HAS:Media Is:REPLY', ['[xmedia0]', '[xreply0]']],
    ['has:embed -has:poll', ['[embed]', '-[xpoll0]']],
    ['has:nothing', ['[xnothing0]']],
    ['language:pt-BR language:EN', ['[lpt0]', '[len0]']],
    ['from:me from:@bird@far.test -from:bob', ['by me', 'by @bird@far.test', '-by bob']],
    ['from:"me"', ['by me']],
    [
      'before:2026-11-21 after:2026-01 during:2026',
      ['before 2026/11/21', 'after 2026/1/null', 'during 2026/null/null'],
    ],
    ['-during:2026-11-21', ['-during 2026/11/21']],
    ['wren in:library', ['wren', 'in:library']],
    ['in:public', ['in:public']],
    ['wren in:all in:nowhere', ['wren']],
    ['foo:bar "https://a.test/b"', ['foo+bar', 'https+a+test+b']],
    [' HTTPS://A.test/b/#c ', [`[${pageB}]`]],
    ['wren -http://a.test/b https://a.test/%62', ['wren', `[${pageB}]`, `-[${pageB}]`]],
    [`https://a.test/${'x'.repeat(1_000)}`, [expect.stringMatching(/^\[u[0-9a-f]{16}0\]$/)]],
    ['https:// https://me:pw@a.test/b', ['https', 'https+me+pw+a+test+b']],
    ['foo:"a b"', ['foo+a+b']],
    ['from: has:', ['from', 'has']],
    ['"open ended', ['open', 'ended']],
    ['🪶 wren …', ['wren']],
  ])('%s', (text, expected) => expect(read(text)).toEqual(expected))

  it.each(['', ' ', '🪶', '!!', '""', '"', '#', '-', 'in:all', '\u0000'])(
    'searches for nothing in %j',
    (text) => expect(read(text)).toBeNull(),
  )

  it.each(['before:yesterday', 'after:2026-13', 'during:2026-02-30', '-before:1', 'before:2026-11-21T10:00'])(
    'query syntax error → 422: %s [T-642]',
    (text) => expect(() => parseStatusQuery(text)).toThrow('takes a date'),
  )

  it('reads only the beginning of a very long query', () => {
    const query = parseStatusQuery('wren '.repeat(2_000))
    expect(query?.wanted).toHaveLength(20)
    expect(parseStatusQuery(`wren ${'x'.repeat(10_000)}`)?.wanted).toHaveLength(2)
    expect(parseStatusQuery(`${'"'.repeat(10_000)}`)).toBeNull()
  })
})

/** The plan of a search by account 12. */
const plan = (text: string) => {
  const query = parseStatusQuery(text)
  const planned = query === null ? null : planSearch(query, terms)
  return planned && { ...planned, pattern: planned.pattern.replaceAll(viewerMark, '12') }
}

describe('planSearch', () => {
  it.each([
    ['wren', '(traits : ("pub" OR "w12") AND text : "wren")'],
    ['"two wrens" -robin', '(traits : ("pub" OR "w12") AND text : "two wrens") NOT (text : "robin")'],
    ['犬 in:library', '(traits : ("w12") AND text : "犬" *)'],
    ['in:public from:me', '(traits : ("pub") AND traits : "f12")'],
    ['from:@bird@far.test has:embed', '(traits : ("pub" OR "w12") AND traits : "f34" AND traits : "xlink0")'],
    ['-from:@bird@far.test', '(traits : ("pub" OR "w12")) NOT (traits : "f34")'],
    ['-from:stranger wren', '(traits : ("pub" OR "w12") AND text : "wren")'],
  ])('%s', (text, pattern) => expect(plan(text)?.pattern).toBe(pattern))

  it('finds nothing by an unknown account', () => {
    expect(plan('wren from:stranger')).toBeNull()
  })

  it('interprets days in the time zone of the searcher', () => {
    const spans = plan('after:2026-11-01 before:2026-11-10 -during:2026-11-05')
    const day = 86_400_000 * 4096
    const first = (Date.UTC(2026, 10, 1) - Date.UTC(2007, 0, 1)) * 4096
    expect(spans?.within).toEqual({ from: first + day, until: first + 9 * day })
    expect(spans?.without).toEqual([{ from: first + 4 * day, until: first + 5 * day }])
  })

  it('passes user input to the index only as words in quotation marks', () => {
    const hostile = [
      '" OR traits : pub OR "',
      'a" NEAR("b" "c", 10',
      'NEAR(a b)',
      'text : a',
      'traits:pub',
      '{text traits} : w99',
      '-traits : "w99"',
      'a* ^b',
      '(((((',
      'a AND OR NOT b',
      'a\u0000" OR b',
      "'; drop table statuses --",
      'from:w99" OR "pub',
      'has:x" OR "w99',
      'language:" OR "w99',
      '#"w99',
      'w99',
      'w{me} {me}',
      '#{me} from:{me} language:{me} has:{me}',
    ]
    for (const text of hostile) {
      const query = parseStatusQuery(text)
      const pattern = plan(text)?.pattern ?? ''
      expect(JSON.stringify(query?.wanted ?? []), text).not.toMatch(/(tokens|trait)":[^}]*\{me/)
      const skeleton = pattern.replaceAll(/"[\p{L}\p{M}\p{N} ]*"/gu, 'Q')
      expect(skeleton, text).toMatch(
        /^$|^\(traits : \(Q OR Q\)( AND (text|traits) : Q( \*)?)*\)( NOT \(((text|traits) : Q( \*)?( OR )?)+\))?$/,
      )
      expect(pattern, text).not.toMatch(/traits : "w99"/)
    }
  })
})
