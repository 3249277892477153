import type { AppContext } from '../../platform/app-env'

/** The number in `:id` of the path; null if it is none, as no thing has such an id. */
export function idInPath(c: AppContext): number | null {
  const id = Number(c.req.param('id'))
  return Number.isSafeInteger(id) ? id : null
}
