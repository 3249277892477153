import type { Ctx } from '../../context'
import { Changes, commit } from '../changes'
import type { OwnStatus } from '../policy/visibility'
import type { Viewer } from '../viewer'
import { deleteMediaOf, releaseMedia, removeStatus } from './remove'

/**
 * Deletes a status of `author` with all that hangs on it, in one batch.
 *
 * Its uploads become usable again for a redraft, unless `withMedia` deletes them and their files as well.
 * `NotFound` when it is gone already.
 */
export async function deleteStatus(
  ctx: Ctx,
  author: Viewer,
  { status, withMedia }: { readonly status: OwnStatus; readonly withMedia: boolean },
): Promise<void> {
  const changes = new Changes()
  removeStatus(ctx, changes, { author, status })
  if (withMedia) deleteMediaOf(ctx, changes, status)
  else releaseMedia(ctx, changes, status)
  await commit(ctx, changes)
}
