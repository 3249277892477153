import { eq, sql } from 'drizzle-orm'
import { execute, first, map, type Query } from '../../db/query'
import { accounts } from '../../db/schema'
import { InvalidFields } from '../../errors'
import { problem } from '../../errors/sentences'
import { actorUri } from '../../lib/addresses'
import { parseHandle } from '../../lib/handle'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { accountsByHandles, type Mentionable } from './find'

const mostAliases = 10

/** Actor ids of the aliases of an account (`alsoKnownAs`). */
export function aliasesOf(ctx: Ctx, id: AccountId): Query<readonly string[]> {
  const found = first(
    ctx.db.select({ aliases: accounts.alsoKnownAs }).from(accounts).where(eq(accounts.id, id)),
  )
  return map(found, (row) => row?.aliases ?? [])
}

/**
 * Adds the account with this handle as an alias, so that it can move here. Unknown handles are resolved at their
 * server. `Invalid` about `alias` for an unknown account, the own account, and more than ten. Emits
 * `account.updated`.
 */
export async function addAlias(ctx: Ctx, owner: AccountId, text: string): Promise<void> {
  const alias = await resolveAccount(ctx, text, 'alias')
  if (alias.id === owner) throw badHandle('own_account', 'alias')
  const uri = addressOf(ctx, alias)
  const aliases = await execute(ctx.db, aliasesOf(ctx, owner))
  if (aliases.includes(uri)) return
  if (aliases.length >= mostAliases)
    throw new InvalidFields([problem('too_many_aliases', { field: 'alias', max: mostAliases })])
  const changes = new Changes()
    .add(
      ctx.db
        .update(accounts)
        .set({ alsoKnownAs: sql`json_insert(also_known_as, '$[#]', ${uri})`, updatedAt: ctx.clock.now() })
        .where(eq(accounts.id, owner)),
    )
    .emit({ kind: 'account.updated', accountId: owner })
  await commit(ctx, changes)
}

/** Removes an alias; a missing one is no error. Emits `account.updated`. */
export async function removeAlias(ctx: Ctx, owner: AccountId, uri: string): Promise<void> {
  const others = sql`(select json_group_array(value) from json_each(also_known_as) where value <> ${uri})`
  const changes = new Changes()
    .add(
      ctx.db
        .update(accounts)
        .set({ alsoKnownAs: others, updatedAt: ctx.clock.now() })
        .where(eq(accounts.id, owner)),
    )
    .emit({ kind: 'account.updated', accountId: owner })
  await commit(ctx, changes)
}

type HandleField = 'alias' | 'handle'

/** Account named in a form, resolved at its server; `Invalid` about the field when it does not exist. */
export async function resolveAccount(ctx: Ctx, text: string, field: HandleField): Promise<Mentionable> {
  const handle = parseHandle(text, ctx.config.ownDomains)
  if (handle === null) throw badHandle('no_handle', field)
  const { domain, username } = handle
  if (domain !== null) await ctx.resolver.accountByHandle({ username, domain })
  const [found] = await execute(ctx.db, accountsByHandles(ctx, [handle]))
  if (found === undefined || found.suspendedAt !== null)
    throw badHandle(domain === null ? 'unknown_member' : 'unknown_remote', field)
  return found
}

/** Actor id of a local or remote account. */
export function addressOf({ config }: Ctx, account: Pick<Mentionable, 'uri' | 'username'>): string {
  return account.uri ?? actorUri(config.origin, account.username)
}

export function badHandle(
  code:
    | 'lacks_alias'
    | 'moved_there_already'
    | 'no_handle'
    | 'own_account'
    | 'unknown_member'
    | 'unknown_remote',
  field: HandleField = 'handle',
): InvalidFields {
  return new InvalidFields([problem(code, { field })])
}
