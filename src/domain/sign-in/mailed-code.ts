import { eq } from 'drizzle-orm'
import { pendingSignIns } from '../../db/schema'
import { plainText } from '../../lib/mail'
import { sign, verify } from '../../lib/secrets'
import type { TranslateText } from '../../lib/translate'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { translateFor } from '../core/translate'
import type { Member } from '../users/find'
import { countAttempt, deletePending, isPending, type PendingSignIn } from './pending'
import { wrongCode } from './wrong-code'
/**
 * Mails a new code for a pending sign-in, which replaces an earlier one. False where no mail could be sent: then the
 * sign-in continues without, because a failing mailer must not lock members out.
 */
export async function mailCode(
  ctx: Ctx,
  pending: Pick<PendingSignIn, 'tokenHash'>,
  { username, email, locale }: Pick<Member, 'username' | 'email' | 'locale'>,
): Promise<boolean> {
  if (ctx.mailer === null) return false
  const code = newCode(ctx)
  const { tokenHash } = pending
  const codeHash = await sign(ctx.config.secrets, purpose, subjectOf(pending, code))
  await commit(
    ctx,
    new Changes().add(
      ctx.db.update(pendingSignIns).set({ codeHash }).where(eq(pendingSignIns.tokenHash, tokenHash)),
    ),
  )
  try {
    const t = await translateFor(ctx, locale)
    await ctx.mailer.send({ to: email, ...codeMail(ctx, t, username, code) })
    return true
  } catch (failure) {
    ctx.log.error('Failed to mail a sign-in code', { failure: String(failure) })
    return false
  }
}

/** Completes a pending sign-in by the code that was mailed. `Invalid` about `code`; `RateLimited` beyond the limit. */
export async function checkMailedCode(
  ctx: Ctx,
  pending: PendingSignIn,
  attempt: { readonly code: string; readonly subject: string },
): Promise<void> {
  const refusal = wrongCode()
  await ctx.throttle.take('secondFactors', attempt.subject)
  if (!(await countAttempt(ctx, pending))) throw refusal
  const given = subjectOf(pending, attempt.code.replaceAll(/\s/g, ''))
  const { codeHash } = pending
  if (codeHash === null || !(await verify(ctx.config.secrets, purpose, given, codeHash))) throw refusal
  const changes = new Changes().require(isPending(pending), refusal)
  await commit(ctx, changes.add(deletePending(ctx, pending)))
}

/** Six digits; the remainder of 48 bits favours no code noticeably. */
function newCode(ctx: Ctx): string {
  const bytes = Uint8Array.fromBase64(ctx.random.token(), { alphabet: 'base64url' })
  const number = Number.parseInt(bytes.subarray(0, 6).toHex(), 16)
  return String(number % 1_000_000).padStart(6, '0')
}

/** Codes are stored as signatures under the instance secret: a million codes are no match for a plain hash. */
const purpose = 'sign-in code'

function subjectOf({ tokenHash }: Pick<PendingSignIn, 'tokenHash'>, code: string): string {
  return `${tokenHash} ${code}`
}

function codeMail({ config: { domain, origin } }: Ctx, t: TranslateText, username: string, code: string) {
  return {
    subject: t('mail.signInCode.codeSignDomain', { domain }),
    text: plainText(
      t('mail.helloUsername', { username }),
      t('mail.signInCode.somebodyHopefullySignsAccount', { domain }),
      `    ${code}`,
      t('mail.signInCode.works30MinutesIf'),
      `${origin}/auth/password/new`,
    ),
  }
}
