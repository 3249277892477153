import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { execute, first, type Query } from '../../db/query'
import { totpSecrets } from '../../db/schema'
import { Conflict, type Invalid, NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import { type SealBinding, seal, unseal } from '../../lib/sealing'
import { matchTotpStep, totpSecretText, totpUri } from '../../lib/totp'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { addRecoveryCodesIfFirst, deleteCodesWithoutFactor, type RecoveryCodes } from './factors'
import { wrongCode } from './wrong-code'

/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20

export type TotpRow = typeof totpSecrets.$inferSelect

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
