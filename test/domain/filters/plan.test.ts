import { describe, expect, it } from 'vitest'
import type { FilterRule } from '../../../src/contract/filters'
import { type FilterPatch, planFilterUpdate } from '../../../src/domain/filters/plan'
import { NotFound } from '../../../src/errors'

const filter: FilterRule = {
  id: 1,
  title: 'Birds',
  contexts: ['home'],
  action: 'hide',
  expiresAt: new Date('2030-01-01T00:00:00Z'),
  keywords: [
    { id: 11, keyword: 'heron', wholeWord: true },
    { id: 12, keyword: 'coot', wholeWord: false },
  ],
  statuses: [{ id: 21, statusId: 99 }],
}
const now = new Date('2026-11-01T12:00:00Z')

function plan(patch: FilterPatch, of: FilterRule = filter) {
  let next = 100
  const means = { now, nextId: () => next++ }
  return planFilterUpdate(of, patch, means)
}

describe('an update of keywords', () => {
  it('adds, changes and removes keywords in one update', () => {
    const made = plan({
      title: 'Waders',
      keywords: [{ id: 11, keyword: 'egret' }, { id: 12, destroy: true }, { keyword: 'stilt' }],
    })
    expect(made.filter).toEqual({
      ...filter,
      title: 'Waders',
      keywords: [
        { id: 11, keyword: 'egret', wholeWord: true },
        { id: 100, keyword: 'stilt', wholeWord: true },
      ],
    })
    expect(made).toMatchObject({
      added: [{ id: 100, keyword: 'stilt', wholeWord: true }],
      changed: [{ id: 11, keyword: 'egret', wholeWord: true }],
      removedIds: [12],
    })
  })

  const left = (keywords: FilterPatch['keywords']) =>
    plan({ keywords }).filter.keywords.map(({ keyword, wholeWord }) => `${keyword} ${wholeWord}`)

  const cases: readonly [string, FilterPatch['keywords'], readonly string[]][] = [
    ['nothing', [], ['heron true', 'coot false']],
    ['only whether whole words count', [{ id: 12, wholeWord: true }], ['heron true', 'coot true']],
    ['one that is renamed and removed', [{ id: 11, keyword: 'egret', destroy: true }], ['coot false']],
    [
      'one removed and named again',
      [
        { id: 11, destroy: true },
        { id: 11, keyword: 'egret' },
      ],
      ['coot false'],
    ],
    [
      'one named twice: the last word counts',
      [
        { id: 11, keyword: 'a' },
        { id: 11, keyword: 'b' },
      ],
      ['b true', 'coot false'],
    ],
    [
      'all of them removed',
      [
        { id: 11, destroy: true },
        { id: 12, destroy: true },
      ],
      [],
    ],
    ['a new one to remove', [{ keyword: 'stilt', destroy: true }], ['heron true', 'coot false']],
    ['a row nobody filled in', [{ keyword: '' }, {}], ['heron true', 'coot false']],
    [
      'white space around it',
      [{ keyword: ' night heron ' }],
      ['heron true', 'coot false', 'night heron true'],
    ],
    [
      'two that swap',
      [
        { id: 11, keyword: 'coot' },
        { id: 12, keyword: 'heron' },
      ],
      ['coot true', 'heron false'],
    ],
    [
      'the name of one that goes',
      [{ id: 11, destroy: true }, { keyword: 'heron' }],
      ['coot false', 'heron true'],
    ],
  ]
  for (const [what, keywords, expected] of cases)
    it(`an update of keywords reads the attribute ${what}`, () => expect(left(keywords)).toEqual(expected))

  it('finds no keyword of another filter, by any attribute', () => {
    expect(() => plan({ title: 'x', keywords: [{ keyword: 'stilt' }, { id: 13, destroy: true }] })).toThrow(
      NotFound,
    )
  })
})

describe('a refused filter', () => {
  const long = '🐦'.repeat(257)
  const many = Array.from({ length: 499 }, (_, index) => ({ keyword: `word${index}` }))
  const cases: readonly [string, FilterPatch, string][] = [
    ['a blank title', { title: ' ' }, "Title can't be blank"],
    ['a long title', { title: long }, 'Title is too long (maximum is 256 characters)'],
    ['no context', { contexts: [] }, 'Context None or invalid context supplied'],
    ['blank contexts', { contexts: ['', ' '] }, 'Context None or invalid context supplied'],
    ['an unknown context', { contexts: ['home', 'away'] }, 'Context None or invalid context supplied'],
    ['a blank keyword', { keywords: [{ id: 11, keyword: ' ' }] }, "Keyword can't be blank"],
    ['a new blank keyword', { keywords: [{ keyword: '', wholeWord: true }] }, "Keyword can't be blank"],
    [
      'a long keyword',
      { keywords: [{ keyword: long.repeat(2) }] },
      'Keyword is too long (maximum is 512 characters)',
    ],
    ['a keyword that is there', { keywords: [{ keyword: 'coot' }] }, 'Keyword has already been taken'],
    ['more keywords than anybody reads', { keywords: many }, 'Keywords are too many (maximum is 500)'],
    ['an end beyond all calendars', { expiresInSeconds: 1e12 }, 'Expires in is too long'],
    [
      'all of it at once',
      { title: '', contexts: ['x'] },
      "Title can't be blank, Context None or invalid context supplied",
    ],
  ]
  for (const [what, patch, message] of cases)
    it(what, () => expect(() => plan(patch)).toThrow(`Validation failed: ${message}`))

  it('accepts what is exactly as long as allowed', () => {
    expect(plan({ title: '🐦'.repeat(256), keywords: [{ keyword: '🐦'.repeat(512) }] }).added).toHaveLength(1)
  })
})

describe('the expiry of a filter', () => {
  const ends = (expiresInSeconds?: number | null) => plan({ expiresInSeconds }).filter.expiresAt
  it('keeps the expiry when it is absent', () => expect(ends()).toEqual(filter.expiresAt))
  it('removes the expiry when it is blank', () => expect(ends(null)).toBeNull())
  it('counts the expiry from now', () => expect(ends(60)).toEqual(new Date('2026-11-01T12:01:00Z')))
  it('expires a filter now when the time is in the past', () => expect(ends(-60)).toEqual(now))
})

it('returns contexts in a fixed order, each once', () => {
  expect(plan({ contexts: ['thread', ' home', 'thread', ''] }).filter.contexts).toEqual(['home', 'thread'])
})
