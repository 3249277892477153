import { addEmoji } from '../../src/domain/custom-emojis/change'
import { operator } from '../../src/domain/policy/permissions'
import { freshName } from './given'
import { mediaFile } from './media'
import { context } from './test-app'

/** Adds a local custom emoji by the operator's command. */
export async function givenEmoji({ category = null }: { readonly category?: string | null } = {}) {
  const shortcode = freshName('emoji')
  const id = await addEmoji(context(), operator, { shortcode, bytes: mediaFile('rgba.png'), category })
  return { id, shortcode }
}
