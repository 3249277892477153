import { type SQL, sql } from 'drizzle-orm'
import { first, jsonRows, limitTo, map, type Query, rows } from '../../db/query'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type ViewerRef, viewerById } from '../core/viewer'
import { isActiveAccount } from '../policy/account-visibility'
import { blockSql } from '../policy/block-predicates'
import type { InteractorRelation } from '../policy/interaction'
import { visibleTo } from '../policy/visibility'

/**
 * Viewer that is the author of the status `id` if the browser session belongs to them and their account is
 * active; otherwise an anonymous viewer. Used by pages that show authors their own statuses and everyone else
 * public ones.
 */
export function authorBySession(sessionHash: string, id: StatusId, now: Date): ViewerRef {
  return {
    signedIn: true,
    id: sql`(select browser.account_id from sessions browser cross join statuses written
      where browser.token_hash = ${sessionHash} and browser.expires_at > ${now.getTime()}
        and written.id = ${id} and written.account_id = browser.account_id
        and ${isActiveAccount('browser.account_id')})`,
  }
}

/**
 * Viewer that is the account `owner` selects if the browser session belongs to it and it is active; otherwise an
 * anonymous viewer.
 */
export function ownerBySession(sessionHash: string, owner: SQL, now: Date): ViewerRef {
  return {
    signedIn: true,
    id: sql`(select browser.account_id from sessions browser
      where browser.token_hash = ${sessionHash} and browser.expires_at > ${now.getTime()}
        and browser.account_id = ${owner} and ${isActiveAccount('browser.account_id')})`,
  }
}

/** Relation of an account to a status and its author. */
export interface AuthorRelation extends InteractorRelation {
  readonly authorName: string
  /** By account or by domain. */
  readonly blocksAuthor: boolean
}

/** Relation of `account` to the status with the id expression `id`, whether visible or not. One statement. */
export function authorRelationOf(
  ctx: Ctx,
  account: AccountId,
  id: SQL<StatusId>,
): Query<AuthorRelation | null> {
  const found = first(
    ctx.db
      .select({
        authorName: sql<string>`a.username`.as('author_name'),
        follows: sql<number>`exists (select 1 from follows
          where account_id = ${account} and target_account_id = a.id)`.as('follows'),
        named: sql<number>`exists (select 1 from status_mentions
          where status_id = s.id and account_id = ${account})`.as('named'),
        isBlocking: sql<number>`(${blockSql.blocks(account, sql`a.id`)}
          or ${blockSql.blocksDomain(account, sql`a.domain`)})`.as('is_blocking'),
      })
      .from(sql`statuses s cross join accounts a`)
      .where(sql`s.id = ${id} and a.id = s.account_id`),
  )
  return map(found, (row) =>
    row === null
      ? null
      : {
          authorName: row.authorName,
          followsParent: row.follows === 1,
          namedInParent: row.named === 1,
          blocksAuthor: row.isBlocking === 1,
        },
  )
}

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
