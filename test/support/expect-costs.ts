import { expect } from 'vitest'
import type { Costs } from './costs'

/** Asserts that no figure exceeds its ceiling: costs may fall without a change of tests. */
export function expectCosts(costs: Partial<Costs>, ceilings: Partial<Costs>): void {
  for (const figure of ['trips', 'statements', 'rowsRead', 'rowsWritten'] as const) {
    const ceiling = ceilings[figure]
    if (ceiling !== undefined) expect(costs[figure], figure).toBeLessThanOrEqual(ceiling)
  }
}
