import { describe, expect, it } from 'vitest'
import { checkCpu, resultsToKeep } from '../bench/cpu'

const figures = { health: 0.5, trip: 1.5, home: 3, tag: 1.8 }
const kept = (home: number) => ({
  savedOn: '2026-11-23',
  cpu: { home: { seconds: 1, ofHealth: 1, ofTrip: home } },
})
const home = (...args: Parameters<typeof checkCpu>) => checkCpu(...args).find(({ path }) => path === 'home')

describe('CPU time of a path', () => {
  it('compares CPU time with a request without a database, and with one trivial round trip', () => {
    expect(home(figures, {}, null)).toMatchObject({ ofHealth: 6, ofTrip: 2, broken: null })
    expect(checkCpu(figures, {}, null).map(({ path }) => path)).toEqual(['home', 'tag'])
  })

  it('CPU time of a path stays below its bound', () => {
    expect(home(figures, { home: 2 }, null)?.broken).toBeNull()
    expect(home(figures, { home: 1.9 }, null)?.broken).toBe('2.00 times a trivial trip is not at most 1.9')
  })

  it('CPU time of a path stays within one and a half times the value of the main branch', () => {
    expect(home(figures, { home: 9 }, kept(1.34))?.broken).toBeNull()
    expect(home(figures, { home: 9 }, kept(1.33))?.broken).toBe(
      '2.00 times a trivial trip was 1.33 on the main branch',
    )
  })

  it('does not depend on the speed of the machine', () => {
    const slower = Object.fromEntries(Object.entries(figures).map(([path, seconds]) => [path, seconds * 3]))
    expect(home({ health: 0, trip: 0, ...slower }, { home: 2 }, kept(2))).toMatchObject({
      ofTrip: 2,
      broken: null,
    })
  })

  it('CPU time of a path is stored with its ratios', () => {
    expect(resultsToKeep(figures, '2026-11-23')).toEqual({
      savedOn: '2026-11-23',
      cpu: {
        home: { seconds: 3, ofHealth: 6, ofTrip: 2 },
        tag: { seconds: 1.8, ofHealth: 3.6, ofTrip: 1.2 },
      },
    })
  })
})
