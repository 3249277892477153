import type { Ctx } from '../context'

/** What every page finds in Hono's context. */
export interface Served {
  Bindings: object
  Variables: { readonly ctx: Ctx }
}
