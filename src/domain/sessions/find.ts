import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { first, map, type Query } from '../../db/query'
import { accessTokens, accounts, roles, users } from '../../db/schema'
import { named, namedOptional } from '../../db/sql'
import type { ApplicationId, TokenId } from '../../lib/ids'
import { sha256 } from '../../lib/secrets'
import type { Viewer } from '../viewer'

/** Whoever holds the token of a request: an application, and the person it acts for, if any. */
export interface Caller {
  readonly tokenId: TokenId
  readonly tokenHash: string
  readonly applicationId: ApplicationId
  readonly scopes: readonly string[]
  readonly lastUsedAt: Date | null
  readonly person: Person | null
}

export interface Person {
  readonly viewer: Viewer
  readonly confirmed: boolean
  readonly approved: boolean
  readonly disabled: boolean
  readonly suspended: boolean
  readonly lastActiveAt: Date | null
}

/** Tokens are kept as hashes: who reads the database cannot act for anybody. */
export function hashToken(token: string): Promise<string> {
  return sha256(`token ${token}`)
}

/** The caller behind a token hash, or null: one statement over token, application, user, account and role. */
export function callerByTokenHash(ctx: Ctx, tokenHash: string): Query<Caller | null> {
  const found = first(
    ctx.db
      .select({
        token: named('t', {
          id: accessTokens.id,
          scopes: accessTokens.scopes,
          usedAt: accessTokens.lastUsedAt,
        }),
        applicationId: sql<ApplicationId>`${accessTokens.applicationId}`.as('application_id'),
        account: namedOptional('a', accountParts),
        user: namedOptional('u', userParts),
        permissions: sql<number | null>`${roles.permissions}`.as('permissions'),
      })
      .from(accessTokens)
      .leftJoin(users, eq(users.accountId, accessTokens.accountId))
      .leftJoin(accounts, eq(accounts.id, accessTokens.accountId))
      .leftJoin(roles, eq(roles.id, users.roleId))
      .where(eq(accessTokens.tokenHash, tokenHash)),
  )
  return map(found, (row) => {
    if (row === null) return null
    const { token, applicationId } = row
    const scopes = token.scopes.split(' ')
    const person = personOf(row)
    return { tokenId: token.id, tokenHash, applicationId, scopes, lastUsedAt: token.usedAt, person }
  })
}

const accountParts = {
  id: accounts.id,
  username: accounts.username,
  locked: accounts.locked,
  silencedAt: accounts.silencedAt,
  suspendedAt: accounts.suspendedAt,
}

const userParts = {
  locale: users.locale,
  settings: users.settings,
  confirmedAt: users.confirmedAt,
  approved: users.approved,
  disabledAt: users.disabledAt,
  lastActiveAt: users.lastActiveAt,
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null }

interface PersonRow {
  readonly applicationId: ApplicationId
  readonly account: Nullable<Pick<typeof accounts.$inferSelect, keyof typeof accountParts>>
  readonly user: Nullable<Pick<typeof users.$inferSelect, keyof typeof userParts>>
  readonly permissions: number | null
}

function personOf({ account, user, permissions, applicationId }: PersonRow): Person | null {
  if (account.id === null || account.username === null || user.settings === null) return null
  return {
    viewer: {
      id: account.id,
      username: account.username,
      locked: account.locked === true,
      silenced: account.silencedAt !== null,
      locale: user.locale ?? 'en',
      settings: user.settings,
      permissions: permissions ?? 0,
      applicationId,
    },
    confirmed: user.confirmedAt !== null,
    approved: user.approved === true,
    disabled: user.disabledAt !== null,
    suspended: account.suspendedAt !== null,
    lastActiveAt: user.lastActiveAt,
  }
}
