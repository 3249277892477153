import { eq, sql } from 'drizzle-orm'
import type { MailKind } from '../../contract/notification-kinds'
import { users } from '../../db/schema'
import type { MailSettings } from '../../db/schema/accounts'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Saves the notification email settings named in `mail`; others stay as they are. */
export async function saveMailSettings(ctx: Ctx, accountId: AccountId, mail: MailSettings): Promise<void> {
  // Merged in the database, so that settings changed elsewhere at the same time are not lost.
  const settings = sql`json_patch(${users.settings}, ${JSON.stringify({ mail })})`
  await commit(
    ctx,
    new Changes().add(ctx.db.update(users).set({ settings }).where(eq(users.accountId, accountId))),
  )
}

/** Unsubscribes a user from notification emails of a kind. */
export function stopMail(ctx: Ctx, accountId: AccountId, kind: MailKind): Promise<void> {
  return saveMailSettings(ctx, accountId, { [kind]: false })
}
