import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, TokenId } from '../../lib/ids'
import { id } from '../query'
export const cryptoDevices = sqliteTable('crypto_devices', {
  tokenId: id<TokenId>('token_id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  /** Chosen by the device itself. */
  deviceId: text('device_id').notNull(),
  name: text('name').notNull(),
  fingerprintKey: text('fingerprint_key').notNull(),
  identityKey: text('identity_key').notNull(),
})

export const oneTimeKeys = sqliteTable(
  'one_time_keys',
  {
    tokenId: id<TokenId>('token_id').notNull(),
    keyId: text('key_id').notNull(),
    key: text('key').notNull(),
    signature: text('signature').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tokenId, table.keyId] })],
)

export const encryptedMessages = sqliteTable('encrypted_messages', {
  id: id<number>('id').primaryKey(),
  /** Token of the receiving device. */
  tokenId: id<TokenId>('token_id').notNull(),
  fromAccountId: id<AccountId>('from_account_id').notNull(),
  fromDeviceId: text('from_device_id').notNull(),
  type: integer('type').notNull(),
  body: text('body').notNull(),
  digest: text('digest').notNull(),
  messageFranking: text('message_franking').notNull(),
})
