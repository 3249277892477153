import { and, eq } from 'drizzle-orm'
import { accountNotes } from '../../db/schema'
import { Invalid } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { findRelationshipPair } from './find'

const maxCharacters = 2_000

/** Stores the viewer's private note about `target`; an empty comment deletes it. */
export async function noteAccount(
  ctx: Ctx,
  viewer: Viewer,
  target: AccountId,
  comment: string,
): Promise<void> {
  if ([...comment].length > maxCharacters)
    throw new Invalid('too_long', { field: 'comment', max: maxCharacters })
  await findRelationshipPair(ctx, viewer, target)
  const changes = new Changes()
  if (comment.trim() === '')
    changes.add(
      ctx.db
        .delete(accountNotes)
        .where(and(eq(accountNotes.accountId, viewer.id), eq(accountNotes.targetAccountId, target))),
    )
  else
    changes.add(
      ctx.db
        .insert(accountNotes)
        .values({ accountId: viewer.id, targetAccountId: target, comment })
        .onConflictDoUpdate({
          target: [accountNotes.accountId, accountNotes.targetAccountId],
          set: { comment },
        }),
    )
  await commit(ctx, changes)
}
