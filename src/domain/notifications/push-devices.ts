import { and, desc, eq } from 'drizzle-orm'
import { both, map, type Query, rows } from '../../db/query'
import {
  accessTokens,
  applications,
  browserPushSubscriptions,
  pushSubscriptions,
  sessions,
} from '../../db/schema'
import type { AccountId, PushSubscriptionId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Device that notifications are pushed to, as shown to its owner: without the address, which is a secret. */
export interface PushDevice {
  readonly id: PushSubscriptionId
  /** Null for a browser. */
  readonly applicationName: string | null
  /** User-Agent of a browser. */
  readonly userAgent: string | null
  /** Host of the push service. */
  readonly service: string
  readonly createdAt: Date
}

/** Push devices of an account, apps first, the newest of each first: at most 40 and 20. Two statements. */
export function pushDevicesOf(ctx: Ctx, accountId: AccountId): Query<readonly PushDevice[]> {
  const { id, endpoint, createdAt } = pushSubscriptions
  const apps = ctx.db
    .select({ id, endpoint, createdAt, applicationName: applications.name })
    .from(pushSubscriptions)
    .innerJoin(accessTokens, eq(accessTokens.id, pushSubscriptions.accessTokenId))
    .innerJoin(applications, eq(applications.id, accessTokens.applicationId))
    .where(eq(pushSubscriptions.accountId, accountId))
    .orderBy(desc(id))
  const own = browserPushSubscriptions
  const browsers = ctx.db
    .select({ id: own.id, endpoint: own.endpoint, createdAt: own.createdAt, userAgent: sessions.userAgent })
    .from(own)
    .innerJoin(sessions, eq(sessions.id, own.sessionId))
    .where(eq(own.accountId, accountId))
    .orderBy(desc(own.id))
  return map(both(rows(apps), rows(browsers)), ([ofApps, ofBrowsers]) => [
    ...ofApps.map(({ endpoint: address, ...app }) => ({ ...app, userAgent: null, service: hostOf(address) })),
    ...ofBrowsers.map(({ endpoint: address, ...browser }) => ({
      ...browser,
      applicationName: null,
      service: hostOf(address),
    })),
  ])
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? ''
}

/** Ends the pushes to a device of this account; another account's stays. */
export async function removePushDevice(
  ctx: Ctx,
  accountId: AccountId,
  id: PushSubscriptionId,
): Promise<void> {
  const changes = new Changes()
  // Ids of one table are none of the other.
  for (const table of [pushSubscriptions, browserPushSubscriptions])
    changes.add(ctx.db.delete(table).where(and(eq(table.id, id), eq(table.accountId, accountId))))
  await commit(ctx, changes)
}
