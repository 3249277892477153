import { describe, expect, it } from 'vitest'
import { splitWithin } from '../../src/lib/split'

const lengthOf = (item: string) => item.length
const split = (items: readonly string[], most: number, longest: number) =>
  splitWithin(items, { most, longest, lengthOf })

describe('splitting into parts', () => {
  it('keeps the order, the number and the length of a part', () => {
    expect(split(['aa', 'bb', 'c', 'd', 'e'], 3, 4)).toEqual([
      ['aa', 'bb'],
      ['c', 'd', 'e'],
    ])
    expect(split(['a', 'b', 'c', 'd', 'e'], 2, 100)).toEqual([['a', 'b'], ['c', 'd'], ['e']])
  })

  it('puts an item that is too long into its own part, and makes none of nothing', () => {
    expect(split(['a', 'far too long', 'b'], 9, 4)).toEqual([['a'], ['far too long'], ['b']])
    expect(split([], 9, 4)).toEqual([])
  })
})
