import { describe, expect, it } from 'vitest'
import { UsageMeter } from '../../src/cloudflare/usage-meter'
import { dailyLimitsOf, noUsage, pausedAt, shareOfDay } from '../../src/contract/usage'

const noon = new Date('2026-11-01T12:00:00.000Z')
const later = (milliseconds: number) => new Date(noon.getTime() + milliseconds)
const today = 20_758

describe('the meter of an isolate', () => {
  it('stores notable counts at once, and again after two minutes at the earliest', () => {
    const meter = new UsageMeter()
    expect(meter.isDue(noon)).toBe(false)
    meter.add(noon, 'rowsWritten', 99)
    expect(meter.isDue(noon)).toBe(false)
    meter.add(noon, 'rowsWritten', 1)
    expect(meter.isDue(noon)).toBe(true)
    expect(meter.take(noon)).toMatchObject([{ day: today, counts: { rowsWritten: 100, requests: 0 } }])
    meter.add(later(1_000), 'rowsWritten', 5_000)
    expect(meter.isDue(later(119_999))).toBe(false)
    expect(meter.isDue(later(120_000))).toBe(true)
  })

  it('stores small counts after ten minutes', () => {
    const meter = new UsageMeter()
    meter.add(noon, 'requests', 1)
    expect(meter.isDue(later(599_999))).toBe(false)
    expect(meter.isDue(later(600_000))).toBe(true)
  })

  it('keeps the days apart, and loses no count that could not be stored', () => {
    const meter = new UsageMeter()
    const midnight = new Date('2026-11-02T00:00:00.000Z')
    meter.add(new Date(midnight.getTime() - 1), 'requests', 2)
    meter.add(midnight, 'requests', 3)
    const taken = meter.take(midnight)
    expect(taken.map(({ day, counts }) => [day, counts.requests])).toEqual([
      [today, 2],
      [today + 1, 3],
    ])
    meter.add(midnight, 'requests', 4)
    meter.putBack(midnight, taken)
    expect([meter.unstored(today).requests, meter.unstored(today + 1).requests]).toEqual([2, 7])
  })

  it('knows a day by the stored counts of all isolates and its own since', () => {
    const meter = new UsageMeter()
    meter.recordStored(today, { ...noUsage(), rowsWritten: 90_000 })
    meter.add(noon, 'rowsWritten', 10)
    expect(meter.knownOf(today).rowsWritten).toBe(90_010)
    expect(meter.knownOf(today + 1).rowsWritten).toBe(0)
  })
})

describe('what is switched off', () => {
  const free = dailyLimitsOf('free', {})
  it.each([
    [69_999, []],
    [79_999, ['imports']],
    [80_000, ['imports', 'backfill']],
    [85_000, ['imports', 'backfill', 'previews']],
    [90_000, ['imports', 'backfill', 'previews', 'trends']],
    [94_000, ['imports', 'backfill', 'previews', 'trends', 'publicTimelines']],
    [97_000, ['imports', 'backfill', 'previews', 'trends', 'publicTimelines', 'inbox']],
    [120_000, ['imports', 'backfill', 'previews', 'trends', 'publicTimelines', 'inbox']],
  ])('switches off at %i rows written of 100,000: %j', (rowsWritten, paused) => {
    expect(pausedAt(shareOfDay({ ...noUsage(), rowsWritten }, free))).toEqual(paused)
  })

  it('follows the most used quota', () => {
    const counts = { ...noUsage(), requests: 10_000, queueOperations: 9_000, rowsRead: 1_000_000 }
    expect(shareOfDay(counts, free)).toBe(0.9)
  })

  it('switches nothing off on the paid plan, unless the operator sets a limit', () => {
    const counts = { ...noUsage(), rowsWritten: 10_000_000 }
    expect(shareOfDay(counts, dailyLimitsOf('paid', {}))).toBe(0)
    expect(shareOfDay(counts, dailyLimitsOf('paid', { rowsWritten: 20_000_000 }))).toBe(0.5)
  })
})
