import { sql } from 'drizzle-orm'
import { accountArchives } from '../../../db/schema'
import { Invalid } from '../../../errors'
import { dayMilliseconds } from '../../../lib/days'
import type { AccountId } from '../../../lib/ids'
import { archivesFolder } from '../../../lib/stored-file'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commitAndRead } from '../../core/changes'
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
