import { expect, it } from 'vitest'
import { medianOf, rateWorkerCpu, tableOfCpu } from '../../scripts/bench/worker-cpu/judge.mjs'
import { millisecondsIn } from '../../scripts/bench/worker-cpu/profiler.mjs'

const node = (id: number, functionName: string) => ({ id, callFrame: { functionName } })

it('counts the samples in which the isolate ran, and not those of other processes', () => {
  const profile = {
    nodes: [node(1, '(root)'), node(2, '(program)'), node(3, 'loadHome'), node(4, '(garbage collector)')],
    samples: [2, 3, 3, 4, 3, 1],
    timeDeltas: [90_000, 100, 150, 250, 40_000, 700],
  }
  // 40 ms between two samples: the processor was taken away, and half a millisecond of it is believed.
  expect(millisecondsIn(profile)).toBeCloseTo(0.1 + 0.15 + 0.25 + 0.5)
})

it('says what runs within 10 ms, by both values', () => {
  expect(rateWorkerCpu({ worker: 3, runtime: 9 })).toBe('fits')
  expect(rateWorkerCpu({ worker: 3, runtime: 19 })).toBe('fits by the profiler')
  expect(rateWorkerCpu({ worker: 3, runtime: null })).toBe('fits by the profiler')
  expect(rateWorkerCpu({ worker: 9.9, runtime: 30 })).toBe('in doubt')
  expect(rateWorkerCpu({ worker: 9.9, runtime: 9.9 })).toBe('fits')
  expect(rateWorkerCpu({ worker: 11, runtime: 30 })).toBe('needs Paid')
  expect(tableOfCpu([{ action: 'home', worker: 3.14, runtime: 19.2 }])).toContain(
    '| home | 3.1 | 19 | fits by the profiler |',
  )
})

it('explains the table in text', () => {
  const home = { action: 'home', worker: 3.14, runtime: 19.2 }
  expect(tableOfCpu([home])).toMatch(
    /\n\nThe costliest takes 3\.1 ms of the Worker\. Nothing needs the paid plan\.$/,
  )
  expect(
    tableOfCpu([
      home,
      { action: 'a post', worker: 9, runtime: 30 },
      { action: 'a film', worker: 12, runtime: 40 },
    ]),
  ).toMatch(/The costliest takes 12 ms of the Worker\. Needs the paid plan: a film\. In doubt: a post\.$/)
})

it('uses the median of the values', () => {
  expect(medianOf([100, 9, 20])).toBe(20)
})
