import { eq, sql } from 'drizzle-orm'
import { execute, first, map, type Query } from '../../db/query'
import { accounts, actorKeys, remoteActors } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/**
 * Deletes a remote account. Profile and keys go at once; statuses, interactions, follows and blocks by `account.left`, in
 * batches.
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
  changes.add(ctx.db.update(accounts).set(blankProfile(ctx)).where(row))
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
