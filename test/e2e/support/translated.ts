import { readFileSync } from 'node:fs'
import * as z from 'zod'

/** The words of pages for an English text that has no values. */
export function translated(language: string, text: string): string {
  if (language === 'en') return text
  const words = z
    .record(z.string(), z.string())
    .parse(JSON.parse(readFileSync(`public/messages/${language}.json`, 'utf8')))
  const found = words[text]
  if (found === undefined) throw new Error(`public/messages/${language}.json has no “${text}”`)
  return found
}
