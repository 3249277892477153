import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { execute, first, limitTo, map, type Query, rows } from '../../../db/query'
import { accountArchives, archivePieces } from '../../../db/schema'
import { Invalid } from '../../../errors'
import { dayMilliseconds } from '../../../lib/days'
import type { AccountId } from '../../../lib/ids'
import { plainText } from '../../../lib/mail'
import type { Ctx } from '../../../ports/ctx'
import { archivesFolder } from '../../../ports/files'
import { Changes, commit, commitAndRead } from '../../core/changes'
import { translateFor } from '../../core/translate'
import { viewerById } from '../../core/viewer'
import { isActiveAccount } from '../../policy/account-visibility'
import { visibleTo } from '../../policy/visibility'
import { findMemberById } from '../../users/find'

/** Time between two archives of an account, as in Mastodon, and for which one can be downloaded. */
export const archiveMilliseconds = 7 * dayMilliseconds

/**
 * Requests the archive of an account, which jobs make (`build-archive`). `Invalid` within seven days of the last one: it
 * reads every file of the account.
 */
export async function requestArchive(ctx: Ctx, owner: AccountId): Promise<AccountArchive> {
  const id = ctx.ids.next()
  const now = ctx.clock.now()
  const since = now.getTime() - archiveMilliseconds
  const recent = sql`exists (select 1 from account_archives where account_id = ${owner} and created_at > ${since})`
  const changes = new Changes()
    .require(sql`not ${recent}`, new Invalid('archive_too_soon'))
    .add(
      ctx.db.insert(accountArchives).values({
        id,
        accountId: owner,
        folder: `${archivesFolder}${id}/${ctx.random.token()}`,
        stage: 'outbox',
        createdAt: now,
        progressedAt: now,
      }),
    )
    .enqueue({ kind: 'build-archive', archiveId: id, step: 0 })
  const { found } = await commitAndRead(ctx, changes, runningArchive(ctx, id))
  if (found === null) throw new Error('The archive that was just requested is gone')
  return found
}

/** Time without progress after which a step has lost its message. */
const restMilliseconds = 15 * 60_000
const archivesAtOnce = 4
const filesAtOnce = 1_000

function isOver(ctx: Ctx) {
  const before = ctx.clock.now().getTime() - archiveMilliseconds
  return sql`(coalesce(ready_at, created_at) < ${before} or not ${isActiveAccount('account_archives.account_id')})`
}

function hasStalled(ctx: Ctx) {
  return sql`(ready_at is null and progressed_at < ${ctx.clock.now().getTime() - restMilliseconds})`
}

/** Condition: an archive is over, or has stalled. There are few: one a week for an account. */
export const hasDueArchives = (ctx: Ctx) =>
  sql`exists (select 1 from account_archives where ${isOver(ctx)} or ${hasStalled(ctx)})`

/** Cron: deletes archives seven days after they were ready, and those of suspended owners; resumes stalled ones. */
export async function maintainArchives(ctx: Ctx): Promise<void> {
  const due = await execute(
    ctx.db,
    rows(
      ctx.db
        .select({
          id: accountArchives.id,
          folder: accountArchives.folder,
          step: accountArchives.step,
          isOver: sql<boolean>`${isOver(ctx)}`.mapWith(Boolean).as('is_over'),
        })
        .from(accountArchives)
        .where(sql`${isOver(ctx)} or ${hasStalled(ctx)}`)
        .limit(archivesAtOnce),
    ),
  )
  const changes = new Changes()
  for (const archive of due) {
    const isRow = eq(accountArchives.id, archive.id)
    if (!archive.isOver)
      changes
        .add(ctx.db.update(accountArchives).set({ progressedAt: ctx.clock.now() }).where(isRow))
        .enqueue({ kind: 'build-archive', archiveId: archive.id, step: archive.step })
    else if (await deleteFolder(ctx, archive.folder)) changes.add(ctx.db.delete(accountArchives).where(isRow))
  }
  if (due.length > 0) await commit(ctx, changes)
}

/** Deletes the next files of an archive; true where none is left. */
async function deleteFolder(ctx: Ctx, folder: string): Promise<boolean> {
  const files = await ctx.files.list(`${folder}/`, '', filesAtOnce)
  if (files.length > 0) await ctx.files.delete(files.map(({ key }) => key))
  return files.length < filesAtOnce
}

/** Deletes what an archive was made of, once it is ready. */
async function deletePieces(ctx: Ctx, folder: string): Promise<void> {
  const pieces = await ctx.files.list(`${folder}/pieces/`, '', filesAtOnce)
  if (pieces.length > 0) await ctx.files.delete(pieces.map(({ key }) => key))
}

/**
 * Deletes what an archive was made of, and mails its owner that it is ready: handles `send-archive-email`. Without a link to
 * the file: mails are read by others.
 */
export async function mailReadyArchive(ctx: Ctx, archiveId: number): Promise<string | null> {
  const archive = await execute(
    ctx.db,
    first(ctx.db.select().from(accountArchives).where(eq(accountArchives.id, archiveId))),
  )
  if (archive === null || archive.stage !== 'ready') return 'no such archive'
  await deletePieces(ctx, archive.folder)
  const { mailer, config } = ctx
  if (mailer === null) return 'no mailer'
  const member = await execute(ctx.db, findMemberById(ctx, archive.accountId))
  if (member === null) return 'no such person'
  const t = await translateFor(ctx, member.locale)
  await mailer.send({
    to: member.email,
    subject: t('mail.archive.archiveDomainReady', { domain: config.domain }),
    text: plainText(
      t('mail.archive.archiveAccountAskedReady'),
      `${config.origin}/settings/archive`,
      t('mail.archive.holdsEverythingWroteAlso'),
    ),
  })
  return null
}

export type AccountArchive = typeof accountArchives.$inferSelect
/** Columns that a step of an archive changes. */
export type ArchiveProgress = Partial<typeof accountArchives.$inferInsert>
type ArchivePiece = typeof archivePieces.$inferSelect

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
