import { removedAuthorId } from '../../contract/ids'
import { accounts } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'

/** Inserts the hidden account that owns objects being deleted in parts, unless it exists. */
export function makeRemovedAuthor(ctx: Ctx) {
  const now = ctx.clock.now()
  return ctx.db
    .insert(accounts)
    .values({
      id: removedAuthorId,
      // No user can take the name.
      username: '.removed',
      actorType: 'Application',
      locked: true,
      discoverable: false,
      hideCollections: true,
      suspendedAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing()
}
