import { asc, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { both, combineQueries, first, inList, jsonRows, map, type Query, rows } from '../../db/query'
import { cryptoDevices, encryptedMessages, oneTimeKeys } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type Page, pageSql } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { isVisibleAccount } from '../policy/account-visibility'
import { blockSql } from '../policy/block-predicates'
export type Device = typeof cryptoDevices.$inferSelect

/** Address of a device. */
export interface DeviceName {
  readonly accountId: AccountId
  readonly deviceId: string
}

/** The access token of a request, which identifies its device. */
export function selectTokenId(hash: string | null): SQL {
  return sql`(select id from access_tokens where token_hash = ${hash})`
}

/**
 * Condition for a device among `crypto_devices` that `me` can reach: its account is not suspended and does not block
 * them.
 */
function reachableFor(me: SQL): SQL {
  return sql`not exists (select 1 from accounts a
      where a.id = crypto_devices.account_id and a.suspended_at is not null)
    and not ${blockSql.blocks(sql`crypto_devices.account_id`, me)}`
}

/**
 * For a from clause: the rows of `crypto_devices` among those named that the viewer may reach, each beside its
 * `item`.
 */
export function selectReachableDevices(me: SQL, named: readonly DeviceName[]): SQL {
  return sql`${jsonRows(named)} cross join crypto_devices on crypto_devices.account_id = item.value ->> 'accountId'
    and crypto_devices.device_id = item.value ->> 'deviceId' and ${reachableFor(me)}`
}

/**
 * Devices of the accounts among `ids`. Remote accounts have none: their lists went over a protocol that is out of
 * use.
 */
export function devicesOf(
  ctx: Ctx,
  viewer: ViewerRef,
  ids: readonly AccountId[],
): Query<ReadonlyMap<AccountId, readonly Device[]>> {
  const visible = ctx.db
    .select({ id: sql<AccountId>`a.id`.as('id') })
    .from(sql`accounts a`)
    .where(sql`${inList(sql`a.id`, ids)} and a.suspended_at is null and ${isVisibleAccount('a')}`)
    .orderBy(sql`a.id`)
  const devices = ctx.db
    .select()
    .from(cryptoDevices)
    .where(sql`${inList(cryptoDevices.accountId, ids)} and ${reachableFor(viewer.id)}`)
    .orderBy(asc(cryptoDevices.tokenId))
  return map(both(rows(visible), rows(devices)), ([accounts, found]) => {
    const own = (id: AccountId) => found.filter(({ accountId }) => accountId === id)
    return new Map(accounts.map(({ id }) => [id, own(id)]))
  })
}

/** Number of one-time keys left for a token's device; null without a device. */
export function keysLeft(ctx: Ctx, token: SQL): Query<number | null> {
  const count = sql<number>`(select count(*) from ${oneTimeKeys} k where k.token_id = ${token})`.as('count')
  const found = ctx.db.select({ count }).from(cryptoDevices).where(eq(cryptoDevices.tokenId, token))
  return map(first(found), (row) => row?.count ?? null)
}

/** Queued messages of a token's device, newest first, and whether the device exists. */
export function messagesFor(ctx: Ctx, token: SQL, page: Page) {
  const ids = pageSql(
    page,
    sql`m.id`,
    (bounds) => sql`select m.id from encrypted_messages m where m.token_id = ${token} and ${bounds}`,
  )
  return combineQueries({
    device: first(ctx.db.select().from(cryptoDevices).where(eq(cryptoDevices.tokenId, token))),
    messages: rows(
      ctx.db
        .select()
        .from(encryptedMessages)
        .where(sql`${encryptedMessages.id} in (${ids})`)
        .orderBy(desc(encryptedMessages.id)),
    ),
  })
}

/** The queued messages among `ids`, each with the account of its device. */
export function messagesById(ctx: Ctx, ids: readonly number[]) {
  const owner = sql<AccountId>`(select d.account_id from crypto_devices d
    where d.token_id = encrypted_messages.token_id)`
  return rows(
    ctx.db
      .select({ ...getTableColumns(encryptedMessages), accountId: owner.as('account_id') })
      .from(encryptedMessages)
      .where(inList(encryptedMessages.id, ids))
      .orderBy(asc(encryptedMessages.id)),
  )
}
