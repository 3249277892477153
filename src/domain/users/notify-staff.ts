import { execute } from '../../db/query'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { notify } from '../notifications/notify'
import { staffWithPermission } from './find-staff'

/** Notifies staff with permission to manage users of a new member: the effect of `member.joined`. Idempotent. */
export async function notifyStaffOfSignUp(ctx: Ctx, member: AccountId): Promise<void> {
  const staff = await execute(ctx.db, staffWithPermission(ctx, 'manageUsers'))
  if (staff.length === 0) return
  const about = { type: 'admin.sign_up', from: member, statusId: null } as const
  const changes = new Changes()
  notify(
    ctx,
    changes,
    staff.map((to) => ({ ...about, to })),
  )
  await commit(ctx, changes)
}
