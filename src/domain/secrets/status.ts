import { sql } from 'drizzle-orm'
import {
  all,
  both,
  combineQueries,
  execute,
  first,
  inList,
  map,
  oneRow,
  type Query,
  rows,
} from '../../db/query'
import { accessTokens } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { isResealed, loadResealing } from './reseal'
import { type SecretStore, secretStores } from './stores'

/** Values of one store, by the secret they are encrypted under. */
export interface StoreStatus {
  readonly name: string
  readonly total: number
  /** Encrypted under another secret than the current one, or as before versions, or still to be filled in. */
  readonly remaining: number
  /** Of these, encrypted under a secret that is not configured. */
  readonly unknown: number
}

export interface SecretsStatus {
  /** Versions of the secrets, the current one first. */
  readonly versions: readonly string[]
  /** Whether a pass under the current secret is complete. */
  readonly isComplete: boolean
  /** Values that the last pass could not open. */
  readonly unopenable: number
  readonly stores: readonly StoreStatus[]
  /** Access tokens from before tokens were random. */
  readonly derivedTokens: number
}

/** State of all values that depend on the secrets. Reads every row of their tables: for operators alone. */
export function loadSecretsStatus(ctx: Ctx): Query<SecretsStatus> {
  const derived = sql<number>`(select count(*) from access_tokens where derived = 1)`
  const { secrets } = ctx.config
  return map(
    combineQueries({
      state: loadResealing(ctx),
      stores: all(secretStores.map((store) => storeStatus(ctx, store))),
      derived: first(ctx.db.select({ count: derived.as('count') }).from(oneRow)),
    }),
    ({ state, stores, derived: tokens }) => ({
      versions: secrets.accepted.map(({ version }) => version),
      isComplete: isResealed(secrets, state),
      unopenable: state?.unopenable ?? 0,
      stores,
      derivedTokens: tokens?.count ?? 0,
    }),
  )
}

function storeStatus(ctx: Ctx, { name, kind, table, where, text }: SecretStore): Query<StoreStatus> {
  const version = sql<string>`case when ${text} is null then 'missing' when ${text} like 'aesgcm2$%'
    then substr(${text}, 9, 8) else 'unversioned' end`
  const listed = sql`(select ${version} as version, count(*) as count from ${table} where ${where} group by 1) as listed`
  const found = ctx.db
    .select({
      version: sql<string>`listed.version`.as('version'),
      count: sql<number>`listed.count`.as('count'),
    })
    .from(listed)
  const { current, accepted } = ctx.config.secrets
  const known = new Set(['missing', 'unversioned', ...accepted.map((secret) => secret.version)])
  return map(rows(found), (groups) => {
    const sum = (is: (version: string) => boolean) =>
      groups.reduce((total, group) => (is(group.version) ? total + group.count : total), 0)
    return {
      name,
      total: sum(() => true),
      remaining: sum((one) => (kind === null ? one === 'missing' : one !== current.version)),
      unknown: kind === null ? 0 : sum((one) => !known.has(one)),
    }
  })
}

const tokensPerPart = 20

/**
 * Revokes the next access tokens from before tokens were random, which are computable with the secret of that time:
 * their apps sign in again. Returns how many are left. Publishes `sessions.ended` for each account.
 */
export async function revokeDerivedTokens(ctx: Ctx): Promise<number> {
  const isDerived = sql`derived = 1`
  const { id, accountId } = accessTokens
  const next = ctx.db
    .select({ id, accountId })
    .from(accessTokens)
    .where(isDerived)
    .orderBy(id)
    .limit(tokensPerPart)
  const count = sql<number>`(select count(*) from access_tokens where ${isDerived})`
  const [found, left] = await execute(
    ctx.db,
    both(rows(next), first(ctx.db.select({ count: count.as('count') }).from(oneRow))),
  )
  if (found.length === 0) return 0
  const ids = found.map((token) => token.id)
  const changes = new Changes().add(ctx.db.delete(accessTokens).where(inList(id, ids)))
  for (const [owner, tokens] of Map.groupBy(found, (token) => token.accountId))
    if (owner !== null)
      changes.publish({ kind: 'sessions.ended', accountId: owner, tokenIds: tokens.map((token) => token.id) })
  await commit(ctx, changes)
  return (left?.count ?? ids.length) - ids.length
}
