import { keptBy } from '../../../lib/kept-by'

/**
 * The instant of a local time as `datetime-local` sends it ("2026-12-24T18:30"), in an IANA time zone; null for anything
 * else. A time that a change of clocks skips is the one an hour later.
 */
export function instantOf(text: string, timeZone: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null
  const asUtc = Date.parse(`${text}:00Z`)
  if (Number.isNaN(asUtc)) return null
  // The offset at the result decides, which may differ from that at the guess.
  const guess = asUtc - offsetAt(asUtc, timeZone)
  return new Date(asUtc - offsetAt(guess, timeZone))
}

/** An instant as `datetime-local` has it in an IANA time zone, to the minute. */
export function localTimeOf(instant: Date, timeZone: string): string {
  const local = instant.getTime() + offsetAt(instant.getTime(), timeZone)
  return new Date(local).toISOString().slice(0, 16)
}

const offsetFormats = keptBy<Intl.DateTimeFormat>()

/** Milliseconds by which the clocks of a time zone are ahead of UTC at an instant. */
function offsetAt(instant: number, timeZone: string): number {
  const make = () => new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const name =
    offsetFormats(timeZone, make)
      .formatToParts(instant)
      .find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
  const size = (Number(hours) * 60 + Number(minutes)) * 60_000
  return sign === '-' ? -size : size
}
