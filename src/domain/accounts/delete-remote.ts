import { eq, or, sql } from 'drizzle-orm'
import { execute, first, map, type Query } from '../../db/query'
import {
  accounts,
  actorKeys,
  collectionItems,
  collections,
  endorsements,
  followRequests,
  follows,
  remoteActors,
} from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { deleteBlocksBy } from '../policy/block-rows'

/**
 * Deletes a remote account. Profile, keys, follows and blocks go at once; statuses and interactions by
 * `account.left`, in batches.
 *
 * An empty, suspended row stays: several tables have no index by account, and finding what refers to it would scan
 * them. Its URI is free again, and later copies of the `Delete` find no account. An account suspended by moderators
 * keeps its URI and keys; otherwise deleting and recreating it would lift the suspension.
 */
export async function deleteRemoteAccount(ctx: Ctx, id: AccountId): Promise<void> {
  const isBanned = await execute(ctx.db, isSuspendedByModerators(ctx, id))
  await commit(ctx, addRemoteDeletion(ctx, new Changes(), { id, keepsAddress: isBanned }))
}

/** Adds the deletion of a remote account; one that `keepsAddress` stays suspended under its URI, with its keys. */
export function addRemoteDeletion(
  ctx: Ctx,
  changes: Changes,
  { id, keepsAddress }: { readonly id: AccountId; readonly keepsAddress: boolean },
): Changes {
  // Guard: never a local account.
  const row = sql`id = ${id} and domain is not null`
  changes.add(
    ...deleteFollows(ctx, id),
    deleteBlocksBy(ctx, id),
    ctx.db.delete(collectionItems).where(eq(collectionItems.accountId, id)),
    ctx.db.delete(collections).where(eq(collections.accountId, id)),
    ctx.db.update(accounts).set(blankProfile(ctx)).where(row),
  )
  if (!keepsAddress)
    changes.add(
      ctx.db.delete(actorKeys).where(eq(actorKeys.accountId, id)),
      ctx.db.delete(remoteActors).where(eq(remoteActors.accountId, id)),
      ctx.db
        .update(accounts)
        .set({
          username: sql`'gone.' || id`,
          uri: sql`'https://' || domain || '/#gone-' || id`,
          suspendedAt: ctx.clock.now(),
        })
        .where(row),
    )
  return changes.emit({ kind: 'account.left', accountId: id })
}

function isSuspendedByModerators(ctx: Ctx, id: AccountId): Query<boolean> {
  const found = first(
    ctx.db
      .select({ id: accounts.id })
      .from(accounts)
      .where(
        sql`${accounts.id} = ${id} and suspended_at is not null
          and not exists (select 1 from remote_actors where account_id = ${id} and suspended_at_home = 1)`,
      ),
  )
  return map(found, (row) => row !== null)
}

/** Columns of an empty profile. */
export function blankProfile(ctx: Ctx) {
  const now = ctx.clock.now()
  return {
    url: null,
    displayName: '',
    note: '',
    noteHtml: '',
    fields: [],
    emojis: [],
    avatar: null,
    avatarDescription: '',
    header: null,
    headerDescription: '',
    discoverable: false,
    indexable: false,
    attributionDomains: [],
    alsoKnownAs: [],
    movedToAccountId: null,
    publicKey: null,
    featurePolicy: null,
    updatedAt: now,
    followersCount: 0,
    followingCount: 0,
  }
}

/**
 * Statements that delete all follows and follow requests from and to an account, and lower the other side's
 * counters.
 */
export function deleteFollows(ctx: Ctx, id: AccountId) {
  const followers = sql`select account_id from follows where target_account_id = ${id}`
  const followed = sql`select target_account_id from follows where account_id = ${id}`
  return [
    // Counters first: they read the rows deleted below.
    ctx.db
      .update(accounts)
      .set({ followingCount: sql`max(0, following_count - 1)` })
      .where(sql`id in (${followers})`),
    ctx.db
      .update(accounts)
      .set({ followersCount: sql`max(0, followers_count - 1)` })
      .where(sql`id in (${followed})`),
    ctx.db.delete(endorsements).where(sql`target_account_id = ${id} and account_id in (${followers})`),
    ctx.db.delete(follows).where(or(eq(follows.accountId, id), eq(follows.targetAccountId, id))),
    ctx.db
      .delete(followRequests)
      .where(or(eq(followRequests.accountId, id), eq(followRequests.targetAccountId, id))),
  ]
}
