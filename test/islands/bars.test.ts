import { expect, it } from 'vitest'
import { barByKey, barByPointer } from '../../src/islands/lib/bars'

it.each([
  ['ArrowRight', 5, 6],
  ['ArrowLeft', 5, 4],
  ['ArrowRight', 29, 29],
  ['ArrowLeft', 0, 0],
  ['PageUp', 5, 12],
  ['PageDown', 5, 0],
  ['Home', 5, 0],
  ['End', 5, 29],
  ['Enter', 5, null],
  ['a', 5, null],
] as const)('%s leads from bar %i of thirty to %s', (key, current, next) => {
  expect(barByKey(key, current, 30)).toBe(next)
})

it('a pointer names the bar below it, also beyond the edges', () => {
  expect([-5, 0, 149, 150, 299, 310].map((offset) => barByPointer(offset, 300, 30))).toEqual([
    0, 0, 14, 15, 29, 29,
  ])
})
