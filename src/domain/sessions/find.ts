import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/db'
import { failedGuard, failing, guarded } from '../../db/guards'
import { jsonPart, jsonParts, numberPart, optionalJsonPart, optionalNumberPart } from '../../db/json-row'
import { prepared } from '../../db/prepared'
import { both, execute, first, map, type Query, rows } from '../../db/query'
import { accessTokens, accounts, revokedTokens, roles, users } from '../../db/schema'
import { inList } from '../../db/sql'
import type { AccountId, ApplicationId, TokenId } from '../../lib/ids'
import { sha256 } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import type { Viewer } from '../core/viewer'
import { lowestPosition } from '../policy/moderators'
import { effectivePermissions, grantedPermissions } from '../policy/permissions'
import { expiredBefore, isLiveToken, type Tokens } from './token-lifetime'

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

const accountParts = {
  id: accounts.id,
  username: accounts.username,
  locked: accounts.locked,
  silencedAt: accounts.silencedAt,
  suspendedAt: accounts.suspendedAt,
}

const userParts = {
  id: users.accountId,
  locale: users.locale,
  settings: users.settings,
  confirmedAt: users.confirmedAt,
  approved: users.approved,
  disabledAt: users.disabledAt,
  lastActiveAt: users.lastActiveAt,
}

const personParts = {
  account: optionalJsonPart(accountParts),
  user: optionalJsonPart(userParts),
  permissions: numberPart(grantedPermissions),
  rolePosition: optionalNumberPart(sql`${roles.position}`),
}

const callerCell = jsonParts({
  token: jsonPart({
    id: accessTokens.id,
    tokenHash: accessTokens.tokenHash,
    applicationId: accessTokens.applicationId,
    scopes: accessTokens.scopes,
    usedAt: accessTokens.lastUsedAt,
  }),
  ...personParts,
})

/** Token that names no caller: never issued, or revoked or expired. */
export type DeadToken = 'unknown' | 'revoked'

/**
 * The caller of a token and, in the same round trip, the result of `query`; why the token is dead otherwise. The batch is
 * aborted then before `query`, so that a made-up token reads nothing.
 */
export async function readAsCaller<T>(
  ctx: Ctx,
  tokenHash: string,
  query: Query<T>,
): Promise<readonly [Caller, T] | DeadToken> {
  try {
    const [caller, found] = await execute(ctx.db, both(callerOrAbort(ctx, tokenHash), query))
    return caller === null ? 'unknown' : [caller, found]
  } catch (failure) {
    const dead = deadTokenOf(failure)
    if (dead === null) throw failure
    return dead
  }
}

function callerOrAbort(ctx: Ctx, tokenHash: string): Query<Caller | null> {
  const select = selectOrAbort(ctx.db, { tokenHash, expired: expiredBefore(ctx.clock.now()) })
  return map(first(select), (found) => (found === null ? null : callerOf(found.row)))
}

const guardNames: Readonly<Record<DeadToken, string>> = { unknown: 'unknown_token', revoked: 'revoked_token' }

function deadTokenOf(failure: unknown): DeadToken | null {
  const failed = failedGuard(failure)
  if (failed === guardNames.unknown) return 'unknown'
  return failed === guardNames.revoked ? 'revoked' : null
}

/** Callers of the tokens that still exist. One statement. */
export function callersByTokenId(ctx: Ctx, ids: readonly TokenId[]): Query<ReadonlyMap<TokenId, Caller>> {
  return map(rows(callersWhere(ctx.db, inList(accessTokens.id, ids))), (all) => {
    const callers = all.map(({ row }) => callerOf(row))
    return new Map(callers.map((caller) => [caller.tokenId, caller]))
  })
}

const selectOrAbort = prepared(['tokenHash', 'expired'], (db, { tokenHash, expired }) => {
  const held = alias(accessTokens, 'held')
  const isHeld = sql`exists (select 1 from ${accessTokens} held where ${isToken(held, tokenHash, expired)})`
  // Expired tokens stay in the table for a while.
  const wasHeld = sql`(exists (select 1 from ${revokedTokens} where token_hash = ${tokenHash})
    or exists (select 1 from ${accessTokens} held where held.token_hash = ${tokenHash}))`
  const refusal = guarded(wasHeld, guardNames.unknown, failing(guardNames.revoked))
  return callersWhere(
    db,
    sql`${accessTokens.tokenHash} = case when ${isHeld} then ${tokenHash} else ${refusal} end`,
  )
})

function isToken(tokens: Tokens, tokenHash: SQL, expired: SQL): SQL {
  return sql`${tokens.tokenHash} = ${tokenHash} and ${isLiveToken(expired, tokens)}`
}

function callersWhere(db: Db, condition: SQL) {
  return db
    .select({ row: callerCell.as('row') })
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
      .select({ row: jsonParts(personParts).as('row') })
      .from(users)
      .leftJoin(accounts, eq(accounts.id, users.accountId))
      .leftJoin(roles, eq(roles.id, users.roleId))
      .where(inList(users.accountId, ids)),
  )
  const people = (row: Omit<PersonRow, 'token'>) => personOf({ ...row, token: { applicationId: null } }) ?? []
  return map(
    found,
    (all) => new Map(all.flatMap(({ row }) => people(row)).map((person) => [person.viewer.id, person])),
  )
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
