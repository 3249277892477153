/** A request as signatures see it. */
export interface HttpMessage {
  readonly method: string
  /** As it was addressed: for what reaches us built by `publicUrlOf`. */
  readonly url: string
  readonly headers: Headers
  /** Null for requests that carry none. */
  readonly body: Uint8Array | null
}

/**
 * The address of a request under our configured origin.
 *
 * Never the `Host` header: whoever relays a signed request could write another host there, and behind a proxy
 * it is the proxy's.
 */
export function publicUrlOf(origin: string, requestUrl: string): string {
  const { pathname, search } = new URL(requestUrl)
  return `${origin}${pathname}${search}`
}

/** The value a field contributes: all its lines, joined; `host` is what the address says. Null also for no field name. */
export function fieldValue(message: HttpMessage, name: string): string | null {
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return null
  if (name === 'host') return new URL(message.url).host
  return message.headers.get(name)?.trim() ?? null
}

/** Must a digest vouch for a body? An empty one counts: otherwise somebody could fill it. */
export function carriesBody(message: HttpMessage): boolean {
  return message.body !== null || !/^(get|head)$/i.test(message.method)
}

/** The path with its query as sent. */
export function targetOf(message: HttpMessage): { readonly path: string; readonly query: string } {
  const { pathname, search } = new URL(message.url)
  return { path: pathname, query: search }
}
