import { and, eq, isNull, sql } from 'drizzle-orm'
import { execute, jsonRows } from '../../db/query'
import {
  accounts,
  actorKeys,
  counters,
  followRequests,
  follows,
  instances,
  remoteActors,
} from '../../db/schema'
import { Conflict } from '../../errors'
import type { AccountId } from '../../lib/ids'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import {
  changedColumns,
  endpointColumns,
  type ImportFacts,
  importFacts,
  type KnownAccount,
  profileOf,
  type RemoteActor,
} from './remote-rows'

/** Result of importing an actor document. */
export type ActorImportResult =
  | { readonly kind: 'stored'; readonly id: AccountId; readonly isNew: boolean }
  /** Another URI holds the handle, and nothing proves that it passed to this one. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly reason: string }

interface ImportOptions {
  /** Time of the document; data read later than that stays. Defaults to now. */
  readonly readAt?: Date
  /** WebFinger resolves the handle to this URI: the previous holder has lost it. */
  readonly handleProven?: boolean
}

/**
 * Creates or refreshes a remote account from its actor document: one round trip to gather, one to commit.
 *
 * The handle of a known account stays. A suspension by its own server comes and goes with the document; one by
 * local moderators stays. Keys the document no longer lists are deleted. Local accounts are never changed.
 */
export async function importAccount(
  ctx: Ctx,
  actor: RemoteActor,
  options: ImportOptions = {},
): Promise<ActorImportResult> {
  if (claimsOwnDomain(ctx, actor)) return { kind: 'refused', reason: 'claims to be of this server' }
  const facts = await execute(ctx.db, importFacts(ctx, actor))
  if (facts.limit?.severity === 'suspend') return { kind: 'refused', reason: 'its server is suspended' }
  const readAt = options.readAt ?? ctx.clock.now()
  const changes = new Changes()
  if (facts.account !== null) {
    const { account } = facts
    if (account.fetchedAt !== null && account.fetchedAt > readAt)
      return { kind: 'stored', id: account.id, isNew: false }
    refresh(ctx, changes, { ...facts, account, id: account.id, actor, readAt })
    await commit(ctx, changes)
    return { kind: 'stored', id: account.id, isNew: false }
  }
  if (facts.holder !== null) {
    if (options.handleProven !== true) return { kind: 'taken' }
    retireHandle(ctx, changes, facts.holder)
  }
  const id = ctx.ids.next()
  const raced = new Conflict('account_stored')
  changes.require(sql`not exists (select 1 from accounts where uri = ${actor.uri})`, raced)
  create(ctx, changes, { ...facts, id, actor, readAt })
  try {
    await commit(ctx, changes)
  } catch (failure) {
    if (failure === raced) return importAccount(ctx, actor, options)
    throw failure
  }
  return { kind: 'stored', id, isNew: true }
}

function claimsOwnDomain({ config }: Ctx, { uri, domain }: RemoteActor): boolean {
  return [hostOf(uri), domain].some((host) => host !== null && config.ownDomains.includes(host))
}

interface Import extends ImportFacts {
  readonly id: AccountId
  readonly actor: RemoteActor
  readonly readAt: Date
}

interface KnownImport extends Import {
  readonly account: KnownAccount
}

function create(ctx: Ctx, changes: Changes, plan: Import): void {
  const { id, actor, movedTo, limit } = plan
  const { uri, username, domain, publishedAt, suspended } = actor
  const now = ctx.clock.now()
  const createdAt = publishedAt === null || publishedAt > now ? now : publishedAt
  countInstance(ctx, changes, domain)
  changes.add(
    ctx.db.insert(accounts).values({
      ...profileOf(actor, plan.limit),
      id,
      uri,
      username,
      domain,
      createdAt,
      updatedAt: now,
      movedToAccountId: movedTo,
      suspendedAt: suspended ? now : null,
      // Timestamp of the limit: lifting the limit finds the accounts it silenced by it.
      silencedAt: limit?.severity === 'silence' ? limit.createdAt : null,
    }),
    ctx.db.insert(remoteActors).values({
      ...endpointColumns(actor),
      accountId: id,
      fetchedAt: plan.readAt,
      suspendedAtHome: suspended,
    }),
  )
  storeKeys(ctx, changes, plan)
}

function refresh(ctx: Ctx, changes: Changes, plan: KnownImport): void {
  const { id, actor, account, movedTo, readAt } = plan
  const { id: _, suspendedAt, fetchedAt, ...stored } = account
  const changed = changedColumns(stored, { ...profileOf(actor, plan.limit), movedToAccountId: movedTo })
  if (Object.keys(changed).length > 0)
    changes.add(
      ctx.db
        .update(accounts)
        .set({ ...changed, updatedAt: ctx.clock.now() })
        .where(eq(accounts.id, id)),
    )
  const addresses = { ...endpointColumns(actor), fetchedAt: readAt }
  changes.add(
    ctx.db
      .insert(remoteActors)
      .values({ ...addresses, accountId: id })
      .onConflictDoUpdate({ target: remoteActors.accountId, set: addresses }),
  )
  followSuspension(ctx, changes, plan)
  storeKeys(ctx, changes, plan)
}

/** Decided in the statements, so that a concurrent moderator action is not undone. */
function followSuspension(ctx: Ctx, changes: Changes, { id, actor, account }: KnownImport): void {
  if (actor.suspended === (account.suspendedAt !== null)) return
  const ofAccount = eq(remoteActors.accountId, id)
  const notSuspended = sql`exists (select 1 from accounts where id = ${id} and suspended_at is null)`
  const fromHome = sql`exists (select 1 from remote_actors where account_id = ${id} and suspended_at_home = 1)`
  if (actor.suspended)
    changes.add(
      ctx.db.update(remoteActors).set({ suspendedAtHome: true }).where(and(ofAccount, notSuspended)),
      ctx.db
        .update(accounts)
        .set({ suspendedAt: ctx.clock.now() })
        .where(and(eq(accounts.id, id), isNull(accounts.suspendedAt))),
    )
  else
    changes.add(
      ctx.db
        .update(accounts)
        .set({ suspendedAt: null })
        .where(and(eq(accounts.id, id), fromHome)),
      ctx.db.update(remoteActors).set({ suspendedAtHome: false }).where(ofAccount),
    )
}

/**
 * Stores keys of this actor only. A key id below the actor's own URI is certainly its own; any other stays with the
 * actor that listed it first.
 */
function storeKeys(ctx: Ctx, changes: Changes, { id, actor }: Import): void {
  const keys = actor.keys.map((key) => ({ ...key, own: key.id.split('#')[0] === actor.uri ? 1 : 0 }))
  const ids = keys.map((key) => key.id)
  changes.add(
    ctx.db
      .delete(actorKeys)
      .where(sql`account_id = ${id} and key_id not in (select value from json_each(${JSON.stringify(ids)}))`),
    ctx.db.run(sql`insert into actor_keys (key_id, account_id, public_key, created_at)
      select item.value ->> 'id', ${id}, item.value ->> 'publicKey', ${ctx.clock.now().getTime()}
      from ${jsonRows(keys)} where item.value ->> 'own' = 1 or not exists (select 1 from actor_keys other
        where other.key_id = item.value ->> 'id' and other.account_id <> ${id})
      on conflict (key_id) do update set account_id = excluded.account_id, public_key = excluded.public_key
        where account_id <> excluded.account_id or public_key <> excluded.public_key`),
  )
}

/** Counts a newly met server. Runs before its row is inserted. */
function countInstance(ctx: Ctx, changes: Changes, domain: string): void {
  changes.add(
    ctx.db
      .update(counters)
      .set({ value: sql`value + 1` })
      .where(sql`name = 'domains' and not exists (select 1 from instances where domain = ${domain})`),
    ctx.db.insert(instances).values({ domain, createdAt: ctx.clock.now() }).onConflictDoNothing(),
  )
}

/**
 * Frees the handle of an actor that lost it. Its statuses stay its own: the new holder may be another account, on a
 * server set up again. `hasRetiredHandle` knows the account by its username.
 */
function retireHandle(ctx: Ctx, changes: Changes, id: AccountId): void {
  changes.add(
    ctx.db
      .update(accounts)
      .set({ username: sql`username || '.' || id`, updatedAt: ctx.clock.now() })
      .where(eq(accounts.id, id)),
    ctx.db.delete(actorKeys).where(eq(actorKeys.accountId, id)),
    // The server lost its follows, and followers-only statuses must not reach the new holder.
    ctx.db
      .update(accounts)
      .set({ followersCount: sql`max(0, followers_count - 1)` })
      .where(sql`id in (select target_account_id from follows where account_id = ${id})`),
    ctx.db.delete(follows).where(eq(follows.accountId, id)),
    ctx.db.delete(followRequests).where(eq(followRequests.accountId, id)),
  )
}
