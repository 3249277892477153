import { type SQL, sql } from 'drizzle-orm'
import {
  accessTokens,
  announcementMutes,
  announcementReactions,
  authorizationCodes,
  knownDevices,
  pendingSignIns,
  sessions,
  signInAddresses,
  suggestionDismissals,
  userTokens,
} from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

// Sessions, tokens, devices and dismissals of users: foreign keys delete them with the user, however many there are.

/** Rows that may go with their user in one batch, some four rows each. */
const rowsInOneBatch = 200
/** Rows of one kind that one part deletes. */
const rowsAtOnce = 500

/** Tables with a column `account_id`, and the rest of a key. */
const ownTables = [
  [sessions, 'id'],
  [knownDevices, 'token_hash'],
  [signInAddresses, 'ip'],
  [userTokens, 'token_hash'],
  [pendingSignIns, 'token_hash'],
  [authorizationCodes, 'code_hash'],
  [suggestionDismissals, 'target_account_id'],
  [announcementMutes, 'announcement_id'],
  [announcementReactions, 'announcement_id'],
] as const

/** Rows of the encryption of the devices of an account, by their tables. */
const deviceRows = (table: string, id: SQL) => sql`from crypto_devices device
  cross join ${sql.raw(table)} one on one.token_id = device.token_id where device.account_id = ${id}`

/** Condition: the user of the account `id`, an expression, has so much of this that it is deleted in parts. */
export function hasManySignIns(id: SQL): SQL<boolean> {
  const [first, second, third] = [
    ownTables.slice(0, 4).map(([table]) => sql`select 1 from ${table} where account_id = ${id}`),
    ownTables.slice(4, 8).map(([table]) => sql`select 1 from ${table} where account_id = ${id}`),
    [
      ...ownTables.slice(8).map(([table]) => sql`select 1 from ${table} where account_id = ${id}`),
      sql`select 1 from ${accessTokens} where account_id = ${id}`,
      sql`select 1 ${deviceRows('encrypted_messages', id)}`,
      sql`select 1 ${deviceRows('one_time_keys', id)}`,
    ],
  ].map((kinds) => sql.join(kinds, sql` union all `))
  // D1 allows at most five terms in a compound select.
  return sql<boolean>`((select count(*) from (select 1 from (${first}) union all select 1 from (${second})
    union all select 1 from (${third}) ${limitTo(rowsInOneBatch + 1)})) > ${sql.raw(String(rowsInOneBatch))})`
}

/** Statements that delete the next rows of each kind: tokens once their devices have neither messages nor keys. */
export function deleteSomeSignIns(ctx: Ctx, account: AccountId) {
  const { db } = ctx
  const id = sql`${account}`
  const some = limitTo(rowsAtOnce)
  const rest = (table: string) => sql`select 1 from ${sql.raw(table)} one where one.token_id = t.id`
  return [
    db.run(sql`delete from encrypted_messages where id in (
      select one.id ${deviceRows('encrypted_messages', id)} ${some})`),
    db.run(sql`delete from one_time_keys where (token_id, key_id) in (
      select one.token_id, one.key_id ${deviceRows('one_time_keys', id)} ${some})`),
    db.delete(accessTokens).where(sql`id in (select t.id from access_tokens t where t.account_id = ${id}
      and not exists (${rest('encrypted_messages')}) and not exists (${rest('one_time_keys')}) ${some})`),
    ...ownTables.map(([table, name]) => {
      const key = sql.raw(name)
      return db.delete(table).where(sql`account_id = ${id} and ${key} in (
        select ${key} from ${table} where account_id = ${id} ${some})`)
    }),
  ]
}
