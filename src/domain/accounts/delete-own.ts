import { eq, getTableColumns, sql } from 'drizzle-orm'
import { combineQueries, execute, first } from '../../db/query'
import {
  accountNotes,
  accounts,
  annualReports,
  bookmarks,
  cleanupPolicies,
  collectionItems,
  collections,
  conversationMutes,
  conversations,
  counters,
  endorsements,
  featuredTags,
  filters,
  homeEntries,
  idempotencyKeys,
  invites,
  listEntries,
  lists,
  markers,
  mediaAttachments,
  noticeMails,
  notifications,
  scheduledStatuses,
  statusPins,
  tagFollows,
  tombstones,
  users,
} from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import { actorUri } from '../../lib/addresses'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { keysOfFile } from '../media/pictures'
import { deleteBlocksAndMutesBy } from '../policy/block-rows'
import { leavesAnOwner } from '../policy/owners'
import { blankProfile, deleteFollows } from './delete-remote'

/**
 * Deletes a local account for good, at its owner's request. The caller has verified the owner's identity.
 *
 * Sign-in, profile, follows and private data go at once; statuses and interactions by `account.left`, in batches.
 * An empty row stays: the name is never assigned again, and the `Delete` activity (`account.deleted`) can be signed
 * for as long as it is delivered. `Invalid` for the last owner of the server, without whom nobody could run it.
 */
export async function deleteOwnAccount(ctx: Ctx, id: AccountId): Promise<void> {
  const { account, user } = await execute(
    ctx.db,
    combineQueries({
      account: first(
        ctx.db.select(getTableColumns(accounts)).from(accounts).where(sql`id = ${id} and domain is null`),
      ),
      user: first(
        ctx.db
          .select({ confirmedAt: users.confirmedAt, approved: users.approved })
          .from(users)
          .where(eq(users.accountId, id)),
      ),
    }),
  )
  if (account === null || user === null) throw new NotFound()
  const now = ctx.clock.now()
  const changes = new Changes().require(leavesAnOwner(id), lastOwnerError()).add(
    ...deleteFollows(ctx, id),
    // Scheduled attachments may be kept far into the future; from now on they count as just uploaded.
    ctx.db
      .update(mediaAttachments)
      .set({ createdAt: now })
      .where(sql`account_id = ${id} and scheduled_status_id in (
        select id from scheduled_statuses where account_id = ${id})`),
    ...deletePrivateData(ctx, id),
    // Sessions, tokens and other credentials cascade.
    ctx.db.delete(users).where(eq(users.accountId, id)),
    ctx.db
      .update(accounts)
      .set({ ...blankProfile(ctx), suspendedAt: now })
      .where(eq(accounts.id, id)),
    ctx.db.update(counters).set({ value: sql`max(0, value - 1)` }).where(sql`name = 'users'`),
  )
  const keys = [account.avatar, account.header].flatMap((file) => (file === null ? [] : keysOfFile(file)))
  if (keys.length > 0) changes.enqueue({ kind: 'delete-files', keys: [...keys] })
  if (user.confirmedAt !== null && user.approved)
    emitAccountDeleted(ctx, changes, { id, username: account.username })
  changes.emit({ kind: 'account.left', accountId: id })
  await commit(ctx, changes.publish({ kind: 'sessions.ended', accountId: id, tokenIds: null }))
}

function lastOwnerError(): Invalid {
  return new Invalid('Validation failed: The last owner of a server cannot leave it', {
    current_password: [{ error: 'ERR_INVALID', description: 'belongs to the last owner of the server' }],
  })
}

/**
 * Federates the deletion. For a member pending approval nothing is federated: not even the account's existence is
 * public.
 */
function emitAccountDeleted(
  ctx: Ctx,
  changes: Changes,
  { id, username }: { readonly id: AccountId; readonly username: string },
): void {
  const row = { uri: actorUri(ctx.config.origin, username), deletedAt: ctx.clock.now(), published: true }
  changes
    .add(ctx.db.insert(tombstones).values(row).onConflictDoNothing())
    .emit({ kind: 'account.deleted', accountId: id })
}

function deletePrivateData(ctx: Ctx, id: AccountId) {
  const own = [
    accountNotes,
    annualReports,
    bookmarks,
    cleanupPolicies,
    collectionItems,
    collections,
    conversationMutes,
    endorsements,
    featuredTags,
    conversations,
    filters,
    homeEntries,
    idempotencyKeys,
    invites,
    lists,
    markers,
    noticeMails,
    notifications,
    scheduledStatuses,
    statusPins,
    tagFollows,
  ] as const
  const ofLists = sql`${listEntries.listId} in (select l.id from lists l where l.account_id = ${id})`
  return [
    ctx.db.delete(listEntries).where(ofLists),
    ...deleteBlocksAndMutesBy(ctx, id),
    ...own.map((table) => ctx.db.delete(table).where(eq(table.accountId, id))),
  ]
}
