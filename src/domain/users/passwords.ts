import { and, eq, sql } from 'drizzle-orm'
import { passwordResetUrl } from '../../contract/addresses'
import { both, execute, first, map, orNotFound, type Query } from '../../db/query'
import {
  accessTokens,
  authorizationCodes,
  pendingSignIns,
  sessions,
  users,
  userTokens,
} from '../../db/schema'
import { Forbidden, InvalidFields } from '../../errors'
import { problem } from '../../errors/sentences'
import type { AccountId } from '../../lib/ids'
import { isOutdatedHash, unmatchableHash } from '../../lib/password-hash'
import { sha256 } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { requirePermission, requireRankAbove } from '../policy/permissions'
import { addApplicationsEnd } from '../sessions/authorized-applications'
import { attemptSubject, deleteOtherDevices, findAccountsOfDevice } from '../sessions/devices'
import { addSessionsEnd } from '../sessions/web-session'
import { passwordProblems } from './check-sign-up'
import { findMemberByEmail, findMemberById, findMemberByLogin, type Member } from './find'
import { addSecurityMail } from './warn'

/** Login and password as typed, and the device they were typed at. */
interface Credentials {
  readonly login: string
  readonly password: string
  /** Null for a browser without a device cookie. */
  readonly deviceHash: string | null
}

/**
 * Member with this login and password, or null.
 *
 * An unknown login takes the same path and the same time as a wrong password. Attempts are counted per member,
 * under whatever login, so that no spelling gives further guesses; `RateLimited` beyond. Devices that the member has
 * signed in with are counted by themselves: guesses from elsewhere do not lock these out.
 */
export async function checkPassword(
  ctx: Ctx,
  { login, password, deviceHash }: Credentials,
): Promise<Member | null> {
  const [member, known] = await execute(
    ctx.db,
    both(findMemberByLogin(ctx, login), findAccountsOfDevice(ctx, deviceHash)),
  )
  const name = login.trim().toLowerCase().replace(/^@/, '')
  const subject = member === null ? `name ${name}` : attemptSubject(member.accountId, { deviceHash, known })
  await ctx.throttle.take('signInsByName', subject)
  const matches = await ctx.vault.verifyPassword(password, member?.passwordHash ?? unmatchableHash)
  if (!matches || member === null) return null
  rehashIfOutdated(ctx, member, password)
  return member
}

/** Hashes a matching password again after the response, where its hash has older parameters. */
function rehashIfOutdated(ctx: Ctx, { accountId, passwordHash: outdated }: Member, password: string): void {
  if (!isOutdatedHash(outdated)) return
  ctx.afterResponse(async () => {
    const passwordHash = await ctx.vault.hashPassword(password)
    // A password changed meanwhile stays.
    const unchanged = and(eq(users.accountId, accountId), eq(users.passwordHash, outdated))
    await commit(ctx, new Changes().add(ctx.db.update(users).set({ passwordHash }).where(unchanged)))
  })
}

/** Whether the account is suspended or disabled: signed in, its owner sees the decisions about it and nothing else. */
export function isLockedOut(member: Pick<Member, 'suspendedAt' | 'disabledAt'>): boolean {
  return member.suspendedAt !== null || member.disabledAt !== null
}

/** Member re-authenticated by password; `Invalid` about `current_password` when it is wrong. */
export async function findWithPassword(
  ctx: Ctx,
  accountId: AccountId,
  currentPassword: string,
): Promise<Member> {
  const member = await execute(ctx.db, findMemberById(ctx, accountId))
  if (member === null || !(await ctx.vault.verifyPassword(currentPassword, member.passwordHash)))
    throw new InvalidFields([problem('wrong', { field: 'current_password' })])
  return member
}

/** Access that ends with a change of how a member signs in. */
export interface AccessEnd {
  /** The one session that stays: the one the change is made in. */
  readonly keepSessionId: number
  readonly endsApplications: boolean
}

export function addAccessEnd(
  ctx: Ctx,
  changes: Changes,
  accountId: AccountId,
  { keepSessionId, endsApplications }: AccessEnd,
): Changes {
  addSessionsEnd(ctx, changes, accountId, keepSessionId)
  return endsApplications ? addApplicationsEnd(ctx, changes, accountId) : changes
}

/**
 * Changes the password of a signed-in user who gives the old one; ends all other sessions, applications on request, and
 * mails the user about it.
 */
export async function changePassword(
  ctx: Ctx,
  accountId: AccountId,
  change: { readonly current: string; readonly next: string } & AccessEnd,
): Promise<void> {
  const member = await findWithPassword(ctx, accountId, change.current)
  refuseWeak(change.next)
  const passwordHash = await ctx.vault.hashPassword(change.next)
  const changes = new Changes().add(
    ctx.db.update(users).set({ passwordHash }).where(eq(users.accountId, accountId)),
    deleteUserTokens(ctx, accountId, 'reset'),
  )
  addSecurityMail(ctx, changes, member, 'password-changed')
  await commit(ctx, addAccessEnd(ctx, changes, accountId, change))
}

/** Enqueues a reset email if the address belongs to a member; does not reveal whether it does. */
export async function requestReset(ctx: Ctx, email: string): Promise<void> {
  const member = await execute(ctx.db, findMemberByEmail(ctx, email))
  if (member === null || ctx.mailer === null) return
  await commit(
    ctx,
    new Changes().enqueue({ kind: 'send-account-email', accountId: member.accountId, purpose: 'reset' }),
  )
}

/** Whether this reset link still works. */
export async function isLiveReset(ctx: Ctx, token: string): Promise<boolean> {
  return (await execute(ctx.db, findUserToken(ctx, await hashUserToken(token), 'reset'))) !== null
}

/**
 * Sets a new password for the holder of a reset link, once, and ends all access gained with the old one: sessions,
 * application tokens and codes not yet exchanged. The user is mailed about it. `Forbidden` when the link no longer works.
 */
export async function resetPassword(ctx: Ctx, token: string, password: string): Promise<void> {
  const tokenHash = await hashUserToken(token)
  const found = await execute(ctx.db, findUserToken(ctx, tokenHash, 'reset'))
  const badLink = new Forbidden('link_used_up')
  if (found === null) throw badLink
  refuseWeak(password)
  const { accountId } = found
  const member = await execute(ctx.db, findMemberById(ctx, accountId))
  const passwordHash = await ctx.vault.hashPassword(password)
  const isUnused = sql`exists (select 1 from ${userTokens} where ${userTokens.tokenHash} = ${tokenHash})`
  const changes = new Changes().require(isUnused, badLink)
  addNewPassword(ctx, changes, accountId, passwordHash)
  if (member !== null) addSecurityMail(ctx, changes, member, 'password-changed')
  await commit(ctx, changes)
}

/**
 * Gives a member a generated password, which the answer is, and ends all access gained with the old one; needs
 * `manageUserAccess` and a higher role. The member is mailed about it.
 */
export async function replacePassword(ctx: Ctx, moderator: Moderator, accountId: AccountId): Promise<string> {
  requirePermission(moderator, 'manageUserAccess')
  const member = await execute(ctx.db, orNotFound(findMemberById(ctx, accountId)))
  const changes = requireRankAbove(new Changes(), moderator, accountId)
  const password = ctx.random.token().slice(0, 20)
  addNewPassword(ctx, changes, accountId, await ctx.vault.hashPassword(password))
  addSecurityMail(ctx, changes, member, 'password-changed')
  const target = { type: 'account' as const, id: accountId, label: member.username }
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'change_password', target }))
  return password
}

/** Adds a new password, and the end of sessions, application tokens and codes not yet exchanged. */
function addNewPassword(ctx: Ctx, changes: Changes, accountId: AccountId, passwordHash: string): void {
  changes
    .add(
      ctx.db.update(users).set({ passwordHash }).where(eq(users.accountId, accountId)),
      deleteOtherDevices(ctx, accountId, null),
      ctx.db.delete(sessions).where(eq(sessions.accountId, accountId)),
      ctx.db.delete(pendingSignIns).where(eq(pendingSignIns.accountId, accountId)),
      ctx.db.delete(accessTokens).where(eq(accessTokens.accountId, accountId)),
      ctx.db.delete(authorizationCodes).where(eq(authorizationCodes.accountId, accountId)),
      deleteUserTokens(ctx, accountId, 'reset'),
    )
    .publish({ kind: 'sessions.ended', accountId, tokenIds: null })
}

function refuseWeak(password: string): void {
  const problems = passwordProblems(password)
  if (problems.length > 0) throw new InvalidFields(problems)
}

export type TokenPurpose = 'confirm' | 'reset'

const hour = 3_600_000
const lifeMilliseconds: Readonly<Record<TokenPurpose, number>> = { confirm: 24 * hour, reset: 2 * hour }

/** Secrets are stored as hashes, like all tokens. */
export function hashUserToken(token: string): Promise<string> {
  return sha256(`user token ${token}`)
}

/** Adds a new one-time secret to `changes`, which replaces earlier ones for the same purpose. */
export async function addUserToken(
  ctx: Ctx,
  changes: Changes,
  order: { readonly accountId: AccountId; readonly purpose: TokenPurpose; readonly email: string | null },
): Promise<string> {
  const token = ctx.random.token()
  const { accountId, purpose, email } = order
  const expiresAt = new Date(ctx.clock.now().getTime() + lifeMilliseconds[purpose])
  changes.add(
    deleteUserTokens(ctx, accountId, purpose),
    ctx.db
      .insert(userTokens)
      .values({ tokenHash: await hashUserToken(token), accountId, purpose, email, expiresAt }),
  )
  return token
}

/** Deletes the secrets of one purpose: they were used, or are replaced by newer ones. */
export function deleteUserTokens(ctx: Ctx, accountId: AccountId, purpose: TokenPurpose) {
  return ctx.db
    .delete(userTokens)
    .where(and(eq(userTokens.accountId, accountId), eq(userTokens.purpose, purpose)))
}

interface FoundUserToken {
  readonly accountId: AccountId
  readonly email: string | null
}

/** Account of an unexpired secret. */
export function findUserToken(
  ctx: Ctx,
  tokenHash: string,
  purpose: TokenPurpose,
): Query<FoundUserToken | null> {
  const found = first(
    ctx.db
      .select({ accountId: userTokens.accountId, email: userTokens.email, expiresAt: userTokens.expiresAt })
      .from(userTokens)
      .where(and(eq(userTokens.tokenHash, tokenHash), eq(userTokens.purpose, purpose))),
  )
  return map(found, (row) => (row === null || row.expiresAt <= ctx.clock.now() ? null : row))
}

/**
 * Makes a link by which a member chooses a new password, for servers that send no mail; needs `manageUserAccess` and a
 * higher role. Replaces an earlier link. `NotFound` for other accounts.
 */
export async function createResetLink(ctx: Ctx, moderator: Moderator, accountId: AccountId): Promise<string> {
  requirePermission(moderator, 'manageUserAccess')
  const member = await execute(ctx.db, orNotFound(findMemberById(ctx, accountId)))
  const changes = requireRankAbove(new Changes(), moderator, accountId)
  const token = await addUserToken(ctx, changes, { accountId, purpose: 'reset', email: null })
  const target = { type: 'account' as const, id: accountId, label: member.username }
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'reset_password', target }))
  return passwordResetUrl(ctx.config.origin, token)
}
