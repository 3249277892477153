import type { Target } from './local-target.mjs'

export interface RestorePlan {
  readonly state: 'empty' | 'begun' | 'complete'
}

export interface Restored {
  readonly rows: number
  readonly left_out: Readonly<Record<string, number>>
  readonly objects: number
  readonly missing: readonly string[]
  readonly migrations: readonly string[]
}

export function planRestore(order: { readonly folder: string; readonly target: Target }): Promise<RestorePlan>
export function restore(order: {
  readonly folder: string
  readonly target: Target
  readonly plan: RestorePlan
  readonly progress: (done: number, total: number | null, what: string) => void
}): Promise<Restored>
