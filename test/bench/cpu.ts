/** Judges CPU time of the server by its ratio to what any request of the runtime costs. Imports nothing, so that Node reads it as it is. */

/** CPU seconds of the server for 1,000 requests, by path. `health` has no database, `trip` one trivial statement. */
export interface CpuFigures {
  readonly health: number
  readonly trip: number
  readonly [path: string]: number
}

export interface Ratios {
  readonly ofHealth: number
  readonly ofTrip: number
}

/** Results of the main branch, as `npm run bench -- --save` stored them. */
export interface KeptResults {
  readonly savedOn: string
  /** By path. Seconds are of one machine; only ratios are compared. */
  readonly cpu: Readonly<Record<string, Ratios & { readonly seconds: number }>>
}

/** Ratio to a trivial trip that a path may reach, whatever it was before. */
export type Bounds = Readonly<Record<string, number>>

/** Ratios of one run differ by less on a machine with other work: 1.46 was measured beside a busy core. */
const noise = 1.5

export interface Judged extends Ratios {
  readonly path: string
  readonly seconds: number
  /** Ratio to a trip in the kept results; null for a new path. */
  readonly before: number | null
  readonly bound: number | null
  /** Bound that is broken, in words; null where both hold. */
  readonly broken: string | null
}

/** Compares every path but the two that are the measure with its bound and with the kept results. Pure. */
export function checkCpu(figures: CpuFigures, bounds: Bounds, kept: KeptResults | null): Judged[] {
  return Object.entries(figures)
    .filter(([path]) => path !== 'health' && path !== 'trip')
    .map(([path, seconds]) => {
      const ofHealth = seconds / figures.health
      const ofTrip = seconds / figures.trip
      const before = kept?.cpu[path]?.ofTrip ?? null
      const bound = bounds[path] ?? null
      return { path, seconds, ofHealth, ofTrip, before, bound, broken: brokenBy(ofTrip, before, bound) }
    })
}

function brokenBy(ofTrip: number, before: number | null, bound: number | null): string | null {
  const ratio = ofTrip.toFixed(2)
  if (bound !== null && ofTrip > bound) return `${ratio} times a trivial trip is not at most ${bound}`
  // Paths cheaper than a trip ask no database: hundredths of a millisecond decide there, and the bound is enough.
  if (before !== null && ofTrip > 1 && ofTrip > before * noise)
    return `${ratio} times a trivial trip was ${before.toFixed(2)} on the main branch`
  return null
}

/** Results to keep of a run. Pure. */
export function resultsToKeep(figures: CpuFigures, savedOn: string): KeptResults {
  const rounded = (value: number) => Math.round(value * 100) / 100
  const cpu = checkCpu(figures, {}, null).map(
    ({ path, seconds, ofHealth, ofTrip }) =>
      [path, { seconds: rounded(seconds), ofHealth: rounded(ofHealth), ofTrip: rounded(ofTrip) }] as const,
  )
  return { savedOn, cpu: Object.fromEntries(cpu) }
}
