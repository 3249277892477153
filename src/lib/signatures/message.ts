/** An HTTP request as input of signatures. */
export interface HttpMessage {
  readonly method: string
  /** Request URL; for incoming requests built by `publicUrlOf`. */
  readonly url: string
  readonly headers: Headers
  /** Null for requests without a body. */
  readonly body: Uint8Array | null
}

/**
 * The URL of a request under our configured origin.
 *
 * Never the `Host` header: a relay of a signed request could write another host there, and behind a proxy it is
 * the proxy's.
 */
export function publicUrlOf(origin: string, requestUrl: string): string {
  const { pathname, search } = new URL(requestUrl)
  return `${origin}${pathname}${search}`
}

/**
 * Signature value of a header field: its lines, joined; `host` is taken from the URL. Null for invalid names
 * too.
 */
export function fieldValue(message: HttpMessage, name: string): string | null {
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return null
  if (name === 'host') return new URL(message.url).host
  return message.headers.get(name)?.trim() ?? null
}

/** Whether a digest is required for the body. An empty one counts: otherwise an attacker could fill it. */
export function carriesBody(message: HttpMessage): boolean {
  return message.body !== null || !/^(get|head)$/i.test(message.method)
}

/** The path with its query as sent. */
export function targetOf(message: HttpMessage): { readonly path: string; readonly query: string } {
  const { pathname, search } = new URL(message.url)
  return { path: pathname, query: search }
}
