import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { failedGuard, guarded } from '../../db/guards'
import { jsonRow, optionalJsonRow } from '../../db/json-row'
import { first, map, type Query, rows } from '../../db/query'
import { accessTokens, accounts, roles, users } from '../../db/schema'
import { inList } from '../../db/sql'
import type { AccountId, ApplicationId, TokenId } from '../../lib/ids'
import { sha256 } from '../../lib/secrets'
import type { Ctx } from '../../platform/ports'
import type { Viewer } from '../core/viewer'
import { effectivePermissions, grantedPermissions } from '../policy/permissions'
import { isLiveToken, type Tokens } from './token-lifetime'

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

const tokenCell = jsonRow({
  id: accessTokens.id,
  tokenHash: accessTokens.tokenHash,
  applicationId: accessTokens.applicationId,
  scopes: accessTokens.scopes,
  usedAt: accessTokens.lastUsedAt,
})

const accountParts = {
  id: accounts.id,
  username: accounts.username,
  locked: accounts.locked,
  silencedAt: accounts.silencedAt,
  suspendedAt: accounts.suspendedAt,
}
const accountCell = optionalJsonRow(accountParts)

const userParts = {
  id: users.accountId,
  locale: users.locale,
  settings: users.settings,
  confirmedAt: users.confirmedAt,
  approved: users.approved,
  disabledAt: users.disabledAt,
  lastActiveAt: users.lastActiveAt,
}
const userCell = optionalJsonRow(userParts)

/** The caller behind a token hash, or null, also when the token has run out: one statement over token, application, user, account and role. */
export function callerByTokenHash(ctx: Ctx, tokenHash: string): Query<Caller | null> {
  return firstCaller(ctx, isToken(ctx, accessTokens, tokenHash))
}

/**
 * The same at the head of a batch that ends there where nobody holds the token, so that a made-up one reads nothing.
 * `isUnknownToken` knows that failure.
 */
export function callerOrAbort(ctx: Ctx, tokenHash: string): Query<Caller | null> {
  const held = alias(accessTokens, 'held')
  const isHeld = sql`exists (select 1 from ${accessTokens} held where ${isToken(ctx, held, tokenHash)})`
  const hash = guarded(isHeld, unknownToken, sql`${tokenHash}`)
  return firstCaller(ctx, sql`${accessTokens.tokenHash} = ${hash}`)
}

const unknownToken = 'token'

/** Whether a batch that begins with `callerOrAbort` failed because nobody holds the token. */
export function isUnknownToken(failure: unknown): boolean {
  return failedGuard(failure) === unknownToken
}

function firstCaller(ctx: Ctx, condition: SQL): Query<Caller | null> {
  return map(first(callersWhere(ctx, condition)), (row) => (row === null ? null : callerOf(row)))
}

function isToken(ctx: Ctx, tokens: Tokens, tokenHash: string): SQL {
  return sql`${tokens.tokenHash} = ${tokenHash} and ${isLiveToken(ctx.clock.now(), tokens)}`
}

/** The callers behind those of the tokens that still are. One statement. */
export function callersByTokenId(ctx: Ctx, ids: readonly TokenId[]): Query<ReadonlyMap<TokenId, Caller>> {
  return map(rows(callersWhere(ctx, inList(accessTokens.id, ids))), (all) => {
    const callers = all.map(callerOf)
    return new Map(callers.map((caller) => [caller.tokenId, caller]))
  })
}

function callersWhere(ctx: Ctx, condition: SQL) {
  return ctx.db
    .select({
      token: tokenCell.as('token'),
      account: accountCell.as('account'),
      user: userCell.as('user'),
      permissions: grantedPermissions.as('permissions'),
    })
    .from(accessTokens)
    .leftJoin(users, eq(users.accountId, accessTokens.accountId))
    .leftJoin(accounts, eq(accounts.id, accessTokens.accountId))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(condition)
}

type CallerRow = PersonRow & {
  readonly token: Pick<typeof accessTokens.$inferSelect, 'id' | 'tokenHash' | 'applicationId' | 'scopes'> & {
    readonly usedAt: Date | null
  }
}

function callerOf(row: CallerRow): Caller {
  const { id, tokenHash, applicationId, scopes, usedAt } = row.token
  const person = personOf(row)
  return { tokenId: id, tokenHash, applicationId, scopes: scopes.split(' '), lastUsedAt: usedAt, person }
}

/** The people of this server among `ids`, as they act by the clock: for no application. One statement. */
export function peopleById(ctx: Ctx, ids: readonly AccountId[]): Query<ReadonlyMap<AccountId, Person>> {
  const found = rows(
    ctx.db
      .select({
        account: accountCell.as('account'),
        user: userCell.as('user'),
        permissions: grantedPermissions.as('permissions'),
      })
      .from(users)
      .leftJoin(accounts, eq(accounts.id, users.accountId))
      .leftJoin(roles, eq(roles.id, users.roleId))
      .where(inList(users.accountId, ids)),
  )
  const people = (row: Omit<PersonRow, 'token'>) => personOf({ ...row, token: { applicationId: null } }) ?? []
  return map(found, (all) => new Map(all.flatMap(people).map((person) => [person.viewer.id, person])))
}

/** Are they in good standing, so that what they left to the clock may be done? */
export function mayPost({ confirmed, approved, disabled, suspended }: Person): boolean {
  return confirmed && approved && !disabled && !suspended
}

interface PersonRow {
  readonly token: { readonly applicationId: ApplicationId | null }
  readonly account: Pick<typeof accounts.$inferSelect, keyof typeof accountParts> | null
  readonly user: Pick<typeof users.$inferSelect, Exclude<keyof typeof userParts, 'id'>> | null
  readonly permissions: number
}

function personOf({ token, account, user, permissions }: PersonRow): Person | null {
  if (account === null || user === null) return null
  return {
    viewer: {
      id: account.id,
      username: account.username,
      locked: account.locked,
      silenced: account.silencedAt !== null,
      locale: user.locale,
      settings: user.settings,
      permissions: effectivePermissions(permissions),
      applicationId: token.applicationId,
    },
    confirmed: user.confirmedAt !== null,
    approved: user.approved,
    disabled: user.disabledAt !== null,
    suspended: account.suspendedAt !== null,
    lastActiveAt: user.lastActiveAt,
  }
}
