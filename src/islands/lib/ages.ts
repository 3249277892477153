import { now } from './browser'
import { findAll } from './page'

const units = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
] as const

/** The age of a post as the server writes it, to its largest unit; null for those of a day and more, which keep theirs. */
export function ageIn(language: string, seconds: number): string | null {
  if (seconds >= 86_400) return null
  const [unit, size] = units.filter(([, length]) => seconds >= length).at(-1) ?? units[0]
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' })
  return format.format(Math.floor(Math.max(1, seconds) / size))
}

/** Keeps the ages of posts true, once a minute. */
export function keepAges(language: string): void {
  setInterval(() => {
    if (document.hidden) return
    for (const time of findAll(document, '.post time[title]', HTMLTimeElement)) {
      const age = ageIn(language, Math.round((now() - Date.parse(time.dateTime)) / 1_000))
      if (age !== null) time.textContent = age
    }
  }, 60_000)
}
