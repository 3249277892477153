import { mediaLimits } from '../../contract/limits'
import { Invalid } from '../../errors'
import { type Focus, parseFocus } from '../../lib/media/meta'

/** Description and focus of an upload; undefined keys were not sent. */
export interface MediaDescription {
  readonly description?: string | null | undefined
  /** `x,y`, each within -1 and 1. */
  readonly focus?: string | undefined
}

const maxDescriptionCharacters = mediaLimits.descriptionCharacters

/** The stored form; blank descriptions become null. `Invalid` for a description too long or a bad focus. */
export function parseMediaDescription({ description, focus }: MediaDescription): {
  readonly description: string | null | undefined
  readonly focus: Focus | undefined
} {
  const trimmed = description === undefined ? undefined : description?.trim() || null
  if (trimmed && [...trimmed].length > maxDescriptionCharacters)
    throw new Invalid('too_long', { field: 'description', max: maxDescriptionCharacters })
  if (focus === undefined) return { description: trimmed, focus }
  const point = parseFocus(focus)
  if (point === null) throw new Invalid('no_focus', { field: 'focus' })
  return { description: trimmed, focus: point }
}
