import type { Context } from 'hono'
import type { Look } from '../contract/look'
import { clientAddress } from '../lib/network'
import type { Ctx } from './ctx'

/** Environment of every Hono route: bindings of the Worker, and the `Ctx` of the request. */
export interface AppEnv {
  Bindings: Env
  Variables: {
    readonly ctx: Ctx
    readonly caching?: Caching
    /** Language, time zone and look chosen by the account of the session. */
    readonly chosen?: ChosenReader
    /** The session cookie of a request to the API; absent without one. */
    readonly browserSession?: BrowserSession
  }
}

/** A session cookie of this server, with what the origin of its request lets it count for. */
export interface BrowserSession {
  /** Hash of its secret; null where the request is not known to be made by a page of this server. */
  readonly hash: string | null
}

/** Language, time zone and look as an account has them in its settings. */
export interface ChosenReader {
  readonly locale: string
  /** Null where none is chosen. */
  readonly timeZone: string | null
  readonly look: Look
}

/** Permission to serve a response to every anonymous request for its address, for some seconds. */
export interface Caching {
  /**
   * Seconds for which another isolate may serve it after a change: a few for what shows accounts or statuses, more for
   * facts about the server.
   */
  readonly seconds: number
  /** Whether its requests count for the limit of callers without a token. */
  readonly isCounted: boolean
}

export const cachedSeconds = { people: 5, server: 60 } as const

const mostQuery = 400

/**
 * Lets the response to this request be cached, unless its address is one of many for the same: parameters that are not
 * among `parameters`, or named twice, would fill the memory.
 */
export function allowCaching(
  c: AppContext,
  caching: Caching,
  parameters: Readonly<Record<string, RegExp>> = {},
): void {
  const { search, searchParams, pathname } = new URL(c.req.url)
  const names = [...searchParams.keys()]
  const isPlain =
    search.length <= mostQuery &&
    new Set(names).size === names.length &&
    names.every((name) => parameters[name]?.test(searchParams.get(name) ?? ''))
  if (isPlain && (pathname === '/' || !/\/$|\/\/|\.json$/.test(pathname))) c.set('caching', caching)
}

export type AppContext = Context<AppEnv>

/** Client address of the request, as Cloudflare reports it. */
export function clientIp(c: AppContext): string {
  return clientAddress(c.req.raw.headers)
}
