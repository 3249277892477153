import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { namesIn } from './titles'

/**
 * The known pitfalls of federation, line by line: each is avoided as a test shows that exists, or by a decision that
 * is stated. Data: test/data/pitfalls.json. A test is named as `file > part of its name`.
 */

const Pitfall = z.strictObject({
  line: z.int(),
  rule: z.string().min(1),
  tests: z.array(z.string()).min(1).optional(),
  decision: z.string().min(1).optional(),
})

const pitfalls = z.array(Pitfall).parse(JSON.parse(readFileSync('test/data/pitfalls.json', 'utf8')))

describe('the pitfalls of federation', () => {
  it('are all in the table', () => {
    expect(pitfalls.map(({ line }) => line)).toEqual(Array.from({ length: 78 }, (_, index) => index + 1))
  })

  for (const { line, rule, tests = [], decision } of pitfalls)
    it(`${line}. ${rule}: avoided as shown or stated`, () => {
      expect(tests.length > 0 || decision !== undefined).toBe(true)
      for (const test of tests) {
        const [file = '', name = ''] = test.split(' > ')
        expect(name, `${test} names no test`).not.toBe('')
        expect(
          namesIn(file).filter((title) => title.includes(name)),
          test,
        ).not.toEqual([])
      }
    })
})
