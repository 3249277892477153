import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../context'
import { accounts, follows, severanceEvents, severedFollows } from '../db/schema'
import type { Changes } from './changes'

export interface Severance {
  readonly type: 'domain_block' | 'user_domain_block'
  /** The domain. */
  readonly target: string
  /** The follows to end: rows (id, account_id, target_account_id) of `follows`. */
  readonly ties: SQL
}

/**
 * Adds what ends many follows between people of this server and of others at once, with their counters, and keeps
 * for those who lost them whom they lost. Nothing is kept where there was nothing to lose.
 */
export function severFollows(ctx: Ctx, changes: Changes, { type, target, ties }: Severance): void {
  const id = ctx.ids.next()
  changes.add(
    ctx.db.run(sql`insert into ${severanceEvents} (id, type, target, created_at)
      select ${id}, ${type}, ${target}, ${ctx.clock.now().getTime()} where exists (${ties})`),
    ctx.db.run(sql`insert into ${severedFollows} (event_id, account_id, other_account_id, followed)
      select ${id}, f.account_id, f.target_account_id, 1 from (${ties}) f
        cross join accounts a on a.id = f.account_id where a.domain is null
      union all
      select ${id}, f.target_account_id, f.account_id, 0 from (${ties}) f
        cross join accounts a on a.id = f.target_account_id where a.domain is null`),
    // Counted before the rows go: afterwards nothing tells whose they were.
    ctx.db
      .update(accounts)
      .set({ followingCount: sql`max(0, following_count - (${countOf(ties, 'account_id')}))` })
      .where(sql`id in (select account_id from (${ties}))`),
    ctx.db
      .update(accounts)
      .set({ followersCount: sql`max(0, followers_count - (${countOf(ties, 'target_account_id')}))` })
      .where(sql`id in (select target_account_id from (${ties}))`),
    ctx.db.delete(follows).where(sql`id in (select id from (${ties}))`),
  )
}

function countOf(ties: SQL, side: 'account_id' | 'target_account_id'): SQL {
  return sql`select count(*) from (${ties}) lost where lost.${sql.raw(side)} = ${accounts.id}`
}
