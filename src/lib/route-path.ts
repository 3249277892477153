import type { Result, Router } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { getPathNoStrict } from 'hono/utils/url'

const extension = '.json'

/** Paths of APIs; pages and files have no second spelling. */
const forPrograms = /^\/(?:(?:api|users|actor|inbox|nodeinfo|\.well-known|collections|oauth)(?:\/|\.json$)|@)/

/**
 * The path for route matching. `literal` are the routes that end in `.json` themselves.
 *
 * Rails ignores a slash at the end and takes `.json` there as the requested format, and clients written against
 * Mastodon rely on both: Mastodon.py requests `/api/v1/instance/`. Signatures and links use the path as it was
 * sent.
 */
export function routePath(request: Request, literal: ReadonlySet<string>): string {
  const path = getPathNoStrict(request)
  return hasJsonExtension(request) && !literal.has(path) ? path.slice(0, -extension.length) : path
}

/** Whether the path of a request names JSON as the requested format. */
export function hasJsonExtension(request: Request): boolean {
  const path = getPathNoStrict(request)
  return path.endsWith(extension) && forPrograms.test(path)
}

/** Methods whose matches are kept: no route has another. */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Hono's usual router, which keeps what it found for paths that are routes without parameters: searching the handlers and
 * middleware of one takes as long as a middleware or two. At most one match for each such path and method is kept.
 */
export class LiteralRouter<T> implements Router<T> {
  readonly name = 'LiteralRouter'
  readonly #router = new SmartRouter<T>({ routers: [new RegExpRouter<T>(), new TrieRouter<T>()] })
  readonly #literal = new Set<string>()
  readonly #found = new Map<string, Result<T>>()

  add(method: string, path: string, handler: T): void {
    if (!/[:*?{]/.test(path)) this.#literal.add(path)
    this.#router.add(method, path, handler)
  }

  match(method: string, path: string): Result<T> {
    if (!this.#literal.has(path) || !methods.has(method)) return this.#router.match(method, path)
    const key = `${method} ${path}`
    const found = this.#found.get(key) ?? this.#router.match(method, path)
    this.#found.set(key, found)
    return found
  }
}
