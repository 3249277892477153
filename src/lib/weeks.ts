import { dayMilliseconds } from './days'

const week = 7 * dayMilliseconds
/** Weeks begin on Monday; the epoch was a Thursday. */
const offset = 3 * dayMilliseconds

/** The number of the week (Monday to Sunday, UTC) an instant lies in. */
export function weekOf(at: Date): number {
  return Math.floor((at.getTime() + offset) / week)
}

/** When a week begins. */
export function weekStart(number: number): Date {
  return new Date(number * week - offset)
}
