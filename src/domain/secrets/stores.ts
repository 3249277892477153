import { type SQL, sql } from 'drizzle-orm'
import type { SealedKind } from '../../lib/sealing'
import { signWith } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { derivedWebhookSecret } from '../instance/keys'
import { deriveToken } from '../sessions/issue-token'
import { handlePurpose } from '../sign-in/passkeys'

/** A stored value: `id` of its row, `owner` it is bound to, and the text, null where it is still to be filled in. */
export interface StoredValue {
  readonly id: number
  readonly owner: number
  readonly text: string | null
  /** Facts of the row that filling it in needs. */
  readonly facts: string | null
}

/** A column of values that depend on the instance secret. */
export interface SecretStore {
  readonly name: string
  /** Null for values that are not encrypted, but were derived. */
  readonly kind: SealedKind | null
  /** Select list, table and condition of its rows: `id`, `owner`, `text` and `facts`. */
  readonly columns: SQL
  readonly table: SQL
  readonly where: SQL
  readonly id: SQL
  readonly text: SQL
  /** Assignment of `value` to the column. */
  readonly set: (value: SQL) => SQL
  /** The value of a row from before values were stored; null where no accepted secret derives it. */
  readonly fill?: (ctx: Ctx, row: StoredValue) => Promise<string | null>
}

/** Every column of values that are encrypted under the instance secret, or were derived from it before. */
export const secretStores: readonly SecretStore[] = [
  sealedOfAccount('actor key', { name: 'actor keys', table: 'account_keys', column: 'private_key' }),
  sealedOfAccount('actor key', {
    name: 'previous actor keys',
    table: 'account_keys',
    column: 'previous_private_key',
    where: sql`previous_private_key is not null`,
  }),
  sealedOfAccount('authenticator app', {
    name: 'authenticator apps',
    table: 'totp_secrets',
    column: 'sealed_secret',
  }),
  {
    name: 'tokens of push subscriptions',
    kind: 'access token',
    columns: sql`id, access_token_id as owner, sealed_token as text,
      (select t.token_hash from access_tokens t where t.id = access_token_id) as facts`,
    table: sql`push_subscriptions`,
    where: sql`1`,
    id: sql`id`,
    text: sql`sealed_token`,
    set: (value) => sql`sealed_token = ${value}`,
    fill: (ctx, { owner, facts }) => deriveToken(ctx, owner, facts ?? ''),
  },
  {
    name: 'webhook secrets',
    kind: 'webhook secret',
    columns: sql`id, id as owner, sealed_secret as text, cast(secret_version as text) as facts`,
    table: sql`webhooks`,
    where: sql`1`,
    id: sql`id`,
    text: sql`sealed_secret`,
    set: (value) => sql`sealed_secret = ${value}`,
    fill: (ctx, { id, facts }) =>
      derivedWebhookSecret(ctx.config.secrets, { id, secretVersion: Number(facts) }),
  },
  {
    name: 'names of accounts for passkeys',
    kind: null,
    columns: sql`id, account_id as owner, user_handle as text, null as facts`,
    table: sql`passkeys`,
    where: sql`1`,
    id: sql`id`,
    text: sql`user_handle`,
    set: (value) => sql`user_handle = ${value}`,
    fill: ({ config: { secrets } }, { owner }) =>
      signWith(secrets.accepted.at(-1) ?? secrets.current, handlePurpose, String(owner)),
  },
  {
    name: 'push key',
    kind: 'push key',
    columns: sql`0 as id, 0 as owner, value ->> 'privateKey' as text, null as facts`,
    table: sql`settings`,
    where: sql`key = 'vapid'`,
    id: sql`cast(0 as integer)`,
    text: sql`value ->> 'privateKey'`,
    set: (value) => sql`value = json_set(value, '$.privateKey', ${value})`,
  },
]

/** Column of encrypted values of which an account has one each, bound to its id. */
function sealedOfAccount(
  kind: SealedKind,
  {
    name,
    table,
    column,
    where = sql`1`,
  }: { readonly name: string; readonly table: string; readonly column: string; readonly where?: SQL },
): SecretStore {
  const text = sql.raw(column)
  return {
    name,
    kind,
    columns: sql`account_id as id, account_id as owner, ${text} as text, null as facts`,
    table: sql.raw(table),
    where,
    id: sql`account_id`,
    text,
    set: (value) => sql`${text} = ${value}`,
  }
}
