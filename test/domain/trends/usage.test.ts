import { describe, expect, it } from 'vitest'
import type { DayOfUse } from '../../../src/db/schema/discovery'
import { trendKinds } from '../../../src/domain/trends/rank'
import { daysToCount, historyOf, rankUsage, type StoredUsage } from '../../../src/domain/trends/usage'
import { dayOf } from '../../../src/lib/days'

const now = new Date('2026-11-01T12:00:00Z')
const today = dayOf(now)
const hour = 3_600_000
const week = (...people: readonly number[]): DayOfUse[] =>
  Array.from({ length: 7 }, (_, ago) => [people[ago] ?? 0, people[ago] ?? 0])

function keptAt(at: Date, peak: number, history = week(5)): StoredUsage {
  return { id: 1, rank: 0, peak, peakAt: at, day: dayOf(at), history }
}

describe('daysToCount', () => {
  it.each([
    ['what is new: a week', null, 7],
    ['what was counted today: today', 0, 1],
    ['what was last counted the day before: that day again, and today', 1, 2],
    ['what was last counted long ago: a week', 30, 7],
  ])('counts the days of %s', (_, ago, count) => {
    const kept = ago === null ? null : keptAt(new Date(now.getTime() - ago * 24 * hour), 1)
    const days = daysToCount(1, kept, today).map(({ day }) => today - day)
    expect(days).toEqual(Array.from({ length: count }, (_, index) => index))
  })
})

describe('historyOf', () => {
  it('adds the counts before the first stored day, and moves that day forward', () => {
    const kept = { day: today - 2, history: week(3, 2, 1) }
    const counted = new Map<number, DayOfUse>([
      [today, [9, 8]],
      [today - 2, [4, 4]],
    ])
    const people = historyOf(kept, counted, today).map(([, accounts]) => accounts)
    expect(people).toEqual([8, 0, 4, 2, 1, 0, 0])
  })
})

describe('judge', () => {
  const judged = (people: readonly number[], kept: StoredUsage | null = null) =>
    rankUsage({ kind: trendKinds.tags, least: 5 }, { id: 1, history: week(...people), kept }, now)

  it('compares today with the mean of the previous days', () => {
    expect(judged([12, 6, 6, 6, 6, 6, 6])).toMatchObject({ peak: 6, peakAt: now })
    expect(judged([6, 6, 6, 6, 6, 6, 6])).toBeNull()
    expect(judged([4])).toBeNull()
  })

  it('keeps a peak and its time until a higher one', () => {
    const before = new Date(now.getTime() - 3 * hour)
    expect(judged([5], keptAt(before, 16))).toMatchObject({ peak: 16, peakAt: before })
    expect(judged([6], keptAt(before, 16))).toMatchObject({ peak: 25, peakAt: now })
    expect(judged([0], keptAt(before, 16))).toMatchObject({ peak: 16, peakAt: before })
  })

  it('resets a peak after two days', () => {
    const long = new Date(now.getTime() - 49 * hour)
    expect(judged([5], keptAt(long, 100))).toMatchObject({ peak: 16, peakAt: now })
    expect(judged([0], keptAt(long, 100))).toBeNull()
  })
})
