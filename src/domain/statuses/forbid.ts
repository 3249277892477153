import { tombstones } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'

/**
 * Statement that keeps what moderators deleted, by its URIs, from being stored again. Its tombstones stay: those recently
 * copies are pruned.
 */
export function forbid(ctx: Ctx, uris: readonly string[]) {
  const deletedAt = ctx.clock.now()
  const forGood = uris.map((uri) => ({ uri, deletedAt, published: true }))
  return ctx.db
    .insert(tombstones)
    .values(forGood)
    .onConflictDoUpdate({ target: tombstones.uri, set: { published: true } })
}
