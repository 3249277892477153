import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { carriedByFree, dayOf, overdrawn, tableOf } from '../../scripts/bench/day/day.mjs'
import { actionsOf } from '../../scripts/bench/day/model.mjs'
import { partOf, withPart } from '../../scripts/lib/document-part.mjs'

const read = (path: string) => readFileSync(path, 'utf8')
const Kept = z.object({
  measuredOn: z.string(),
  costs: z.record(z.string(), z.record(z.string(), z.number())),
})
const { costs } = Kept.parse(JSON.parse(read('scripts/bench/day/kept-results.json')))

/** Costs of nothing but what is given, for each action. */
function costsOf(given: Readonly<Record<string, Readonly<Record<string, number>>>>) {
  const none = Object.fromEntries(Object.keys(costs['favourite'] ?? {}).map((key) => [key, 0]))
  return Object.fromEntries(Object.keys(actionsOf(1)).map((name) => [name, { ...none, ...given[name] }]))
}

it('writes the table of costs of the documents', () => {
  expect(partOf(read('docs/operate/limits-and-costs.md'), 'bench:day')).toBe(tableOf(costs))
})

it('shows that one member uses half of each quota of the free plan, as measured last', () => {
  expect(overdrawn(dayOf(1, costs))).toEqual([])
  // The free plan is a promise for one to five people.
  expect(carriedByFree(costs).people).toBeGreaterThanOrEqual(5)
})

it('the measurement has the costs of every action of a day, and of no other', () => {
  expect(Object.keys(costs).toSorted()).toEqual(Object.keys(actionsOf(1)).toSorted())
  expect(() => dayOf(1, {})).toThrow('Not measured: inbound post,')
})

it('finds the quota that one member uses up, and what uses it', () => {
  const dear = costsOf({
    'home polled': { rowsWritten: 600 },
    favourite: { queueWritten: 10, queueRead: 10 },
  })
  const [rows, ...others] = overdrawn(dayOf(1, dear))
  expect(others).toEqual([])
  expect(rows).toMatchObject({ key: 'rowsWritten', used: 60_000, ofFree: 0.6 })
  expect(rows?.biggest).toEqual([{ name: 'home polled', share: 1 }])
  expect(dayOf(1, dear).rows.find(({ key }) => key === 'queueOperations')?.used).toBe(25 * 30)
  expect(overdrawn(dayOf(10, dear))).toEqual([])
})

it('bills what exceeds a month of the paid plan', () => {
  const costs = costsOf({
    'home polled': { requests: 1_000, objectMilliseconds: 1_000, cpuMilliseconds: 2_000 },
  })
  const day = dayOf(10, costs)
  // 30 million requests, of which 10 are included.
  expect(day.rows.find(({ key }) => key === 'requests')?.dollars).toBeCloseTo(6)
  // 128 MB for 1,000 seconds a day by each of ten people, and for 24 seconds of each picture that arrives.
  const { used = 0, dollars } = day.rows.find(({ key }) => key === 'objectSeconds') ?? {}
  expect(used).toBeCloseTo(0.128 * (1_000 + 21 * 24))
  expect(dollars).toBe(0)
  // The load of a machine changes CPU time, and not the bill: 60 million milliseconds, of which 30 are included.
  expect(day.bill).toBeCloseTo(11)
  expect(day.cpuDollars).toBeCloseTo(0.6)
})

it('allows more members who follow fewer accounts', () => {
  const inbound = costsOf({ 'inbound post': { rowsWritten: 100 } })
  const { people, followsOfTen } = carriedByFree(inbound)
  expect(people).toBe(1)
  expect(followsOfTen).toBeLessThan(400)
  expect(overdrawn(dayOf(1, inbound, 200))).toEqual([])
})

it('replaces the part of a document between its marks only', () => {
  const text = 'A\n<!-- written by x -->\n\nold\n\n<!-- end of x -->\nB'
  expect(withPart(text, 'x', 'new')).toBe(text.replace('old', 'new'))
  expect(() => withPart(text, 'y', 'new')).toThrow('There is no part of y')
})
