import { sql } from 'drizzle-orm'
import { type Query, rows } from '../../db/query'
import { statuses } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { visibleToModerators } from '../policy/visibility'

/** Newest statuses that are looked through: authors may have written to followers alone for years. */
const mostExamined = 60

const { id, uri, url, content, spoilerText, visibility, sensitive, attachments, localOnly } = statuses
const columns = { id, uri, url, content, spoilerText, visibility, sensitive, attachments, localOnly }

/** Post of an account as moderators see it. */
export type AccountPost = Pick<typeof statuses.$inferSelect, keyof typeof columns>

/** The newest posts of an account that moderators may read, without reblogs. One statement. */
export function findAccountPosts(
  ctx: Ctx,
  accountId: AccountId,
  { limit }: { readonly limit: number },
): Query<readonly AccountPost[]> {
  return rows(
    ctx.db
      .select(columns)
      .from(statuses)
      .where(
        sql`${id} in (select id from statuses where account_id = ${accountId} order by id desc ${limitTo(mostExamined)})
          and ${statuses.reblogOfId} is null and ${visibleToModerators('statuses')}`,
      )
      .orderBy(sql`${id} desc`)
      .limit(limit),
  )
}
