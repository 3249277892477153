import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { first, type Query, rows } from '../../db/query'
import { emojiReactions } from '../../db/schema'
import type { EmojiSnapshot } from '../../db/values'
import type { AccountId, StatusId } from '../../lib/ids'
import { originalOf } from './find'

/** One person may react in so many ways to a status, and all together in so many: the status row keeps the kinds. */
export const reactionLimits = { perAccount: 8, kinds: 50 } as const

export interface OwnReaction {
  readonly id: number
  readonly statusId: StatusId
  readonly name: string
  readonly emoji: EmojiSnapshot | null
}

/** How `by` reacts to the status `id`, or to what it reblogs. One statement. */
export function reactionsBy(ctx: Ctx, by: AccountId, status: StatusId): Query<OwnReaction[]> {
  const { id, statusId, name, emoji, accountId } = emojiReactions
  return rows(
    ctx.db
      .select({ id, statusId, name, emoji })
      .from(emojiReactions)
      .where(and(eq(accountId, by), eq(statusId, originalOf(status)))),
  )
}

/** The reaction with this id. One statement. */
export function reactionWithId(ctx: Ctx, id: number): Query<Pick<OwnReaction, 'name' | 'emoji'> | null> {
  const { name, emoji } = emojiReactions
  return first(ctx.db.select({ name, emoji }).from(emojiReactions).where(eq(emojiReactions.id, id)))
}

/** For an insert: is there room on the status for one more reaction by this person, of this kind? */
export function roomForReaction(status: StatusId, by: AccountId, name: string): SQL {
  return sql`exists (select 1 from statuses s where s.id = ${status}
    and (select count(*) from emoji_reactions r where r.status_id = s.id and r.account_id = ${by})
      < ${reactionLimits.perAccount}
    and (json_array_length(s.reactions) < ${reactionLimits.kinds}
      or exists (select 1 from json_each(s.reactions) kind where kind.value ->> 'name' = ${name})))`
}
