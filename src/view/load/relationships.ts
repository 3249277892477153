import { type SQL, sql } from 'drizzle-orm'
import { type BoundedSelection, combineQueries, map, type Query, rows } from '../../db/query'
import { follows } from '../../db/schema'
import type { ViewerRef } from '../../domain/core/viewer'
import { joinBlocksAndMutes, muteExpiry, selectMuteExpiries } from '../../domain/policy/block-predicates'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type AccountBundle, loadAccounts } from './accounts'

/** The relationship between the viewer and one account. */
export interface RelationshipFacts {
  readonly id: AccountId
  readonly following: boolean
  readonly requested: boolean
  /** Options of the follow, or of the follow request if there is no follow; null without either. */
  readonly showReblogs: boolean | null
  readonly notify: boolean | null
  readonly languages: readonly string[] | null
  readonly showReplies: boolean | null
  readonly fewer: boolean | null
  readonly followedBy: boolean
  readonly requestedBy: boolean
  readonly blocking: boolean
  readonly blockedBy: boolean
  readonly muting: boolean
  readonly mutingNotifications: boolean
  readonly mutingExpiresAt: Date | null
  readonly domainBlocking: boolean
  readonly endorsed: boolean
  readonly note: string
}

/**
 * Loads the viewer's relationships to the accounts a selection names by rows (id, cursor): one statement.
 *
 * In the order of the cursor, newest first. Expired mutes count as none.
 */
export function loadRelationships(
  ctx: Ctx,
  viewer: ViewerRef,
  selection: SQL,
): Query<readonly RelationshipFacts[]> {
  const now = ctx.clock.now().getTime()
  const found = rows(
    ctx.db
      .select({
        id: sql<AccountId>`page.id`.as('id'),
        showReblogs: sql<boolean | null>`coalesce(f.show_reblogs, q.show_reblogs)`
          .mapWith(follows.showReblogs)
          .as('show_reblogs'),
        notify: sql<boolean | null>`coalesce(f.notify, q.notify)`.mapWith(follows.notify).as('notify'),
        languages: sql<readonly string[] | null>`case when f.id is null then q.languages else f.languages end`
          .mapWith(follows.languages)
          .as('languages'),
        showReplies: sql<boolean | null>`coalesce(f.show_replies, q.show_replies)`
          .mapWith(follows.showReplies)
          .as('show_replies'),
        fewer: sql<boolean | null>`coalesce(f.fewer, q.fewer)`.mapWith(follows.fewer).as('fewer'),
        expiresAt: sql<Date | null>`m.expires_at`.mapWith(muteExpiry).as('expires_at'),
        note: sql<string | null>`n.comment`.as('note'),
        // Booleans share one column: result columns are what costs CPU.
        claims: sql<number>`(f.id is not null) + 2 * (q.id is not null) + 4 * (fb.id is not null)
          + 8 * (qb.id is not null) + 16 * (b.id is not null) + 32 * (bb.id is not null) + 64 * (m.id is not null)
          + 128 * coalesce(m.hide_notifications, 0) + 256 * (d.id is not null) + 512 * (e.id is not null)`.as(
          'claims',
        ),
      })
      .from(relationsOf(viewer, selection, now))
      .orderBy(sql`page.cursor desc`),
  )
  return map(found, (all) => all.map(readFacts))
}

// Cross joins keep their order: left to choose, SQLite may scan all accounts.
function relationsOf(viewer: ViewerRef, selection: SQL, now: number): SQL {
  return sql`(select picked.id, picked.cursor, ${viewer.id} as me from (${selection}) picked) page
    cross join accounts a on a.id = page.id
    left join follows f on f.account_id = page.me and f.target_account_id = a.id
    left join follows fb on fb.account_id = a.id and fb.target_account_id = page.me
    left join follow_requests q on q.account_id = page.me and q.target_account_id = a.id
    left join follow_requests qb on qb.account_id = a.id and qb.target_account_id = page.me
    ${joinBlocksAndMutes(now)}
    left join endorsements e on e.account_id = page.me and e.target_account_id = a.id
    left join account_notes n on n.account_id = page.me and n.target_account_id = a.id`
}

interface Row {
  readonly id: AccountId
  readonly showReblogs: boolean | null
  readonly notify: boolean | null
  readonly languages: readonly string[] | null
  readonly showReplies: boolean | null
  readonly fewer: boolean | null
  readonly expiresAt: Date | null
  readonly note: string | null
  readonly claims: number
}

function readFacts({ claims, note, expiresAt, ...row }: Row): RelationshipFacts {
  const holds = (bit: number) => (claims & bit) !== 0
  return {
    ...row,
    following: holds(1),
    requested: holds(2),
    followedBy: holds(4),
    requestedBy: holds(8),
    blocking: holds(16),
    blockedBy: holds(32),
    muting: holds(64),
    mutingNotifications: holds(128),
    mutingExpiresAt: expiresAt,
    domainBlocking: holds(256),
    endorsed: holds(512),
    note: note ?? '',
  }
}

export interface MuteBundle {
  readonly accounts: AccountBundle
  /** Expiry of each mute; absent for permanent ones. */
  readonly expiries: ReadonlyMap<AccountId, Date>
}

/** Loads muted accounts with the expiry of each mute; the cursor of the selection is the id of the mute. */
export function loadMutes(ctx: Ctx, selection: BoundedSelection): Query<MuteBundle> {
  const ends = rows(selectMuteExpiries(ctx, selection.page))
  return map(combineQueries({ accounts: loadAccounts(ctx, selection), ends }), (found) => ({
    accounts: found.accounts,
    expiries: new Map(
      found.ends.flatMap(({ id, expiresAt }) => (expiresAt === null ? [] : [[id, expiresAt] as const])),
    ),
  }))
}
