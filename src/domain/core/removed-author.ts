import { accounts } from '../../db/schema'
import { removedAuthorId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

/** Statement that makes the account of what is removed in parts, unless it is there. Nobody is shown it. */
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
