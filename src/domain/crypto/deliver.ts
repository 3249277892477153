import { type SQL, sql } from 'drizzle-orm'
import { cryptoLimits } from '../../contract/limits'
import { cryptoDevices, encryptedMessages } from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import type { TokenId } from '../../lib/ids'
import { seal } from '../../lib/sealing'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { type DeviceName, selectReachableDevices } from './find'

export interface DeviceMessage extends DeviceName {
  readonly type: number
  readonly body: string
  /** HMAC of the message by the sender, for its receiver. */
  readonly hmac: string
}

/**
 * Queues a message for each device, from the device of `tokenId`: for every device or none.
 *
 * `NotFound` where the sender has no device or cannot reach one of those named, `Invalid` where a queue is full.
 * Publishes `messages.encrypted`.
 */
export async function deliverMessages(
  ctx: Ctx,
  viewer: Viewer,
  { tokenId, deliveries }: { readonly tokenId: TokenId; readonly deliveries: readonly DeviceMessage[] },
): Promise<void> {
  const me = viewerById(viewer.id).id
  const messages = await Promise.all(
    deliveries.map(async (delivery) => ({
      ...delivery,
      id: ctx.ids.next(),
      franking: await frankingOf(ctx, viewer, delivery),
    })),
  )
  const devices = selectReachableDevices(
    me,
    deliveries.map(({ accountId, deviceId }) => ({ accountId, deviceId })),
  )
  await commit(
    ctx,
    new Changes()
      .require(hasDevice(tokenId), new NotFound())
      .require(sql`(select count(*) from ${devices}) = ${deliveries.length}`, new NotFound())
      .require(sql`not exists (select 1 from ${devices} where ${isFull})`, new Invalid('device_full'))
      .add(
        ctx.db.run(sql`insert into encrypted_messages
            (id, token_id, from_account_id, from_device_id, type, body, digest, message_franking)
          select item.value ->> 'id', crypto_devices.token_id, ${viewer.id},
            (select device_id from crypto_devices where token_id = ${tokenId}), item.value ->> 'type',
            item.value ->> 'body', item.value ->> 'hmac', item.value ->> 'franking'
          from ${selectReachableDevices(me, messages)}`),
      )
      .publish({ kind: 'messages.encrypted', ids: messages.map(({ id }) => id) }),
  )
}

/** Deletes the queued messages of a token's device up to a message. `NotFound` without a device. */
export async function clearMessages(ctx: Ctx, tokenId: TokenId, upToId: number): Promise<void> {
  const read = sql`${encryptedMessages.tokenId} = ${tokenId} and ${encryptedMessages.id} <= ${upToId}`
  await commit(
    ctx,
    new Changes()
      .require(hasDevice(tokenId), new NotFound())
      .add(ctx.db.delete(encryptedMessages).where(read)),
  )
}

const isFull = sql`(select count(*) from encrypted_messages m where m.token_id = crypto_devices.token_id)
  >= ${cryptoLimits.messagesPerDevice}`

function hasDevice(tokenId: TokenId): SQL {
  return sql`exists (select 1 from ${cryptoDevices} where ${cryptoDevices.tokenId} = ${tokenId})`
}

/**
 * Message franking: sender, recipient and time, encrypted for this server alone. A receiver can attach it to a
 * report.
 */
function frankingOf(
  { config, clock }: Ctx,
  viewer: Viewer,
  { accountId, hmac }: DeviceMessage,
): Promise<string> {
  const payload = { hmac, from: viewer.id, to: accountId, at: clock.now().getTime() }
  const bytes = new TextEncoder().encode(JSON.stringify(payload))
  return seal(config.secrets, { kind: 'message franking', owner: accountId }, bytes)
}
