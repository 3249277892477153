import { eq, gt, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { failedGuard, failing, guarded } from '../../db/guards'
import { jsonPart, jsonParts, numberPart, optionalJsonPart, optionalNumberPart } from '../../db/json-row'
import { prepared } from '../../db/prepared'
import { both, type Db, execute, first, inList, map, type Query, rows } from '../../db/query'
import { accessTokens, accounts, revokedTokens, roles, sessions, users } from '../../db/schema'
import { Forbidden, Invalid, Unauthorized } from '../../errors'
import type { AccountId, ApplicationId, TokenId } from '../../lib/ids'
import { sha256 } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import type { Credential, Viewer } from '../core/viewer'
import { effectivePermissions, grantedPermissions, lowestPosition } from '../policy/permissions'
import { lacksSecondFactor } from '../policy/second-factor'
import type { Scope } from './scopes'
import { expiredBefore, isLiveToken, type Tokens } from './token-lifetime'

/** Caller of a request: an application with its token, or the session of a browser. */
export type Caller = TokenCaller | SessionCaller

/** Holder of a token: an application, and the account it acts for, if any. */
export interface TokenCaller {
  readonly kind: 'token'
  readonly tokenId: TokenId
  readonly applicationId: ApplicationId
  readonly scopes: readonly string[]
  readonly lastUsedAt: Date | null
  readonly person: Person | null
}

/** A signed-in browser, calling from a page of this server. */
export interface SessionCaller {
  readonly kind: 'session'
  readonly sessionId: number
  readonly scopes: readonly string[]
  readonly person: Person
}

/** Scopes of sessions: neither administration nor what belongs to the device of a token (`push`, `crypto`). */
export const sessionScopes: readonly Scope[] = ['read', 'write']

export interface Person {
  readonly viewer: Viewer
  /** Position of the user's role; `lowestPosition` without one. */
  readonly rolePosition: number
  readonly confirmed: boolean
  readonly approved: boolean
  readonly disabled: boolean
  readonly suspended: boolean
  /** The session has to set up a second factor first; tokens were given to apps after that. */
  readonly lacksSecondFactor: boolean
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
    applicationId: accessTokens.applicationId,
    scopes: accessTokens.scopes,
    usedAt: accessTokens.lastUsedAt,
  }),
  ...personParts,
})

const sessionCell = jsonParts({
  session: jsonPart({ id: sessions.id }),
  lacksSecondFactor: numberPart(lacksSecondFactor),
  ...personParts,
})

/** Credential that names no caller: never issued, or revoked or expired. Of a session that has ended nothing is kept. */
export type DeadToken = 'unknown' | 'revoked'

/**
 * The caller of a credential and, in the same round trip, the result of `query`; why the credential is dead otherwise. The
 * batch is aborted then before `query`, so that a made-up token reads nothing.
 */
export async function readAsCaller<T>(
  ctx: Ctx,
  credential: Credential,
  query: Query<T>,
): Promise<readonly [Caller, T] | DeadToken> {
  try {
    const [caller, found] = await execute(ctx.db, both(callerOrAbort(ctx, credential), query))
    return caller === null ? 'unknown' : [caller, found]
  } catch (failure) {
    const dead = deadTokenOf(failure)
    if (dead === null) throw failure
    return dead
  }
}

function callerOrAbort(ctx: Ctx, { kind, hash }: Credential): Query<Caller | null> {
  const now = ctx.clock.now()
  if (kind === 'session') {
    const session = selectSessionOrAbort(ctx.db, { hash, now: now.getTime() })
    return map(first(session), (found) => (found === null ? null : sessionCallerOf(found.row)))
  }
  const token = selectOrAbort(ctx.db, { tokenHash: hash, expired: expiredBefore(now) })
  return map(first(token), (found) => (found === null ? null : callerOf(found.row)))
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

/** Callers of the sessions that have not ended. One statement. */
export function callersBySessionId(ctx: Ctx, ids: readonly number[]): Query<ReadonlyMap<number, Caller>> {
  const isLive = gt(sessions.expiresAt, ctx.clock.now())
  return map(rows(sessionCallersWhere(ctx.db, sql`${inList(sessions.id, ids)} and ${isLive}`)), (all) => {
    const callers = all.flatMap(({ row }) => sessionCallerOf(row) ?? [])
    return new Map(callers.map((caller) => [caller.sessionId, caller]))
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

const selectSessionOrAbort = prepared(['hash', 'now'], (db, { hash, now }) => {
  const isLive = sql`exists (select 1 from ${sessions} live where live.token_hash = ${hash} and live.expires_at > ${now})`
  return sessionCallersWhere(
    db,
    sql`${sessions.tokenHash} = case when ${isLive} then ${hash} else ${failing(guardNames.unknown)} end`,
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

function sessionCallersWhere(db: Db, condition: SQL) {
  return db
    .select({ row: sessionCell.as('row') })
    .from(sessions)
    .leftJoin(users, eq(users.accountId, sessions.accountId))
    .leftJoin(accounts, eq(accounts.id, sessions.accountId))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(condition)
}

type CallerRow = PersonRow & {
  readonly token: Pick<typeof accessTokens.$inferSelect, 'id' | 'applicationId' | 'scopes'> & {
    readonly usedAt: Date | null
  }
}

function callerOf(row: CallerRow): TokenCaller {
  const { id, applicationId, scopes, usedAt } = row.token
  const person = personOf(row)
  return {
    kind: 'token',
    tokenId: id,
    applicationId,
    scopes: scopes.split(' '),
    lastUsedAt: usedAt,
    person,
  }
}

type SessionRow = Omit<PersonRow, 'token'> & {
  readonly session: Pick<typeof sessions.$inferSelect, 'id'>
  readonly lacksSecondFactor: number
}

function sessionCallerOf({ session, lacksSecondFactor, ...row }: SessionRow): SessionCaller | null {
  const person = personOf({ ...row, token: { applicationId: null } })
  if (person === null) return null
  return {
    kind: 'session',
    sessionId: session.id,
    scopes: sessionScopes,
    person: { ...person, lacksSecondFactor: lacksSecondFactor > 0 },
  }
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

/** Whether this user may post: confirmed, approved, neither disabled nor suspended, and with the second factor required. */
export function mayPost({ confirmed, approved, disabled, suspended, lacksSecondFactor }: Person): boolean {
  return confirmed && approved && !disabled && !suspended && !lacksSecondFactor
}

/** The caller; `Unauthorized` without a credential. */
export function presentCaller(caller: Caller | null): Caller {
  if (caller === null) throw new Unauthorized('token_required')
  return caller
}

/** The holder of a token; `Forbidden` for the session of a browser. */
export function requireToken(caller: Caller | null): TokenCaller {
  const holder = presentCaller(caller)
  if (holder.kind !== 'token') throw new Forbidden('token_required')
  return holder
}

export function requirePerson({ person }: Caller): Person {
  if (person === null) throw new Invalid('person_required')
  return person
}

/** The user as a viewer; refuses suspended, disabled, unconfirmed and unapproved users, and those without a required second factor. */
export function activeViewer(person: Person): Viewer {
  assertNotBarred(person)
  if (!person.confirmed) throw new Forbidden('unconfirmed')
  if (!person.approved) throw new Forbidden('pending_approval')
  return person.viewer
}

export function assertNotBarred({ suspended, disabled, lacksSecondFactor }: Person): void {
  if (suspended || disabled) throw new Forbidden('disabled')
  if (lacksSecondFactor) throw new Forbidden('two_factor_missing')
}

/**
 * Whether the caller is a user in good standing. Other callers must not trigger remote fetches: anonymous ones,
 * applications, and unconfirmed or unapproved users, whose accounts are cheap to create.
 */
export function mayTriggerFetches(caller: Caller | null): boolean {
  return caller?.person != null && mayPost(caller.person)
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
    lacksSecondFactor: false,
    lastActiveAt: user.lastActiveAt,
  }
}
