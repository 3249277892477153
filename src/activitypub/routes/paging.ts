import type { AppContext } from '../../platform/app-env'

const form = /^\d{1,16}$/

/** Where a page begins: below this id. What is no id counts as none. */
export function maxIdOf(c: AppContext): number | undefined {
  const text = c.req.query('max_id') ?? ''
  return form.test(text) ? Number(text) : undefined
}

/** The same for pages that go upwards. */
export function minIdOf(c: AppContext): number | undefined {
  const text = c.req.query('min_id') ?? ''
  return form.test(text) ? Number(text) : undefined
}
