import type { Config } from '../../config'
import type { Reaction } from '../../contract/entities/reaction'
import type { ReactionCount } from '../../db/values'
import { fileUrl, staticUrl } from '../urls'

/** One kind of reaction and how many chose it; `own` are those of the viewer, null where nobody signed in. */
export function presentReaction(
  config: Config,
  { name, count, emoji = null }: ReactionCount,
  own: readonly string[] | null,
): Reaction {
  return {
    ...{ name, count },
    ...(own === null ? {} : { me: own.includes(name) }),
    ...(emoji === null
      ? {}
      : { url: fileUrl(config, emoji.image, null), static_url: staticUrl(config, emoji.image, null) }),
  }
}
