import { expect, it } from 'vitest'
import * as z from 'zod'
import { problemsOfShape, wordsOfShape } from '../../src/errors/shapes'

const Input = z.object({
  name: z.string().min(1).max(3),
  code: z.string().min(4),
  kind: z.enum(['a', 'b']),
  count: z.int().min(2).max(9),
  names: z.array(z.string().max(3)).min(1).max(2),
  poll: z.object({ days: z.number() }),
  even: z.number().refine((number) => number % 2 === 0, 'must be even'),
})

const fitting = {
  name: 'ada',
  code: '1234',
  kind: 'a',
  count: 3,
  names: ['bo'],
  poll: { days: 1 },
  even: 2,
}

it.each([
  ['a text that is too long', { name: 'adam' }, { code: 'too_long', values: { field: 'name', max: 3 } }],
  ['an empty text', { name: '' }, { code: 'blank', values: { field: 'name' } }],
  ['a text that is too short', { code: '1' }, { code: 'too_short', values: { field: 'code', min: 4 } }],
  ['a value that is not offered', { kind: 'c' }, { code: 'not_offered', values: { field: 'kind' } }],
  ['text instead of a number', { count: 'x' }, { code: 'no_number', values: { field: 'count' } }],
  [
    'a number that is too large',
    { count: 10 },
    { code: 'number_too_large', values: { field: 'count', max: 9 } },
  ],
  [
    'a number that is too small',
    { count: 1 },
    { code: 'number_too_small', values: { field: 'count', min: 2 } },
  ],
  ['an empty list', { names: [] }, { code: 'blank', values: { field: 'names' } }],
  [
    'too many entries',
    { names: ['a', 'b', 'c'] },
    { code: 'too_many_entries', values: { field: 'names', max: 2 } },
  ],
  [
    'an entry that is too long',
    { names: ['a', 'abcd'] },
    { code: 'too_long', values: { field: 'names', entry: '2', max: 3 } },
  ],
  ['a value in a group', { poll: { days: true } }, { code: 'no_number', values: { field: 'poll.days' } }],
  [
    'a condition of the schema, in its own words',
    { even: 3 },
    { code: 'in_own_words', values: { field: 'even', reason: 'must be even' } },
  ],
])('a problem of a wrong shape names the parameter: %s', (_, change, problem) => {
  const { error } = Input.safeParse({ ...fitting, ...change }, { error: wordsOfShape })
  expect(problemsOfShape(error?.issues ?? [])).toEqual([problem])
})
