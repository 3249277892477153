import { describe, expect, it } from 'vitest'
import { type PollDraft, parseDraft, parsePoll, type StatusDraft } from '../../../src/domain/statuses/draft'

const rules = { statusCharacters: 20, contentType: 'text/plain' } as const
const empty: StatusDraft = { text: '', spoilerText: '', mediaIds: [] }
const poll: PollDraft = { options: ['a', 'b'], expiresInSeconds: 300, multiple: false, hideTotals: false }
const read = (draft: Partial<StatusDraft>) => parseDraft({ ...empty, ...draft }, rules)

describe('a draft', () => {
  const refused: readonly (readonly [string, Partial<StatusDraft>, RegExp])[] = [
    ['of nothing', {}, /can't be blank/],
    ['of white space', { text: ' \n\t ' }, /can't be blank/],
    ['of a blank warning', { spoilerText: '  ' }, /can't be blank/],
    ['of too many characters', { text: 'x'.repeat(21) }, /limit of 20/],
    ['of too many characters in a warning', { spoilerText: 'x'.repeat(21) }, /limit of 20/],
    ['of too many in text and warning', { text: 'x'.repeat(11), spoilerText: 'y'.repeat(10) }, /limit of 20/],
    ['with five files', { mediaIds: [1, 2, 3, 4, 5] }, /more than 4/],
    ['with a bad poll', { poll: { ...poll, options: ['a'] } }, /Choices/],
  ]
  for (const [name, draft, message] of refused)
    it(`refuses a draft: ${name}`, () => {
      expect(() => read(draft)).toThrow(message)
    })

  const accepted: readonly (readonly [string, Partial<StatusDraft>])[] = [
    ['of text', { text: 'x'.repeat(20) }],
    ['of a few large characters', { text: '👩‍👩‍👧‍👦'.repeat(20) }],
    ['of a file', { mediaIds: [1] }],
    ['of a poll', { poll }],
    ['of files and a poll', { mediaIds: [1, 2], poll }],
    ['of a warning', { spoilerText: 'Careful' }],
  ]
  for (const [name, draft] of accepted)
    it(`reads a draft: ${name}`, () => {
      expect(read(draft).parsed).toBeDefined()
    })

  it('finds the emojis of text, warning and poll, and is sensitive with a warning', () => {
    const draft = { text: ':one:', spoilerText: ':two:', poll: { ...poll, options: [':three:', ':one:'] } }
    expect(read(draft)).toMatchObject({ shortcodes: ['one', 'two', 'three'], hasWarning: true })
    expect(read({ spoilerText: 'Hm' })).toMatchObject({ text: 'Hm', spoilerText: '', hasWarning: true })
    expect(read({ text: 'Hm' })).toMatchObject({ spoilerText: '', hasWarning: false })
  })
})

describe('a poll', () => {
  const bad: readonly (readonly [string, Partial<PollDraft>, RegExp])[] = [
    ['of one option', { options: ['a'] }, /more than one/],
    ['of blank options', { options: ['a', '', ' '] }, /more than one/],
    ['of five options', { options: ['a', 'b', 'c', 'd', 'e'] }, /more than 4/],
    ['of a long option', { options: ['a', 'x'.repeat(51)] }, /longer than 50/],
    ['of equal options', { options: ['a', ' a'] }, /duplicate/],
    ['that ends too soon', { expiresInSeconds: 299 }, /too soon/],
    ['that ends too late', { expiresInSeconds: 2_629_747 }, /too far/],
    ['that never ends', { expiresInSeconds: undefined }, /too far/],
  ]
  for (const [name, change, message] of bad)
    it(`refuses a poll: ${name}`, () => {
      expect(() => parsePoll({ ...poll, ...change })).toThrow(message)
    })

  it('accepts a poll at the limits, with trimmed options', () => {
    const long = '👩‍👩‍👧‍👦'.repeat(50)
    const options = [' a ', 'A', 'b', long]
    expect(parsePoll({ ...poll, options, expiresInSeconds: 2_629_746 }).options).toEqual([
      'a',
      'A',
      'b',
      long,
    ])
  })

  it('a poll names every violated rule', () => {
    const draft = { ...poll, options: ['a'], expiresInSeconds: 1 }
    expect(() => parsePoll(draft)).toThrow(/more than one item, Deadline is too soon/)
  })
})
