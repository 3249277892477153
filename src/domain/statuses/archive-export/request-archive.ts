import { eq, sql } from 'drizzle-orm'
import { execute, first, rows } from '../../../db/query'
import { accountArchives } from '../../../db/schema'
import { Invalid } from '../../../errors'
import { dayMilliseconds } from '../../../lib/days'
import type { AccountId } from '../../../lib/ids'
import { plainText } from '../../../lib/mail'
import { archivesFolder } from '../../../lib/stored-file'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit, commitAndRead } from '../../core/changes'
import { translateFor } from '../../core/translate'
import { isActiveAccount } from '../../policy/account-visibility'
import { findMemberById } from '../../users/find'
import { type AccountArchive, runningArchive } from './find-archive'

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
