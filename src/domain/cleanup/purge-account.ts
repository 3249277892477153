import { sql } from 'drizzle-orm'
import { limitTo } from '../../db/query'
import { emojiReactions, favourites, statuses } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { uncountReactions } from '../interactions/reactions'
import { favouritesChangedBy } from '../statuses/counters'
import { purgeAccountData } from './purge-data'
import { purgeStatuses } from './purge-statuses'

const interactionsAtOnce = 200
/** Statements of a batch that deletes follows and private data, with what follows it. */
const dataStatements = 32

/**
 * Removes the statuses, favourites and reactions of a deleted account, lowers the counters they were part of, and
 * enqueues deletion of its uploaded files (`delete-files`). Finally deletes its follows and its own data: live events
 * find the followers of a status until it is gone.
 *
 * Works in batches; the rest is left to a job. Idempotent. What is counted is computed from the part that was read:
 * the batch fails where another run deleted some of it, and a job starts over.
 */
export async function purgeAccount(ctx: Ctx, account: AccountId): Promise<void> {
  const purged = await purgePart(ctx, account)
  const isNext = purged === 'nothing' || (purged === 'last' && ctx.usage.statementsLeft() >= dataStatements)
  if (isNext && (await purgeAccountData(ctx, account))) return
  await ctx.jobs.send({ kind: 'purge-account-statuses', accountId: account })
}

/** Statuses and interactions that a part deleted: none were there, the last of them, or some. */
type Purged = 'nothing' | 'last' | 'some'

async function purgePart(ctx: Ctx, account: AccountId): Promise<Purged> {
  const interactions = deleteInteractions(ctx, account)
  const purged = await purgeStatuses(
    ctx,
    { account, where: () => sql`account_id = ${account}`, isWhole: true },
    (changes) => void changes.add(...interactions),
  )
  if (purged === null) return 'some'
  const [, favouritesGone = 0, , reactionsGone = 0] = purged.changed.slice(-interactions.length)
  const isFull = favouritesGone >= interactionsAtOnce || reactionsGone >= interactionsAtOnce
  if (isFull || !purged.isLast) return 'some'
  return purged.count + favouritesGone + reactionsGone > 0 ? 'last' : 'nothing'
}

function deleteInteractions(ctx: Ctx, account: AccountId) {
  const some = (table: string) =>
    sql`select id from ${sql.raw(table)} where account_id = ${account} order by id ${limitTo(interactionsAtOnce)}`
  return [
    ctx.db
      .update(statuses)
      .set(favouritesChangedBy(-1))
      .where(sql`id in (select status_id from favourites where id in (${some('favourites')}))`),
    ctx.db.delete(favourites).where(sql`id in (${some('favourites')})`),
    uncountReactions(ctx, some('emoji_reactions')),
    ctx.db.delete(emojiReactions).where(sql`id in (${some('emoji_reactions')})`),
  ]
}
