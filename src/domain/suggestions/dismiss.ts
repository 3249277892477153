import { sql } from 'drizzle-orm'
import { suggestionDismissals } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'

/**
 * Excludes `target` from the viewer's suggestions for good. The response does not reveal whether the account exists.
 */
export async function dismissSuggestion(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  target: AccountId,
): Promise<void> {
  const keep = ctx.db.run(sql`insert into ${suggestionDismissals} (account_id, target_account_id)
    select ${viewer.id}, a.id from accounts a where a.id = ${target} on conflict do nothing`)
  await commit(ctx, new Changes().add(keep))
}
