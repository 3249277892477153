import { combineQueries, constant, execute } from '../../db/query'
import type { EmojiSnapshot } from '../../db/values'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome } from '../core/outcome'
import { wasReceived } from '../core/received-activities'
import { viewerById } from '../core/viewer'
import { emojisByShortcodes } from '../custom-emojis/shortcodes'
import type { VisibleStatus } from '../policy/visibility'
import { visibleAtAddress } from '../statuses/find-address'
import { addFavourite } from './favourite'
import type { ReactionEmoji } from './react'
import { addReaction } from './reactions'

/** What somebody of another server did to a status: the id of the activity, and what it names. */
export interface RemoteInteraction {
  readonly uri: string | null
  readonly statusUri: string
}

interface ActingAccount {
  readonly id: AccountId
}

/**
 * Somebody elsewhere favours a status, of ours or one known here. Once, however often it comes: one trip to look,
 * one to write. Ignored for what they may not see.
 */
export async function receiveLike(
  ctx: Ctx,
  doer: ActingAccount,
  { uri, statusUri }: RemoteInteraction,
): Promise<Outcome> {
  const { status, received } = await execute(
    ctx.db,
    combineQueries(interactionFacts(ctx, doer, { uri, statusUri })),
  )
  if (received) return ignored('taken back before')
  if (status === null) return ignored('favours what is not known here, or not for its actor')
  const changes = new Changes()
  addFavourite(ctx, changes, { id: ctx.ids.next(), by: doer.id, status, uri })
  await commit(ctx, changes)
  return done
}

/** A custom emoji of another server: what it is called, and the host of its id, where it has one. */
export interface RemoteEmoji {
  readonly picture: EmojiSnapshot
  readonly host: string | null
}

export interface ReceivedReaction extends RemoteInteraction {
  /** A Unicode emoji, or a shortcode. */
  readonly name: string
  readonly emoji: RemoteEmoji | null
}

/** Somebody elsewhere reacts to a status with an emoji; each kind of it once. As `receiveLike` otherwise. */
export async function receiveReaction(
  ctx: Ctx,
  doer: ActingAccount & { readonly domain: string },
  { uri, statusUri, name, emoji }: ReceivedReaction,
): Promise<Outcome> {
  const { status, received, local } = await execute(
    ctx.db,
    combineQueries({
      ...interactionFacts(ctx, doer, { uri, statusUri }),
      local: isOurs(ctx, emoji) ? emojisByShortcodes(ctx, [name]) : constant([]),
    }),
  )
  if (received) return ignored('taken back before')
  if (status === null) return ignored('reacts to what is not known here, or not for its actor')
  const changes = new Changes()
  const choice =
    emoji === null ? { name, emoji: null } : resolveRemoteEmoji(emoji, { status, local, domain: doer.domain })
  addReaction(ctx, changes, { id: ctx.ids.next(), by: doer.id, status, ...choice, uri })
  await commit(ctx, changes)
  return done
}

interface EmojiContext {
  readonly status: VisibleStatus
  readonly local: readonly EmojiSnapshot[]
  readonly domain: string
}

/**
 * Which emoji is meant: one of ours, one that is on the status already, else one of the sender's own server. What
 * others say of a third server's emoji would put any picture under its name.
 */
function resolveRemoteEmoji(
  { picture, host }: RemoteEmoji,
  { status, local, domain }: EmojiContext,
): ReactionEmoji {
  const [own] = local
  if (own !== undefined) return { name: own.shortcode, emoji: own }
  const { shortcode } = picture
  const used = status.reactions.find(({ name }) => name === `${shortcode}@${host}`)
  if (used?.emoji != null) return { name: used.name, emoji: used.emoji }
  return { name: `${shortcode}@${domain}`, emoji: picture }
}

/** Every name a reaction of somebody at `domain` may have been stored under. */
export function possibleNames(
  { name, emoji }: Pick<ReceivedReaction, 'name' | 'emoji'>,
  domain: string,
): readonly string[] {
  return emoji === null ? [name] : [name, `${name}@${emoji.host}`, `${name}@${domain}`]
}

function isOurs({ config }: Ctx, emoji: RemoteEmoji | null): boolean {
  return emoji !== null && emoji.host !== null && config.ownDomains.includes(emoji.host)
}

/** A mark that comes twice is one mark; only one that was taken back must not come again. */
function interactionFacts(ctx: Ctx, doer: ActingAccount, { uri, statusUri }: RemoteInteraction) {
  return {
    status: visibleAtAddress(ctx, viewerById(doer.id), statusUri),
    received: wasReceived(ctx, uri),
  }
}
