import * as z from 'zod'
import {
  CryptoClaimResult,
  CryptoDevice,
  CryptoEncryptedMessage,
  CryptoOneTimeKeyUpload,
  CryptoQueryResult,
} from '../contract/entities/crypto'
import { cryptoLimits } from '../contract/limits'
import { Id, IdList, Int } from '../contract/scalars'
import { clearMessages, deliverMessages } from '../domain/crypto/deliver'
import { devicesOf, keysLeft, messagesFor, selectTokenId } from '../domain/crypto/find'
import { claimKeys, uploadKeys } from '../domain/crypto/upload'
import { requireToken } from '../domain/sessions/find'
import { BadRequest, NotFound } from '../errors'
import { presentDevice, presentEncryptedMessage } from '../view/present/crypto'
import { endpoint, readEndpoint, user } from './endpoint'
import { page, pageOf, paging } from './paginate'

/** Removed from Mastodon with 4.3. */
const outdated = { auth: user('crypto'), deprecatedSince: new Date('2024-10-08T00:00:00Z') }

/** A list, or a single item. */
const listOf = <S extends z.ZodType>(item: S, most: number) =>
  z.preprocess(
    (sent) => (sent === undefined || Array.isArray(sent) ? sent : [sent]),
    z.array(item).max(most).default([]),
  )

const Recipient = z.object({ account_id: Id, device_id: z.string() })
const Delivery = Recipient.extend({
  type: Int.nonoptional(),
  body: z.string().min(1).max(cryptoLimits.bodyCharacters),
  hmac: z.string().min(1).max(255),
})

/** Renames the device keys to the domain's names; the other properties are kept. */
function renameKeys<R extends z.output<typeof Recipient>>({ account_id, device_id, ...rest }: R) {
  return { ...rest, accountId: account_id, deviceId: device_id }
}

/** End-to-end encryption between local devices, as Mastodon 3.2 began it. */
export const encryption = [
  endpoint({
    ...outdated,
    path: '/api/v1/crypto/keys/upload',
    summary: 'Makes the application a device, with keys for others to write to it',
    input: z.object({
      device: CryptoDevice.strip().partial({ device_id: true }),
      one_time_keys: listOf(CryptoOneTimeKeyUpload.strip(), cryptoLimits.oneTimeKeys),
    }),
    output: CryptoDevice,
    run: async (ctx, { viewer, caller, input: { device, one_time_keys } }) => {
      const { tokenId } = requireToken(caller)
      const made = {
        tokenId,
        accountId: viewer.id,
        deviceId: device.device_id ?? String(tokenId),
        name: device.name,
        fingerprintKey: device.fingerprint_key,
        identityKey: device.identity_key,
      }
      const keys = one_time_keys.map(({ key_id, ...key }) => ({ ...key, keyId: key_id }))
      await uploadKeys(ctx, made, keys)
      return presentDevice(made)
    },
  }),
  readEndpoint({
    ...outdated,
    method: 'POST',
    path: '/api/v1/crypto/keys/query',
    summary: 'The devices of people',
    input: z.object({ id: IdList }),
    output: z.array(CryptoQueryResult),
    read: (ctx, { input, as }) => devicesOf(ctx, as, input.id),
    show: (_ctx, { found }) =>
      [...found].map(([id, devices]) => ({ account_id: String(id), devices: devices.map(presentDevice) })),
  }),
  endpoint({
    ...outdated,
    path: '/api/v1/crypto/keys/claim',
    summary: 'Takes one of the one-time keys of each device',
    limit: 'encryption',
    input: z.object({ device: listOf(Recipient, cryptoLimits.devicesPerRequest) }),
    output: z.array(CryptoClaimResult),
    run: async (ctx, { viewer, input }) => {
      const claimed = await claimKeys(ctx, viewer, input.device.map(renameKeys))
      return claimed.map(({ accountId, deviceId, keyId, key, signature }) => ({
        account_id: String(accountId),
        device_id: deviceId,
        key_id: keyId,
        key,
        signature,
      }))
    },
  }),
  readEndpoint({
    ...outdated,
    path: '/api/v1/crypto/keys/count',
    summary: 'How many one-time keys the device has left',
    output: z.strictObject({ one_time_keys: z.int() }),
    read: (ctx, { request }) => keysLeft(ctx, selectTokenId(request.credential?.hash ?? null)),
    show: (_ctx, { found }) => {
      if (found === null) throw new NotFound()
      return { one_time_keys: found }
    },
  }),
  endpoint({
    ...outdated,
    path: '/api/v1/crypto/deliveries',
    summary: 'Sends a message to each device',
    limit: 'encryption',
    input: z.object({ device: listOf(Delivery, cryptoLimits.devicesPerRequest) }),
    run: async (ctx, { viewer, caller, input }) => {
      if (input.device.length === 0) throw new BadRequest('parameter_missing', { name: 'device' })
      const deliveries = input.device.map(renameKeys)
      await deliverMessages(ctx, viewer, { tokenId: requireToken(caller).tokenId, deliveries })
    },
  }),
  readEndpoint({
    ...outdated,
    path: '/api/v1/crypto/encrypted_messages',
    summary: 'What waits for the device',
    input: z.object(paging(80, 160)),
    output: z.array(CryptoEncryptedMessage),
    read: (ctx, { input, request }) =>
      messagesFor(ctx, selectTokenId(request.credential?.hash ?? null), pageOf(input)),
    show: (_ctx, { input, request, found: { device, messages } }) => {
      if (device === null) throw new NotFound()
      return page(messages.map(presentEncryptedMessage), request, {
        cursors: messages.map(({ id }) => id),
        limit: input.limit,
      })
    },
  }),
  endpoint({
    ...outdated,
    path: '/api/v1/crypto/encrypted_messages/clear',
    summary: 'Removes what the device has read',
    input: z.object({ up_to_id: Id }),
    run: (ctx, { caller, input }) => clearMessages(ctx, requireToken(caller).tokenId, input.up_to_id),
  }),
]
