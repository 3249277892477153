import { sql } from 'drizzle-orm'
import { execute, rows } from '../../db/query'
import { oneTimeKeys } from '../../db/schema'
import type { AccountId, TokenId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { type DeviceName, selectReachableDevices } from './find'
import type { OneTimeKey } from './upload'

type Claimed = DeviceName & OneTimeKey

/** Claims a one-time key of each device; a key is handed out once. Devices without keys are left out. */
export async function claimKeys(
  ctx: Ctx,
  viewer: Viewer,
  wanted: readonly DeviceName[],
): Promise<readonly Claimed[]> {
  const found = await execute(ctx.db, rows(nextKeys(ctx, viewer, wanted)))
  if (found.length === 0) return []
  const spent = found.map(({ tokenId, keyId }) =>
    ctx.db.delete(oneTimeKeys).where(sql`(token_id, key_id) = (${tokenId}, ${keyId})`),
  )
  const counts = await commit(ctx, new Changes().add(...spent))
  // Lost to another claim; the device may have a further key.
  const missed = found.filter((_, index) => counts[index] === 0)
  const taken = found.filter((_, index) => counts[index] !== 0)
  return missed.length === 0 ? taken : [...taken, ...(await claimKeys(ctx, viewer, missed))]
}

function nextKeys({ db }: Ctx, viewer: Viewer, wanted: readonly DeviceName[]) {
  const devices = selectReachableDevices(viewerById(viewer.id).id, wanted)
  return db
    .select({
      accountId: sql<AccountId>`crypto_devices.account_id`.as('account_id'),
      deviceId: sql<string>`crypto_devices.device_id`.as('device_id'),
      tokenId: sql<TokenId>`k.token_id`.as('token_id'),
      keyId: sql<string>`k.key_id`.as('key_id'),
      key: sql<string>`k.key`.as('key'),
      signature: sql<string>`k.signature`.as('signature'),
    })
    .from(
      sql`${devices} cross join one_time_keys k on k.token_id = crypto_devices.token_id
        and k.key_id = (select min(key_id) from one_time_keys where token_id = crypto_devices.token_id)`,
    )
}
