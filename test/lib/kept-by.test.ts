import { expect, it } from 'vitest'
import { keptBy } from '../../src/lib/kept-by'

it('a kept value is made once for each key', () => {
  const kept = keptBy<object>()
  const first = kept('en', () => ({ language: 'en' }))
  expect(kept('en', () => ({ language: 'again' }))).toBe(first)
  expect(kept('de', () => ({ language: 'de' }))).toEqual({ language: 'de' })
})

it('values of two kinds do not share their keys', () => {
  const [numbers, words] = [keptBy<number>(), keptBy<string>()]
  expect([numbers('en', () => 1), words('en', () => 'one')]).toEqual([1, 'one'])
})

it('no more than 200 values are kept, whatever keys visitors choose', () => {
  const kept = keptBy<number>()
  let made = 0
  for (let key = 0; key < 1_000; key += 1) kept(`zone ${key}`, () => made++)
  expect(kept('zone 999', () => -1)).toBe(999)
  expect(kept('zone 0', () => -1)).toBe(-1)
})
