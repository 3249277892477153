import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../context'
import { accountSeverances, accounts, follows, severanceEvents, severedFollows } from '../db/schema'
import type { AccountId } from '../lib/ids'
import type { Changes } from './changes'
import { notify } from './notify'

export interface Severance {
  readonly type: 'domain_block' | 'user_domain_block' | 'account_suspension'
  /** The domain, or the name of the account. */
  readonly target: string
  /** The follows to end: rows (id, account_id, target_account_id) of `follows`. */
  readonly ties: SQL
  /** The people of this server who have such follows, or are followed. */
  readonly affected: readonly AccountId[]
}

/** How many people one statement notifies. */
const toldAtOnce = 500

/**
 * Adds what ends many follows between people of this server and of others at once, with their counters, and keeps
 * for those who lost them whom they lost, which they are told. Nothing is kept where there was nothing to lose.
 */
export function severFollows(ctx: Ctx, changes: Changes, { type, target, ties, affected }: Severance): void {
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
    ctx.db.run(sql`insert into ${accountSeverances} (event_id, account_id, followers_count, following_count)
      select event_id, account_id, sum(1 - followed), sum(followed) from severed_follows
        where event_id = ${id} group by account_id`),
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
  for (let start = 0; start < affected.length; start += toldAtOnce) {
    const told = affected.slice(start, start + toldAtOnce)
    const about = { type: 'severed_relationships', statusId: null, subjectId: id } as const
    notify(
      ctx,
      changes,
      told.map((to) => ({ ...about, to, from: to })),
    )
  }
}

function countOf(ties: SQL, side: 'account_id' | 'target_account_id'): SQL {
  return sql`select count(*) from (${ties}) lost where lost.${sql.raw(side)} = ${accounts.id}`
}
