import { localeOf } from '../../lib/date-words'
import { keptBy } from '../../lib/kept-by'
import { useReader } from '../i18n/context'
import type { Reader } from '../i18n/reader'

const steps = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const

const mostDays = 7

export interface AgeProps {
  readonly at: Date
  readonly now: Date
}

/** Age to its largest unit ("12 min"); the day where it is more than a week. */
export function Age({ at, now }: AgeProps) {
  const reader = useReader()
  const full = dateFormat(reader, 'full', { dateStyle: 'long', timeStyle: 'short' })
  return (
    <time datetime={at.toISOString()} title={full.format(at)}>
      {ageOf(at, now, reader)}
    </time>
  )
}

function ageOf(at: Date, now: Date, reader: Reader): string {
  const seconds = Math.max(1, Math.round((now.getTime() - at.getTime()) / 1_000))
  if (seconds >= mostDays * 86_400) {
    const isThisYear = at.getUTCFullYear() === now.getUTCFullYear()
    const day = dateFormat(reader, `day ${isThisYear}`, {
      day: 'numeric',
      month: 'short',
      ...(isThisYear ? {} : { year: 'numeric' }),
    })
    return day.format(at)
  }
  const locale = localeOf(reader.language)
  const [unit, size] = steps.findLast(([, length]) => seconds >= length) ?? steps[0]
  const format = units(
    `${unit} ${locale}`,
    () => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }),
  )
  return format.format(Math.floor(seconds / size))
}

/** A format of dates in language and time zone of the reader; `name` stands for its options. */
export function dateFormat(
  { language, timeZone }: Reader,
  name: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const locale = localeOf(language)
  return dates(
    `${name} ${locale} ${timeZone}`,
    () => new Intl.DateTimeFormat(locale, { ...options, timeZone }),
  )
}

const dates = keptBy<Intl.DateTimeFormat>()
const units = keptBy<Intl.NumberFormat>()
