import { eq } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { first, map, type Query } from '../../db/query'
import { accessTokens, accounts, applications, roles, users } from '../../db/schema'
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
        tokenId: accessTokens.id,
        scopes: accessTokens.scopes,
        lastUsedAt: accessTokens.lastUsedAt,
        applicationId: applications.id,
        accountId: accounts.id,
        username: accounts.username,
        locked: accounts.locked,
        silencedAt: accounts.silencedAt,
        suspendedAt: accounts.suspendedAt,
        locale: users.locale,
        settings: users.settings,
        confirmedAt: users.confirmedAt,
        approved: users.approved,
        disabledAt: users.disabledAt,
        lastActiveAt: users.lastActiveAt,
        permissions: roles.permissions,
      })
      .from(accessTokens)
      .innerJoin(applications, eq(applications.id, accessTokens.applicationId))
      .leftJoin(users, eq(users.accountId, accessTokens.accountId))
      .leftJoin(accounts, eq(accounts.id, accessTokens.accountId))
      .leftJoin(roles, eq(roles.id, users.roleId))
      .where(eq(accessTokens.tokenHash, tokenHash)),
  )
  return map(found, (row) => {
    if (row === null) return null
    const { tokenId, applicationId, lastUsedAt } = row
    const scopes = row.scopes.split(' ')
    return { tokenId, tokenHash, applicationId, scopes, lastUsedAt, person: personOf(row) }
  })
}

interface PersonRow {
  readonly applicationId: ApplicationId
  readonly accountId: number | null
  readonly username: string | null
  readonly locked: boolean | null
  readonly silencedAt: Date | null
  readonly suspendedAt: Date | null
  readonly locale: string | null
  readonly settings: Viewer['settings'] | null
  readonly confirmedAt: Date | null
  readonly approved: boolean | null
  readonly disabledAt: Date | null
  readonly lastActiveAt: Date | null
  readonly permissions: number | null
}

function personOf(row: PersonRow): Person | null {
  if (row.accountId === null || row.username === null || row.settings === null) return null
  return {
    viewer: {
      id: row.accountId,
      username: row.username,
      locked: row.locked === true,
      silenced: row.silencedAt !== null,
      locale: row.locale ?? 'en',
      settings: row.settings,
      permissions: row.permissions ?? 0,
      applicationId: row.applicationId,
    },
    confirmed: row.confirmedAt !== null,
    approved: row.approved === true,
    disabled: row.disabledAt !== null,
    suspended: row.suspendedAt !== null,
    lastActiveAt: row.lastActiveAt,
  }
}
