import { and, eq, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { homeEntries } from '../../db/schema'
import type { Visibility } from '../../db/schema/statuses'
import { limitTo } from '../../db/sql'
import type { AccountId, StatusId } from '../../lib/ids'

/** How many of a newly followed account's statuses enter the home feed. */
const backfillLength = 40

/**
 * A statement that puts a status into the home feeds of its author, if one of ours, and of the local followers it is for.
 *
 * For the batch that stores the status, after its mentions: a direct one enters the feeds of followers it names.
 */
export function enterHomes(
  ctx: Ctx,
  status: { readonly id: StatusId; readonly visibility: Visibility; readonly local: boolean },
) {
  const local = sql`exists (select 1 from users where users.account_id = f.account_id)`
  const reached =
    status.visibility === 'direct'
      ? sql`status_mentions m cross join follows f on m.status_id = s.id
          and f.account_id = m.account_id and f.target_account_id = s.account_id
          where s.id = ${status.id} and ${local}`
      : sql`follows f on f.target_account_id = s.account_id
          where s.id = ${status.id} and ${local} and ${entersHome}`
  const author = sql`union all select s.account_id, s.id from statuses s where s.id = ${status.id}`
  return ctx.db.run(sql`
    insert into ${homeEntries} (account_id, status_id)
    select f.account_id, s.id from statuses s cross join ${reached}
    ${status.local ? author : sql``}
    on conflict do nothing`)
}

/** How old an answer may be that enters home feeds late, when what it answers became known. */
const lateMilliseconds = 6 * 3_600_000

/** A statement that puts recent answers to the status `id` into the home feeds of followers they are for. */
export function enterHomesAnswering(ctx: Ctx, id: StatusId) {
  const since = ctx.clock.now().getTime() - lateMilliseconds
  return ctx.db.run(sql`
    insert into ${homeEntries} (account_id, status_id)
    select f.account_id, s.id
    from statuses s cross join follows f on f.target_account_id = s.account_id
    where s.in_reply_to_id = ${id} and s.created_at > ${since} and ${entersHome}
      and exists (select 1 from users where users.account_id = f.account_id)
    on conflict do nothing`)
}

/**
 * Puts the latest statuses of `target` into the home feed of `follower`, under the rules that hold for new ones.
 *
 * Does nothing when the follow is gone again, and for people of other servers. Running it twice changes nothing.
 */
export async function backfillHome(ctx: Ctx, follower: AccountId, target: AccountId): Promise<void> {
  await ctx.db.run(sql`
    insert into ${homeEntries} (account_id, status_id)
    select f.account_id, s.id
    from follows f join statuses s on s.account_id = f.target_account_id
    where f.account_id = ${follower} and f.target_account_id = ${target} and ${entersHome}
      and exists (select 1 from users where users.account_id = f.account_id)
    order by s.id desc ${limitTo(backfillLength)}
    on conflict do nothing`)
}

/** Takes the statuses of `target` out of the home feed of `follower`, unless it follows again. */
export async function forgetInHome(ctx: Ctx, follower: AccountId, target: AccountId): Promise<void> {
  await ctx.db.delete(homeEntries).where(
    and(
      eq(homeEntries.accountId, follower),
      // From the feed to its statuses: the feed is short, and the target may have written a great many.
      sql`exists (select 1 from statuses s where s.id = ${homeEntries.statusId} and s.account_id = ${target})`,
      sql`not exists (select 1 from follows where account_id = ${follower} and target_account_id = ${target})`,
    ),
  )
}

/** Takes the statuses of everybody of `domain` out of the home feed of `follower`, while it blocks the domain. */
export async function forgetDomainInHome(ctx: Ctx, follower: AccountId, domain: string): Promise<void> {
  await ctx.db.delete(homeEntries).where(
    and(
      eq(homeEntries.accountId, follower),
      sql`exists (select 1 from statuses s cross join accounts a on a.id = s.account_id
          where s.id = ${homeEntries.statusId} and a.domain = ${domain})`,
      sql`exists (select 1 from account_domain_blocks where account_id = ${follower} and domain = ${domain})`,
    ),
  )
}

/**
 * May the status `s` of a followed account enter the feed of `f.account_id`, by the follow `f`?
 *
 * Left out: direct ones, reblogs where the follow hides them, languages not chosen, and replies to people the
 * follower does not follow (their own replies to the follower or to themselves enter) or to what is unknown here.
 */
export const entersHome = sql`(
  s.visibility <> 'direct' and s.in_reply_to_uri is null
  and (s.reblog_of_id is null or f.show_reblogs = 1)
  and (f.languages is null or s.language is null or s.reblog_of_id is not null
    or s.language in (select value from json_each(f.languages)))
  and (s.in_reply_to_account_id is null or s.in_reply_to_account_id in (s.account_id, f.account_id)
    or exists (select 1 from follows known where known.account_id = f.account_id
      and known.target_account_id = s.in_reply_to_account_id)))`
