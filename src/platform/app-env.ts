import type { Context } from 'hono'
import { clientAddress } from '../lib/network'
import type { Ctx } from './ports'

/** Environment of every Hono route: bindings of the Worker, and the `Ctx` of the request. */
export interface AppEnv {
  Bindings: Env
  Variables: { readonly ctx: Ctx }
}

export type AppContext = Context<AppEnv>

/** Client address of the request, as Cloudflare reports it. */
export function clientIp(c: AppContext): string {
  return clientAddress(c.req.raw.headers)
}
