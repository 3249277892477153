import { sql } from 'drizzle-orm'
import { cryptoLimits } from '../../contract/limits'
import { encryptedMessages } from '../../db/schema'
import { limitTo } from '../../db/sql'
import { firstIdAt } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

const droppedPerRun = 1_000

/** Cron: deletes messages that were not fetched within a month. */
export async function pruneMessages(ctx: Ctx): Promise<void> {
  const before = firstIdAt(new Date(ctx.clock.now().getTime() - cryptoLimits.keptDays * 86_400_000))
  const old = sql`select id from encrypted_messages where id < ${before} order by id ${limitTo(droppedPerRun)}`
  await commit(
    ctx,
    new Changes().add(ctx.db.delete(encryptedMessages).where(sql`${encryptedMessages.id} in (${old})`)),
  )
}
