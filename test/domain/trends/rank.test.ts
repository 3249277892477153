import { describe, expect, it } from 'vitest'
import { lowestRank, rankOf, scoreOf, trendKinds } from '../../../src/domain/trends/rank'

const now = new Date('2026-11-01T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

describe('scoreOf', () => {
  it.each([
    ['four people', 4, 0, 0],
    ['five out of nowhere', 5, 0, 16],
    ['as many as ever', 30, 30, 0],
    ['fewer than ever', 10, 30, 0],
    ['twice as many as ever', 60, 30, 30],
  ])('computes the score of %s', (_, observed, expected, score) => {
    expect(scoreOf(observed, expected, 5)).toBe(score)
  })
})

describe('rankOf', () => {
  it('orders like scores that halve, at any time', () => {
    const kind = trendKinds.statuses
    const decayed = (score: number, age: number) => score * 0.5 ** age
    const posts = [
      [16, 0],
      [100, 4],
      [100, 8],
      [9_801, 20],
    ] as const
    const byRank = posts.toSorted(
      (a, b) => rankOf(kind, b[0], hoursAgo(b[1])) - rankOf(kind, a[0], hoursAgo(a[1])),
    )
    expect(byRank).toEqual(posts.toSorted((a, b) => decayed(b[0], b[1]) - decayed(a[0], a[1])))
  })

  it('falls below the lowest when the score has decayed away', () => {
    const kind = trendKinds.tags
    const rank = rankOf(kind, 16, hoursAgo(16))
    expect(rank).toBeCloseTo(lowestRank(kind, now))
    expect(rank).toBeLessThan(lowestRank(kind, new Date(now.getTime() + 1_000)))
  })
})
