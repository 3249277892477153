import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { TestIds } from './test-ids'

/**
 * The known pitfalls of federation, line by line: each is avoided as a test shows, or by a decision that is stated.
 * Data: test/data/pitfalls.json, which names tests by id; `test-ids.test.ts` checks that they exist.
 */

const Pitfall = z.strictObject({
  line: z.int(),
  rule: z.string().min(1),
  tests: TestIds.optional(),
  decision: z.string().min(1).optional(),
})

const pitfalls = z.array(Pitfall).parse(JSON.parse(readFileSync('test/data/pitfalls.json', 'utf8')))

describe('the pitfalls of federation', () => {
  it('the pitfalls of federation are all in the table', () => {
    expect(pitfalls.map(({ line }) => line)).toEqual(Array.from({ length: 78 }, (_, index) => index + 1))
  })

  it.each(pitfalls)('$line. $rule: has a test or a decision', ({ tests, decision }) => {
    expect(tests ?? decision).toBeDefined()
  })
})
