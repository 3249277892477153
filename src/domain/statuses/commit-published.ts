import { sql } from 'drizzle-orm'
import { Conflict } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type Changes, commit } from '../core/changes'
import { statusExists } from './find'

const attempts = 5

/**
 * Commits the changes of `plan` for a status published at `at` and returns its id, which encodes that time. If
 * another status of the same millisecond has the id, retries with the next one.
 */
export async function commitPublished(
  ctx: Ctx,
  at: Date,
  plan: (id: StatusId) => Changes,
): Promise<StatusId> {
  const ids = Array.from({ length: attempts }, () => ctx.ids.next(at))
  for (const id of ids) {
    const taken = new Conflict('id_taken')
    try {
      await commit(ctx, plan(id).require(sql`not ${statusExists(id)}`, taken))
      return id
    } catch (failure) {
      if (failure !== taken) throw failure
    }
  }
  throw new Error(`No free id at ${at.toISOString()}`)
}
