const minuteMilliseconds = 60_000

/**
 * Milliseconds for which a periodic task rests that is to run again with the tick after `minutes`. Ticks come every
 * minute, give or take some seconds: a rest of whole minutes would lose each tick that comes sooner than the one before.
 */
export function restOfMinutes(minutes: number): number {
  return minutes * minuteMilliseconds - minuteMilliseconds / 2
}
