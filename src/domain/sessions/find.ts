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
import { lowestPosition } from '../policy/moderators'
import { effectivePermissions, grantedPermissions } from '../policy/permissions'
import { isLiveToken, type Tokens } from './token-lifetime'

/** Holder of a request's token: an application, and the account it acts for, if any. */
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
  /** Position of the user's role; `lowestPosition` without one. */
  readonly rolePosition: number
  readonly confirmed: boolean
  readonly approved: boolean
  readonly disabled: boolean
  readonly suspended: boolean
  readonly lastActiveAt: Date | null
}

/** Tokens are stored as hashes: read access to the database does not allow acting for an account. */
export function hashToken(token: string): Promise<string> {
  return sha256(`token ${token}`)
}

const tokenColumn = jsonRow({
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
const accountColumn = optionalJsonRow(accountParts)

const userParts = {
  id: users.accountId,
  locale: users.locale,
  settings: users.settings,
  confirmedAt: users.confirmedAt,
  approved: users.approved,
  disabledAt: users.disabledAt,
  lastActiveAt: users.lastActiveAt,
}
const userColumn = optionalJsonRow(userParts)

/**
 * Caller of a token hash, or null, also for an expired token: one statement over token, application, user, account
 * and role.
 */
export function callerByTokenHash(ctx: Ctx, tokenHash: string): Query<Caller | null> {
  return firstCaller(ctx, isToken(ctx, accessTokens, tokenHash))
}

/**
 * `callerByTokenHash` at the head of a batch, which is aborted for an unknown token, so that a made-up one reads
 * nothing. `isUnknownToken` recognises that failure.
 */
export function callerOrAbort(ctx: Ctx, tokenHash: string): Query<Caller | null> {
  const held = alias(accessTokens, 'held')
  const isHeld = sql`exists (select 1 from ${accessTokens} held where ${isToken(ctx, held, tokenHash)})`
  const hash = guarded(isHeld, unknownToken, sql`${tokenHash}`)
  return firstCaller(ctx, sql`${accessTokens.tokenHash} = ${hash}`)
}

const unknownToken = 'token'

/** Whether a batch that begins with `callerOrAbort` failed because the token is unknown. */
export function isUnknownToken(failure: unknown): boolean {
  return failedGuard(failure) === unknownToken
}

function firstCaller(ctx: Ctx, condition: SQL): Query<Caller | null> {
  return map(first(callersWhere(ctx, condition)), (row) => (row === null ? null : callerOf(row)))
}

function isToken(ctx: Ctx, tokens: Tokens, tokenHash: string): SQL {
  return sql`${tokens.tokenHash} = ${tokenHash} and ${isLiveToken(ctx.clock.now(), tokens)}`
}

/** Callers of the tokens that still exist. One statement. */
export function callersByTokenId(ctx: Ctx, ids: readonly TokenId[]): Query<ReadonlyMap<TokenId, Caller>> {
  return map(rows(callersWhere(ctx, inList(accessTokens.id, ids))), (all) => {
    const callers = all.map(callerOf)
    return new Map(callers.map((caller) => [caller.tokenId, caller]))
  })
}

function callersWhere(ctx: Ctx, condition: SQL) {
  return ctx.db
    .select({
      token: tokenColumn.as('token'),
      account: accountColumn.as('account'),
      user: userColumn.as('user'),
      permissions: grantedPermissions.as('permissions'),
      rolePosition: roles.position,
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

/** Local users among `ids`, acting in scheduled work: for no application. One statement. */
export function peopleById(ctx: Ctx, ids: readonly AccountId[]): Query<ReadonlyMap<AccountId, Person>> {
  const found = rows(
    ctx.db
      .select({
        account: accountColumn.as('account'),
        user: userColumn.as('user'),
        permissions: grantedPermissions.as('permissions'),
        rolePosition: roles.position,
      })
      .from(users)
      .leftJoin(accounts, eq(accounts.id, users.accountId))
      .leftJoin(roles, eq(roles.id, users.roleId))
      .where(inList(users.accountId, ids)),
  )
  const people = (row: Omit<PersonRow, 'token'>) => personOf({ ...row, token: { applicationId: null } }) ?? []
  return map(found, (all) => new Map(all.flatMap(people).map((person) => [person.viewer.id, person])))
}

/** Whether scheduled work of this user may run: confirmed, approved, not disabled and not suspended. */
export function mayPost({ confirmed, approved, disabled, suspended }: Person): boolean {
  return confirmed && approved && !disabled && !suspended
}

interface PersonRow {
  readonly token: { readonly applicationId: ApplicationId | null }
  readonly account: Pick<typeof accounts.$inferSelect, keyof typeof accountParts> | null
  readonly user: Pick<typeof users.$inferSelect, Exclude<keyof typeof userParts, 'id'>> | null
  readonly permissions: number
  readonly rolePosition: number | null
}

function personOf({ token, account, user, permissions, rolePosition }: PersonRow): Person | null {
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
    rolePosition: rolePosition ?? lowestPosition,
    confirmed: user.confirmedAt !== null,
    approved: user.approved,
    disabled: user.disabledAt !== null,
    suspended: account.suspendedAt !== null,
    lastActiveAt: user.lastActiveAt,
  }
}
