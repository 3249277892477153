import { reactionLimits } from '../../contract/limits'
import { readReactionName, readUnicodeEmoji } from '../../contract/text/emoji'
import { combineQueries, constant, execute } from '../../db/query'
import type { EmojiSnapshot } from '../../db/values'
import { Invalid, NotFound } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { emojisByShortcodes } from '../custom-emojis/shortcodes'
import type { VisibleStatus } from '../policy/visibility'
import { isStillVisible, visibleOriginal } from '../statuses/find'
import { decideFavourite, favouritesRefused } from './favourite'
import { reactionsBy } from './find-interaction'
import { addReaction, removeReaction } from './reactions'

/** Emoji of a reaction. */
export interface ReactionEmoji {
  readonly name: string
  readonly emoji: EmojiSnapshot | null
}

export interface ReactionRequest {
  readonly id: StatusId
  /** As typed: an emoji, or a shortcode with or without colons. */
  readonly name: string
}

const shortcode = /^[A-Za-z0-9_]{2,100}$/

/**
 * Makes `viewer` react to the status `id`, or to its original, with an emoji: a Unicode one, a local custom one, or
 * `shortcode@host` of another server's that was used on this status before. Once of each kind.
 *
 * `NotFound` for a status the viewer may not see, `Forbidden` where its remote author does not allow favourites of theirs or
 * approves each, for reactions cannot be asked for. `Invalid` for an unknown emoji and for too many. Emits
 * `reaction.created` for a remote status.
 */
export async function reactToStatus(ctx: Ctx, viewer: Viewer, { id, name }: ReactionRequest): Promise<void> {
  const typed = readReactionName(name)
  const { status, reactions, local } = await execute(
    ctx.db,
    combineQueries({
      status: visibleOriginal(ctx, viewerById(viewer.id), id),
      reactions: reactionsBy(ctx, viewer.id, id),
      local: shortcode.test(typed) ? emojisByShortcodes(ctx, [typed]) : constant([]),
    }),
  )
  if (status === null) throw new NotFound()
  const own = reactions.map((reaction) => reaction.name)
  const choice = resolveEmoji(typed, status, local)
  if (own.includes(choice.name)) return
  refuseTooMany(choice, status, own)
  if ((await decideFavourite(ctx, viewer.id, status)) !== 'given') throw favouritesRefused()
  const reactionId = ctx.ids.next()
  const changes = new Changes().require(isStillVisible(viewerById(viewer.id), status.id), new NotFound())
  addReaction(ctx, changes, { id: reactionId, by: viewer.id, status, ...choice, uri: null })
  if (!status.local)
    changes.emit({ kind: 'reaction.created', accountId: viewer.id, statusId: status.id, reactionId })
  await commit(ctx, changes)
}

/** Resolves `typed` to an emoji usable on this status. */
function resolveEmoji(
  typed: string,
  { reactions }: Pick<VisibleStatus, 'reactions'>,
  local: readonly EmojiSnapshot[],
): ReactionEmoji {
  if (readUnicodeEmoji(typed) !== null) return { name: typed, emoji: null }
  const [own] = local
  if (own !== undefined) return { name: own.shortcode, emoji: own }
  const used = reactions.find(({ name }) => name === typed)
  if (used?.emoji == null) throw new Invalid('no_emoji', { field: 'name' })
  return { name: used.name, emoji: used.emoji }
}

function refuseTooMany(
  { name }: ReactionEmoji,
  { reactions }: Pick<VisibleStatus, 'reactions'>,
  own: readonly string[],
): void {
  const { perAccount, kinds } = reactionLimits
  if (own.length >= perAccount) throw new Invalid('too_many_own_reactions', { max: perAccount })
  if (reactions.length >= kinds && !reactions.some((kind) => kind.name === name))
    throw new Invalid('too_many_reactions')
}

/**
 * Removes a reaction, also after the author hid the status from `viewer`. Without such a reaction a hidden status
 * is `NotFound`, and a visible one stays as it is.
 */
export async function unreactToStatus(
  ctx: Ctx,
  viewer: Viewer,
  { id, name }: ReactionRequest,
): Promise<void> {
  const typed = readReactionName(name)
  const { reactions, visible } = await execute(
    ctx.db,
    combineQueries({
      reactions: reactionsBy(ctx, viewer.id, id),
      visible: visibleOriginal(ctx, viewerById(viewer.id), id),
    }),
  )
  const mark = reactions.find((reaction) => reaction.name === typed)
  if (mark === undefined && visible === null) throw new NotFound()
  if (mark === undefined) return
  const changes = new Changes()
  removeReaction(ctx, changes, { mark, by: viewer.id })
  // A status hidden by now may be remote or local.
  if (visible?.local !== true)
    changes.emit({
      kind: 'reaction.removed',
      accountId: viewer.id,
      statusId: mark.statusId,
      reactionId: mark.id,
      name: mark.name,
      emoji: mark.emoji,
    })
  await commit(ctx, changes)
}
