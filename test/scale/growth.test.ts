import { env } from 'cloudflare:workers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { cases } from '../bench/scale/cases'
import { costExceptions, planExceptions } from '../bench/scale/exceptions'
import type { CaseReport } from '../bench/scale/figures'
import { judge, type Run } from '../bench/scale/judge'
import { explain, type Measurement } from '../bench/scale/meter'
import { checkPlans } from '../bench/scale/plans'
import { tablesOf, type World, worldOf } from '../bench/scale/world'
import { beginOnEmpty } from '../support/begin-on-empty'
import { scales } from '../support/scale/figures'
import { useBinding } from '../support/test-app'

/** Costs of each case on an instance of 30,000 statuses, against one of 1,000. `npm run bench:scale` prints all figures. */

const small: Record<string, CaseReport> = {}
const large: Record<string, CaseReport> = {}
const runs = (some: Readonly<Record<string, CaseReport>>): readonly [Run, Run] => [
  { scale: scales['1000'], cases: small },
  { scale: scales['30000'], cases: some },
]

let world: World
afterAll(() => useBinding(null))
// Each request leaves a timer for its next turn, of which a runtime has ten thousand.
afterEach(() => new Promise((resolve) => setTimeout(resolve, 0)))

/** Report to compare. The statements are explained only where somebody reads them. */
const withoutStatements = ({ costliest: _costliest, ...report }: Measurement): CaseReport => ({
  ...report,
  costliest: [],
})

describe('on an instance of 1,000 statuses', () => {
  beforeAll(async () => {
    world = await worldOf('1000')
  })

  for (const { name, measure } of cases)
    it(`the case "${name}" succeeds`, async () => {
      const report = withoutStatements(await measure(world))
      small[name] = report
      expect(report.failures).toEqual([])
    })
})

describe('on an instance of 30,000 statuses', () => {
  beforeAll(async () => {
    useBinding(null)
    await beginOnEmpty()
    world = await worldOf('30000')
  })

  for (const { name, measure } of cases)
    it(`the case "${name}" costs no more than on 1,000 statuses, but for its exception`, async () => {
      const measured = await measure(world)
      const report = withoutStatements(measured)
      large[name] = report
      expect(report.failures).toEqual([])
      expect(Object.keys(small)).toContain(name)
      const { broken } = judge(...runs({ [name]: report }), costExceptions)
      const because = broken.length === 0 ? [] : [measured.worst, ...(await explain(measured.costliest))]
      expect({ broken, because }).toEqual({ broken: [], because: [] })
    })

  it('no exception allows a cost that no case has', () => {
    const { unused } = judge(...runs(large), costExceptions)
    // Exceptions of a million statuses are needed by `npm run bench:scale -- --full`.
    expect(unused.filter(({ atMillion }) => atMillion !== true)).toEqual([])
  })

  it('no statement scans a growing table, skips rows by a parameter or sorts many', async () => {
    const statements = await world.meter.statements()
    expect(statements.length).toBeGreaterThan(100)
    const { broken, unused } = checkPlans(statements, new Set(await tablesOf(env.DB)), planExceptions)
    expect({ broken, unused }).toEqual({ broken: [], unused: [] })
  })
})
