import { sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { type Selection, withEnd } from '../../db/selection'
import { statusUri, uriOfAccount } from '../../lib/addresses'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

/** The URIs of what a selection names, newest cursor first. */
export interface UriPage {
  readonly uris: readonly string[]
  readonly cursors: readonly number[]
  /** The selection ended before the page was full: more may follow after its last cursor. */
  readonly endsEarly: boolean
}

/** Loads the actor ids of the accounts a selection names by rows (id, cursor). One statement. */
export function loadAccountUris(ctx: Ctx, selection: Selection): Query<UriPage> {
  const found = rows(
    ctx.db
      .select({
        uri: sql<string | null>`a.uri`.as('uri'),
        username: sql<string>`a.username`.as('username'),
        cursor: sql<number>`page.cursor`.as('cursor'),
        isEnd: sql<number>`page.is_end`.as('is_end'),
      })
      .from(sql`(${withEnd(selection)}) as page cross join accounts a`)
      .where(sql`a.id = page.id`),
  )
  return map(found, (all) => pageOf(all, (row) => uriOfAccount(ctx.config.origin, row)))
}

/** Loads the URIs of the statuses a selection names by rows (id, cursor). One statement. */
export function loadStatusUris(ctx: Ctx, selection: Selection): Query<UriPage> {
  const found = rows(
    ctx.db
      .select({
        id: sql<StatusId>`s.id`.as('id'),
        uri: sql<string | null>`s.uri`.as('uri'),
        username: sql<string>`a.username`.as('username'),
        cursor: sql<number>`page.cursor`.as('cursor'),
        isEnd: sql<number>`page.is_end`.as('is_end'),
      })
      .from(sql`(${withEnd(selection)}) as page cross join statuses s cross join accounts a`)
      .where(sql`s.id = page.id and a.id = s.account_id`),
  )
  const { origin } = ctx.config
  return map(found, (all) => pageOf(all, (row) => row.uri ?? statusUri(origin, row.username, row.id)))
}

function pageOf<Row extends { readonly cursor: number; readonly isEnd: number }>(
  all: readonly Row[],
  uriOf: (row: Row) => string,
): UriPage {
  const ordered = all.toSorted((a, b) => b.cursor - a.cursor)
  return {
    uris: ordered.filter(({ isEnd }) => isEnd === 0).map(uriOf),
    cursors: [...new Set(ordered.map(({ cursor }) => cursor))],
    endsEarly: ordered.some(({ isEnd }) => isEnd === 1),
  }
}
