import { combineQueries, constant, execute } from '../../db/query'
import type { EmojiSnapshot } from '../../db/values'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome } from '../core/changes'
import { wasReceived } from '../core/received-activities'
import { type RemoteSender, viewerById } from '../core/viewer'
import { emojisByShortcodes } from '../custom-emojis/shortcodes'
import type { VisibleStatus } from '../policy/visibility'
import { visibleAtAddress } from '../statuses/find'
import { addFavourite } from './favourite'
import type { ReactionEmoji } from './react'
import { addReaction } from './reactions'

/** Interaction of a remote account with a status: the id of the activity, and the status it names. */
export interface RemoteInteraction {
  readonly uri: string | null
  readonly statusUri: string
}

/**
 * Handles a remote favourite of a local or known status. Idempotent: one round trip to gather, one to commit.
 * Ignored for a status not visible to the actor.
 */
export async function receiveLike(
  ctx: Ctx,
  actor: RemoteSender,
  { uri, statusUri }: RemoteInteraction,
): Promise<Outcome> {
  const { status, received } = await execute(
    ctx.db,
    combineQueries(interactionFacts(ctx, actor, { uri, statusUri })),
  )
  if (received) return ignored('undone before')
  if (status === null) return ignored('status unknown, or not visible to the actor')
  const changes = new Changes()
  addFavourite(ctx, changes, { id: ctx.ids.next(), by: actor.id, status, uri })
  await commit(ctx, changes)
  return done
}

/** Custom emoji of another server: its shortcode, and the host of its id, where it has one. */
export interface RemoteEmoji {
  readonly picture: EmojiSnapshot
  readonly host: string | null
}

export interface ReceivedReaction extends RemoteInteraction {
  /** A Unicode emoji, or a shortcode. */
  readonly name: string
  readonly emoji: RemoteEmoji | null
}

/** Handles a remote emoji reaction; each kind once. Otherwise as `receiveLike`. */
export async function receiveReaction(
  ctx: Ctx,
  actor: RemoteSender & { readonly domain: string },
  { uri, statusUri, name, emoji }: ReceivedReaction,
): Promise<Outcome> {
  const { status, received, local } = await execute(
    ctx.db,
    combineQueries({
      ...interactionFacts(ctx, actor, { uri, statusUri }),
      local: isLocalEmoji(ctx, emoji) ? emojisByShortcodes(ctx, [name]) : constant([]),
    }),
  )
  if (received) return ignored('undone before')
  if (status === null) return ignored('status unknown, or not visible to the actor')
  const changes = new Changes()
  const choice =
    emoji === null
      ? { name, emoji: null }
      : resolveRemoteEmoji(emoji, { status, local, domain: actor.domain })
  addReaction(ctx, changes, { id: ctx.ids.next(), by: actor.id, status, ...choice, uri })
  await commit(ctx, changes)
  return done
}

interface EmojiContext {
  readonly status: VisibleStatus
  readonly local: readonly EmojiSnapshot[]
  readonly domain: string
}

/**
 * Resolves the emoji: a local one, one that is on the status already, else one of the sender's own server.
 * Accepting a third server's emoji from a sender would allow any picture under its name.
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

/** Names a reaction by an account at `domain` may have been stored under. */
export function possibleNames(
  { name, emoji }: Pick<ReceivedReaction, 'name' | 'emoji'>,
  domain: string,
): readonly string[] {
  return emoji === null ? [name] : [name, `${name}@${emoji.host}`, `${name}@${domain}`]
}

function isLocalEmoji({ config }: Ctx, emoji: RemoteEmoji | null): boolean {
  return emoji !== null && emoji.host !== null && config.ownDomains.includes(emoji.host)
}

/** Repeating an interaction is harmless; only one that was undone must not come back. */
function interactionFacts(ctx: Ctx, actor: RemoteSender, { uri, statusUri }: RemoteInteraction) {
  return {
    status: visibleAtAddress(ctx, viewerById(actor.id), statusUri),
    received: wasReceived(ctx, uri),
  }
}
