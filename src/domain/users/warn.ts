import { accountWarnings } from '../../db/schema'
import type { WarningAction } from '../../db/schema/reports'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { notify } from '../notifications/notify'

/** Strike against an account; its owner sees it as a warning. */
export interface NewWarning {
  readonly targetId: AccountId
  /** Action taken; `none` for a mere warning. */
  readonly action: WarningAction
  readonly text: string
  /** Moderator who decided; null for the operator. */
  readonly by: AccountId | null
  readonly reportId?: number
  /** Statuses the warning is about. */
  readonly statusIds?: readonly StatusId[] | null
  /** Whether the owner of the account is notified, by mail as well; true by default. */
  readonly isAnnounced?: boolean
}

/** Adds a strike to an account's record, with the notification `moderation_warning` and the notice on pages if announced. Returns its id. */
export function addWarning(ctx: Ctx, changes: Changes, warning: NewWarning): number {
  const { targetId, action, text, by, reportId = null, statusIds = null, isAnnounced = true } = warning
  const id = ctx.ids.next()
  changes.add(
    ctx.db.insert(accountWarnings).values({
      id,
      accountId: by,
      targetAccountId: targetId,
      action,
      text,
      reportId,
      statusIds,
      createdAt: ctx.clock.now(),
      // A trigger puts it on top of the owner's pages.
      announced: isAnnounced,
    }),
  )
  if (!isAnnounced) return id
  const about = { type: 'moderation_warning', statusId: null, subjectId: id } as const
  notify(ctx, changes, [{ ...about, to: targetId, from: targetId }])
  return id
}
