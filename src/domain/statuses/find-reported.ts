import { sql } from 'drizzle-orm'
import { type Query, rows } from '../../db/query'
import { jsonRows, limitTo } from '../../db/sql'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { viewerById } from '../core/viewer'
import { visibleTo } from '../policy/visibility'

/** Followers checked for an account of the reporting server. */
const followersSeen = 500

/**
 * Local statuses among `named` that an account of `domain` could see, with their authors. Moderators see them, so
 * a report must not expose statuses the reporter cannot see. Servers do not name the reporting account, so every
 * account of the domain counts. One statement.
 */
export function ownStatusesAmong(
  ctx: Ctx,
  named: readonly { readonly username: string; readonly id: StatusId }[],
  domain: string,
): Query<{ id: StatusId; accountId: AccountId }[]> {
  const asked = named.map(({ username, id }) => ({ username: username.toLowerCase(), id }))
  return rows(
    ctx.db
      .select({
        id: sql<StatusId>`s.id`.as('id'),
        accountId: sql<AccountId>`s.account_id`.as('account_id'),
      })
      .from(
        sql`${jsonRows(asked)} cross join statuses s on s.id = item.value ->> 'id' and s.local = 1
          cross join accounts a on a.id = s.account_id and lower(a.username) = item.value ->> 'username'`,
      )
      .where(
        sql`s.local_only = 0 and (s.visibility in ('public', 'unlisted')
          or exists (select 1 from status_mentions m cross join accounts who on who.id = m.account_id
            where m.status_id = s.id and who.domain = ${domain})
          or s.visibility = 'private' and exists (select 1
            from (select account_id as id from follows where target_account_id = s.account_id
              ${limitTo(followersSeen)}) f cross join accounts who on who.id = f.id
            where who.domain = ${domain}))`,
      ),
  )
}

/** A reported status, and the domain of the account it replies to; null if it is no reply or the account is local. */
export interface ReportedStatus {
  readonly id: StatusId
  readonly answers: string | null
}

/** Statuses among `named` by `author` that `reporter` may see, without duplicates. One statement. */
export function statusesToReport(
  ctx: Ctx,
  {
    reporter,
    author,
    named,
  }: Readonly<Record<'reporter' | 'author', AccountId>> & { named: readonly StatusId[] },
): Query<ReportedStatus[]> {
  return rows(
    ctx.db
      .select({
        id: sql<StatusId>`s.id`.as('id'),
        answers: sql<string | null>`answered.domain`.as('answers'),
      })
      .from(
        sql`${jsonRows(named)} cross join statuses s on s.id = item.value
          left join accounts answered on answered.id = s.in_reply_to_account_id`,
      )
      .where(sql`s.account_id = ${author} and ${visibleTo(viewerById(reporter))}`),
  )
}

/** A status in a forwarded report: its URI, and the remote account it replies to. */
export interface ForwardedStatus {
  readonly uri: string
  readonly answeredId: AccountId | null
  readonly answers: string | null
}

/** Existing remote statuses in the report `id`, in its order. One statement. */
export function statusesInReport(ctx: Ctx, id: number): Query<ForwardedStatus[]> {
  return rows(
    ctx.db
      .select({
        uri: sql<string>`s.uri`.as('uri'),
        answeredId: sql<AccountId | null>`answered.id`.as('answered_id'),
        answers: sql<string | null>`answered.domain`.as('answers'),
      })
      .from(
        sql`reports r cross join json_each(r.status_ids) named cross join statuses s on s.id = named.value
          left join accounts answered on answered.id = s.in_reply_to_account_id`,
      )
      .where(sql`r.id = ${id} and s.uri is not null`)
      .orderBy(sql`named.key`),
  )
}
