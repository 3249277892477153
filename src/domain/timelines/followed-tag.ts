import { sql } from 'drizzle-orm'
import { execute, first } from '../../db/query'
import { homeEntries, tagFollows } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { AccountId, TagId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { backfillHome } from './backfill'
import { eligibleByTag, hasFollowedTag } from './eligibility'

/** Statuses with the hashtag read as candidates. */
const maxCandidates = 200

/**
 * Adds the latest statuses with a newly followed hashtag to the home feed. Does nothing if it was unfollowed
 * meanwhile.
 */
export async function backfillHomeByTag(ctx: Ctx, owner: AccountId, followId: number): Promise<void> {
  const follow = await execute(
    ctx.db,
    first(
      ctx.db.select({ tagId: tagFollows.tagId }).from(tagFollows).where(sql`${tagFollows.id} = ${followId}`),
    ),
  )
  if (follow === null) return
  const latest = sql`select u.status_id from status_tags u where u.tag_id = ${follow.tagId}
    order by u.status_id desc ${limitTo(maxCandidates)}`
  const entering = sql`(${latest}) late cross join statuses s on s.id = late.status_id
    where ${eligibleByTag(sql`${owner}`, ctx.clock.now().getTime())}`
  await commit(ctx, new Changes().add(backfillHome(ctx, owner, entering)))
}

/**
 * Removes statuses that entered the home feed for a hashtag, unless it is followed again: those by accounts not
 * followed and without another followed hashtag.
 */
export async function removeTagFromHome(ctx: Ctx, owner: AccountId, tag: TagId): Promise<void> {
  const me = sql`${owner}`
  const cameForIt = sql`exists (select 1 from statuses s
    where s.id = ${homeEntries.statusId} and s.account_id <> ${owner} and s.reblog_of_id is null
      and exists (select 1 from status_tags u where u.tag_id = ${tag} and u.status_id = s.id)
      and not exists (select 1 from follows where account_id = ${owner} and target_account_id = s.account_id)
      and not ${hasFollowedTag(me)})`
  const isOut = sql`${homeEntries.accountId} = ${owner} and ${cameForIt}`
  await commit(ctx, new Changes().add(ctx.db.delete(homeEntries).where(isOut)))
}
