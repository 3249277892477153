import { eq } from 'drizzle-orm'
import { execute, first } from '../../../db/query'
import { accountArchives } from '../../../db/schema'
import { plainText } from '../../../lib/mail'
import type { Ctx } from '../../../ports/ctx'
import { translateFor } from '../../core/translate'
import { findMemberById } from '../../users/find'
import { deletePieces } from './maintain-archives'

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
