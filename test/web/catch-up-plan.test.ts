import { describe, expect, it } from 'vitest'
import {
  type FoundEntry,
  groupsOf,
  planFrom,
  planOf,
  readFound,
  readPlan,
  writeFound,
  writePlan,
} from '../../src/web/posts/catch-up-plan'

const newest = 2_570_000_000_000_000
const entry = (age: number, group: number, shown = newest - age): FoundEntry => ({
  id: newest - age,
  group,
  shown,
})

/** Groups of a plan as ages. */
function agesOf(found: readonly FoundEntry[], order: 'newest' | 'most') {
  const plan = planOf(found, order)
  return groupsOf(plan, plan.length).map(({ ids }) => ids.map((id) => newest - id))
}

describe('the plan of catch-up', () => {
  const found = [entry(0, 7), entry(1, 8), entry(2, 9), entry(3, 8), entry(4, 9), entry(5, 9)]

  it('the plan has the group with the newest entry first, or that with most', () => {
    expect(agesOf(found, 'newest')).toEqual([[0], [1, 3], [2, 4, 5]])
    expect(agesOf(found, 'most')).toEqual([[2, 4, 5], [1, 3], [0]])
  })

  it('the plan has a post once, in the group of its oldest entry', () => {
    const original = newest - 4
    expect(
      agesOf([entry(0, 7, original), entry(1, 8, original), entry(4, 9), entry(5, 7)], 'newest'),
    ).toEqual([[4], [5]])
    expect(agesOf([entry(0, 7, 12), entry(1, 8, 12), entry(2, 7)], 'newest')).toEqual([[1], [2]])
  })

  it('a part of a plan says which of its groups are whole', () => {
    const plan = planOf(found, 'newest')
    const wholeIn = (from: number, count: number) =>
      groupsOf(plan.slice(from), count).map(({ ids, isWhole }) => [ids.length, isWhole])
    expect(wholeIn(0, 6)).toEqual([
      [1, true],
      [2, true],
      [3, true],
    ])
    expect(wholeIn(0, 2)).toEqual([
      [1, true],
      [1, false],
    ])
    expect(wholeIn(2, 3)).toEqual([
      [1, false],
      [2, false],
    ])
    expect(wholeIn(2, 0)).toEqual([])
  })

  it('a plan begins again at the entry that a page began with, or at its own beginning', () => {
    const plan = planOf(found, 'newest')
    expect(planFrom(plan, newest - 3)).toEqual(plan.slice(2))
    expect([planFrom(plan, 1), planFrom(plan, null)]).toEqual([plan, plan])
  })

  it('a plan, and the entries found until now, are the same after they were part of an address', () => {
    const plan = planOf(found, 'most').slice(1)
    expect(readPlan(writePlan(plan, newest), newest)).toEqual(plan)
    const boosts = [...found, entry(6, newest - 90, 12_345)]
    expect(readFound(writeFound(boosts, newest), newest)).toEqual(boosts)
    expect([readPlan('', newest), readFound('', newest)]).toEqual([[], []])
  })

  it('four hundred entries of a day take at most four thousand characters', () => {
    const many = Array.from({ length: 400 }, (_, index) => entry(index * 216_000 * 4_096, 100 + (index % 80)))
    expect(writePlan(planOf(many, 'newest'), newest).length).toBeLessThan(4_000)
    expect(writeFound(many, newest).length).toBeLessThan(4_000)
  })

  it.each(['x y', '-', '-1-', '-1.', 'a', '-zzzzzzzzzzz', '-1..2', '-%', `${'-1'.repeat(601)}`])(
    'the text %j is no plan, and no list of entries',
    (text) => {
      expect([readPlan(text, newest), readFound(text, newest)]).toEqual([null, null])
    },
  )

  it.each(['-1', '-1.', '-1.2_', '-1._3', '-1.zzzzzzzzzzz', `-1${'.1'.repeat(601)}`])(
    'the text %j is no list of entries',
    (text) => {
      expect(readFound(text, newest)).toBeNull()
    },
  )
})
