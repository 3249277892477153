import { type Invalid, invalidFields, validationFailed } from '../../errors'
import type { Dimensions } from '../../lib/media/dimensions'

/** A picture safe to serve: upright, without metadata on camera or place. */
export interface PictureFile extends Dimensions {
  readonly bytes: Uint8Array
  readonly mime: string
  readonly extension: string
}

/** Profile pictures are form fields, and named as such in errors; an upload is not. */
export function pictureError(field: string, description: string): Invalid {
  if (field === 'File') return validationFailed(`File ${description}`)
  return invalidFields({ [field.toLowerCase()]: [{ error: 'ERR_INVALID', description }] })
}

/** A type that is not taken, of an upload in the words of Mastodon. */
export function contentTypeError(field: string): Invalid {
  if (field === 'File') return validationFailed('File content type is invalid', 'File is invalid')
  return pictureError(field, 'content type is invalid')
}
