import { describe, expect, it } from 'vitest'
import { checkEach } from './check-each'

const plain = { name: (one: number) => `the case ${one}` }

describe('a rule that is checked for each case', () => {
  it('passes when it holds for all of them, several at a time', async () => {
    const checked: number[] = []
    await checkEach([1, 2, 3], { ...plain, atOnce: 2 }, (one) => void checked.push(one))
    expect(checked.toSorted()).toEqual([1, 2, 3])
  })

  it('names each case that breaks it, with what was compared', async () => {
    const checking = checkEach([1, 2, 3], plain, (one) => expect({ answer: one }).toEqual({ answer: 2 }))
    await expect(checking).rejects.toThrow(/^2 of 3 cases fail\nthe case 1: expected .*\n/)
    await expect(checking).rejects.toThrow(/the case 3: .*\n {4}answer: 3, expected 2/)
    await expect(checking).rejects.not.toThrow(/the case 2:/)
  })

  it('shows both sides in full where they are no objects', async () => {
    const checking = checkEach([1], plain, () => expect(['a'.repeat(60)]).toEqual([]))
    await expect(checking).rejects.toThrow(/\n {4}actual: \["a{60}"\]\n {4}expected: \[\]/)
  })

  it('fails where a case throws something other than an assertion', async () => {
    const checking = checkEach([1], plain, async () => {
      throw new TypeError('No such column')
    })
    await expect(checking).rejects.toThrow('the case 1: No such column')
  })

  it('shows thirty cases at most, and how many more fail', async () => {
    const cases = Array.from({ length: 42 }, (_, at) => at)
    const checking = checkEach(cases, plain, () => expect(1).toBe(2))
    await expect(checking).rejects.toThrow(/and 12 more$/)
  })

  it('fails without a single case', async () => {
    await expect(checkEach([], plain, () => undefined)).rejects.toThrow('There is no case to check')
  })
})
