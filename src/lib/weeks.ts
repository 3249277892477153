import { dayMilliseconds } from './days'

const week = 7 * dayMilliseconds
/** Weeks begin on Monday; the epoch was a Thursday. */
const offset = 3 * dayMilliseconds

/** The number of the week (Monday to Sunday, UTC) of an instant. */
export function weekOf(at: Date): number {
  return Math.floor((at.getTime() + offset) / week)
}

/** Start of a week. */
export function weekStart(number: number): Date {
  return new Date(number * week - offset)
}
