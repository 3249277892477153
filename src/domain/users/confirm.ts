import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { ask, both, first } from '../../db/query'
import { users, userTokens } from '../../db/schema'
import { Conflict, Forbidden } from '../../errors'
import { confirmationUrl, passwordResetUrl } from '../../lib/addresses'
import type { AccountId } from '../../lib/ids'
import { Changes, commit } from '../changes'
import { isEmail, refuseSignUp } from './check-sign-up'
import { findMemberById, type Member } from './find'
import { addUserToken, dropUserTokens, findUserToken, hashUserToken, type TokenPurpose } from './user-tokens'

/**
 * Sends the confirmation once more, to `newEmail` where one is given.
 *
 * `Forbidden` when there is nothing to confirm. Emits `mail.wanted`; without a mailer the address is taken as confirmed.
 */
export async function requestConfirmation(ctx: Ctx, member: Member, newEmail: string | null): Promise<void> {
  if (member.confirmedAt !== null && member.unconfirmedEmail === null)
    throw new Forbidden('Your e-mail address has been confirmed already')
  const changes = new Changes()
  if (newEmail !== null) await replaceEmail(ctx, changes, member, newEmail.trim())
  if (ctx.mailer === null)
    changes.add(
      ctx.db.update(users).set({ confirmedAt: ctx.clock.now() }).where(eq(users.accountId, member.accountId)),
    )
  else changes.emit({ kind: 'mail.wanted', accountId: member.accountId, purpose: 'confirm' })
  await commit(ctx, changes)
}

async function replaceEmail(ctx: Ctx, changes: Changes, member: Member, email: string): Promise<void> {
  if (!isEmail(email))
    throw refuseSignUp({ email: [{ error: 'ERR_INVALID', description: 'is not a valid e-mail address' }] })
  const { accountId } = member
  // A confirmed person keeps the old address until the new one is proved.
  const patch = member.confirmedAt === null ? { email } : { unconfirmedEmail: email }
  changes
    .require(isFree(email, accountId), takenEmail())
    .add(ctx.db.update(users).set(patch).where(eq(users.accountId, accountId)))
}

function isFree(email: string, accountId: AccountId) {
  return sql`not exists (select 1 from ${users} where lower(${users.email}) = ${email.toLowerCase()}
    and ${users.accountId} <> ${accountId})`
}

function takenEmail() {
  return refuseSignUp({ email: [{ error: 'ERR_TAKEN', description: 'has already been taken' }] })
}

export type ConfirmationOutcome = 'confirmed' | 'waiting_for_approval' | 'address_changed' | 'bad_link'

/** Takes the address of a confirmation link as proved. A link works once. */
export async function confirmAddress(ctx: Ctx, token: string): Promise<ConfirmationOutcome> {
  const tokenHash = await hashUserToken(token)
  const owner = sql`(select account_id from ${userTokens} where token_hash = ${tokenHash})`
  const user = first(ctx.db.select().from(users).where(sql`${users.accountId} = ${owner}`))
  const [found, member] = await ask(ctx.db, both(findUserToken(ctx, tokenHash, 'confirm'), user))
  if (found === null || member === null || found.email === null) return 'bad_link'
  const { accountId, email } = found
  const now = ctx.clock.now()
  const confirmedAt = member.confirmedAt ?? now
  const changes = new Changes()
    .require(isFree(email, accountId), new Conflict('This address belongs to another account by now'))
    .add(
      ctx.db
        .update(users)
        .set({ email, unconfirmedEmail: null, confirmedAt })
        .where(eq(users.accountId, accountId)),
      dropUserTokens(ctx, accountId, 'confirm'),
    )
  await commit(ctx, changes)
  if (member.confirmedAt !== null) return 'address_changed'
  return member.approved ? 'confirmed' : 'waiting_for_approval'
}

/** Why a mail was not sent, or null when it was. */
export type MailOutcome = 'no mailer' | 'no such person' | 'nothing to confirm' | null

/**
 * Makes a one-time secret and sends it: the work behind `mail.wanted`.
 *
 * The secret is born here and is in no event, message or log. Done twice it sends twice, and the last link works.
 */
export async function sendLink(ctx: Ctx, accountId: AccountId, purpose: TokenPurpose): Promise<MailOutcome> {
  if (ctx.mailer === null) return 'no mailer'
  const member = await ask(ctx.db, findMemberById(ctx, accountId))
  if (member === null) return 'no such person'
  const { confirmedAt, unconfirmedEmail } = member
  if (purpose === 'confirm' && confirmedAt !== null && unconfirmedEmail === null) return 'nothing to confirm'
  const to = purpose === 'confirm' && confirmedAt !== null ? (unconfirmedEmail ?? member.email) : member.email
  const changes = new Changes()
  const token = await addUserToken(ctx, changes, { accountId, purpose, email: to })
  await commit(ctx, changes)
  await ctx.mailer.send(
    purpose === 'confirm' ? confirmMail(ctx, member, to, token) : resetMail(ctx, member, to, token),
  )
  return null
}

function confirmMail(ctx: Ctx, { username }: Member, to: string, token: string) {
  const { domain, origin } = ctx.config
  return {
    to,
    subject: `Confirm your address for ${domain}`,
    text: `Hello ${username},

please open this link to confirm that the address ${to} is yours:

${confirmationUrl(origin, token)}

It works for 24 hours. If you have not asked for an account on ${domain}, ignore this mail.
`,
  }
}

function resetMail(ctx: Ctx, { username }: Member, to: string, token: string) {
  const { domain, origin } = ctx.config
  return {
    to,
    subject: `Choose a new password for ${domain}`,
    text: `Hello ${username},

somebody, hopefully you, asked for a new password for your account on ${domain}. Choose it here:

${passwordResetUrl(origin, token)}

The link works for two hours. If it was not you, ignore this mail: nothing changes.
`,
  }
}
