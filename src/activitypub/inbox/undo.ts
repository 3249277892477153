import { execute } from '../../db/query'
import { ignored, type Outcome, rejected } from '../../domain/core/outcome'
import { ignoreLateActivity, type ReceivedUndo } from '../../domain/core/received-activities'
import { findInteractionByUri } from '../../domain/interactions/find-interaction'
import { possibleNames } from '../../domain/interactions/receive-like'
import { undoFavouriteOrReaction, undoReblog } from '../../domain/interactions/receive-undo'
import { receiveUnblock } from '../../domain/relationships/receive-block'
import { receiveUnfollow } from '../../domain/relationships/receive-follow'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../find-signer'
import { type Activity, readActivity } from '../vocab/activity'
import { readReaction } from '../vocab/reactions'
import { reject } from './accept-reject'
import { type InboxHandler, localUsernameOf, ownId } from './handler'

/**
 * Reverts an activity of the signer. Most servers inline a copy of it, some send only its id; then the interaction
 * stored under that id decides. The undone id is tombstoned, for the original may still be in transit.
 */
export const undo: InboxHandler = async (ctx, signer, activity) => {
  const undone = activity.object?.document === null ? null : readActivity(activity.object?.document)
  const undoing = { uri: activity.id, undoneUri: ownId(signer, activity.object?.id ?? null) }
  if (undone === null) return undoById(ctx, signer, undoing)
  if (undone.actor !== signer.uri) return rejected('undoes an activity of another actor')
  return undoCopy(ctx, signer, { undone, ...undoing })
}

interface Copy extends ReceivedUndo {
  readonly undone: Activity
}

async function undoCopy(ctx: Ctx, signer: Signer, { undone, uri, undoneUri }: Copy): Promise<Outcome> {
  const statusUri = undone.object?.id ?? null
  const undoing = { uri, undoneUri, statusUri }
  const username = localUsernameOf(ctx, statusUri)
  switch (undone.type) {
    case 'Follow':
      if (username === null) return ignored('undoes a Follow of no local account')
      return receiveUnfollow(ctx, signer, { username, uri, followUri: undoneUri })
    case 'Block':
      if (username === null) return ignored('undoes a Block of no local account')
      return receiveUnblock(ctx, signer, { username, uri, blockUri: undoneUri })
    case 'Accept':
      return reject(ctx, signer, undone, null)
    case 'Announce':
      return undoReblog(ctx, signer, undoing)
    case 'Like':
    case 'EmojiReact':
      return undoFavouriteOrReaction(ctx, signer, { ...undoing, names: namesOf(signer, undone) })
    default:
      return ignored(`unsupported Undo of ${undone.type}`)
  }
}

function namesOf({ domain }: Signer, undone: Activity): readonly string[] {
  const reaction = readReaction(undone)
  return reaction === null ? [] : possibleNames(reaction, domain)
}

async function undoById(ctx: Ctx, signer: Signer, { uri, undoneUri }: ReceivedUndo): Promise<Outcome> {
  if (undoneUri === null) return ignored('undoes no identifiable activity')
  const interaction = await execute(ctx.db, findInteractionByUri(ctx, signer.id, undoneUri))
  switch (interaction?.kind) {
    case 'follow':
      return receiveUnfollow(ctx, signer, { username: interaction.username, uri, followUri: undoneUri })
    case 'block':
      return receiveUnblock(ctx, signer, { username: interaction.username, uri, blockUri: undoneUri })
    case 'reblog':
      return undoReblog(ctx, signer, { uri, undoneUri, statusUri: null })
    case 'favourite':
    case 'reaction':
      return undoFavouriteOrReaction(ctx, signer, { uri, undoneUri, statusUri: null, names: [] })
    case undefined:
      return ignoreLateActivity(ctx, { uri, undoneUri })
  }
}
