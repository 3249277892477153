import { keptBy } from '../../lib/kept-by'

const lengths = keptBy<Intl.NumberFormat>()

/** A length of time in whole days, hours or minutes, in words of the language. Pure. */
export function lengthIn(language: string, seconds: number): string {
  const [unit, size] =
    seconds >= 86_400
      ? (['day', 86_400] as const)
      : seconds >= 3_600
        ? (['hour', 3_600] as const)
        : (['minute', 60] as const)
  const make = () => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return lengths(`${unit} ${language}`, make).format(seconds / size)
}
