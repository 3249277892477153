import { expect, it } from 'vitest'
import { ExpiringCache } from '../../src/lib/expiring-cache'

const at = (second: number) => new Date(second * 1000)

it('keeps a text until it expires', () => {
  const memory = new ExpiringCache(10)
  memory.remember('a', { value: 'gone', seconds: 60 }, at(0))

  expect(memory.recall('a', at(59))).toBe('gone')
  expect(memory.recall('a', at(60))).toBeNull()
  expect(memory.recall('b', at(0))).toBeNull()
})

it('counts within a window and then starts again', () => {
  const memory = new ExpiringCache(10)

  expect([1, 2, 59, 61].map((second) => memory.count('a', 60, at(second)))).toEqual([1, 2, 3, 1])
})

it('returns a count without counting, and deletes it on request', () => {
  const memory = new ExpiringCache(10)
  memory.count('a', 60, at(0))
  memory.count('a', 60, at(1))

  expect([memory.counted('a', at(2)), memory.counted('a', at(2)), memory.counted('a', at(60))]).toEqual([
    2, 2, 0,
  ])
  memory.forget('a')
  expect([memory.counted('a', at(2)), memory.counted('b', at(2))]).toEqual([0, 0])
})

it('keeps counters for any number of texts', () => {
  const memory = new ExpiringCache(2, 2)
  memory.count('a', 60, at(0))
  for (const key of ['b', 'c', 'd']) memory.remember(key, { value: key, seconds: 60 }, at(0))

  expect(memory.counted('a', at(1))).toBe(1)
})

it('removes the oldest entry when it is full', () => {
  const memory = new ExpiringCache(2)
  for (const key of ['a', 'b', 'c']) memory.remember(key, { value: key, seconds: 60 }, at(0))

  expect(['a', 'b', 'c'].map((key) => memory.recall(key, at(1)))).toEqual([null, 'b', 'c'])
})
