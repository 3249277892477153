import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { first, limitTo, map, type Query, rows } from '../../../db/query'
import { accountArchives, archivePieces } from '../../../db/schema'
import type { AccountId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { viewerById } from '../../core/viewer'
import { isActiveAccount } from '../../policy/account-visibility'
import { visibleTo } from '../../policy/visibility'

export type AccountArchive = typeof accountArchives.$inferSelect
/** Columns that a step of an archive changes. */
export type ArchiveProgress = Partial<typeof accountArchives.$inferInsert>
export type ArchivePiece = typeof archivePieces.$inferSelect

/** Archives of an account, latest first. One statement. */
export function archivesOf(ctx: Ctx, owner: SQL): Query<readonly AccountArchive[]> {
  return rows(
    ctx.db
      .select()
      .from(accountArchives)
      .where(sql`${accountArchives.accountId} = ${owner}`)
      .orderBy(desc(accountArchives.id))
      .limit(5),
  )
}

/** The archive of an account with this id, if it can be downloaded. One statement. */
export function readyArchive(ctx: Ctx, owner: AccountId, id: number): Query<AccountArchive | null> {
  const { accountId, stage } = accountArchives
  return first(
    ctx.db
      .select()
      .from(accountArchives)
      .where(and(eq(accountArchives.id, id), eq(accountId, owner), eq(stage, 'ready'))),
  )
}

/** An archive that is being made, whose owner may still have it. One statement. */
export function runningArchive(ctx: Ctx, id: number): Query<AccountArchive | null> {
  return first(
    ctx.db
      .select()
      .from(accountArchives)
      .where(
        sql`${accountArchives.id} = ${id} and ${accountArchives.readyAt} is null
          and ${isActiveAccount('account_archives.account_id')}`,
      ),
  )
}

/** A piece with what the header of its file needs. */
export interface PlacedPiece extends ArchivePiece {
  /** Size of the whole file, null where it is not known yet. */
  readonly total: number | null
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** Next pieces of an archive from `position` on. One statement. */
export function piecesFrom(
  ctx: Ctx,
  { id, position, limit }: { readonly id: number; readonly position: number; readonly limit: number },
): Query<readonly PlacedPiece[]> {
  const adjoins = (step: SQL) => sql<number>`exists (select 1 from archive_pieces other
    where other.archive_id = ${id} and other.position = archive_pieces.position ${step}
      and other.name = archive_pieces.name)`
  const found = rows(
    ctx.db
      .select({
        archiveId: archivePieces.archiveId,
        position: archivePieces.position,
        name: archivePieces.name,
        key: archivePieces.key,
        sizeBytes: archivePieces.sizeBytes,
        total: sql<number | null>`case when size_bytes is not null then (select sum(whole.size_bytes)
          from archive_pieces whole where whole.archive_id = ${id} and whole.name = archive_pieces.name) end`.as(
          'total',
        ),
        before: adjoins(sql`- 1`).as('before'),
        behind: adjoins(sql`+ 1`).as('behind'),
      })
      .from(archivePieces)
      .where(sql`${archivePieces.archiveId} = ${id} and ${archivePieces.position} >= ${position}`)
      .orderBy(archivePieces.position)
      .limit(limit),
  )
  return map(found, (all) =>
    all.map(({ before, behind, ...piece }) => ({ ...piece, isFirst: before === 0, isLast: behind === 0 })),
  )
}

/** Statuses and reblogs of an account behind `after`, oldest first, as a selection (id, cursor). */
export function ownStatusesBehind(owner: AccountId, after: number, limit: number): SQL {
  return sql`select s.id as id, s.id as cursor from statuses s
    where s.account_id = ${owner} and s.id > ${after} order by s.id ${limitTo(limit)}`
}

/** Addresses of what an account favourited or bookmarked and may still see, in the order of the marks. One statement. */
export function markedAddresses(
  ctx: Ctx,
  mark: {
    readonly owner: AccountId
    readonly table: 'favourites' | 'bookmarks'
    readonly after: number
    readonly limit: number
  },
): Query<readonly { readonly id: number; readonly uri: string }[]> {
  const own = sql`${`${ctx.config.origin}/users/`} || a.username || '/statuses/' || s.id`
  return rows(
    ctx.db
      .select({ id: sql<number>`m.id`.as('id'), uri: sql<string>`coalesce(s.uri, ${own})`.as('uri') })
      .from(sql`${sql.raw(mark.table)} m cross join statuses s on s.id = m.status_id
        cross join accounts a on a.id = s.account_id`)
      .where(
        sql`m.account_id = ${mark.owner} and m.id > ${mark.after} and ${visibleTo(viewerById(mark.owner))}`,
      )
      .orderBy(sql`m.id`)
      .limit(mark.limit),
  )
}
