import type { CryptoDevice, CryptoEncryptedMessage } from '../../contract/entities/crypto'
import type { cryptoDevices, encryptedMessages } from '../../db/schema'
import { instantOf } from '../../lib/ids'
import { timestamp } from './time'

/** Presents a device to other users. */
export function presentDevice(
  device: Omit<typeof cryptoDevices.$inferSelect, 'tokenId' | 'accountId'>,
): CryptoDevice {
  return {
    device_id: device.deviceId,
    name: device.name,
    identity_key: device.identityKey,
    fingerprint_key: device.fingerprintKey,
  }
}

/** Presents a message queued for its device; account and device are the sender's. */
export function presentEncryptedMessage(
  message: typeof encryptedMessages.$inferSelect,
): CryptoEncryptedMessage {
  return {
    id: String(message.id),
    account_id: String(message.fromAccountId),
    device_id: message.fromDeviceId,
    type: message.type,
    body: message.body,
    digest: message.digest,
    message_franking: message.messageFranking,
    created_at: timestamp(instantOf(message.id)),
  }
}
