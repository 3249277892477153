import { mediaLimits } from '../../../contract/limits'
import type { Form } from '../../csrf'

/** A file that is uploaded, with its description as typed. */
export interface TypedMedia {
  readonly id: number
  readonly description: string
  /** Part of a picture that stays in sight, as `x,y` of the API; empty to leave it as it is. */
  readonly focus: string
}

/** The uploaded files of a form in their order, without the one that its buttons remove or the one they move up. */
export function readMediaLines(form: Form): readonly TypedMedia[] {
  const ids = form('media_ids')
    .split(',')
    .filter((text) => /^\d{1,16}$/.test(text))
    .slice(0, mediaLimits.perStatus)
    .map(Number)
  return ids.map((id) => ({ id, description: form(`description_${id}`), focus: form(`focus_${id}`) }))
}

/** `media` without the file `id`. */
export function without(media: readonly TypedMedia[], id: number): readonly TypedMedia[] {
  return media.filter((one) => one.id !== id)
}

/** `media` with the file `id` one place further up. */
export function movedUp(media: readonly TypedMedia[], id: number): readonly TypedMedia[] {
  const at = media.findIndex((one) => one.id === id)
  const [above, moved] = [media[at - 1], media[at]]
  if (above === undefined || moved === undefined) return media
  return media.with(at - 1, moved).with(at, above)
}
