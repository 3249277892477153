import { expect, it } from 'vitest'
import { dayWords, momentWords } from '../../src/lib/date-words'

it('writes days and moments in the order of each language, in UTC', () => {
  const moment = new Date('2026-11-01T23:30:00Z')
  expect(dayWords('en', moment)).toBe('1 November 2026')
  expect(dayWords('de', '2026-11-01')).toBe('1. November 2026')
  expect(momentWords('en', moment)).toBe('1 November 2026 at 23:30 UTC')
  expect(momentWords('de', moment)).toContain('23:30 UTC')
})
