import { expect, it } from 'vitest'
import { CompiledFilterCache, CompiledFilters } from '../../../../src/domain/policy/filters/compiled'

const held = (ownerId: number, count = 0) => ({
  ownerId,
  version: 1,
  filters: new CompiledFilters([
    {
      id: 1,
      title: 'x',
      contexts: [],
      action: 'warn',
      expiresAt: null,
      statuses: [],
      keywords: Array.from({ length: count }, (_, id) => ({ id, keyword: `word${id}`, wholeWord: true })),
    },
  ]),
})

it('keeps filters by reader, and deletes all of one owner', () => {
  const memory = new CompiledFilterCache(100)
  const [one, other] = [held(1), held(2)]
  memory.keep('a', one)
  memory.keep('b', one)
  memory.keep('c', other)
  memory.forget(1)
  expect([memory.recall('a'), memory.recall('b'), memory.recall('c')]).toEqual([null, null, other])
})

it('keeps a limited amount, and removes the least recently used first', () => {
  const memory = new CompiledFilterCache(50)
  for (const reader of ['a', 'b']) memory.keep(reader, held(1, 18))
  expect(memory.recall('a')).not.toBeNull()
  memory.keep('c', held(1, 18))
  expect(memory.recall('b')).toBeNull()
  expect(memory.recall('a')).not.toBeNull()
  memory.keep('d', held(1, 500))
  expect(['a', 'c', 'd'].map((reader) => memory.recall(reader))).toEqual([null, null, null])
})

it('counts a replaced entry once', () => {
  const memory = new CompiledFilterCache(50)
  for (let count = 0; count < 10; count += 1) memory.keep('a', held(1, 18))
  memory.keep('b', held(2, 18))
  expect(memory.recall('a')).not.toBeNull()
})
