import { execute } from '../../db/query'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { addRecoveryCodeUse, addTotpUse, findTotp } from './factors'
import { countAttempt, deletePending, isPending, type PendingSignIn } from './pending'
import { wrongCode } from './wrong-code'

/** Codes are distinguished by their form: six digits from an app, anything else is a recovery code. */
const appCode = /^\d{6}$/

/**
 * Completes a pending sign-in by a code of the authenticator app or a recovery code, each of which works once.
 * Attempts are counted for `subject`. `Invalid` about `code`; `RateLimited` beyond the limit.
 */
export async function checkSecondFactor(
  ctx: Ctx,
  pending: PendingSignIn,
  attempt: { readonly code: string; readonly subject: string },
): Promise<void> {
  const refusal = wrongCode()
  await ctx.throttle.take('secondFactors', attempt.subject)
  if (!(await countAttempt(ctx, pending))) throw refusal
  const { accountId } = pending
  const code = attempt.code.replaceAll(/\s/g, '')
  const changes = new Changes().require(isPending(pending), refusal)
  if (appCode.test(code)) {
    const row = await execute(ctx.db, findTotp(ctx, accountId))
    if (row === null || row.confirmedAt === null) throw refusal
    await addTotpUse(ctx, changes, row, { code, refusal })
  } else await addRecoveryCodeUse(ctx, changes, { accountId, code }, refusal)
  await commit(ctx, changes.add(deletePending(ctx, pending)))
}
