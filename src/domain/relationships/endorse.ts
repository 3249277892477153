import { and, eq, sql } from 'drizzle-orm'
import { endorsements } from '../../db/schema'
import { Invalid } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { findRelationshipPair } from './find'

/** Features `target` on the viewer's profile. `Invalid` unless the viewer follows it. */
export async function endorseAccount(ctx: Ctx, viewer: Viewer, target: AccountId): Promise<void> {
  await findRelationshipPair(ctx, viewer, target)
  const changes = new Changes()
    .require(
      sql`exists (select 1 from follows where account_id = ${viewer.id} and target_account_id = ${target})`,
      new Invalid('not_following'),
    )
    .add(
      ctx.db
        .insert(endorsements)
        .values({ id: ctx.ids.next(), accountId: viewer.id, targetAccountId: target })
        .onConflictDoNothing({ target: [endorsements.accountId, endorsements.targetAccountId] }),
    )
  await commit(ctx, changes)
}

export async function unendorseAccount(ctx: Ctx, viewer: Viewer, target: AccountId): Promise<void> {
  await findRelationshipPair(ctx, viewer, target)
  const changes = new Changes().add(
    ctx.db
      .delete(endorsements)
      .where(and(eq(endorsements.accountId, viewer.id), eq(endorsements.targetAccountId, target))),
  )
  await commit(ctx, changes)
}
