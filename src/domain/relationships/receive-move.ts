import { eq, sql } from 'drizzle-orm'
import { execute, first, type Query } from '../../db/query'
import { accountMoves, accounts } from '../../db/schema'
import { oneRow } from '../../db/sql'
import { Conflict } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { done, type Outcome, rejected } from '../core/outcome'
import { deduplicateActivity } from '../core/received-activities'
import type { Viewer } from '../core/viewer'
import { isInLocalPart } from '../policy/follower-parts'

/** Cooldown between two moves of an account. */
const cooldownMilliseconds = 7 * dayMilliseconds

export interface MoveFacts {
  /** The account has local followers. */
  readonly followed: boolean
  /** The account is in its cooldown after a move. */
  readonly resting: boolean
}

/** Facts that decide whether a Move of `account` is processed. One statement. */
export async function findMoveFacts(ctx: Ctx, account: AccountId): Promise<MoveFacts> {
  const facts: Query<{ followed: number; resting: number } | null> = first(
    ctx.db
      .select({
        followed:
          sql<number>`exists (select 1 from follows f cross join users on users.account_id = f.account_id
          where f.target_account_id = ${account} and ${isInLocalPart('f')})`.as('followed'),
        resting: sql<number>`${isInCooldown(ctx, account)}`.as('resting'),
      })
      .from(oneRow),
  )
  const row = await execute(ctx.db, facts)
  return { followed: row?.followed === 1, resting: row?.resting === 1 }
}

/**
 * Records that a remote account moved to `target`, which must list it as an alias.
 *
 * Refused: a target that does not, a suspended one, itself, and moving again within seven days. Emits
 * `account.moved`; its effect makes the local followers follow the new account.
 */
export async function receiveMove(
  ctx: Ctx,
  mover: Pick<Viewer, 'id'> & { readonly uri: string },
  { target, uri }: { readonly target: AccountId; readonly uri: string | null },
): Promise<Outcome> {
  const found = await execute(ctx.db, targetOf(ctx, target))
  if (found === null || found.suspendedAt !== null || target === mover.id)
    return rejected('the target of the move is unknown or suspended')
  if (!found.alsoKnownAs.includes(mover.uri))
    return rejected('the target of the move does not list the account as an alias')
  const now = ctx.clock.now()
  const changes = new Changes().require(
    sql`not ${isInCooldown(ctx, mover.id)}`,
    new Conflict('moved_shortly_before'),
  )
  deduplicateActivity(ctx, changes, uri)
  changes
    .add(
      ctx.db
        .update(accounts)
        .set({ movedToAccountId: target, updatedAt: now })
        .where(eq(accounts.id, mover.id)),
      ctx.db.insert(accountMoves).values({
        id: ctx.ids.next(),
        accountId: mover.id,
        targetAccountId: target,
        createdAt: now,
        followersCount: sql`(select followers_count from accounts where id = ${mover.id})`,
      }),
    )
    .emit({ kind: 'account.moved', accountId: mover.id, targetAccountId: target })
  await commit(ctx, changes)
  return done
}

function targetOf(ctx: Ctx, id: AccountId) {
  const { alsoKnownAs, suspendedAt } = accounts
  return first(ctx.db.select({ alsoKnownAs, suspendedAt }).from(accounts).where(eq(accounts.id, id)))
}

function isInCooldown(ctx: Ctx, account: AccountId) {
  const since = ctx.clock.now().getTime() - cooldownMilliseconds
  return sql`exists (select 1 from account_moves where account_id = ${account} and created_at > ${since})`
}
