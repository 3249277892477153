import { eq } from 'drizzle-orm'
import { inList, map, prefixedColumns, type Query, rows } from '../../db/query'
import { accounts, sessions, users } from '../../db/schema'
import type { FileRef } from '../../db/values'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

/** Accounts that one browser may be signed in to at once. */
export const mostAccounts = 5

/** A session that a browser holds beside others, with the account it belongs to. */
export interface HeldSession {
  readonly id: number
  readonly tokenHash: string
  readonly accountId: AccountId
  readonly username: string
  readonly displayName: string
  readonly avatar: FileRef | null
  /** The account is suspended or disabled. */
  readonly isRestricted: boolean
}

/** The sessions of these tokens that have not ended: one row each, of at most six, as an ended one may leave its cookie. */
export function sessionsOfBrowser(ctx: Ctx, tokenHashes: readonly string[]): Query<readonly HeldSession[]> {
  const found = ctx.db
    .select({
      session: prefixedColumns('s', {
        id: sessions.id,
        tokenHash: sessions.tokenHash,
        expiresAt: sessions.expiresAt,
      }),
      account: prefixedColumns('a', {
        accountId: accounts.id,
        username: accounts.username,
        displayName: accounts.displayName,
        avatar: accounts.avatar,
        suspendedAt: accounts.suspendedAt,
      }),
      user: prefixedColumns('u', { disabledAt: users.disabledAt }),
    })
    .from(sessions)
    .innerJoin(users, eq(users.accountId, sessions.accountId))
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(inList(sessions.tokenHash, tokenHashes.slice(0, mostAccounts + 1)))
  return map(rows(found), (list) =>
    list.flatMap(({ session, account, user }) => {
      if (session.expiresAt <= ctx.clock.now()) return []
      const { suspendedAt, ...named } = account
      const isRestricted = suspendedAt !== null || user.disabledAt !== null
      return [{ id: session.id, tokenHash: session.tokenHash, ...named, isRestricted }]
    }),
  )
}
