import { eq, sql } from 'drizzle-orm'
import { execute, first, map, type Query } from '../../db/query'
import { accounts } from '../../db/schema'
import { Invalid } from '../../errors'
import { actorUri } from '../../lib/addresses'
import { type Handle, parseHandle } from '../../lib/handle'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { accountsByHandles, type Mentionable } from './find'

const mostAliases = 10

/** The actor ids of the accounts somebody says to be as well. */
export function aliasesOf(ctx: Ctx, id: AccountId): Query<readonly string[]> {
  const found = first(
    ctx.db.select({ aliases: accounts.alsoKnownAs }).from(accounts).where(eq(accounts.id, id)),
  )
  return map(found, (row) => row?.aliases ?? [])
}

/**
 * Says that the account with this handle is the same person's, so that it can move here. Asks its server where it is
 * unknown. `Invalid` about `alias` for what is nobody's, the own account, and more than ten. Emits `account.updated`.
 */
export async function addAlias(ctx: Ctx, owner: AccountId, text: string): Promise<void> {
  const alias = await resolveAccount(ctx, text, 'alias')
  if (alias.id === owner) throw badHandle('is this account itself', 'alias')
  const uri = addressOf(ctx, alias)
  const known = await execute(ctx.db, aliasesOf(ctx, owner))
  if (known.includes(uri)) return
  if (known.length >= mostAliases) throw badHandle(`would be more than ${mostAliases}`, 'alias')
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

/** Takes an alias back; there being none is no mistake. Emits `account.updated`. */
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

/** The account a person names in a form, looked for at its server; `Invalid` about the field for nobody's. */
export async function resolveAccount(ctx: Ctx, text: string, field: HandleField): Promise<Mentionable> {
  const handle = parseHandle(text, ctx.config.ownDomains)
  if (handle === null) throw badHandle('is no handle like name@example.org', field)
  const { domain, username } = handle
  if (domain !== null) await ctx.resolver.accountByHandle({ username, domain })
  const [found] = await execute(ctx.db, accountsByHandles(ctx, [handle]))
  if (found === undefined || found.suspendedAt !== null) throw badHandle(notFound(handle), field)
  return found
}

function notFound({ domain }: Handle): string {
  return domain === null ? 'is nobody of this server' : 'was not found at its server'
}

/** The actor id of an account of any server. */
export function addressOf({ config }: Ctx, account: Pick<Mentionable, 'uri' | 'username'>): string {
  return account.uri ?? actorUri(config.origin, account.username)
}

export function badHandle(description: string, field: HandleField = 'handle'): Invalid {
  return new Invalid(`Validation failed: ${field === 'alias' ? 'Alias' : 'Handle'} ${description}`, {
    [field]: [{ error: 'ERR_INVALID', description }],
  })
}
