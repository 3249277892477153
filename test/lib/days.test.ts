import { describe, expect, it } from 'vitest'
import { boundsOfSpan, isTimeZone, parseSpan } from '../../src/lib/days'

describe('parseSpan', () => {
  it.each([
    ['2026-11-21', { year: 2026, month: 11, day: 21 }],
    ['2024-02-29', { year: 2024, month: 2, day: 29 }],
    ['2026-11', { year: 2026, month: 11, day: null }],
    ['2026', { year: 2026, month: null, day: null }],
  ])('parseSpan: %s', (text, span) => expect(parseSpan(text)).toEqual(span))

  it.each([
    '',
    'today',
    '2026-13',
    '2026-00-01',
    '2025-02-29',
    '2026-11-31',
    '26-11-21',
    '2026-11-21T00:00',
    '2026/11',
  ])('refuses %s as a date', (text) => expect(parseSpan(text)).toBeNull())
})

describe('boundsOfSpan', () => {
  it.each([
    ['2026-11-21', 'UTC', '2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z'],
    ['2026-12-31', 'Asia/Tokyo', '2026-12-30T15:00:00Z', '2026-12-31T15:00:00Z'],
    // Clocks went on by an hour in that night, and back in the other.
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['2026-12', 'America/New_York', '2026-12-01T05:00:00Z', '2027-01-01T05:00:00Z'],
    ['2026', 'Asia/Kolkata', '2025-12-31T18:30:00Z', '2026-12-31T18:30:00Z'],
  ])('%s in %s', (text, zone, from, until) => {
    const span = parseSpan(text)
    expect(span && boundsOfSpan(span, zone)).toEqual({ from: new Date(from), until: new Date(until) })
  })
})

describe('isTimeZone', () => {
  it('accepts time zones by name, and nothing else', () => {
    expect(['UTC', 'Europe/Berlin', 'Asia/Calcutta'].filter(isTimeZone)).toHaveLength(3)
    expect(['', 'Nowhere/Land', 'Berlin', '\u0000', 'x'.repeat(10_000)].filter(isTimeZone)).toEqual([])
  })
})
