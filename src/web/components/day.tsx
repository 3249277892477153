import { localeOf } from '../../lib/date-words'
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
  const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', month: 'short', year: 'numeric' })
  return (day) => format.format(day)
}

/** Formats of this isolate. Making one takes longer than all else of a page. */
const formats = new Map<string, Intl.DateTimeFormat>()

const mostFormats = 200

function formatOf({ language, timeZone }: Reader, withTime: boolean): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${withTime}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(localeOf(language), {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(withTime ? { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } : {}),
  })
  if (formats.size >= mostFormats) formats.clear()
  formats.set(key, made)
  return made
}
