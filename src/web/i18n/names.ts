import { keptBy } from '../../lib/kept-by'
import type { TranslateText } from '../../lib/translate'

const languageNames = keptBy<Intl.DisplayNames>()
const sizes = keptBy<Intl.NumberFormat>()

/** Codes that `Intl` takes. */
const isNameable = /^[a-z]{2,3}(?:-[A-Z]{2})?$/

/** Name of a language in the language of a page; `otherwise` for a code that names none. */
export function languageName(language: TranslateText['language'], code: string, otherwise: string): string {
  if (!isNameable.test(code)) return otherwise
  const make = () => new Intl.DisplayNames([language], { type: 'language', fallback: 'none' })
  return languageNames(language, make).of(code) ?? otherwise
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** A size in the language of a page, with three significant digits and steps of 1,000, as quotas of the platform have them. */
export function sizeText({ language }: TranslateText, bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const unit = units[step] ?? 'byte'
  const make = () =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumSignificantDigits: 3,
    })
  return sizes(`${unit} ${language}`, make).format(bytes / 1_000 ** step)
}
