import { describe, expect, it } from 'vitest'
import { expectOfPeriod, expectOfStorage } from '../../../../src/domain/usage/read'

const at = (time: string) => new Date(`2026-11-10T${time}.000Z`)

describe('the forecast of a day', () => {
  const facts = { period: 'day', limit: 100_000, perDay: null } as const

  it('extrapolates the day so far, and says when the limit is reached', () => {
    const used = { used: 60_000, usedToday: 60_000 }
    expect(expectOfPeriod({ ...facts, ...used, now: at('12:00:00') })).toEqual({
      forecast: 120_000,
      fullAt: at('20:00:00'),
    })
    const half = { used: 30_000, usedToday: 30_000 }
    expect(expectOfPeriod({ ...facts, ...half, now: at('12:00:00') })).toEqual({
      forecast: 60_000,
      fullAt: null,
    })
  })

  it('uses previous days for the first minutes, and forecasts nothing without them', () => {
    const first = { used: 10, usedToday: 10, now: at('00:00:30') }
    expect(expectOfPeriod({ ...facts, ...first })).toEqual({ forecast: null, fullAt: null })
    expect(expectOfPeriod({ ...facts, ...first, perDay: 20_000 }).forecast).toBe(20_003)
  })

  it('forecasts the limit as reached now where nothing is left', () => {
    const used = { used: 100_000, usedToday: 100_000, now: at('12:00:00') }
    expect(expectOfPeriod({ ...facts, ...used }).fullAt).toEqual(at('12:00:00'))
  })
})

it('forecasts a month to its end', () => {
  const facts = { period: 'month', limit: 1_000, used: 500, usedToday: 25, perDay: 50 } as const
  expect(expectOfPeriod({ ...facts, now: at('12:00:00') })).toEqual({
    forecast: 1_525,
    fullAt: new Date('2026-11-20T12:00:00.000Z'),
  })
})

describe('the forecast of storage', () => {
  const facts = { now: at('00:00:00'), used: 400_000_000, limit: 500_000_000 }

  it('forecasts when the database is full', () => {
    expect(expectOfStorage({ ...facts, growth: 5_000_000 })).toEqual({
      forecast: 550_000_000,
      fullAt: new Date('2026-11-30T00:00:00.000Z'),
    })
  })

  it('forecasts no full database where it does not grow, and starts as unknown', () => {
    expect(expectOfStorage({ ...facts, growth: -1_000_000 })).toEqual({ forecast: 370_000_000, fullAt: null })
    expect(expectOfStorage({ ...facts, growth: 0 }).fullAt).toBeNull()
    expect(expectOfStorage({ ...facts, growth: null })).toEqual({ forecast: null, fullAt: null })
  })
})
