import { expect, it } from 'vitest'
import { readSearches, withSearch } from '../../src/islands/lib/recent-searches'

it('recent searches are few, each once, the latest first', () => {
  const many = Array.from({ length: 12 }, (_, n) => `bird ${n}`)
  const kept = many.reduce<readonly string[]>(withSearch, [])
  expect(kept).toEqual(['bird 11', 'bird 10', 'bird 9', 'bird 8', 'bird 7', 'bird 6', 'bird 5', 'bird 4'])
  expect(withSearch(kept, 'bird 9').slice(0, 3)).toEqual(['bird 9', 'bird 11', 'bird 10'])
})

it('recent searches are none where the browser keeps something else', () => {
  expect(readSearches(null)).toEqual([])
  expect(readSearches('{"a":1}')).toEqual([])
  expect(readSearches('["wren",7]')).toEqual(['wren'])
})
