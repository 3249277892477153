/** Milliseconds since 1970 on the clock of the reader's machine. */
export function now(): number {
  return Date.now()
}

/** A number from 0 to 1 by chance. */
export function chance(): number {
  return Math.random()
}

/** Milliseconds since this page was asked for. */
export function ageOfPage(): number {
  return performance.now()
}
