import { fieldErrors, formErrors, requestErrors } from './codes'
import type { Problem } from './sentences'

const templates = Object.entries({ ...fieldErrors, ...formErrors, ...requestErrors })

/** Error that was stored in the words of the API, as rows of scheduled posts do; null for other words. */
export function problemIn(stored: string): Problem | null {
  const words = stored.replace(/^Validation failed: /, '')
  for (const [code, template] of templates) {
    const field = code in fieldErrors ? '(?<field>[A-Z][a-z]*(?: [a-z]+)*) ?' : ''
    const found = new RegExp(`^${field}${patternOf(template)}$`).exec(words)
    if (found !== null && isCode(code)) return { code, values: { ...found.groups } }
  }
  return null
}

function isCode(
  code: string,
): code is keyof typeof fieldErrors | keyof typeof formErrors | keyof typeof requestErrors {
  return code in fieldErrors || code in formErrors || code in requestErrors
}

/** Pattern with a group for each value. */
function patternOf(template: string): string {
  const seen = new Set<string>()
  return template.replaceAll(/[.?*+^$()|[\]\\]/g, '\\$&').replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (seen.has(name)) return `\\k<${name}>`
    seen.add(name)
    return `(?<${name}>.+)`
  })
}
