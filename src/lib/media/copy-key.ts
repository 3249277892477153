import type { MediaId } from '../ids'

/**
 * Key under which evidence keeps a copy of a remote attachment, or of its preview, in the media store, below that of
 * evidence.
 */
export function copyKey(mediaId: MediaId, size: 'whole' | 'small' = 'whole'): string {
  return size === 'whole' ? `remote/${mediaId}` : `remote/${mediaId}/small`
}
