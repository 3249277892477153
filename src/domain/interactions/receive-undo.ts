import { getTableColumns, sql } from 'drizzle-orm'
import { combineQueries, execute, first, inList, limitTo, map, type Query } from '../../db/query'
import { emojiReactions, favourites, statuses } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome } from '../core/changes'
import {
  deduplicateActivity,
  ignoreLateActivity,
  type ReceivedUndo,
  tombstoneActivity,
  wasReceived,
} from '../core/received-activities'
import type { Viewer } from '../core/viewer'
import { asOwn, type OwnStatus } from '../policy/visibility'
import { idByAddress } from '../statuses/find'
import { removeStatus } from '../statuses/remove'
import { removeFavourite } from './favourite'
import { removeReaction } from './reactions'

/** Remote account that sent the Undo. */
type UndoingAccount = Pick<Viewer, 'id' | 'username'>

/** Undoes a remote account's reblog, with its notification and counters. */
export async function undoReblog(
  ctx: Ctx,
  actor: UndoingAccount,
  undoing: ReceivedUndo & UndoTarget,
): Promise<Outcome> {
  const { reblog, before } = await execute(
    ctx.db,
    combineQueries({
      reblog: undoneReblog(ctx, actor.id, undoing),
      before: wasReceived(ctx, undoing.uri),
    }),
  )
  if (before) return ignored('received before')
  if (reblog === null) return ignoreLateActivity(ctx, undoing)
  const changes = new Changes()
  tombstoneUndone(ctx, changes, undoing)
  removeStatus(ctx, changes, { author: actor, status: reblog })
  await commit(ctx, changes)
  return done
}

/**
 * Undoes a remote account's favourite or reaction, with its notification. Misskey sends reactions as Likes, so both
 * are searched; `names` are those the reaction may have here, where known.
 */
export async function undoFavouriteOrReaction(
  ctx: Ctx,
  actor: UndoingAccount,
  undoing: ReceivedUndo & UndoTarget & { readonly names: readonly string[] },
): Promise<Outcome> {
  const { favourite, reaction, before } = await execute(
    ctx.db,
    combineQueries({
      favourite: undoneFavourite(ctx, actor.id, undoing),
      reaction: undoneReaction(ctx, actor.id, undoing),
      before: wasReceived(ctx, undoing.uri),
    }),
  )
  if (before) return ignored('received before')
  if (favourite === null && reaction === null) return ignoreLateActivity(ctx, undoing)
  const changes = new Changes()
  tombstoneUndone(ctx, changes, undoing)
  if (reaction !== null) removeReaction(ctx, changes, { mark: reaction, by: actor.id })
  else if (favourite !== null) removeFavourite(ctx, changes, { mark: favourite, by: actor.id })
  await commit(ctx, changes)
  return done
}

function tombstoneUndone(ctx: Ctx, changes: Changes, { uri, undoneUri }: ReceivedUndo): void {
  deduplicateActivity(ctx, changes, uri)
  tombstoneActivity(ctx, changes, [undoneUri])
}

/** Target of an Undo: the id of the undone activity, and the status it was about. */
interface UndoTarget {
  readonly undoneUri: string | null
  readonly statusUri: string | null
}

export interface InteractionRow {
  readonly id: number
  readonly statusId: StatusId
}

/** Latest interactions of an account that are searched when only the id of the interaction is given. */
const latest = 200

/** Reblog an Undo means: of the status it names, else the one with the id it names. */
function undoneReblog(
  ctx: Ctx,
  actor: AccountId,
  { undoneUri, statusUri }: UndoTarget,
): Query<OwnStatus | null> {
  const meant =
    statusUri === null
      ? sql`uri = ${undoneUri} and reblog_of_id is not null`
      : sql`reblog_of_id = ${idByAddress(ctx, statusUri)}`
  const found = first(
    ctx.db
      .select(getTableColumns(statuses))
      .from(statuses)
      .where(sql`${meant} and ${statuses.accountId} = ${actor}`),
  )
  return map(found, (row) => (row === null ? null : asOwn(actor, row)))
}

/** Favourite an Undo means. */
function undoneFavourite(ctx: Ctx, actor: AccountId, undone: UndoTarget): Query<InteractionRow | null> {
  const { id, statusId } = favourites
  return first(
    ctx.db
      .select({ id, statusId })
      .from(favourites)
      .where(findUndone(ctx, actor, 'favourites', undone)),
  )
}

/** Reaction an Undo means; of several to one status the one with such a name, or with that id. */
function undoneReaction(
  ctx: Ctx,
  actor: AccountId,
  undone: UndoTarget & { readonly names: readonly string[] },
): Query<InteractionRow | null> {
  const { id, statusId } = emojiReactions
  const same = sql`(${inList(sql`name`, undone.names)} or uri = ${undone.undoneUri})`
  return first(
    ctx.db
      .select({ id, statusId })
      .from(emojiReactions)
      .where(sql`${findUndone(ctx, actor, 'emoji_reactions', undone)} and ${same}`),
  )
}

function findUndone(
  ctx: Ctx,
  actor: AccountId,
  table: 'favourites' | 'emoji_reactions',
  { undoneUri, statusUri }: UndoTarget,
) {
  if (statusUri !== null) return sql`status_id = ${idByAddress(ctx, statusUri)} and account_id = ${actor}`
  return sql`id = (select id from (select id, uri from ${sql.raw(table)} where account_id = ${actor}
    order by id desc ${limitTo(latest)}) where uri = ${undoneUri})`
}
