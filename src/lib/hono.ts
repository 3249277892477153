import { HonoBase } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'
import type { Env } from 'hono/types'

/**
 * Stands in for `hono` in the bundle: that tries a second router before this one, in vain, for it cannot tell our
 * paths apart.
 */
export class Hono<E extends Env> extends HonoBase<E> {
  constructor() {
    super()
    this.router = new TrieRouter()
  }
}
