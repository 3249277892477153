import { and, desc, eq } from 'drizzle-orm'
import { first, map, type Query, rows } from '../../db/query'
import { accounts, roles, sessions, users } from '../../db/schema'
import { prefixedColumns } from '../../db/sql'
import type { FileRef } from '../../db/values'
import type { AccountId } from '../../lib/ids'
import { sha256 } from '../../lib/secrets'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { effectivePermissions, grantedPermissions } from '../policy/permissions'
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
  readonly lastActiveAt: Date | null
}

export function hashSessionToken(token: string): Promise<string> {
  return sha256(`session ${token}`)
}

/** Session of a token, if it has not expired and its account is neither suspended nor disabled. */
export function findSession(ctx: Ctx, tokenHash: string): Query<WebSession | null> {
  const found = first(
    ctx.db
      .select({
        session: prefixedColumns('s', {
          id: sessions.id,
          lastSeenAt: sessions.lastSeenAt,
          expiresAt: sessions.expiresAt,
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
        }),
        permissions: grantedPermissions.as('permissions'),
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
    if (account.suspendedAt !== null || user.disabledAt !== null) return null
    return {
      id: session.id,
      lastSeenAt: session.lastSeenAt,
      accountId: account.accountId,
      username: account.username,
      displayName: account.displayName,
      avatar: account.avatar,
      unconfirmedEmail: user.unconfirmedEmail,
      email: user.email,
      confirmed: user.confirmedAt !== null,
      approved: user.approved,
      lastActiveAt: user.lastActiveAt,
      permissions: effectivePermissions(row.permissions),
    }
  })
}

export interface Browser {
  readonly userAgent: string
  readonly ip: string
}

/** Signs a browser in under a new token; its previous session `replaces` ends. */
export async function startSession(
  ctx: Ctx,
  person: { readonly accountId: AccountId; readonly lastActiveAt: Date | null },
  browser: Browser,
  replaces: WebSession | null,
): Promise<string> {
  const token = ctx.random.token()
  const now = ctx.clock.now()
  const changes = new Changes().add(
    ctx.db.insert(sessions).values({
      id: ctx.ids.next(),
      tokenHash: await hashSessionToken(token),
      accountId: person.accountId,
      userAgent: browser.userAgent.slice(0, 500),
      ip: browser.ip,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: expiry(now),
    }),
  )
  if (replaces !== null) changes.add(ctx.db.delete(sessions).where(eq(sessions.id, replaces.id)))
  addActivity(ctx, changes, person)
  await commit(ctx, changes)
  return token
}

/** Records that the browser was seen, which extends the session. */
export async function renewSession(ctx: Ctx, session: WebSession): Promise<void> {
  const now = ctx.clock.now()
  const changes = new Changes().add(
    ctx.db
      .update(sessions)
      .set({ lastSeenAt: now, expiresAt: expiry(now) })
      .where(eq(sessions.id, session.id)),
  )
  addActivity(ctx, changes, session)
  await commit(ctx, changes)
}

function expiry(now: Date): Date {
  return new Date(now.getTime() + sessionSeconds * 1000)
}

/** Ends a session of this account; another account's is left alone. */
export async function endSession(ctx: Ctx, accountId: AccountId, id: number): Promise<void> {
  const own = and(eq(sessions.id, id), eq(sessions.accountId, accountId))
  await commit(ctx, new Changes().add(ctx.db.delete(sessions).where(own)))
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
