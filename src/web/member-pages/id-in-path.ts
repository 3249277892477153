import { NotFound } from '../../errors'
import type { AppContext } from '../../ports/app-env'

/** The number in `:id` of the path; null if it is none, as no thing has such an id. */
export function idInPath(c: AppContext): number | null {
  const id = Number(c.req.param('id'))
  return Number.isSafeInteger(id) ? id : null
}

/** The number in `:id` of the path. `NotFound` for anything else. */
export function requireIdInPath(c: AppContext): number {
  const id = idInPath(c)
  if (id === null) throw new NotFound()
  return id
}
