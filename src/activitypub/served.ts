import type { Context } from 'hono'
import type { Ctx } from '../context'

export interface Served {
  Bindings: object
  Variables: { readonly ctx: Ctx }
}

export type C = Context<Served>
