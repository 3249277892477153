import { eq, sql } from 'drizzle-orm'
import { cryptoLimits } from '../../contract/limits'
import { cryptoDevices } from '../../db/schema'
import { jsonRows } from '../../db/sql'
import { Invalid } from '../../errors'
import { verifiesSignature } from '../../lib/signatures/keys'
import { decodeBase64 } from '../../lib/signatures/structured'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Device } from './find'

export interface OneTimeKey {
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
