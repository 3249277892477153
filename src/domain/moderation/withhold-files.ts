import { sql } from 'drizzle-orm'
import { combineQueries, execute, first } from '../../db/query'
import { accounts } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { moveFile } from '../media/delete-files'
import { keysOfFile, withheldKey } from '../media/pictures'
import { attachmentsInOrder } from '../statuses/find'

/** Statuses read in one run, and those of them whose files it moves: six calls to the store for each attachment. */
const statusesPerRun = 500
const movedPerRun = 25

/**
 * Moves the files of an account to where no address leads while it is suspended, and back where it no longer is:
 * pictures of the profile and attachments, some at a time; a job continues after `after`. Runs may repeat.
 *
 * The store has no permissions of single files, and an address once seen would continue working.
 */
export async function settleFiles(ctx: Ctx, accountId: AccountId, after: StatusId): Promise<void> {
  const { account, read } = await execute(
    ctx.db,
    combineQueries({
      account: stateOf(ctx, accountId),
      read: attachmentsInOrder(ctx, accountId, { after, limit: statusesPerRun }),
    }),
  )
  if (account === null) return
  const isWithheld = account.suspendedAt !== null
  const illustrated = read.filter(({ attachments }) => attachments.length > 0)
  const moved = illustrated.slice(0, movedPerRun)
  const pictures = after === 0 ? [account.avatar, account.header] : []
  const uploads = moved.flatMap(({ attachments }) =>
    attachments.flatMap(({ file, preview }) => [file, preview]),
  )
  const keys = [...pictures, ...uploads].flatMap((file) => keysOfFile(file))
  for (const key of keys)
    await (isWithheld ? moveFile(ctx, key, withheldKey(key)) : moveFile(ctx, withheldKey(key), key))
  const now = await execute(ctx.db, stateOf(ctx, accountId))
  // Decided otherwise in the meantime: what this run moved has to go back.
  const isChanged = now !== null && (now.suspendedAt !== null) !== isWithheld
  const isComplete = illustrated.length <= movedPerRun && read.length < statusesPerRun
  const last = illustrated.length > movedPerRun ? moved.at(-1) : read.at(-1)
  if (isChanged) await ctx.jobs.send({ kind: 'settle-files', accountId, after })
  else if (!isComplete && last !== undefined)
    await ctx.jobs.send({ kind: 'settle-files', accountId, after: last.id })
}

function stateOf(ctx: Ctx, accountId: AccountId) {
  const { suspendedAt, avatar, header } = accounts
  return first(
    ctx.db
      .select({ suspendedAt, avatar, header })
      .from(accounts)
      .where(sql`${accounts.id} = ${accountId} and ${accounts.domain} is null`),
  )
}
