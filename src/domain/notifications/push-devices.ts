import { and, desc, eq } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { accessTokens, applications, pushSubscriptions } from '../../db/schema'
import type { AccountId, PushSubscriptionId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Device that notifications are pushed to, as shown to its owner: without the address, which is a secret. */
export interface PushDevice {
  readonly id: PushSubscriptionId
  readonly applicationName: string
  /** Host of the push service. */
  readonly service: string
  readonly createdAt: Date
}

/** Push devices of an account, newest first: 40 at most. One statement. */
export function pushDevicesOf(ctx: Ctx, accountId: AccountId): Query<readonly PushDevice[]> {
  const { id, endpoint, createdAt } = pushSubscriptions
  const found = ctx.db
    .select({ id, endpoint, createdAt, applicationName: applications.name })
    .from(pushSubscriptions)
    .innerJoin(accessTokens, eq(accessTokens.id, pushSubscriptions.accessTokenId))
    .innerJoin(applications, eq(applications.id, accessTokens.applicationId))
    .where(eq(pushSubscriptions.accountId, accountId))
    .orderBy(desc(id))
  return map(rows(found), (list) =>
    list.map(({ endpoint: address, ...device }) => ({ ...device, service: URL.parse(address)?.host ?? '' })),
  )
}

/** Ends the pushes to a device of this account; another account's stays. */
export async function removePushDevice(
  ctx: Ctx,
  accountId: AccountId,
  id: PushSubscriptionId,
): Promise<void> {
  const isOwn = and(eq(pushSubscriptions.id, id), eq(pushSubscriptions.accountId, accountId))
  await commit(ctx, new Changes().add(ctx.db.delete(pushSubscriptions).where(isOwn)))
}
