import type { Context } from 'hono'
import { clientAddress } from '../lib/network'
import type { Ctx } from './ports'

/** The environment of every Hono route: bindings of the Worker, and the `Ctx` of the request. */
export interface AppEnv {
  Bindings: Env
  Variables: { readonly ctx: Ctx }
}

export type AppContext = Context<AppEnv>

/** The address that the request came from, as Cloudflare reports it. */
export function clientIp(c: AppContext): string {
  return clientAddress(c.req.raw.headers)
}
