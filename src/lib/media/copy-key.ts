import type { MediaId } from '../ids'

/** Key under which evidence keeps a copy of a remote attachment in the media store, below that of evidence. */
export function copyKey(mediaId: MediaId): string {
  return `remote/${mediaId}`
}
