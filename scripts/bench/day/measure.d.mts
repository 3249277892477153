import type { Cost, Costs } from './day.mjs'

export function measureActions(order: {
  /** Times that each action is done. */
  readonly repeats: number
  readonly log: (name: string, cost: Cost, writes: readonly unknown[]) => void
}): Promise<Costs>
