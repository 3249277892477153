import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { actorUri, statusUri } from '../../../contract/addresses'
import { combineQueries, first, limitTo, map, type Query, rows } from '../../../db/query'
import { quotes, users } from '../../../db/schema'
import type { AccountId, StatusId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { type Page, pageSql } from '../../core/page'
import { type ViewerRef, viewerById } from '../../core/viewer'
import { notBlockedOrMutedBy } from '../../policy/blocks-and-mutes'
import type { QuoterRelation } from '../../policy/interaction'
import { type VisibleStatus, visibleTo } from '../../policy/visibility'
import { idByAddress, originalOf, visibleAtAddress, visibleOriginal } from '../find'
import { type AuthorRelation, authorRelationOf } from '../find-author'

/** A status to quote, and the relation of the quoting account to its author. */
export interface QuoteTarget {
  readonly status: VisibleStatus
  readonly uri: string
  readonly standing: QuoterRelation
  /** By account or by domain. */
  readonly blocksAuthor: boolean
}

/**
 * The status that a quote of `id` would quote: a reblog resolves to its original. Null if `account` may not see
 * it. Two statements.
 */
export function quoteTarget(ctx: Ctx, account: AccountId, id: StatusId): Query<QuoteTarget | null> {
  const found = combineQueries({
    status: visibleOriginal(ctx, viewerById(account), id),
    standing: authorRelationOf(ctx, account, originalOf(id)),
  })
  return map(found, (facts) => targetOf(ctx, account, facts))
}

/** The quote target at a local or remote address, as `quoteTarget`. */
export function quoteTargetAt(ctx: Ctx, account: AccountId, address: string): Query<QuoteTarget | null> {
  const found = combineQueries({
    status: visibleAtAddress(ctx, viewerById(account), address),
    standing: authorRelationOf(ctx, account, originalAt(ctx, address)),
  })
  return map(found, (facts) => targetOf(ctx, account, facts))
}

function originalAt(ctx: Ctx, address: string): SQL<StatusId> {
  return sql<StatusId>`(select coalesce(reblog_of_id, id) from statuses where id = ${idByAddress(ctx, address)})`
}

interface Found {
  readonly status: VisibleStatus | null
  readonly standing: AuthorRelation | null
}

function targetOf(ctx: Ctx, account: AccountId, { status, standing }: Found): QuoteTarget | null {
  if (status === null || standing === null) return null
  return {
    status,
    uri: status.uri ?? statusUri(ctx.config.origin, standing.authorName, status.id),
    standing: { isAuthor: status.accountId === account, followsAuthor: standing.followsParent },
    blocksAuthor: standing.blocksAuthor,
  }
}

export type QuoteRow = typeof quotes.$inferSelect

/** The quote in the status `id`. One statement. */
export function quoteIn(ctx: Ctx, id: SQL | StatusId): Query<QuoteRow | null> {
  return first(ctx.db.select(getTableColumns(quotes)).from(quotes).where(sql`${quotes.statusId} = ${id}`))
}

/** A quote and facts about the status that contains it. */
export interface QuotingFacts {
  readonly quote: QuoteRow
  readonly local: boolean
  readonly localOnly: boolean
  readonly uri: string | null
}

/** The quote in the status with the id expression `id`, with what its answer depends on. One statement. */
export function quotingFacts(ctx: Ctx, id: SQL): Query<QuotingFacts | null> {
  return quotingWhere(ctx, sql`${quotes.statusId} = ${id}`)
}

/**
 * The quote whose authorization is at `authorizationUri`, allegedly by `author`. One statement.
 *
 * Any status may claim that address: quotes of `author` come first, then accepted ones.
 */
export function quoteConsentedAt(
  ctx: Ctx,
  author: AccountId,
  authorizationUri: string,
): Query<QuotingFacts | null> {
  const order = sql`${quotes.quotedAccountId} is ${author} desc, ${quotes.state} = 'accepted' desc`
  return quotingWhere(ctx, eq(quotes.authorizationUri, authorizationUri), order)
}

function quotingWhere(ctx: Ctx, condition: SQL, order?: SQL): Query<QuotingFacts | null> {
  const found = first(
    ctx.db
      .select({
        ...getTableColumns(quotes),
        uri: sql<string | null>`s.uri`.as('uri'),
        local: sql<number>`s.local`.as('local'),
        localOnly: sql<number>`s.local_only`.as('local_only'),
      })
      .from(quotes)
      .innerJoin(sql`statuses s`, sql`s.id = ${quotes.statusId}`)
      .where(condition)
      .orderBy(order ?? quotes.statusId)
      .limit(1),
  )
  return map(found, (row) => {
    if (row === null) return null
    const { uri, local, localOnly, ...quote } = row
    return { quote, uri, local: local === 1, localOnly: localOnly === 1 }
  })
}

/** A status with an accepted quote, and its author. */
export interface Quoter {
  readonly statusId: StatusId
  readonly accountId: AccountId
}

/**
 * The next quotes of the status `id`, by the ids of their statuses: `isLocal` are accepted ones by local accounts. All
 * are examined, so that a status that many servers quote costs no more. One statement.
 */
export function quotesBehind(
  ctx: Ctx,
  id: SQL,
  { after, count }: { readonly after: StatusId; readonly count: number },
): Query<readonly (Quoter & { readonly isLocal: number })[]> {
  return rows(
    ctx.db
      .select({
        statusId: quotes.statusId,
        accountId: quotes.accountId,
        // Named with the table: as columns they would be those of users within.
        isLocal: sql<number>`(quotes.state = 'accepted'
          and exists (select 1 from ${users} u where u.account_id = quotes.account_id))`.as('is_local'),
      })
      .from(quotes)
      .where(
        sql`${quotes.quotedStatusId} = ${id} and ${quotes.statusId} > ${after}
          order by ${quotes.statusId} ${limitTo(count)}`,
      ),
  )
}

/** Approval of a quote by a local author that other servers may read: author, quoting and quoted status. */
export interface QuoteAuthorizationFacts {
  readonly author: string
  readonly quoting: string
  readonly quoted: string
}

/**
 * Approval by the local account `username` of the quote in the status `id`. Readable by viewers of both statuses
 * and by the quoting account's server, since it reveals that both exist. One statement.
 */
export function findQuoteAuthorization(
  ctx: Ctx,
  reader: ViewerRef,
  { username, id }: { readonly username: string; readonly id: StatusId },
): Query<QuoteAuthorizationFacts | null> {
  const isQuoters = sql`exists (select 1 from accounts r where r.id = ${reader.id} and r.domain = quoter.domain)`
  const found = first(
    ctx.db
      .select({
        author: sql<string>`a.username`.as('author'),
        quotedId: sql<StatusId>`original.id`.as('quoted_id'),
        quotingUri: sql<string | null>`s.uri`.as('quoting_uri'),
        quotingName: sql<string>`quoter.username`.as('quoting_name'),
      })
      .from(sql`quotes q cross join statuses original cross join accounts a
        cross join statuses s cross join accounts quoter`)
      .where(sql`q.status_id = ${id} and q.state = 'accepted' and q.account_id <> q.quoted_account_id
        and original.id = q.quoted_status_id and original.local = 1 and original.local_only = 0
        and a.id = original.account_id and a.suspended_at is null and lower(a.username) = ${username.toLowerCase()}
        and s.id = q.status_id and s.local_only = 0 and quoter.id = s.account_id
        and ${visibleTo(reader, 'original')} and (${visibleTo(reader, 's')} or ${isQuoters})`),
  )
  const { origin } = ctx.config
  return map(found, (row) =>
    row === null
      ? null
      : {
          author: actorUri(origin, row.author),
          quoting: row.quotingUri ?? statusUri(origin, row.quotingName, id),
          quoted: statusUri(origin, row.author, row.quotedId),
        },
  )
}

/**
 * Accepted quotes of the status `id`, newest first, as rows (id, cursor), that the viewer may see and has not
 * muted or blocked.
 */
export function quotesSelection(
  { viewer, id, now }: { readonly viewer: ViewerRef; readonly id: StatusId; readonly now: Date },
  page: Page,
): SQL {
  return pageSql(
    page,
    sql`q.status_id`,
    (bounds) => sql`select s.id as id, q.status_id as cursor from quotes q cross join statuses s
      where q.quoted_status_id = ${id} and q.state = 'accepted' and s.id = q.status_id and ${bounds}
        and ${visibleTo(viewer)} and ${notBlockedOrMutedBy(viewer, now)}`,
  )
}
