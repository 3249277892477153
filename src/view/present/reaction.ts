import type { Config } from '../../config'
import type { Reaction } from '../../contract/entities/reaction'
import type { ReactionCount } from '../../db/values'
import { fileUrl, staticUrl } from '../urls'

/** Presents one emoji reaction and its count; `own` lists those of the viewer, null for anonymous readers. */
export function presentReaction(
  config: Config,
  { name, count, emoji = null }: ReactionCount,
  own: readonly string[] | null,
): Reaction {
  return {
    name,
    count,
    ...(own === null ? {} : { me: own.includes(name) }),
    ...(emoji === null
      ? {}
      : { url: fileUrl(config, emoji.image, null), static_url: staticUrl(config, emoji.image, null) }),
  }
}
