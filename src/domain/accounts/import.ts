import { and, eq, isNull, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import {
  accounts,
  actorKeys,
  counters,
  followRequests,
  follows,
  instances,
  remoteActors,
} from '../../db/schema'
import { jsonRows } from '../../db/sql'
import { Conflict } from '../../errors'
import type { AccountId } from '../../lib/ids'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { type ImportFacts, importFacts, type KnownAccount } from './import-facts'
import type { RemoteActor } from './remote'
import { changedColumns, endpointColumns, profileOf } from './remote-rows'

/** What became of the document of an actor. */
export type ActorImportResult =
  | { readonly kind: 'stored'; readonly id: AccountId; readonly isNew: boolean }
  /** Another address holds the handle, and nothing proves that it passed to this one. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly reason: string }

interface ImportOptions {
  /** The time the document speaks of; what was learnt later than that stays. Now, when absent. */
  readonly readAt?: Date
  /** WebFinger leads from the handle to this address: whoever held it before has lost it. */
  readonly handleProven?: boolean
}

/**
 * Stores what the document of an actor of another server says, or brings the known account up to date: one trip to
 * gather, one to commit.
 *
 * The handle of a known account stays. A suspension by its own server comes and goes with the document; one by
 * moderators of this server stays. Keys the document no longer lists are forgotten. What is local is never touched.
 */
export async function importAccount(
  ctx: Ctx,
  actor: RemoteActor,
  options: ImportOptions = {},
): Promise<ActorImportResult> {
  if (claimsToBeOurs(ctx, actor)) return { kind: 'refused', reason: 'claims to be of this server' }
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
  const raced = new Conflict('This account was stored in between')
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

function claimsToBeOurs({ config }: Ctx, { uri, domain }: RemoteActor): boolean {
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
      // The mark of the limit, by which lifting it finds those it had limited.
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

/** Decided in the statements, so that what a moderator does in between is not undone. */
function followSuspension(ctx: Ctx, changes: Changes, { id, actor, account }: KnownImport): void {
  if (actor.suspended === (account.suspendedAt !== null)) return
  const ofAccount = eq(remoteActors.accountId, id)
  const standing = sql`exists (select 1 from accounts where id = ${id} and suspended_at is null)`
  const fromHome = sql`exists (select 1 from remote_actors where account_id = ${id} and suspended_at_home = 1)`
  if (actor.suspended)
    changes.add(
      ctx.db.update(remoteActors).set({ suspendedAtHome: true }).where(and(ofAccount, standing)),
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
 * Keys of this actor and no others. An id that is the address of the actor itself is surely its own; any other is
 * left to whoever listed it first.
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

/** Counts a server met for the first time. Runs before its row is there. */
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
 * Frees the handle of an actor that is no longer behind it. Its posts stay its own: whoever has the name now may be
 * somebody else, on a server set up anew.
 */
function retireHandle(ctx: Ctx, changes: Changes, id: AccountId): void {
  changes.add(
    ctx.db
      .update(accounts)
      .set({ username: sql`username || '.' || id`, updatedAt: ctx.clock.now() })
      .where(eq(accounts.id, id)),
    ctx.db.delete(actorKeys).where(eq(actorKeys.accountId, id)),
    // Its server has forgotten whom it follows, and posts for followers must not go to whoever comes next.
    ctx.db
      .update(accounts)
      .set({ followersCount: sql`max(0, followers_count - 1)` })
      .where(sql`id in (select target_account_id from follows where account_id = ${id})`),
    ctx.db.delete(follows).where(eq(follows.accountId, id)),
    ctx.db.delete(followRequests).where(eq(followRequests.accountId, id)),
  )
}
