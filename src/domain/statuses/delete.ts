import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import type { OwnStatus } from '../policy/visibility'
import { deleteMediaOf, releaseMedia, removeStatus, statusRemoved } from './remove'

/**
 * Deletes a status of `author` with all that hangs on it, in one batch.
 *
 * Its uploads become usable again for a redraft, unless `withMedia` deletes them and their files as well.
 * `concerned` are people of other servers who may have it, as `affectedRemoteAccounts` answers. `NotFound` when it is gone
 * already. Emits `status.deleted`, or `reblog.removed` for a reblog.
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
  // What only earlier versions showed waits for cron to remove it.
  releaseMedia(ctx, changes, status)
  await commit(ctx, changes)
}
