import type { AppContext } from '../../ports/app-env'

const form = /^\d{1,16}$/

/** Parses the upper bound of a page (exclusive id). Malformed ids count as absent. */
export function maxIdOf(c: AppContext): number | undefined {
  const text = c.req.query('max_id') ?? ''
  return form.test(text) ? Number(text) : undefined
}

/** Parses the lower bound of an ascending page. */
export function minIdOf(c: AppContext): number | undefined {
  const text = c.req.query('min_id') ?? ''
  return form.test(text) ? Number(text) : undefined
}
