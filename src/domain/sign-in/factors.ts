import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { combineQueries, execute, first, jsonRows, map, type Query, rows } from '../../db/query'
import { passkeys, pendingSignIns, recoveryCodes, totpSecrets } from '../../db/schema'
import { Conflict, type Invalid, NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import { type SealBinding, seal, unseal } from '../../lib/sealing'
import { sha256 } from '../../lib/secrets'
import { matchTotpStep, totpSecretText, totpUri } from '../../lib/totp'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { wrongCode } from './wrong-code'
/** Second factors of an account. */
export interface Factors {
  readonly hasTotp: boolean
  readonly passkeyCount: number
  readonly recoveryCodeCount: number
}

export function findFactors(ctx: Ctx, accountId: AccountId): Query<Factors> {
  const totp = ctx.db
    .select({ count: sql<number>`count(*)` })
    .from(totpSecrets)
    .where(and(eq(totpSecrets.accountId, accountId), isNotNull(totpSecrets.confirmedAt)))
  const keys = ctx.db
    .select({ count: sql<number>`count(*)` })
    .from(passkeys)
    .where(eq(passkeys.accountId, accountId))
  const found = combineQueries({
    totp: rows(totp),
    keys: rows(keys),
    recoveryCodeCount: countRecoveryCodes(ctx, accountId),
  })
  return map(found, ({ totp, keys, recoveryCodeCount }) => ({
    hasTotp: (totp[0]?.count ?? 0) > 0,
    passkeyCount: keys[0]?.count ?? 0,
    recoveryCodeCount,
  }))
}

/** Whether sign-in with a password asks for a second factor. */
export function hasSecondFactor({ hasTotp, passkeyCount }: Factors): boolean {
  return hasTotp || passkeyCount > 0
}

/** New recovery codes, for showing once; null where none were made. */
export type RecoveryCodes = readonly string[] | null

/** Adds recovery codes to `changes` for an account that had no second factor before. */
export async function addRecoveryCodesIfFirst(
  ctx: Ctx,
  changes: Changes,
  accountId: AccountId,
): Promise<RecoveryCodes> {
  const factors = await execute(ctx.db, findFactors(ctx, accountId))
  return hasSecondFactor(factors) ? null : addRecoveryCodes(ctx, changes, accountId)
}

/** Statement that deletes the recovery codes of an account without any second factor. */
export function deleteCodesWithoutFactor(ctx: Ctx, accountId: AccountId) {
  return ctx.db.delete(recoveryCodes).where(
    sql`account_id = ${accountId}
      and not exists (select 1 from totp_secrets where account_id = ${accountId} and confirmed_at is not null)
      and not exists (select 1 from passkeys where account_id = ${accountId})`,
  )
}

/** Replaces the recovery codes of an account. Returns the new ones, for showing once. */
export async function renewRecoveryCodes(ctx: Ctx, accountId: AccountId): Promise<readonly string[]> {
  const changes = new Changes()
  const codes = await addRecoveryCodes(ctx, changes, accountId)
  await commit(ctx, changes)
  return codes
}

/** Removes every second factor of an account with its recovery codes, and sign-ins that wait for one. */
export async function removeAllFactors(ctx: Ctx, accountId: AccountId): Promise<void> {
  await commit(ctx, addFactorsRemoval(ctx, new Changes(), accountId))
}

/** Adds to `changes` what `removeAllFactors` does. */
export function addFactorsRemoval(ctx: Ctx, changes: Changes, accountId: AccountId): Changes {
  return changes.add(
    ctx.db.delete(totpSecrets).where(eq(totpSecrets.accountId, accountId)),
    ctx.db.delete(passkeys).where(eq(passkeys.accountId, accountId)),
    deleteRecoveryCodes(ctx, accountId),
    ctx.db.delete(pendingSignIns).where(eq(pendingSignIns.accountId, accountId)),
  )
}

const codeCount = 10
/** 80 bits cannot be guessed, so a plain hash protects them. */
const codeBytes = 10

/** Adds new recovery codes of an account to `changes`, which replace earlier ones. Returns them, for showing once. */
async function addRecoveryCodes(
  ctx: Ctx,
  changes: Changes,
  accountId: AccountId,
): Promise<readonly string[]> {
  const codes = Array.from({ length: codeCount }, () => newCode(ctx))
  const hashes = await Promise.all(codes.map((code) => hashCode(accountId, code)))
  const inserted = sql`insert into ${recoveryCodes} (code_hash, account_id)
    select item.value, ${accountId} from ${jsonRows(hashes)}`
  changes.add(deleteRecoveryCodes(ctx, accountId), ctx.db.run(inserted))
  return codes
}

/** Twenty hexadecimal digits in four groups. */
function newCode(ctx: Ctx): string {
  const bytes = Uint8Array.fromBase64(ctx.random.token(), { alphabet: 'base64url' }).subarray(0, codeBytes)
  return (bytes.toHex().match(/.{5}/g) ?? []).join('-')
}

/** Hash of a code as typed: letter case, spaces and hyphens do not count. */
function hashCode(accountId: AccountId, code: string): Promise<string> {
  return sha256(`recovery code ${accountId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
}

function deleteRecoveryCodes(ctx: Ctx, accountId: AccountId) {
  return ctx.db.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId))
}

/** Number of codes left to an account. */
function countRecoveryCodes(ctx: Ctx, accountId: AccountId): Query<number> {
  const found = ctx.db
    .select({ count: sql<number>`count(*)` })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.accountId, accountId))
  return map(rows(found), ([row]) => row?.count ?? 0)
}

/** Adds the use of a recovery code to `changes`: the commit throws `refusal` where there is no such code. */
export async function addRecoveryCodeUse(
  ctx: Ctx,
  changes: Changes,
  use: { readonly accountId: AccountId; readonly code: string },
  refusal: Invalid,
): Promise<void> {
  const { accountId, code } = use
  const codeHash = await hashCode(accountId, code)
  const own = and(eq(recoveryCodes.accountId, accountId), eq(recoveryCodes.codeHash, codeHash))
  changes
    .require(sql`exists (select 1 from ${recoveryCodes} where ${own})`, refusal)
    .add(ctx.db.delete(recoveryCodes).where(own))
}

/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20

type TotpRow = typeof totpSecrets.$inferSelect

/** Authenticator app of an account, confirmed or not. */
export function findTotp(ctx: Ctx, accountId: AccountId): Query<TotpRow | null> {
  return first(ctx.db.select().from(totpSecrets).where(eq(totpSecrets.accountId, accountId)))
}

/** Creates a secret for an authenticator app, replacing an unconfirmed one. It counts once it is confirmed. */
export async function beginTotp(ctx: Ctx, accountId: AccountId): Promise<void> {
  const secret = Uint8Array.fromBase64(ctx.random.token(), { alphabet: 'base64url' }).subarray(0, secretBytes)
  const row = {
    sealedSecret: await seal(ctx.config.secrets, bindingOf(accountId), secret),
    createdAt: ctx.clock.now(),
    confirmedAt: null,
    lastStep: 0,
  }
  const confirmed = and(eq(totpSecrets.accountId, accountId), isNotNull(totpSecrets.confirmedAt))
  await commit(
    ctx,
    new Changes()
      .require(sql`not exists (select 1 from ${totpSecrets} where ${confirmed})`, new Conflict('totp_exists'))
      .add(
        ctx.db
          .insert(totpSecrets)
          .values({ accountId, ...row })
          .onConflictDoUpdate({ target: totpSecrets.accountId, set: row }),
      ),
  )
}

/** Secret of an unconfirmed authenticator app, for showing to its owner. */
export interface TotpSetUp {
  readonly secret: string
  readonly uri: string
}

export async function presentTotpSetUp(
  ctx: Ctx,
  row: TotpRow,
  account: { readonly username: string },
): Promise<TotpSetUp> {
  const secret = await openSecret(ctx, row)
  const { domain } = ctx.config
  const uri = totpUri(secret, { issuer: domain, label: `${account.username}@${domain}` })
  return { secret: totpSecretText(secret), uri }
}

/**
 * Confirms an authenticator app by a code of it: from now on sign-in asks for one. `Invalid` about `code`.
 *
 * Returns the recovery codes if it is the first factor of the account.
 */
export async function confirmTotp(ctx: Ctx, accountId: AccountId, code: string): Promise<RecoveryCodes> {
  await ctx.throttle.take('secondFactors', `set-up ${accountId}`)
  const row = await execute(ctx.db, findTotp(ctx, accountId))
  if (row === null || row.confirmedAt !== null) throw new NotFound('no_totp')
  const changes = new Changes()
  await addTotpUse(ctx, changes, row, { code, refusal: wrongCode() })
  const confirmedAt = ctx.clock.now()
  changes.add(ctx.db.update(totpSecrets).set({ confirmedAt }).where(eq(totpSecrets.accountId, accountId)))
  const codes = await addRecoveryCodesIfFirst(ctx, changes, accountId)
  await commit(ctx, changes)
  return codes
}

/** Deletes the authenticator app of an account, and its recovery codes if no other factor is left. */
export async function removeTotp(ctx: Ctx, accountId: AccountId): Promise<void> {
  const changes = new Changes().add(
    ctx.db.delete(totpSecrets).where(eq(totpSecrets.accountId, accountId)),
    deleteCodesWithoutFactor(ctx, accountId),
  )
  await commit(ctx, changes)
}

/** Deletes an authenticator app that was not confirmed. */
export async function cancelTotp(ctx: Ctx, accountId: AccountId): Promise<void> {
  const unconfirmed = sql`account_id = ${accountId} and confirmed_at is null`
  await commit(ctx, new Changes().add(ctx.db.delete(totpSecrets).where(unconfirmed)))
}

/**
 * Adds the use of a code to `changes`. Throws `refusal` for a wrong code; the commit does for one whose time step was
 * used before, also by a concurrent request.
 */
export async function addTotpUse(
  ctx: Ctx,
  changes: Changes,
  row: TotpRow,
  { code, refusal }: { readonly code: string; readonly refusal: Invalid },
): Promise<void> {
  const step = matchTotpStep(await openSecret(ctx, row), code.replaceAll(/\s/g, ''), ctx.clock.now())
  if (step === null) throw refusal
  const { accountId, createdAt } = row
  const unused = sql`exists (select 1 from ${totpSecrets} where account_id = ${accountId}
    and created_at = ${createdAt.getTime()} and last_step < ${step})`
  changes
    .require(unused, refusal)
    .add(ctx.db.update(totpSecrets).set({ lastStep: step }).where(eq(totpSecrets.accountId, accountId)))
}

async function openSecret(ctx: Ctx, { accountId, sealedSecret }: TotpRow): Promise<Uint8Array> {
  return new Uint8Array(await unseal(ctx.config.secrets, bindingOf(accountId), sealedSecret))
}

function bindingOf(accountId: AccountId): SealBinding {
  return { kind: 'authenticator app', owner: accountId }
}
