import { cleanJson } from '../text/clean-json'

/** `{{object.account.username}}`: names of keys, or positions in lists. */
const expression = /\{\{[a-z_]+(?:\.(?:[a-z_]+|\d+))*\}\}/gi

/**
 * Renders a payload template: each `{{path}}` is replaced by the value there as JSON, texts without their quotes, so that
 * they fit into other texts. A path that leads nowhere becomes `null`. The syntax is that of Mastodon's templates.
 */
export function renderTemplate(template: string, payload: unknown): string {
  return template.replaceAll(expression, (found) => {
    const value = valueAt(payload, found.slice(2, -2).split('.'))
    const json = cleanJson(value ?? null)
    return typeof value === 'string' ? json.slice(1, -1) : json
  })
}

function valueAt(payload: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    return Object.entries(value).find(([key]) => key === name)?.[1]
  }, payload)
}

/** Problem of a template, in a few words; null for a valid one. */
export function templateProblem(template: string): string | null {
  const rest = template.replaceAll(expression, '')
  const open = rest.indexOf('{{')
  if (open === -1) return null
  const line = template.slice(0, template.indexOf(rest.slice(open, open + 20))).split('\n').length
  return `is invalid: line ${line} has {{ without a path and }}`
}
