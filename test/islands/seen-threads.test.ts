import { expect, it } from 'vitest'
import { readThreads, type SeenThread, withThread } from '../../src/islands/lib/seen-threads'

it('threads are remembered with all replies that were seen, the latest thirty', () => {
  const once = withThread([], [1, [10, 11]])
  expect(withThread(withThread(once, [2, []]), [1, [11, 12]])).toEqual([
    [1, [10, 11, 12]],
    [2, []],
  ])
  const many = Array.from({ length: 40 }, (_, n): SeenThread => [n, []])
  expect(many.reduce<readonly SeenThread[]>(withThread, []).length).toBe(30)
})

it('threads are none where the browser keeps something else', () => {
  for (const other of [null, '{}', '[1,[2]]', '[["1",[2]]]']) expect(readThreads(other)).toEqual([])
  expect(readThreads('[[1,[2]]]')).toEqual([[1, [2]]])
})
