import { and, eq, sql } from 'drizzle-orm'
import { execute, first, map, type Query } from '../../db/query'
import { pendingSignIns } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import { sha256 } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Time for the second step of a sign-in; a mail takes longer than a look at a phone. */
export const pendingSeconds = { 'second-factor': 600, 'mailed-code': 1_800 } as const

/** Attempts at one sign-in before it has to start again with the password. */
const maxAttempts = 5

export type PendingSignIn = typeof pendingSignIns.$inferSelect
export type SignInStep = PendingSignIn['step']

function hashPendingToken(token: string): Promise<string> {
  return sha256(`pending sign-in ${token}`)
}

/** Begins the second step of a sign-in whose password was right. `token` is the secret that the browser keeps. */
export async function beginPending(
  ctx: Ctx,
  accountId: AccountId,
  step: SignInStep,
): Promise<{ readonly token: string; readonly tokenHash: string }> {
  const token = ctx.random.token()
  const tokenHash = await hashPendingToken(token)
  const row = {
    tokenHash,
    accountId,
    step,
    expiresAt: new Date(ctx.clock.now().getTime() + pendingSeconds[step] * 1000),
  }
  await commit(ctx, new Changes().add(ctx.db.insert(pendingSignIns).values(row)))
  return { token, tokenHash }
}

/** Sign-in that the browser with this secret is in the middle of; null once it has expired or its attempts are used up. */
export async function findPending(ctx: Ctx, token: string | null): Promise<PendingSignIn | null> {
  return token === null ? null : execute(ctx.db, findByHash(ctx, await hashPendingToken(token)))
}

function findByHash(ctx: Ctx, tokenHash: string): Query<PendingSignIn | null> {
  const found = first(ctx.db.select().from(pendingSignIns).where(eq(pendingSignIns.tokenHash, tokenHash)))
  return map(found, (row) =>
    row === null || row.expiresAt <= ctx.clock.now() || row.attempts >= maxAttempts ? null : row,
  )
}

/** Counts an attempt before its code is checked, so that concurrent ones are counted too. False beyond the limit. */
export async function countAttempt(ctx: Ctx, { tokenHash }: PendingSignIn): Promise<boolean> {
  const [changed] = await commit(
    ctx,
    new Changes().add(
      ctx.db
        .update(pendingSignIns)
        .set({ attempts: sql`attempts + 1` })
        .where(and(eq(pendingSignIns.tokenHash, tokenHash), sql`attempts < ${maxAttempts}`)),
    ),
  )
  return changed === 1
}

/** Condition: the sign-in still waits. Required by whatever completes it, so that it is completed once. */
export function isPending({ tokenHash }: PendingSignIn) {
  return sql`exists (select 1 from ${pendingSignIns} where ${pendingSignIns.tokenHash} = ${tokenHash})`
}

export function deletePending(ctx: Ctx, { tokenHash }: PendingSignIn) {
  return ctx.db.delete(pendingSignIns).where(eq(pendingSignIns.tokenHash, tokenHash))
}
