import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { type Look, lookOf } from '../../contract/look'
import { first, map, prefixedColumns, type Query, rows } from '../../db/query'
import { accounts, pendingSignIns, roles, sessions, users } from '../../db/schema'
import type { FileRef } from '../../db/values'
import type { AccountId } from '../../lib/ids'
import { sha256 } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { effectivePermissions, grantedPermissions, lowestPosition } from '../policy/permissions'
import { hasSecondFactor, isTwoFactorRequired } from '../policy/second-factor'
import { addDevice, addSignInAddress, deleteDeviceOf, deleteOtherDevices } from './devices'
import { addActivity } from './record-activity'

/** Counted from the last day the browser was seen. */
export const sessionSeconds = 30 * 86_400

/** Signed-in browser session. */
export interface WebSession {
  readonly id: number
  readonly lastSeenAt: Date
  readonly accountId: AccountId
  readonly username: string
  readonly displayName: string
  readonly avatar: FileRef | null
  readonly email: string
  /** Address awaiting confirmation to replace `email`. */
  readonly unconfirmedEmail: string | null
  readonly confirmed: boolean
  readonly approved: boolean
  readonly permissions: number
  /** Position of the role; `lowestPosition` without one. */
  readonly rolePosition: number
  readonly lastActiveAt: Date | null
  /** Language tag that the user chose for the interface. */
  readonly locale: string
  /** IANA name; null where none is chosen. */
  readonly timeZone: string | null
  readonly look: Look
  /** Time the user last proved to be there, by password or passkey. */
  readonly authenticatedAt: Date | null
  /** Whether the role of the user, or that of everyone, requires a second factor. */
  readonly isTwoFactorRequired: boolean
  /** Whether the user has a second factor. */
  readonly hasSecondFactor: boolean
  /** Effective date of announced terms that the user has not seen; null without such terms. */
  readonly termsToSee: string | null
  /** Time of the sign-up. */
  readonly createdAt: Date
  /** Newest strike that the user was notified of, and has neither confirmed nor appealed against. */
  readonly strikeToSee: number | null
  /** The first steps are yet to be shown. */
  readonly firstStepsDue: boolean
}

/** Whether the user has to set up a second factor before anything else. */
export function lacksSecondFactor({ isTwoFactorRequired, hasSecondFactor }: WebSession): boolean {
  return isTwoFactorRequired && !hasSecondFactor
}

export function hashSessionToken(token: string): Promise<string> {
  return sha256(`session ${token}`)
}

/** A session, and whether its account is suspended or disabled: it then opens nothing but the page of strikes. */
export interface FoundSession {
  readonly session: WebSession
  readonly isRestricted: boolean
}

/** Terms that were announced after the user last saw any, and published after they joined. A server has few of them. */
const termsToSee = sql<string | null>`(select notice.effective_on from terms_notices notice
  where notice.sent_at > coalesce(${users.termsSeenAt}, 0) and notice.joined_before >= ${users.createdAt}
  order by notice.sent_at desc limit 1)`

/** Session of a token, if it has not expired and its account is neither suspended nor disabled. */
export function findSession(ctx: Ctx, tokenHash: string): Query<WebSession | null> {
  return map(findAnySession(ctx, tokenHash), (found) =>
    found === null || found.isRestricted ? null : found.session,
  )
}

/** Session of a token, if it has not expired, whatever the state of its account. */
export function findAnySession(ctx: Ctx, tokenHash: string): Query<FoundSession | null> {
  const found = first(
    ctx.db
      .select({
        session: prefixedColumns('s', {
          id: sessions.id,
          lastSeenAt: sessions.lastSeenAt,
          expiresAt: sessions.expiresAt,
          authenticatedAt: sessions.authenticatedAt,
        }),
        account: prefixedColumns('a', {
          accountId: accounts.id,
          username: accounts.username,
          displayName: accounts.displayName,
          avatar: accounts.avatar,
          suspendedAt: accounts.suspendedAt,
        }),
        user: prefixedColumns('u', {
          email: users.email,
          unconfirmedEmail: users.unconfirmedEmail,
          confirmedAt: users.confirmedAt,
          approved: users.approved,
          disabledAt: users.disabledAt,
          lastActiveAt: users.lastActiveAt,
          locale: users.locale,
          timeZone: users.timeZone,
          settings: users.settings,
          createdAt: users.createdAt,
          strikeToSee: users.strikeToSee,
          firstStepsDue: users.firstStepsDue,
        }),
        permissions: grantedPermissions.as('permissions'),
        rolePosition: sql<number | null>`${roles.position}`.as('role_position'),
        isTwoFactorRequired: isTwoFactorRequired.as('is_two_factor_required'),
        hasSecondFactor: hasSecondFactor.as('has_second_factor'),
        termsToSee: termsToSee.as('terms_to_see'),
      })
      .from(sessions)
      .innerJoin(users, eq(users.accountId, sessions.accountId))
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .leftJoin(roles, eq(roles.id, users.roleId))
      .where(eq(sessions.tokenHash, tokenHash)),
  )
  return map(found, (row) => {
    if (row === null || row.session.expiresAt <= ctx.clock.now()) return null
    const { session, account, user } = row
    const found = {
      id: session.id,
      lastSeenAt: session.lastSeenAt,
      authenticatedAt: session.authenticatedAt,
      accountId: account.accountId,
      username: account.username,
      displayName: account.displayName,
      avatar: account.avatar,
      unconfirmedEmail: user.unconfirmedEmail,
      email: user.email,
      confirmed: user.confirmedAt !== null,
      approved: user.approved,
      lastActiveAt: user.lastActiveAt,
      locale: user.locale,
      timeZone: user.timeZone,
      look: lookOf(user.settings),
      permissions: effectivePermissions(row.permissions),
      rolePosition: row.rolePosition ?? lowestPosition,
      isTwoFactorRequired: row.isTwoFactorRequired > 0,
      hasSecondFactor: row.hasSecondFactor > 0,
      termsToSee: row.termsToSee,
      createdAt: user.createdAt,
      strikeToSee: user.strikeToSee,
      firstStepsDue: user.firstStepsDue,
    }
    return { session: found, isRestricted: account.suspendedAt !== null || user.disabledAt !== null }
  })
}

export interface Browser {
  readonly userAgent: string
  readonly ip: string
  /** Hash of the secret in its device cookie. */
  readonly deviceHash: string
}

/** Id and account of a session. */
export type SessionRef = Pick<WebSession, 'id' | 'accountId'>

/** Signs a browser in under a new token; the sessions it replaces end. The account knows its device from then on. */
export async function startSession(
  ctx: Ctx,
  person: { readonly accountId: AccountId; readonly lastActiveAt: Date | null },
  browser: Browser,
  replaces: readonly SessionRef[],
): Promise<string> {
  const token = ctx.random.token()
  const now = ctx.clock.now()
  const { accountId } = person
  const { ip, deviceHash, userAgent } = browser
  const changes = new Changes().add(
    deleteSurplusSessions(ctx, accountId),
    ctx.db.insert(sessions).values({
      id: ctx.ids.next(),
      tokenHash: await hashSessionToken(token),
      accountId,
      userAgent: userAgent.slice(0, 500),
      ip,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: expiry(now),
      authenticatedAt: now,
      deviceHash,
    }),
  )
  addDevice(ctx, changes, accountId, deviceHash)
  addSignInAddress(ctx, changes, accountId, ip)
  for (const { id, accountId: owner } of replaces) addSessionEnd(ctx, changes, owner, id)
  addActivity(ctx, changes, person)
  await commit(ctx, changes)
  return token
}

/** More than the browsers of any user: a new password ends the sessions of all in one request. */
const mostSessions = 100

/** Ends the sessions that the next one of the account replaces: the longest unseen beyond the limit. */
function deleteSurplusSessions(ctx: Ctx, accountId: AccountId) {
  const beyond = sql`(select id from sessions where account_id = ${accountId}
    order by last_seen_at desc, id desc limit 100 offset ${sql.raw(String(mostSessions - 1))})`
  return ctx.db.delete(sessions).where(sql`${sessions.id} in ${beyond}`)
}

/** Records that the browser was seen at this address, which extends the session. */
export async function renewSession(ctx: Ctx, session: WebSession, ip: string): Promise<void> {
  const now = ctx.clock.now()
  const changes = new Changes().add(
    ctx.db
      .update(sessions)
      .set({ lastSeenAt: now, expiresAt: expiry(now), ip })
      .where(eq(sessions.id, session.id)),
  )
  addSignInAddress(ctx, changes, session.accountId, ip)
  addActivity(ctx, changes, session)
  await commit(ctx, changes)
}

function expiry(now: Date): Date {
  return new Date(now.getTime() + sessionSeconds * 1000)
}

/** Ends sessions by signing out, each of its own account. */
export async function endSessions(ctx: Ctx, ended: readonly SessionRef[]): Promise<void> {
  const changes = new Changes()
  for (const { id, accountId } of ended) addSessionEnd(ctx, changes, accountId, id)
  await commit(ctx, changes)
}

/** Ends a session of this account, whose device it forgets; another account's is left alone. */
export async function revokeSession(ctx: Ctx, accountId: AccountId, id: number): Promise<void> {
  const changes = new Changes().add(deleteDeviceOf(ctx, accountId, id))
  await commit(ctx, addSessionEnd(ctx, changes, accountId, id))
}

/** Ends all sessions of this account but one, and forgets their devices. */
export async function revokeOtherSessions(ctx: Ctx, accountId: AccountId, keptId: number): Promise<void> {
  await commit(ctx, addSessionsEnd(ctx, new Changes(), accountId, keptId))
}

/**
 * Adds to `changes` the end of all sessions of an account but `keptId`, and of sign-ins under way; their devices are
 * forgotten.
 */
export function addSessionsEnd(
  ctx: Ctx,
  changes: Changes,
  accountId: AccountId,
  keptId: number | null,
): Changes {
  const others = and(eq(sessions.accountId, accountId), ne(sessions.id, keptId ?? 0))
  // Streams of the session that stays, and those of apps, are opened again by their clients.
  return changes
    .add(
      deleteOtherDevices(ctx, accountId, keptId),
      ctx.db.delete(sessions).where(others),
      ctx.db.delete(pendingSignIns).where(eq(pendingSignIns.accountId, accountId)),
    )
    .publish({ kind: 'sessions.ended', accountId, tokenIds: null })
}

function addSessionEnd(ctx: Ctx, changes: Changes, accountId: AccountId, id: number): Changes {
  const session = and(eq(sessions.id, id), eq(sessions.accountId, accountId))
  return changes
    .add(ctx.db.delete(sessions).where(session))
    .publish({ kind: 'sessions.ended', accountId, tokenIds: [id] })
}

/** Records that the user behind the session has given their password or a passkey. */
export async function markAuthenticated(ctx: Ctx, session: WebSession): Promise<void> {
  const authenticatedAt = ctx.clock.now()
  const stamp = ctx.db.update(sessions).set({ authenticatedAt }).where(eq(sessions.id, session.id))
  await commit(ctx, new Changes().add(stamp))
}

/** Milliseconds after authentication in which the ways to sign in may be changed. */
const recentMilliseconds = 15 * 60_000

/** Whether the user behind the session has given a password or passkey recently enough to change ways to sign in. */
export function isRecentlyAuthenticated(ctx: Ctx, { authenticatedAt }: WebSession): boolean {
  const now = ctx.clock.now().getTime()
  return authenticatedAt !== null && now - authenticatedAt.getTime() < recentMilliseconds
}

export type SessionRow = typeof sessions.$inferSelect

/** Sessions of an account, newest first. */
export function listSessions(ctx: Ctx, accountId: AccountId): Query<SessionRow[]> {
  const now = ctx.clock.now()
  const all = ctx.db
    .select()
    .from(sessions)
    .where(eq(sessions.accountId, accountId))
    .orderBy(desc(sessions.id))
  return map(rows(all.limit(100)), (list) => list.filter((session) => session.expiresAt > now))
}
