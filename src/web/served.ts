import type { Ctx } from '../context'

/** What every page finds in Hono's context. */
export interface Served {
  Bindings: Env
  Variables: { readonly ctx: Ctx }
}
