import { eq, sql } from 'drizzle-orm'
import { cryptoLimits } from '../../contract/limits'
import { execute, jsonRows, limitTo, rows } from '../../db/query'
import { cryptoDevices, encryptedMessages, oneTimeKeys } from '../../db/schema'
import { Invalid } from '../../errors'
import { type AccountId, firstIdAt, type TokenId } from '../../lib/ids'
import { verifiesSignature } from '../../lib/signatures/keys'
import { decodeBase64 } from '../../lib/signatures/structured'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { type Device, type DeviceName, selectReachableDevices } from './find'

interface OneTimeKey {
  readonly keyId: string
  readonly key: string
  /** Signature of the key as text, by the fingerprint key. */
  readonly signature: string
}

/**
 * Makes `device` the only device of its access token and adds one-time keys to those it has.
 *
 * A device under another id or with other keys is another device: one-time keys and messages of the previous device
 * are deleted. So is a device of the same id that the account has under another token. `Invalid` for signatures that
 * do not hold and for more keys than a device may have.
 */
export async function uploadKeys(ctx: Ctx, device: Device, keys: readonly OneTimeKey[]): Promise<void> {
  if (!(await areSigned(device.fingerprintKey, keys))) throw new Invalid('no_ed25519', { field: 'signature' })
  const { tokenId, accountId, deviceId, name, fingerprintKey, identityKey } = device
  const isSame = sql`${cryptoDevices.deviceId} = ${deviceId} and ${cryptoDevices.fingerprintKey} = ${fingerprintKey}
    and ${cryptoDevices.identityKey} = ${identityKey}`
  const left = sql`(select count(*) from crypto_devices cross join one_time_keys k
    on k.token_id = crypto_devices.token_id where ${cryptoDevices.tokenId} = ${tokenId} and ${isSame})`
  await commit(
    ctx,
    new Changes()
      .require(
        sql`${left} + ${keys.length} <= ${cryptoLimits.oneTimeKeys}`,
        new Invalid('too_many_keys', { max: cryptoLimits.oneTimeKeys }),
      )
      .add(
        // Keys and messages are deleted by cascade.
        ctx.db.delete(cryptoDevices).where(sql`${cryptoDevices.accountId} = ${accountId}
          and case when ${eq(cryptoDevices.tokenId, tokenId)} then not (${isSame})
            else ${cryptoDevices.deviceId} = ${deviceId} end`),
        ctx.db
          .insert(cryptoDevices)
          .values(device)
          .onConflictDoUpdate({ target: cryptoDevices.tokenId, set: { name } }),
        ctx.db.run(sql`insert or replace into one_time_keys (token_id, key_id, key, signature)
          select ${tokenId}, item.value ->> 'keyId', item.value ->> 'key', item.value ->> 'signature'
          from ${jsonRows(keys)}`),
      ),
  )
}

async function areSigned(fingerprintKey: string, keys: readonly OneTimeKey[]): Promise<boolean> {
  const bytes = decodeBase64(fingerprintKey)
  if (bytes === null) return false
  const checks = keys.map(({ key, signature }) => {
    const sealed = decodeBase64(signature)
    return (
      sealed !== null && verifiesSignature({ kind: 'ed25519', bytes }, sealed, new TextEncoder().encode(key))
    )
  })
  return (await Promise.all(checks)).every(Boolean)
}

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

const droppedPerRun = 1_000

/** Cron: deletes messages that were not fetched within a month. */
export async function pruneMessages(ctx: Ctx): Promise<void> {
  const before = firstIdAt(new Date(ctx.clock.now().getTime() - cryptoLimits.keptDays * 86_400_000))
  const old = sql`select id from encrypted_messages where id < ${before} order by id ${limitTo(droppedPerRun)}`
  await commit(
    ctx,
    new Changes().add(ctx.db.delete(encryptedMessages).where(sql`${encryptedMessages.id} in (${old})`)),
  )
}
