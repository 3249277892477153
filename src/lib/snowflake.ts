/** Epoch of ids, in milliseconds, so that they fit 53 bits until 2076. */
export const idEpoch = Date.UTC(2007, 0, 1)

const lowRange = 4096

/**
 * An id whose order is the order of `at`.
 *
 * `low` (0 to 4095, random) distinguishes ids of one millisecond that were made by different isolates.
 */
export function idAt(at: Date, low: number): number {
  return Math.max(0, at.getTime() - idEpoch) * lowRange + (low % lowRange)
}

/**
 * Generates ids for one isolate. Those of one millisecond follow each other from a random start: the clock of a
 * Worker stands still while it computes, and of a hundred random ids in one millisecond two would likely clash.
 */
export function idSequence(random: () => number): (at: Date) => number {
  let last = { time: Number.NaN, id: 0 }
  return (at) => {
    const time = at.getTime()
    last = { time, id: time === last.time ? last.id + 1 : idAt(at, random()) }
    return last.id
  }
}

/** The smallest id of the millisecond `at`: everything at or after `at` has an id not below it. */
export function firstIdAt(at: Date): number {
  return idAt(at, 0)
}

/** Creation time of an id, to the millisecond. */
export function instantOf(id: number): Date {
  return new Date(Math.floor(id / lowRange) + idEpoch)
}
