import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { TestIds } from './test-ids'

/**
 * The acceptance list of the public API, rule by rule: each is proved by tests, waits for what is not there, or is
 * decided against. Data: test/data/behaviours.json, which names tests by id; `test-ids.test.ts` checks that they exist.
 */

const Rule = z.strictObject({
  section: z.int(),
  line: z.int(),
  rule: z.string().min(1),
  state: z.enum(['tested', 'later']),
  tests: TestIds.optional(),
  /** Feature that the rule, or the rest of it, waits for, or the reason why it is not followed. */
  later: z
    .string()
    .regex(/^decided against: ./)
    .optional(),
})

const rules = z.array(Rule).parse(JSON.parse(readFileSync('test/data/behaviours.json', 'utf8')))

const source = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(`src/${file}`, 'utf8'))
  .join('\n')

/** Methods of the API's paths, as the OpenAPI document lists them. */
const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
  .parse(JSON.parse(readFileSync('public/openapi.json', 'utf8')))

/** Whether the server has this route. A method before the path narrows it down. */
function isServed(route: string): boolean {
  const [path = '', method] = route.split(' ').reverse()
  if (method === undefined) return source.includes(`'${path}'`)
  const methods = paths[path.replaceAll(/:(\w+)/g, '{$1}')] ?? {}
  return Object.hasOwn(methods, method.toLowerCase())
}

const inState = (wanted: string) =>
  rules
    .filter(({ state }) => state === wanted)
    .map((rule) => [`${rule.section}.${rule.line} ${rule.rule}`, rule] as const)

describe('the acceptance list', () => {
  it('finds existing routes, and no others', () => {
    expect(isServed('/api/v1/timelines/home')).toBe(true)
    expect(isServed('GET /api/v1/timelines/home')).toBe(true)
    expect(isServed('PUT /api/v1/timelines/home')).toBe(false)
    expect(isServed('/api/v1/nowhere')).toBe(false)
  })

  it('the acceptance list has every rule once, with a test or with what it waits for', () => {
    const places = rules.map(({ section, line }) => `${section}.${line}`)
    expect(new Set(places).size).toBe(rules.length)
    for (const { state, tests, later, rule } of rules)
      expect(state === 'tested' ? tests : later, rule).toBeDefined()
  })

  it.each(inState('later'))('%s waits', (_, { later = '' }) => {
    const route = /(?:[A-Z]+ )?\/\S+/.exec(later)?.[0]
    if (route !== undefined) expect(isServed(route), `${route} is there now: name its test`).toBe(false)
  })
})
