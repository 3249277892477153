import { expect, it } from 'vitest'
import { estimateDistinct, sketchEntry, sketchRegisters } from '../../src/lib/distinct-sketch'
import { idAt } from '../../src/lib/ids'

/** The sketch of so many ids as the server makes them, from the `first` on. */
function sketchOf(count: number, first = 0): string {
  const registers = Array.from({ length: sketchRegisters }, () => '0')
  for (let index = first; index < first + count; index += 1) {
    const { register, mark } = sketchEntry(idAt(new Date(1_790_000_000_000 + index * 7_919), index * 31))
    if (mark > (registers[register] ?? '0')) registers[register] = mark
  }
  return registers.join('')
}

it.each([0, 1, 2, 5, 10])('counts %i ids exactly', (count) => {
  expect(estimateDistinct([sketchOf(count)])).toBe(count)
})

it.each([100, 1_000, 5_000, 20_000, 100_000])('counts %i ids within six per cent', (count) => {
  expect(Math.abs(estimateDistinct([sketchOf(count)]) / count - 1)).toBeLessThan(0.06)
})

it('counts ids of several sketches once', () => {
  const [one, two] = [sketchOf(1_000), sketchOf(1_000, 500)]
  expect(Math.abs(estimateDistinct([one, two]) / 1_500 - 1)).toBeLessThan(0.05)
  expect(estimateDistinct([one, one])).toBe(estimateDistinct([one]))
  expect(estimateDistinct([])).toBe(0)
})
