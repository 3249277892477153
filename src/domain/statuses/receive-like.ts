import type { Ctx } from '../../context'
import { ask, together } from '../../db/query'
import { emojiReactions } from '../../db/schema'
import type { EmojiSnapshot } from '../../db/values'
import type { AccountId } from '../../lib/ids'
import { Changes, commit } from '../changes'
import { done, ignored, type Outcome } from '../outcome'
import { receivedBefore } from '../received'
import { refById } from '../viewer'
import { addFavourite } from './favourite'
import { visibleAtAddress } from './find-remote'

/** What somebody of another server did to a status: the id of the activity, and what it names. */
export interface Deed {
  readonly uri: string | null
  readonly statusUri: string
}

interface Doer {
  readonly id: AccountId
}

/**
 * Somebody elsewhere favours a status, of ours or one known here. Once, however often it comes: one trip to look,
 * one to write. Ignored for what they may not see.
 */
export async function receiveLike(ctx: Ctx, doer: Doer, { uri, statusUri }: Deed): Promise<Outcome> {
  const { status, received } = await ask(ctx.db, markFacts(ctx, doer, { uri, statusUri }))
  if (received) return ignored('taken back before')
  if (status === null) return ignored('favours what is not known here, or not for its actor')
  const changes = new Changes()
  addFavourite(ctx, changes, { id: ctx.ids.next(), by: doer.id, status, uri })
  await commit(ctx, changes)
  return done
}

/** Somebody elsewhere reacts to a status with an emoji; each kind of it once. As `receiveLike` otherwise. */
export async function receiveReaction(
  ctx: Ctx,
  doer: Doer,
  { uri, statusUri, name, emoji }: Deed & { readonly name: string; readonly emoji: EmojiSnapshot | null },
): Promise<Outcome> {
  const { status, received } = await ask(ctx.db, markFacts(ctx, doer, { uri, statusUri }))
  if (received) return ignored('taken back before')
  if (status === null) return ignored('reacts to what is not known here, or not for its actor')
  const changes = new Changes()
  changes.add(
    ctx.db
      .insert(emojiReactions)
      .values({ id: ctx.ids.next(), accountId: doer.id, statusId: status.id, name, emoji, uri })
      .onConflictDoNothing({
        target: [emojiReactions.statusId, emojiReactions.accountId, emojiReactions.name],
      }),
  )
  await commit(ctx, changes)
  return done
}

/** A mark that comes twice is one mark; only one that was taken back must not come again. */
function markFacts(ctx: Ctx, doer: Doer, { uri, statusUri }: Deed) {
  return together({
    status: visibleAtAddress(ctx, refById(doer.id), statusUri),
    received: receivedBefore(ctx, uri),
  })
}
