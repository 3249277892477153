import { validationFailed } from '../../errors'
import { mediaLimits } from '../../lib/limits'
import { type Focus, parseFocus } from '../../lib/media/meta'

/** What a person says about an upload; what is undefined was not said. */
export interface MediaDescription {
  readonly description?: string | null | undefined
  /** `x,y`, each within -1 and 1. */
  readonly focus?: string | undefined
}

const maxDescriptionCharacters = mediaLimits.descriptionCharacters

/** The words in stored form; blank descriptions are none. `Invalid` for a description too long or a bad focus. */
export function parseMediaDescription({ description, focus }: MediaDescription): {
  readonly description: string | null | undefined
  readonly focus: Focus | undefined
} {
  const said = description === undefined ? undefined : description?.trim() || null
  if (said && [...said].length > maxDescriptionCharacters)
    throw validationFailed(`Description is too long (maximum is ${maxDescriptionCharacters} characters)`)
  if (focus === undefined) return { description: said, focus }
  const point = parseFocus(focus)
  if (point === null) throw validationFailed('Focus must be two numbers between -1 and 1')
  return { description: said, focus: point }
}
