import { expect, it } from 'vitest'
import { finishedCount } from '../../src/islands/lib/missing-replies'

it('a refresh of replies is finished with its count, and unknown answers are not', () => {
  const answer = (status: string, result_count: number | null) => ({
    async_refresh: { status, result_count },
  })
  expect(finishedCount(answer('finished', 3))).toBe(3)
  expect(finishedCount(answer('finished', null))).toBe(0)
  expect(finishedCount(answer('running', null))).toBeNull()
  for (const other of [null, 'text', {}, { async_refresh: 1 }]) expect(finishedCount(other)).toBeNull()
})
