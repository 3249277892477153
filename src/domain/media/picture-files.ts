import { Invalid, InvalidFields } from '../../errors'
import { type Problem, problem } from '../../errors/sentences'
import type { Dimensions } from '../../lib/media/dimensions'

/** A picture safe to serve: upright, without metadata on camera or place. */
export interface PictureFile extends Dimensions {
  readonly bytes: Uint8Array
  readonly mime: string
  readonly extension: string
}

/** Profile pictures are form fields, and named as such in errors; an upload is not. */
export function pictureError(one: Problem): Invalid {
  return one.values['field'] === 'file' ? new Invalid([one]) : new InvalidFields([one])
}

/** A type that is not taken, of an upload in the words of Mastodon. */
export function contentTypeError(field: string): Invalid {
  const one = problem('invalid_content_type', { field })
  return field === 'file' ? new Invalid([one, problem('invalid', { field })]) : new InvalidFields([one])
}
