import { eq, sql } from 'drizzle-orm'
import { confirmationUrl, passwordResetUrl } from '../../contract/addresses'
import { combineQueries, execute, first, orNotFound } from '../../db/query'
import { users, userTokens } from '../../db/schema'
import { Conflict, Forbidden, InvalidFields } from '../../errors'
import { problem } from '../../errors/sentences'
import type { AccountId } from '../../lib/ids'
import { plainText } from '../../lib/mail'
import type { TranslateText } from '../../lib/translate'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import { translateFor } from '../core/translate'
import type { Moderator } from '../core/viewer'
import { pickSettings } from '../instance/settings'
import { requirePermission, requireRankAbove } from '../policy/permissions'
import { newAddressProblems } from './address-blocks'
import { addChallengeUse, challengeRefused, checkSolution } from './challenge'
import { isEmail } from './check-sign-up'
import { findMemberById, type Member } from './find'
import {
  type AccessEnd,
  addAccessEnd,
  addUserToken,
  deleteUserTokens,
  findUserToken,
  findWithPassword,
  hashUserToken,
  type TokenPurpose,
} from './passwords'
import { addSecurityMail } from './warn'

/**
 * Sends the confirmation email again, to `newEmail` where one is given.
 *
 * `Forbidden` when there is nothing to confirm, `Invalid` for a bad or blocked address. Enqueues
 * `send-account-email`; without a mailer the address counts as confirmed, and `member.joined` is emitted for a new
 * member.
 */
export async function requestConfirmation(ctx: Ctx, member: Member, newEmail: string | null): Promise<void> {
  if (member.confirmedAt !== null && member.unconfirmedEmail === null)
    throw new Forbidden('confirmed_already_method')
  const changes = new Changes()
  if (newEmail !== null) {
    const problems = await newAddressProblems(ctx, member, newEmail.trim())
    if (problems.length > 0) throw new InvalidFields(problems)
    await replaceEmail(ctx, changes, member, newEmail.trim())
  }
  addConfirmation(ctx, changes, member, newEmail?.trim() ?? member.unconfirmedEmail)
  await commit(ctx, changes)
}

/** Enqueues the confirmation email; without a mailer the address counts as confirmed at once. */
function addConfirmation(ctx: Ctx, changes: Changes, member: Member, pending: string | null): void {
  const { accountId } = member
  if (ctx.mailer !== null) {
    changes.enqueue({ kind: 'send-account-email', accountId, purpose: 'confirm' })
    return
  }
  const email = pending ?? member.email
  changes.require(isFree(email, accountId), takenEmail()).add(
    ctx.db
      .update(users)
      .set({ email, unconfirmedEmail: null, confirmedAt: member.confirmedAt ?? ctx.clock.now() })
      .where(eq(users.accountId, accountId)),
  )
  emitIfJoined(changes, member)
}

/**
 * Changes the email address of a user who gives their password: at once where the server sends no mail, otherwise
 * once the link sent there was opened. Links sent to earlier addresses stop working. All other sessions end,
 * applications on request, and the old address is mailed about it.
 *
 * `Invalid` by field: `current_password` or `email`. Enqueues `send-account-email`.
 */
export async function changeEmail(
  ctx: Ctx,
  accountId: AccountId,
  change: { readonly email: string; readonly currentPassword: string } & AccessEnd,
): Promise<void> {
  const email = change.email.trim()
  const member = await findWithPassword(ctx, accountId, change.currentPassword)
  const problems = await newAddressProblems(ctx, member, email)
  if (problems.length > 0) throw new InvalidFields(problems)
  const changes = new Changes()
  await replaceEmail(ctx, changes, member, email)
  changes.add(deleteUserTokens(ctx, accountId, 'confirm'), deleteUserTokens(ctx, accountId, 'reset'))
  addConfirmation(ctx, changes, member, email)
  addSecurityMail(ctx, changes, member, 'email-changed')
  await commit(ctx, addAccessEnd(ctx, changes, accountId, change))
}

async function replaceEmail(ctx: Ctx, changes: Changes, member: Member, email: string): Promise<void> {
  if (!isEmail(email)) throw new InvalidFields([problem('invalid_email', { field: 'email' })])
  const { accountId } = member
  // A confirmed user keeps the old address until the new one is confirmed.
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
  return new InvalidFields([problem('taken', { field: 'email' })])
}

export type ConfirmationOutcome =
  | 'confirmed'
  | 'waiting_for_approval'
  | 'address_changed'
  | 'bad_link'
  /** The browser has to solve a challenge first. */
  | 'challenge_due'

/**
 * Confirms the address of a member whose mail does not arrive; needs `manageUsers` and a higher role. Emits
 * `member.joined` for an approved one. `Forbidden` where it is confirmed.
 */
export async function confirmMember(ctx: Ctx, moderator: Moderator, accountId: AccountId): Promise<void> {
  requirePermission(moderator, 'manageUsers')
  const member = await execute(ctx.db, orNotFound(findMemberById(ctx, accountId)))
  const isOpen = sql`exists (select 1 from users where account_id = ${accountId} and confirmed_at is null)`
  const target = { type: 'account' as const, id: accountId, label: member.username }
  const changes = requireRankAbove(new Changes(), moderator, accountId)
    .require(isOpen, new Forbidden('address_confirmed', { username: member.username }))
    .add(
      ctx.db.update(users).set({ confirmedAt: ctx.clock.now() }).where(eq(users.accountId, accountId)),
      deleteUserTokens(ctx, accountId, 'confirm'),
    )
  emitIfJoined(changes, member)
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'confirm', target }))
}

/** Emits `member.joined` for a member who lacked only this confirmation. */
function emitIfJoined(
  changes: Changes,
  member: Pick<Member, 'accountId' | 'confirmedAt' | 'approved'>,
): void {
  const { accountId, confirmedAt, approved } = member
  if (confirmedAt === null && approved) changes.emit({ kind: 'member.joined', accountId })
}

/**
 * Confirms the address of a confirmation link. A link works once. Emits `member.joined` for a new member.
 *
 * `solution` is that of a challenge, empty without one. `Invalid` for a wrong one, where one is due.
 */
export async function confirmAddress(ctx: Ctx, token: string, solution = ''): Promise<ConfirmationOutcome> {
  const tokenHash = await hashUserToken(token)
  const owner = sql`(select account_id from ${userTokens} where token_hash = ${tokenHash})`
  const user = first(ctx.db.select().from(users).where(sql`${users.accountId} = ${owner}`))
  const {
    found,
    member,
    settings: { signUpChallenge },
  } = await execute(
    ctx.db,
    combineQueries({
      found: findUserToken(ctx, tokenHash, 'confirm'),
      member: user,
      settings: pickSettings(ctx, ['signUpChallenge']),
    }),
  )
  if (found === null || member === null || found.email === null) return 'bad_link'
  const { accountId, email } = found
  const now = ctx.clock.now()
  const confirmedAt = member.confirmedAt ?? now
  const changes = new Changes()
  if (signUpChallenge && isChallengeDue(member)) {
    const check = await checkSolution(ctx, solution)
    if (check.kind === 'missing') return 'challenge_due'
    if (check.kind !== 'solved') throw challengeRefused(check.kind)
    addChallengeUse(ctx, changes, check)
  }
  changes.require(isFree(email, accountId), new Conflict('address_taken')).add(
    ctx.db
      .update(users)
      .set({ email, unconfirmedEmail: null, confirmedAt })
      .where(eq(users.accountId, accountId)),
    deleteUserTokens(ctx, accountId, 'confirm'),
    // Mail to the old address must not allow choosing a password any more.
    deleteUserTokens(ctx, accountId, 'reset'),
  )
  emitIfJoined(changes, member)
  await commit(ctx, changes)
  if (member.confirmedAt !== null) return 'address_changed'
  return member.approved ? 'confirmed' : 'waiting_for_approval'
}

/** An application signed the member up, and could not solve the challenge. */
function isChallengeDue(
  member: Pick<typeof users.$inferSelect, 'confirmedAt' | 'createdByApplicationId'>,
): boolean {
  return member.confirmedAt === null && member.createdByApplicationId !== null
}

/** Reason why a mail was not sent, or null when it was. */
export type MailOutcome = 'no mailer' | 'no such person' | 'nothing to confirm' | null

/**
 * Creates a one-time secret and mails it: handles `send-account-email`.
 *
 * The secret is created here and is in no event, message or log. When run twice it sends two mails, of which the
 * last link works.
 */
export async function sendLink(ctx: Ctx, accountId: AccountId, purpose: TokenPurpose): Promise<MailOutcome> {
  if (ctx.mailer === null) return 'no mailer'
  const member = await execute(ctx.db, findMemberById(ctx, accountId))
  if (member === null) return 'no such person'
  const { confirmedAt, unconfirmedEmail } = member
  if (purpose === 'confirm' && confirmedAt !== null && unconfirmedEmail === null) return 'nothing to confirm'
  const to = purpose === 'confirm' && confirmedAt !== null ? (unconfirmedEmail ?? member.email) : member.email
  const changes = new Changes()
  const token = await addUserToken(ctx, changes, { accountId, purpose, email: to })
  await commit(ctx, changes)
  const t = await translateFor(ctx, member.locale)
  const mail = { username: member.username, to, token }
  await ctx.mailer.send(purpose === 'confirm' ? confirmMail(ctx, t, mail) : resetMail(ctx, t, mail))
  return null
}

interface LinkMail {
  readonly username: string
  readonly to: string
  readonly token: string
}

function confirmMail(
  { config: { domain, origin } }: Ctx,
  t: TranslateText,
  { username, to, token }: LinkMail,
) {
  return {
    to,
    subject: t('mail.confirm.confirmAddressDomain', { domain }),
    text: plainText(
      t('mail.helloUsername', { username }),
      t('mail.confirm.pleaseOpenLinkConfirm', { address: to }),
      confirmationUrl(origin, token),
      t('mail.confirm.works24HoursIf', {
        domain,
      }),
    ),
  }
}

function resetMail({ config: { domain, origin } }: Ctx, t: TranslateText, { username, to, token }: LinkMail) {
  return {
    to,
    subject: t('mail.confirm.chooseNewPasswordDomain', { domain }),
    text: plainText(
      t('mail.helloUsername', { username }),
      t('mail.confirm.somebodyHopefullyAskedNew', {
        domain,
      }),
      passwordResetUrl(origin, token),
      t('mail.confirm.linkWorksTwoHours'),
    ),
  }
}
