import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import type { OwnStatus } from '../policy/visibility'
import { deleteMediaOf, releaseMedia, removeStatus, statusRemoved } from './remove'

/**
 * Deletes a status of `author` and its dependent rows in one batch.
 *
 * Its uploads become available for a redraft, unless `withMedia` deletes them and their files. `concerned` are
 * remote accounts whose servers may have a copy, as `affectedRemoteAccounts` returns them. `NotFound` if already
 * deleted. Emits `status.deleted`, or `reblog.removed` for a reblog.
 */
export async function deleteStatus(
  ctx: Ctx,
  author: Viewer,
  order: {
    readonly status: OwnStatus
    readonly concerned: readonly AccountId[]
    readonly withMedia: boolean
  },
): Promise<void> {
  const { status, withMedia, concerned } = order
  const changes = new Changes()
  removeStatus(ctx, changes, { author, status })
  if (!status.localOnly) changes.emit(statusRemoved(status, concerned))
  if (withMedia) deleteMediaOf(ctx, changes, status)
  // Cron removes uploads used only by earlier versions.
  releaseMedia(ctx, changes, status)
  await commit(ctx, changes)
}
