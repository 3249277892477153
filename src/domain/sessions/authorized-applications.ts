import { and, eq, sql } from 'drizzle-orm'
import { map, prefixedColumns, type Query, rows } from '../../db/query'
import { accessTokens, applications, authorizationCodes } from '../../db/schema'
import type { AccountId, ApplicationId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { allScopes, type Scope } from './scopes'

/** Application as shown to the account that authorized it. */
export interface AuthorizedApplication {
  readonly id: ApplicationId
  readonly name: string
  readonly website: string | null
  /** Union over all its tokens. */
  readonly scopes: readonly Scope[]
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** Applications that hold a token of this account, newest first. */
export function listAuthorized(ctx: Ctx, accountId: AccountId): Query<readonly AuthorizedApplication[]> {
  const found = ctx.db
    .select({
      application: prefixedColumns('a', {
        id: applications.id,
        name: applications.name,
        website: applications.website,
      }),
      token: prefixedColumns('t', {
        scopes: accessTokens.scopes,
        createdAt: accessTokens.createdAt,
        lastUsedAt: accessTokens.lastUsedAt,
      }),
    })
    .from(accessTokens)
    .innerJoin(applications, eq(applications.id, accessTokens.applicationId))
    .where(eq(accessTokens.accountId, accountId))
    .orderBy(sql`${accessTokens.id} desc`)
    .limit(500)
  return map(rows(found), (list) => {
    const byId = Map.groupBy(list, (row) => row.application.id)
    return [...byId.values()].flatMap((tokens) => {
      const [newest] = tokens
      if (newest === undefined) return []
      const held = new Set(tokens.flatMap(({ token }) => token.scopes.split(' ')))
      const used = tokens.flatMap(({ token }) =>
        token.lastUsedAt === null ? [] : [token.lastUsedAt.getTime()],
      )
      return [
        {
          ...newest.application,
          scopes: allScopes.filter((scope) => held.has(scope)),
          createdAt: new Date(Math.min(...tokens.map(({ token }) => token.createdAt.getTime()))),
          lastUsedAt: used.length === 0 ? null : new Date(Math.max(...used)),
        },
      ]
    })
  })
}

/** Adds to `changes` the end of every application's access to an account. */
export function addApplicationsEnd(ctx: Ctx, changes: Changes, accountId: AccountId): Changes {
  return changes
    .add(
      ctx.db.delete(accessTokens).where(eq(accessTokens.accountId, accountId)),
      ctx.db.delete(authorizationCodes).where(eq(authorizationCodes.accountId, accountId)),
    )
    .publish({ kind: 'sessions.ended', accountId, tokenIds: null })
}

/**
 * Revokes an application's access to an account: all its tokens, and codes not yet exchanged. Publishes
 * `standing.changed`, which closes the connections opened with the deleted tokens.
 */
export async function revokeApplication(ctx: Ctx, accountId: AccountId, id: ApplicationId): Promise<void> {
  await commit(
    ctx,
    new Changes()
      .add(
        ctx.db
          .delete(accessTokens)
          .where(and(eq(accessTokens.accountId, accountId), eq(accessTokens.applicationId, id))),
        ctx.db
          .delete(authorizationCodes)
          .where(and(eq(authorizationCodes.accountId, accountId), eq(authorizationCodes.applicationId, id))),
      )
      .publish({ kind: 'standing.changed', accountId }),
  )
}
