import { describe, expect, it } from 'vitest'
import { checkVote } from '../../../src/domain/polls/vote'

const now = new Date('2026-11-01T12:00:00.000Z')
const poll = {
  accountId: 1,
  options: ['a', 'b', 'c'],
  multiple: false,
  expiresAt: new Date(now.getTime() + 1),
}

describe('a vote', () => {
  const cases: readonly (readonly [
    string,
    Partial<typeof poll>,
    number,
    readonly number[],
    RegExp | null,
  ])[] = [
    ['for one option', {}, 2, [0], null],
    ['for the last option', {}, 2, [2], null],
    ['for several in a multiple poll', { multiple: true }, 2, [0, 2], null],
    ['for several in a poll of one', {}, 2, [0, 2], /one choice/],
    ['for an option behind the last', {}, 2, [3], /does not exist/],
    ['for an option before the first', {}, 2, [-1], /does not exist/],
    ['by the author', {}, 1, [0], /own poll/],
    ['at the moment it ends', { expiresAt: now }, 2, [0], /ended/],
  ]
  for (const [name, change, by, choices, refusal] of cases)
    it(`${refusal === null ? 'accepts' : 'refuses'} a vote: ${name}`, () => {
      const make = () => checkVote({ ...poll, ...change }, { by, choices, now })
      if (refusal === null) expect(make).not.toThrow()
      else expect(make).toThrow(refusal)
    })

  it('accepts a vote in a poll without an end', () => {
    expect(() => checkVote({ ...poll, expiresAt: null }, { by: 2, choices: [0], now })).not.toThrow()
  })
})
