import type { Result, Router } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'

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
