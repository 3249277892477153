import { eq, sql } from 'drizzle-orm'
import { actorUri } from '../../contract/addresses'
import { parseHandle } from '../../contract/handle'
import { combineQueries, execute, first, map, type Query } from '../../db/query'
import { accountMoves, accounts } from '../../db/schema'
import { InvalidFields } from '../../errors'
import { problem } from '../../errors/sentences'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { requireRankAbove } from '../policy/permissions'
import { accountsByHandles, type Mentionable } from './find'

/** Cooldown after a move, so that followers are not sent around. */
const cooldownDays = 30

interface Move {
  /** Account it moved to; null when it has not moved. */
  readonly target: AccountId | null
  /** Earliest time of the next move; null at any time. */
  readonly nextAt: Date | null
}

/** Current move of an account and the end of its cooldown. */
export async function findMove(ctx: Ctx, id: AccountId): Promise<Move> {
  const { own, last } = await execute(
    ctx.db,
    combineQueries({
      own: first(
        ctx.db.select({ target: accounts.movedToAccountId }).from(accounts).where(eq(accounts.id, id)),
      ),
      last: first(
        ctx.db
          .select({ createdAt: accountMoves.createdAt })
          .from(accountMoves)
          .where(eq(accountMoves.accountId, id))
          .orderBy(sql`${accountMoves.id} desc`)
          .limit(1),
      ),
    }),
  )
  const end = last === null ? null : new Date(last.createdAt.getTime() + cooldownDays * dayMilliseconds)
  return { target: own?.target ?? null, nextAt: end !== null && end > ctx.clock.now() ? end : null }
}

/**
 * Moves an account to another one, which must list it as an alias: the profile points there, and followers are
 * asked to follow it instead.
 *
 * `Invalid` about `handle` for a target that does not list this account, is itself, is where the account is
 * already, or comes before the cooldown of thirty days has ended. Emits `account.moved`. The caller has verified
 * the owner, or names the moderator, whose role must be higher.
 */
export async function moveAccount(
  ctx: Ctx,
  order: {
    readonly accountId: AccountId
    readonly username: string
    readonly handle: string
    /** Absent for the owner of the account. */
    readonly moderator?: Moderator
  },
): Promise<void> {
  const { accountId, username, moderator } = order
  const target = await resolveAccount(ctx, order.handle, 'handle')
  if (target.id === accountId) throw badHandle('own_account')
  const move = await findMove(ctx, accountId)
  if (move.target === target.id) throw badHandle('moved_there_already')
  if (move.nextAt !== null)
    throw new InvalidFields([
      problem('moved_recently', { field: 'handle', day: move.nextAt.toISOString().slice(0, 10) }),
    ])
  // Refetch: the target's aliases may have changed a moment ago, for this very move.
  if (target.uri !== null) await ctx.resolver.accountByUri(target.uri, { fresh: true })
  const aliases = await execute(ctx.db, aliasesOf(ctx, target.id))
  if (!aliases.includes(addressOf(ctx, { uri: null, username }))) throw badHandle('lacks_alias')
  const changes = new Changes()
    .add(
      ctx.db.run(sql`insert into ${accountMoves} (id, account_id, target_account_id, followers_count, created_at)
        select ${ctx.ids.next()}, a.id, ${target.id}, a.followers_count, ${ctx.clock.now().getTime()}
        from accounts a where a.id = ${accountId}`),
      ctx.db
        .update(accounts)
        .set({ movedToAccountId: target.id, updatedAt: ctx.clock.now() })
        .where(eq(accounts.id, accountId)),
    )
    .emit({ kind: 'account.moved', accountId, targetAccountId: target.id })
  if (moderator !== undefined) {
    requireRankAbove(changes, moderator, accountId)
    recordAudit(ctx, changes, moderator, {
      action: 'move',
      target: { type: 'account', id: accountId, label: username },
      after: { moved_to: order.handle },
    })
  }
  await commit(ctx, changes)
}

/** Clears the move of the profile. Followers that moved stay there. Emits `account.updated`. */
export async function cancelMove(ctx: Ctx, accountId: AccountId): Promise<void> {
  const changes = new Changes()
    .add(
      ctx.db
        .update(accounts)
        .set({ movedToAccountId: null, updatedAt: ctx.clock.now() })
        .where(eq(accounts.id, accountId)),
    )
    .emit({ kind: 'account.updated', accountId })
  await commit(ctx, changes)
}

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

function badHandle(
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
