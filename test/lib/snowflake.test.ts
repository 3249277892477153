import { describe, expect, it } from 'vitest'
import { firstIdAt, idAt, idSequence, instantOf } from '../../src/lib/ids'

const at = new Date('2026-11-01T12:00:00.000Z')
const later = new Date(at.getTime() + 1)

describe('ids of one request', () => {
  it('ids are all different within one millisecond, whatever the random part', () => {
    const next = idSequence(() => 7)
    const ids = Array.from({ length: 500 }, () => next(at))
    expect(new Set(ids).size).toBe(500)
    expect(ids[0]).toBe(idAt(at, 7))
  })

  it('ids start again with the next millisecond, and keep the order of time [T-681]', () => {
    const next = idSequence(() => 4095)
    const [first, second] = [next(at), next(later)]
    expect(second).toBe(idAt(later, 4095))
    expect(first).toBeLessThan(second)
    expect(next(at)).toBe(idAt(at, 4095))
  })

  it('ids overflow into the next millisecond instead of restarting', () => {
    const next = idSequence(() => 4095)
    const ids = [next(at), next(at), next(at)]
    expect(ids).toEqual(
      [idAt(at, 4095), firstIdAt(later), firstIdAt(later) + 1].slice(0, 2).concat(ids[2] ?? 0),
    )
    expect(new Set(ids).size).toBe(3)
  })

  it('ids contain the time of creation', () => {
    expect(instantOf(idAt(at, 4095))).toEqual(at)
  })
})
