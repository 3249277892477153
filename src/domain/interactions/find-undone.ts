import { getTableColumns, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { emojiReactions, favourites, statuses } from '../../db/schema'
import { inList, limitTo } from '../../db/sql'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { asOwn, type OwnStatus } from '../policy/visibility'
import { idByAddress } from '../statuses/find-address'

/** Target of an Undo: the id of the undone activity, and the status it was about. */
export interface UndoTarget {
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
export function undoneReblog(
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
export function undoneFavourite(
  ctx: Ctx,
  actor: AccountId,
  undone: UndoTarget,
): Query<InteractionRow | null> {
  const { id, statusId } = favourites
  return first(
    ctx.db
      .select({ id, statusId })
      .from(favourites)
      .where(findUndone(ctx, actor, 'favourites', undone)),
  )
}

/** Reaction an Undo means; of several to one status the one with such a name, or with that id. */
export function undoneReaction(
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
