import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import type { OwnStatus } from '../policy/visibility'
import type { RemovalFacts } from './find-affected-servers'
import { deleteMediaOf, releaseMedia, removeStatus, statusRemoved } from './remove'

/**
 * Deletes a status of `author` and its dependent rows in one batch; with `inParts`, as `removalFacts` returns it, a job
 * deletes most of these, and federates the deletion before.
 *
 * Its uploads become available for a redraft, unless `withMedia` deletes them and their files. `NotFound` if already
 * deleted. Emits `status.deleted`, or `reblog.removed` for a reblog.
 */
export async function deleteStatus(
  ctx: Ctx,
  author: Viewer,
  order: RemovalFacts & { readonly status: OwnStatus; readonly withMedia: boolean },
): Promise<void> {
  const { status, withMedia, concerned, inParts } = order
  const changes = new Changes()
  removeStatus(ctx, changes, { author, status, inParts })
  if (!status.localOnly && !inParts) changes.emit(statusRemoved(status, concerned))
  if (withMedia) deleteMediaOf(ctx, changes, status)
  // Cron removes uploads used only by earlier versions.
  releaseMedia(ctx, changes, status)
  await commit(ctx, changes)
}
