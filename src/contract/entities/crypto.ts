import * as z from 'zod'
import { IdString, Timestamp } from '../scalars'

/** 32 bytes in base64, with or without padding: olm leaves it out. */
const PublicKey = z.string().regex(/^[A-Za-z\d+/]{43}=?$/, 'is not a valid Ed25519 or Curve25519 key')

const Signature = z.string().regex(/^[A-Za-z\d+/]{86}(==)?$/, 'is not a valid Ed25519 signature')

/** Identifier of a device, key or peer, chosen by the device. */
const Name = z.string().min(1).max(255)

export const CryptoDevice = z
  .strictObject({
    device_id: Name,
    name: Name,
    /** Curve25519. */
    identity_key: PublicKey,
    /** Ed25519. */
    fingerprint_key: PublicKey,
  })
  .meta({ id: 'CryptoDevice' })
export type CryptoDevice = z.infer<typeof CryptoDevice>

export const CryptoQueryResult = z
  .strictObject({ account_id: IdString, devices: z.array(CryptoDevice) })
  .meta({ id: 'CryptoQueryResult' })

export const CryptoOneTimeKeyUpload = z
  .strictObject({ key_id: Name, key: PublicKey, signature: Signature })
  .meta({ id: 'CryptoOneTimeKeyUpload' })

export const CryptoClaimResult = z
  .strictObject({ account_id: IdString, device_id: Name, ...CryptoOneTimeKeyUpload.shape })
  .meta({ id: 'CryptoClaimResult' })

export const CryptoEncryptedMessage = z
  .strictObject({
    id: IdString,
    /** The sending account, and its device. */
    account_id: IdString,
    device_id: Name,
    type: z.int(),
    body: z.string(),
    digest: z.string(),
    message_franking: z.string(),
    created_at: Timestamp,
  })
  .meta({ id: 'CryptoEncryptedMessage' })
export type CryptoEncryptedMessage = z.infer<typeof CryptoEncryptedMessage>
