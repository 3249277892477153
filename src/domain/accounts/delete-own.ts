import { eq, type SQL, sql } from 'drizzle-orm'
import { actorUri } from '../../contract/addresses'
import { execute, first, limitTo, map, orNotFound, type Query } from '../../db/query'
import {
  accessTokens,
  accounts,
  announcementMutes,
  announcementReactions,
  annualReports,
  authorizationCodes,
  cleanupPolicies,
  drafts,
  featuredTags,
  filters,
  idempotencyKeys,
  knownDevices,
  markers,
  mediaAttachments,
  noticeMails,
  pendingSignIns,
  savedReplies,
  scheduledStatuses,
  sessions,
  signInAddresses,
  statusPins,
  suggestionDismissals,
  tombstones,
  users,
  userTokens,
} from '../../db/schema'
import type { FileRef } from '../../db/values'
import { InvalidFields } from '../../errors'
import { problem } from '../../errors/sentences'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, commitWhere } from '../core/changes'
import { keysOfFile } from '../media/pictures'
import { countUser } from '../metrics/counters'
import { leavesAnOwner } from '../policy/owners'
import { blankProfile } from './delete-remote'

// Sessions, tokens, devices and dismissals of users: foreign keys delete them with the user, however many there are.

/** Rows that may go with their user in one batch, some four rows each. */
const rowsInOneBatch = 200
/** Rows of one kind that one part deletes. */
const rowsAtOnce = 500

/** Tables with a column `account_id`, and the rest of a key. */
const ownTables = [
  [sessions, 'id'],
  [knownDevices, 'token_hash'],
  [signInAddresses, 'ip'],
  [userTokens, 'token_hash'],
  [pendingSignIns, 'token_hash'],
  [authorizationCodes, 'code_hash'],
  [suggestionDismissals, 'target_account_id'],
  [announcementMutes, 'announcement_id'],
  [announcementReactions, 'announcement_id'],
] as const

/** Rows of the encryption of the devices of an account, by their tables. */
const deviceRows = (table: string, id: SQL) => sql`from crypto_devices device
  cross join ${sql.raw(table)} one on one.token_id = device.token_id where device.account_id = ${id}`

/** Condition: the user of the account `id`, an expression, has so much of this that it is deleted in parts. */
function hasManySignIns(id: SQL): SQL<boolean> {
  const [first, second, third] = [
    ownTables.slice(0, 4).map(([table]) => sql`select 1 from ${table} where account_id = ${id}`),
    ownTables.slice(4, 8).map(([table]) => sql`select 1 from ${table} where account_id = ${id}`),
    [
      ...ownTables.slice(8).map(([table]) => sql`select 1 from ${table} where account_id = ${id}`),
      sql`select 1 from ${accessTokens} where account_id = ${id}`,
      sql`select 1 ${deviceRows('encrypted_messages', id)}`,
      sql`select 1 ${deviceRows('one_time_keys', id)}`,
    ],
  ].map((kinds) => sql.join(kinds, sql` union all `))
  // D1 allows at most five terms in a compound select.
  return sql<boolean>`((select count(*) from (select 1 from (${first}) union all select 1 from (${second})
    union all select 1 from (${third}) ${limitTo(rowsInOneBatch + 1)})) > ${sql.raw(String(rowsInOneBatch))})`
}

/** Statements that delete the next rows of each kind: tokens once their devices have neither messages nor keys. */
function deleteSomeSignIns(ctx: Ctx, account: AccountId) {
  const { db } = ctx
  const id = sql`${account}`
  const some = limitTo(rowsAtOnce)
  const rest = (table: string) => sql`select 1 from ${sql.raw(table)} one where one.token_id = t.id`
  return [
    db.run(sql`delete from encrypted_messages where id in (
      select one.id ${deviceRows('encrypted_messages', id)} ${some})`),
    db.run(sql`delete from one_time_keys where (token_id, key_id) in (
      select one.token_id, one.key_id ${deviceRows('one_time_keys', id)} ${some})`),
    db.delete(accessTokens).where(sql`id in (select t.id from access_tokens t where t.account_id = ${id}
      and not exists (${rest('encrypted_messages')}) and not exists (${rest('one_time_keys')}) ${some})`),
    ...ownTables.map(([table, name]) => {
      const key = sql.raw(name)
      return db.delete(table).where(sql`account_id = ${id} and ${key} in (
        select ${key} from ${table} where account_id = ${id} ${some})`)
    }),
  ]
}

/**
 * Deletes a local account for good, at its owner's request. The caller has verified the owner's identity.
 *
 * Sign-in and profile go at once; statuses, interactions, follows and private data by `account.left`, in batches: from now
 * on they are hidden.
 * An empty row stays: the name is never assigned again, and the `Delete` activity (`account.deleted`) can be signed
 * for as long as it is delivered. `Invalid` for the last owner of the server.
 */
export async function deleteOwnAccount(ctx: Ctx, id: AccountId): Promise<void> {
  const owner = await execute(ctx.db, orNotFound(findDeletableAccount(ctx, id)))
  const changes = new Changes().require(leavesAnOwner(id), lastOwnerError())
  changes.add(countUser(ctx, id, -1))
  addLocalDeletion(ctx, changes, owner)
  await commit(ctx, changes)
}

/** Local account that can be deleted. */
export interface DeletableAccount {
  readonly id: AccountId
  readonly username: string
  /** Pictures of the profile. */
  readonly files: readonly FileRef[]
  /** Confirmed and approved: its existence is public. */
  readonly isPublic: boolean
  /** Sessions, tokens and devices are so many that the account is deleted in parts. */
  readonly hasManySignIns: boolean
}

/** The local account with this id, if it has not been deleted. */
export function findDeletableAccount(ctx: Ctx, id: AccountId): Query<DeletableAccount | null> {
  const { username, avatar, header } = accounts
  const { confirmedAt, approved } = users
  const hasMany = hasManySignIns(sql`${id}`).mapWith(Boolean).as('has_many')
  const found = ctx.db
    .select({ username, avatar, header, confirmedAt, approved, hasMany })
    .from(accounts)
    .innerJoin(users, eq(users.accountId, accounts.id))
    .where(sql`${accounts.id} = ${id} and ${accounts.domain} is null`)
  return map(first(found), (row) =>
    row === null
      ? null
      : {
          id,
          username: row.username,
          files: [row.avatar, row.header].filter((file) => file !== null),
          isPublic: row.confirmedAt !== null && row.approved,
          hasManySignIns: row.hasMany,
        },
  )
}

/**
 * Adds everything of a deletion but the count of users. An account with very many sessions or tokens is locked out and
 * hidden at once, and a job deletes it.
 */
export function addLocalDeletion(ctx: Ctx, changes: Changes, account: DeletableAccount): void {
  if (account.hasManySignIns) lockOut(ctx, changes, account.id)
  else addWholeDeletion(ctx, changes, account)
}

function lockOut(ctx: Ctx, changes: Changes, id: AccountId): void {
  const now = ctx.clock.now()
  changes
    .add(
      ctx.db.update(users).set({ disabledAt: now }).where(eq(users.accountId, id)),
      ctx.db.update(accounts).set({ suspendedAt: now }).where(eq(accounts.id, id)),
    )
    .enqueue({ kind: 'continue-account-deletion', accountId: id })
    .publish({ kind: 'sessions.ended', accountId: id, tokenIds: null })
}

/**
 * Deletes the next sessions and tokens of an account that is locked out and hidden, at last the account; a job continues.
 * Runs may repeat.
 */
export async function continueLocalDeletion(ctx: Ctx, id: AccountId): Promise<void> {
  const account = await execute(ctx.db, findDeletableAccount(ctx, id))
  if (account === null) return
  const isLockedOut = sql`exists (select 1 from ${users} join ${accounts} on ${accounts.id} = ${users.accountId}
    where ${users.accountId} = ${id} and ${users.disabledAt} is not null and ${accounts.suspendedAt} is not null)`
  const changes = new Changes()
  if (account.hasManySignIns)
    changes.add(...deleteSomeSignIns(ctx, id)).enqueue({ kind: 'continue-account-deletion', accountId: id })
  else addWholeDeletion(ctx, changes, account)
  await commitWhere(ctx, isLockedOut, changes)
}

function addWholeDeletion(ctx: Ctx, changes: Changes, account: DeletableAccount): void {
  const { id, isPublic } = account
  const now = ctx.clock.now()
  changes.add(
    // Scheduled attachments may be kept far into the future; from now on they count as just uploaded.
    ctx.db
      .update(mediaAttachments)
      .set({ createdAt: now })
      .where(sql`account_id = ${id} and scheduled_status_id in (
        select id from scheduled_statuses where account_id = ${id})`),
    ...deleteBoundedData(ctx, id),
    // Sessions, tokens and other credentials cascade: they are few.
    ctx.db.delete(users).where(eq(users.accountId, id)),
    ctx.db
      .update(accounts)
      .set({ ...blankProfile(ctx), suspendedAt: now })
      .where(eq(accounts.id, id)),
  )
  const keys = account.files.flatMap((file) => keysOfFile(file))
  if (keys.length > 0) changes.enqueue({ kind: 'delete-files', keys: [...keys] })
  if (isPublic) emitAccountDeleted(ctx, changes, account)
  changes
    .emit({ kind: 'account.left', accountId: id })
    .publish({ kind: 'sessions.ended', accountId: id, tokenIds: null })
}

function lastOwnerError(): InvalidFields {
  return new InvalidFields(
    [problem('of_last_owner', { field: 'current_password' })],
    [problem('last_owner_leaves')],
  )
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

/** Statements that delete rows of which limits allow few. Others go in parts, by `account.left`. */
function deleteBoundedData(ctx: Ctx, id: AccountId) {
  const own = [
    annualReports,
    cleanupPolicies,
    drafts,
    featuredTags,
    filters,
    idempotencyKeys,
    markers,
    noticeMails,
    savedReplies,
    scheduledStatuses,
    statusPins,
  ] as const
  return own.map((table) => ctx.db.delete(table).where(eq(table.accountId, id)))
}
