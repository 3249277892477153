import { eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { instanceActorId } from '../../contract/ids'
import { execute, first, jsonRows, limitTo, map, type Query, rows } from '../../db/query'
import { accountKeys, accounts, browserPushSubscriptions, pushSubscriptions, settings } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import { seal, sealedPrefix, UnopenableSecret, unseal } from '../../lib/sealing'
import type { InstanceSecrets } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { rotateKeys } from '../accounts/rotate-keys'
import { Changes, commit } from '../core/changes'
import { loadVapidPair } from '../instance/keys'
import { operator } from '../policy/permissions'
import { type SecretStore, type StoredValue, secretStores } from './stores'

/** Rows of one part: each is decrypted and encrypted once, some 0.1 ms, and the free plan allows a cron run 10 ms. */
const rowsPerPart = 25

const stateKey = 'resealing'

const State = z.object({
  /** Version of the secret that values are encrypted under again. */
  version: z.string(),
  /** Place of the store that comes next, and its last row that is done; null before the first. */
  store: z.int(),
  after: z.number().nullable(),
  /** Values so far that did not open and were left as they are. */
  unopenable: z.int(),
  /** Milliseconds; null while under way. */
  completedAt: z.int().nullable(),
})
type ResealingState = z.infer<typeof State>

/** State of encrypting stored values under the current secret; null where it never began. One row. */
export function loadResealing(ctx: Ctx): Query<ResealingState | null> {
  const stored = ctx.db
    .select({ value: settings.value })
    .from(settings)
    .where(sql`${settings.key} = ${stateKey}`)
  return map(first(stored), (row) => (row === null ? null : State.parse(row.value)))
}

export function isResealed({ current }: InstanceSecrets, state: ResealingState | null): boolean {
  return state?.version === current.version && state.completedAt !== null
}

/**
 * Whether stored values have to be encrypted again: the current secret is another than at the last pass, or no pass is
 * complete. While further secrets are accepted a pass begins every day: a server that is being deployed may have stored
 * a value under the former secret behind the pass. One row.
 */
export function isResealingDue({ config: { secrets }, clock }: Ctx): SQL {
  const yesterday = clock.now().getTime() - dayMilliseconds
  const isOld = secrets.accepted.length > 1 ? sql`value ->> 'completedAt' <= ${yesterday}` : sql`0`
  return sql`select coalesce((select value ->> 'version' <> ${secrets.current.version}
    or value ->> 'completedAt' is null or ${isOld} from settings where key = ${stateKey}), 1)`
}

/**
 * Encrypts the next stored values under the current secret, bound to their rows, and fills in those that were derived
 * before. Values and place are committed together, so that it may be interrupted and run twice.
 */
export async function resealPart(ctx: Ctx): Promise<ResealingState> {
  const { secrets } = ctx.config
  const found = await execute(ctx.db, loadResealing(ctx))
  const state = found === null || needsRestart(secrets, found) ? firstState(secrets) : found
  const store = secretStores[state.store]
  if (store === undefined) return complete(ctx, state)
  const part = await execute(ctx.db, rowsBehind(ctx, store, state.after))
  const results = await Promise.all(part.map((row) => resealRow(ctx, store, row)))
  const resealed = results.filter((result) => typeof result === 'object')
  const unopenable = results.filter((result) => result === 'unopenable').length
  const isLast = part.length < rowsPerPart
  const next = {
    ...state,
    store: isLast ? state.store + 1 : state.store,
    after: isLast ? null : (part.at(-1)?.id ?? null),
    unopenable: state.unopenable + unopenable,
  }
  const isOver = next.store === secretStores.length
  const changes = new Changes()
  if (resealed.length > 0) changes.add(update(ctx, store, resealed))
  return saveState(ctx, changes, { ...next, completedAt: isOver ? ctx.clock.now().getTime() : null })
}

/** Cron: the next part. */
export async function resealSecrets(ctx: Ctx): Promise<void> {
  await resealPart(ctx)
}

/** Begins a pass from the first value on. */
export function restartResealing(ctx: Ctx): Promise<ResealingState> {
  return saveState(ctx, new Changes(), firstState(ctx.config.secrets))
}

function firstState({ current }: InstanceSecrets): ResealingState {
  return { version: current.version, store: 0, after: null, unopenable: 0, completedAt: null }
}

/** A pass under another secret, or one that is complete: the next part starts again. */
function needsRestart({ current }: InstanceSecrets, { version, completedAt }: ResealingState): boolean {
  return version !== current.version || completedAt !== null
}

function complete(ctx: Ctx, state: ResealingState): Promise<ResealingState> {
  return saveState(ctx, new Changes(), { ...state, completedAt: ctx.clock.now().getTime() })
}

async function saveState(ctx: Ctx, changes: Changes, state: ResealingState): Promise<ResealingState> {
  const now = ctx.clock.now().getTime()
  changes.add(
    ctx.db.run(sql`insert into ${settings} (key, value, updated_at) values (${stateKey}, ${JSON.stringify(state)}, ${now})
      on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`),
  )
  await commit(ctx, changes)
  return state
}

/** Rows behind `after` in the order of their ids. Those of the instance actor and of the server are 0 or less. */
function rowsBehind(ctx: Ctx, store: SecretStore, after: number | null): Query<readonly StoredValue[]> {
  const { columns, table, where, id } = store
  const listed = sql`(select ${columns} from ${table} where ${where}
    and ${id} > ${after ?? Number.MIN_SAFE_INTEGER} order by ${id} ${limitTo(rowsPerPart)}) as listed`
  return rows(
    ctx.db
      .select({
        id: sql<number>`listed.id`.as('id'),
        owner: sql<number>`listed.owner`.as('owner'),
        text: sql<string | null>`listed.text`.as('text'),
        facts: sql<string | null>`listed.facts`.as('facts'),
      })
      .from(listed),
  )
}

interface Resealed {
  readonly id: number
  readonly from: string | null
  readonly to: string
}

async function resealRow(
  ctx: Ctx,
  store: SecretStore,
  row: StoredValue,
): Promise<Resealed | 'unchanged' | 'unopenable'> {
  try {
    const to = await newText(ctx, store, row)
    if (to === null) return 'unopenable'
    return to === row.text ? 'unchanged' : { id: row.id, from: row.text, to }
  } catch (cause) {
    if (!(cause instanceof UnopenableSecret)) throw cause
    ctx.log.error('A stored secret does not open', { store: store.name, cause })
    return 'unopenable'
  }
}

/** Text to store; null for a value that no accepted secret derives. */
async function newText(ctx: Ctx, store: SecretStore, row: StoredValue): Promise<string | null> {
  const { secrets } = ctx.config
  const { text, owner } = row
  const { kind } = store
  if (text === null) {
    const filled = await (store.fill?.(ctx, row) ?? null)
    if (filled === null || kind === null) return filled
    return seal(secrets, { kind, owner }, new TextEncoder().encode(filled))
  }
  if (kind === null || text.startsWith(sealedPrefix(secrets))) return text
  const binding = { kind, owner }
  return seal(secrets, binding, await unseal(secrets, binding, text))
}

/** Replaces texts that are still those that were read: a key may have been replaced meanwhile. */
function update(ctx: Ctx, { table, where, id, text, set }: SecretStore, resealed: readonly Resealed[]) {
  // Names of their own: a row of `json_each` has columns `id`, `key` and `value` as well.
  const changed = sql`(select item.value ->> 'id' as row_id, item.value ->> 'from' as old_text,
    item.value ->> 'to' as new_text from ${jsonRows(resealed)}) as changed`
  return ctx.db.run(sql`update ${table} set ${set(sql`changed.new_text`)} from ${changed}
    where ${where} and ${id} = changed.row_id and ${text} is changed.old_text`)
}

/** Generating a pair of RSA keys takes a quarter of a second. */
const accountsPerPart = 3

/**
 * Gives the next accounts whose private key no accepted secret opens a new pair, as after the loss of the secret, and so
 * the server its actor and its push key. Returns the last account that was looked at; null at the end.
 *
 * Other servers learn the new keys by the documents of the accounts. Subscriptions to push are deleted with the push
 * key, under which apps subscribed.
 */
export async function renewLostKeys(ctx: Ctx, after: AccountId | null): Promise<AccountId | null> {
  if (after === null) await renewPushKey(ctx)
  const { accountId, privateKey } = accountKeys
  const isOther = sql`substr(${privateKey}, 1, 17) <> ${sealedPrefix(ctx.config.secrets)}`
  const behind = sql`${accountId} > ${after ?? Number.MIN_SAFE_INTEGER} and ${isOther}`
  const next = ctx.db
    .select({ accountId, privateKey })
    .from(accountKeys)
    .where(sql`${behind} order by ${accountId} ${limitTo(accountsPerPart)}`)
  const found = await execute(ctx.db, rows(next))
  for (const key of found)
    if (!(await opens(ctx, 'actor key', key.accountId, key.privateKey))) await renewKey(ctx, key.accountId)
  return found.length < accountsPerPart ? null : (found.at(-1)?.accountId ?? null)
}

async function opens(
  ctx: Ctx,
  kind: 'actor key' | 'push key',
  owner: number,
  text: string,
): Promise<boolean> {
  try {
    await unseal(ctx.config.secrets, { kind, owner }, text)
    return true
  } catch (failure) {
    if (failure instanceof UnopenableSecret) return false
    throw failure
  }
}

async function renewKey(ctx: Ctx, id: AccountId): Promise<void> {
  if (id !== instanceActorId) {
    await rotateKeys(ctx, operator, id)
    // The lost one, which would be kept as a last resort.
    const forget = ctx.db
      .update(accountKeys)
      .set({ previousPrivateKey: null })
      .where(eq(accountKeys.accountId, id))
    await commit(ctx, new Changes().add(forget))
    return
  }
  // The instance actor has no followers to notify.
  const { publicKey, privateKey } = await ctx.vault.generateKeyPair(id)
  const now = ctx.clock.now()
  const changes = new Changes().add(
    ctx.db
      .update(accountKeys)
      .set({ previousPrivateKey: null, privateKey, rotatedAt: now })
      .where(eq(accountKeys.accountId, id)),
    ctx.db.update(accounts).set({ publicKey, updatedAt: now }).where(eq(accounts.id, id)),
  )
  await commit(ctx, changes)
}

async function renewPushKey(ctx: Ctx): Promise<void> {
  const pair = await execute(ctx.db, loadVapidPair(ctx))
  if (pair === null || (await opens(ctx, 'push key', 0, pair.privateKey))) return
  const value = JSON.stringify(await ctx.vault.generatePushKeyPair())
  const changes = new Changes().add(
    ctx.db.run(
      sql`update ${settings} set value = ${value}, updated_at = ${ctx.clock.now().getTime()} where key = 'vapid'`,
    ),
    ctx.db.delete(pushSubscriptions),
    ctx.db.delete(browserPushSubscriptions),
  )
  await commit(ctx, changes)
}
