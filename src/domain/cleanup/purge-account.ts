import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/query'
import {
  accountNotes,
  accounts,
  bookmarks,
  collectionItems,
  collections,
  conversationMutes,
  conversations,
  emojiReactions,
  endorsements,
  favouriteRequests,
  favourites,
  followRequests,
  follows,
  homeEntries,
  invites,
  listAccounts,
  listEntries,
  lists,
  notifications,
  statuses,
  tagFollows,
  users,
} from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { uncountReactions } from '../interactions/reactions'
import { deleteSomeBlocksAndMutesBy } from '../policy/block-predicates'
import { hasKnownInbox, isInLocalPart } from '../policy/visibility'
import { favouritesChangedBy } from '../statuses/store'
import { purgeStatuses } from './purge-statuses'

const interactionsAtOnce = 200
/** Statements of a batch that deletes follows and private data, with what follows it. */
const dataStatements = 32

/**
 * Removes the statuses, favourites and reactions of a deleted account, lowers the counters they were part of, and
 * enqueues deletion of its uploaded files (`delete-files`). Finally deletes its follows and its own data: live events
 * find the followers of a status until it is gone.
 *
 * Works in batches; the rest is left to a job. Idempotent. What is counted is computed from the part that was read:
 * the batch fails where another run deleted some of it, and a job starts over.
 */
export async function purgeAccount(ctx: Ctx, account: AccountId): Promise<void> {
  const purged = await purgePart(ctx, account)
  const isNext = purged === 'nothing' || (purged === 'last' && ctx.usage.statementsLeft() >= dataStatements)
  if (isNext && (await purgeAccountData(ctx, account))) return
  await ctx.jobs.send({ kind: 'purge-account-statuses', accountId: account })
}

/** Statuses and interactions that a part deleted: none were there, the last of them, or some. */
type Purged = 'nothing' | 'last' | 'some'

async function purgePart(ctx: Ctx, account: AccountId): Promise<Purged> {
  const interactions = deleteInteractions(ctx, account)
  const purged = await purgeStatuses(
    ctx,
    { account, where: () => sql`account_id = ${account}`, isWhole: true },
    (changes) => void changes.add(...interactions),
  )
  if (purged === null) return 'some'
  const [, favouritesGone = 0, , reactionsGone = 0] = purged.changed.slice(-interactions.length)
  const isFull = favouritesGone >= interactionsAtOnce || reactionsGone >= interactionsAtOnce
  if (isFull || !purged.isLast) return 'some'
  return purged.count + favouritesGone + reactionsGone > 0 ? 'last' : 'nothing'
}

function deleteInteractions(ctx: Ctx, account: AccountId) {
  const some = (table: string) =>
    sql`select id from ${sql.raw(table)} where account_id = ${account} order by id ${limitTo(interactionsAtOnce)}`
  return [
    ctx.db
      .update(statuses)
      .set(favouritesChangedBy(-1))
      .where(sql`id in (select status_id from favourites where id in (${some('favourites')}))`),
    ctx.db.delete(favourites).where(sql`id in (${some('favourites')})`),
    uncountReactions(ctx, some('emoji_reactions')),
    ctx.db.delete(emojiReactions).where(sql`id in (${some('emoji_reactions')})`),
  ]
}

/** Rows of one table that one part deletes: some five rows are read for each. */
const rowsAtOnce = 500
/** Follows of one kind: some thirty rows, with the counters of servers and the lists of the follower. */
const followsAtOnce = 200

/**
 * Deletes the next follows of a deleted account, with the counters of the other side, and the next rows that it alone
 * read. True where none is left. Runs may repeat; nothing happens once the account is not suspended any more.
 */
export async function purgeAccountData(ctx: Ctx, account: AccountId): Promise<boolean> {
  const limited = [
    ...deleteSomeBlocksAndMutesBy(ctx, account, rowsAtOnce),
    ...deleteSomeRows(ctx, account),
    ...requestsOf(account).map((some) => ctx.db.delete(followRequests).where(sql`id in (${some})`)),
    ...deleteInvites(ctx, account),
  ]
  const changes = new Changes()
    .require(
      sql`exists (select 1 from ${accounts} where ${accounts.id} = ${account} and ${accounts.suspendedAt} is not null)`,
      new NotFound(),
    )
    .add(...limited)
  const ends: number[] = []
  for (const part of followsOf(account)) {
    changes.add(...endFollows(ctx, account, part))
    ends.push(changes.statements.length - 1)
  }
  // Once they are empty.
  changes.add(
    ctx.db.delete(lists).where(sql`${lists.accountId} = ${account}
      and not exists (select 1 from ${listAccounts} where ${listAccounts.listId} = ${lists.id})
      and not exists (select 1 from ${listEntries} where ${listEntries.listId} = ${lists.id})`),
  )
  try {
    const changed = await commit(ctx, changes)
    return (
      changed.slice(0, limited.length).every((count) => count < rowsAtOnce) &&
      ends.every((at) => (changed[at] ?? 0) < followsAtOnce)
    )
  } catch (failure) {
    if (failure instanceof NotFound) return true
    throw failure
  }
}

/** Rows that belong to the account, as far as no limit bounds them. */
function deleteSomeRows(ctx: Ctx, account: AccountId) {
  const { db } = ctx
  const keys = [
    [bookmarks, 'id'],
    [collectionItems, 'id'],
    [collections, 'id'],
    [endorsements, 'id'],
    [favouriteRequests, 'id'],
    [notifications, 'id'],
    [tagFollows, 'id'],
    [accountNotes, 'target_account_id'],
    [conversationMutes, 'conversation_id'],
    [conversations, 'id'],
    [homeEntries, 'status_id'],
  ] as const
  const ofLists = sql`select m.list_id, m.status_id from lists l cross join list_entries m on m.list_id = l.id
    where l.account_id = ${account} ${limitTo(rowsAtOnce)}`
  const members = sql`select m.id from list_accounts m where m.owner_id = ${account} ${limitTo(rowsAtOnce)}`
  return [
    ...keys.map(([table, name]) => {
      const key = sql.raw(name)
      return db.delete(table).where(sql`account_id = ${account} and ${key} in (
        select ${key} from ${table} where account_id = ${account} ${limitTo(rowsAtOnce)})`)
    }),
    db.delete(listEntries).where(sql`(list_id, status_id) in (${ofLists})`),
    db.delete(listAccounts).where(sql`id in (${members})`),
  ]
}

/** Statements that unlink the next invited members from the account's invitations, and delete unused ones. */
function deleteInvites(ctx: Ctx, account: AccountId) {
  const some = limitTo(rowsAtOnce)
  return [
    ctx.db
      .update(users)
      .set({ inviteId: null })
      .where(sql`account_id in (
      select u.account_id from invites i cross join users u on u.invite_id = i.id where i.account_id = ${account} ${some})`),
    ctx.db.delete(invites).where(sql`id in (select i.id from invites i where i.account_id = ${account}
      and not exists (select 1 from users u where u.invite_id = i.id) ${some})`),
  ]
}

function requestsOf(account: AccountId): readonly SQL[] {
  return ['account_id', 'target_account_id'].map(
    (column) =>
      sql`select id from follow_requests where ${sql.raw(column)} = ${account} ${limitTo(rowsAtOnce)}`,
  )
}

/** Part of the follows from or to an account, which one index has in the order of the ids. */
interface FollowsPart {
  readonly where: SQL
  readonly other: 'account_id' | 'target_account_id'
}

function followsOf(account: AccountId): readonly FollowsPart[] {
  const toIt = sql`f.target_account_id = ${account}`
  return [
    { where: sql`${toIt} and ${isInLocalPart('f')}`, other: 'account_id' },
    { where: sql`${toIt} and ${hasKnownInbox('f')}`, other: 'account_id' },
    { where: sql`f.account_id = ${account}`, other: 'target_account_id' },
  ]
}

/** Statements that end the next follows of a part, the last of which deletes them. */
function endFollows(ctx: Ctx, account: AccountId, { where, other }: FollowsPart) {
  const some = (column: string) =>
    sql`select f.${sql.raw(column)} from follows f where ${where} order by f.id ${limitTo(followsAtOnce)}`
  const counter =
    other === 'account_id'
      ? { followingCount: sql`max(0, following_count - 1)` }
      : { followersCount: sql`max(0, followers_count - 1)` }
  return [
    // Counters first: they read the rows deleted below.
    ctx.db
      .update(accounts)
      .set(counter)
      .where(sql`id in (${some(other)})`),
    ...(other === 'account_id'
      ? [
          ctx.db
            .delete(endorsements)
            .where(sql`target_account_id = ${account} and account_id in (${some(other)})`),
        ]
      : []),
    ctx.db.delete(follows).where(sql`id in (${some('id')})`),
  ]
}
