import { type SQL, sql } from 'drizzle-orm'
import { limitTo, map, oneRow, type Query, rows } from '../../db/query'
import type { TransferKind } from '../../db/schema/transfers'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { viewerById } from '../core/viewer'
import { countOwnRows, ownRows } from '../policy/block-predicates'
import { visibleTo } from '../policy/visibility'
import { Entry } from './entries'

/** An exportable entry of an account. */
export interface ExportEntry {
  readonly entry: Entry
  /** The account or status of the entry, 0 for a domain; the list it belongs to, where it does. */
  readonly targetId: number
  readonly listId: number
  /** Cursor of the next page. */
  readonly cursor: number
}

export interface ExportPage {
  readonly owner: AccountId
  readonly kind: TransferKind
  readonly after: number
  readonly limit: number
  /** Only entries missing in this import. */
  readonly missingIn?: number
}

/** A page of an account's entries of a kind, by age. */
export function findExportEntries(ctx: Ctx, holding: ExportPage): Query<readonly ExportEntry[]> {
  const { kind, after, limit, missingIn } = holding
  const { from, facts, cursor, key, target, list = sql`0` } = heldSources(ctx, holding)[kind]
  const isMissing =
    missingIn === undefined
      ? sql`1`
      : sql`not exists (select 1 from import_entries e where e.import_id = ${missingIn} and e.key = ${key})`
  const page = sql`(select json_array(${facts}) as facts, ${cursor} as cursor, ${target} as target_id, ${list} as list_id
    ${from} and ${cursor} > ${after} and ${isMissing} order by ${cursor} ${limitTo(limit)}) as page`
  const found = ctx.db
    .select({
      facts: sql<string>`page.facts`.as('facts'),
      cursor: sql<number>`page.cursor`.as('cursor'),
      targetId: sql<number>`page.target_id`.as('target_id'),
      listId: sql<number>`page.list_id`.as('list_id'),
    })
    .from(page)
    .orderBy(sql`page.cursor`)
  return map(rows(found), (list) =>
    list.map(({ facts: cells, ...held }) => ({ ...held, entry: entryOf(kind, JSON.parse(cells)) })),
  )
}

/** Number of an account's entries of each kind. */
export function countExportEntries(
  ctx: Ctx,
  owner: AccountId,
): Query<Readonly<Record<TransferKind, number>>> {
  const count = (table: string) =>
    sql<number>`(select count(*) from ${sql.raw(table)} where account_id = ${owner})`
  const found = ctx.db
    .select({
      following: count('follows').as('following'),
      lists: count('lists').as('lists'),
      ...countOwnRows(owner),
      bookmarks: count('bookmarks').as('bookmarks'),
    })
    .from(oneRow)
  const none = { following: 0, lists: 0, blocks: 0, mutes: 0, domain_blocks: 0, bookmarks: 0 }
  return map(rows(found), ([row]) => row ?? none)
}

interface Source {
  /** FROM and WHERE clauses. */
  readonly from: SQL
  readonly facts: SQL
  readonly cursor: SQL
  /** In the form of `keyOf`. */
  readonly key: SQL
  readonly target: SQL
  readonly list?: SQL
}

/** Sources of what an account has, by kind. */
export function heldSources(
  { config }: Ctx,
  { owner }: Pick<ExportPage, 'owner'>,
): Readonly<Record<TransferKind, Source>> {
  const name = sql`a.username, a.domain`
  const address = sql`lower(a.username || '@' || coalesce(a.domain, ${config.domain}))`
  const ofAccount = (from: SQL, facts: SQL, row: string): Source => ({
    from,
    facts,
    key: address,
    target: sql`a.id`,
    cursor: sql.raw(`${row}.id`),
  })
  // In the form of `statusUri`.
  const own = sql`${`${config.origin}/users/`} || a.username || '/statuses/' || s.id`
  const uri = sql`coalesce(s.uri, ${own})`
  return {
    following: ofAccount(
      sql`from follows f join accounts a on a.id = f.target_account_id where f.account_id = ${owner}`,
      sql`${name}, f.show_reblogs, f.notify, json(f.languages)`,
      'f',
    ),
    blocks: ofAccount(ownRows.blocks(owner), name, 'b'),
    mutes: ofAccount(ownRows.mutes(owner), sql`${name}, m.hide_notifications`, 'm'),
    lists: {
      from: sql`from lists l join list_accounts i on i.list_id = l.id join accounts a on a.id = i.account_id
        where l.account_id = ${owner}`,
      facts: sql`${name}, l.title`,
      cursor: sql`i.id`,
      key: sql`${address} || ' ' || l.title`,
      target: sql`a.id`,
      list: sql`l.id`,
    },
    domain_blocks: {
      from: ownRows.domainBlocks(owner),
      facts: sql`d.domain`,
      cursor: sql`d.id`,
      key: sql`d.domain`,
      target: sql`0`,
    },
    bookmarks: {
      from: sql`from bookmarks b join statuses s on s.id = b.status_id join accounts a on a.id = s.account_id
        where b.account_id = ${owner} and ${visibleTo(viewerById(owner))}`,
      facts: uri,
      cursor: sql`b.id`,
      key: uri,
      target: sql`s.id`,
    },
  }
}

/** The entry of a kind, from its columns `facts`. */
function entryOf(kind: TransferKind, [first, second, third, fourth, fifth]: readonly unknown[]): Entry {
  const account = { username: first, domain: second }
  return Entry.parse({
    kind,
    account,
    title: third,
    hideNotifications: third === 1,
    domain: first,
    uri: first,
    showReblogs: third === 1,
    notify: fourth === 1,
    languages: fifth,
  })
}
