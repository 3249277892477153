import { localeOf } from '../../lib/date-words'
import { keptBy } from '../../lib/kept-by'
import { useReader } from '../i18n/context'
import type { Reader } from '../i18n/reader'

export interface DayProps {
  readonly at: Date
  /** To the minute, with the time zone. */
  readonly withTime?: boolean
}

/** Day in the language and time zone of the reader. */
export function Day({ at, withTime = false }: DayProps) {
  return <time datetime={at.toISOString()}>{formatOf(useReader(), withTime).format(at)}</time>
}

/**
 * Names of days as statistics count them, which begin at midnight UTC: in the language of the reader. In another time
 * zone that midnight would belong to a day that was not counted.
 */
export function useCountedDay(): (day: Date) => string {
  const format = formatOf({ ...useReader(), timeZone: 'UTC' }, false)
  return (day) => format.format(day)
}

/** Names of months as statistics count them, likewise. */
export function useCountedMonth(): (day: Date) => string {
  const { language } = useReader()
  const make = () => new Intl.DateTimeFormat(language, { timeZone: 'UTC', month: 'short', year: 'numeric' })
  const format = formats(`month ${language}`, make)
  return (day) => format.format(day)
}

const formats = keptBy<Intl.DateTimeFormat>()

function formatOf({ language, timeZone }: Reader, withTime: boolean): Intl.DateTimeFormat {
  return formats(
    `${language} ${timeZone} ${withTime}`,
    () =>
      new Intl.DateTimeFormat(localeOf(language), {
        timeZone,
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        ...(withTime ? { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } : {}),
      }),
  )
}
