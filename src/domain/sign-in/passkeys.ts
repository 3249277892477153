import { and, desc, eq, sql } from 'drizzle-orm'
import { execute, first, type Query, rows } from '../../db/query'
import { passkeys } from '../../db/schema'
import { Invalid, InvalidFields } from '../../errors'
import { problem } from '../../errors/sentences'
import type { AccountId } from '../../lib/ids'
import { sameText, sign, verify } from '../../lib/secrets'
import {
  type AssertionAnswer,
  checkAssertion,
  checkRegistration,
  type Expectation,
  parseAssertion,
  parseRegistration,
} from '../../lib/webauthn'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { addChallengeUse, type ChallengeScope, isLiveChallenge } from './challenges'
import { addRecoveryCodesIfFirst, deleteCodesWithoutFactor, type RecoveryCodes } from './factors'
import { deletePending, isPending, type PendingSignIn } from './pending'

export type Passkey = typeof passkeys.$inferSelect

export const passkeyLimits = { count: 20, nameLength: 60 }

/** Passkeys of an account, newest first. */
export function listPasskeys(ctx: Ctx, accountId: AccountId): Query<Passkey[]> {
  const own = ctx.db.select().from(passkeys).where(eq(passkeys.accountId, accountId))
  return rows(own.orderBy(desc(passkeys.id)).limit(passkeyLimits.count))
}

/** Name that passkeys are bound to: the host of the server. */
export function relyingPartyId({ config }: Ctx): string {
  return new URL(config.origin).hostname
}

export const handlePurpose = 'passkey user handle'

/** Name of the account for authenticators: says nothing about the person, and stays that of the account's passkeys. */
export async function userHandleOf(
  { config }: Ctx,
  accountId: AccountId,
  passkeys: readonly Passkey[],
): Promise<string> {
  const known = passkeys.find(({ userHandle }) => userHandle !== null)?.userHandle
  return known ?? sign(config.secrets, handlePurpose, String(accountId))
}

/** Whether an authenticator names the account of its passkey. */
async function isOwnHandle({ config }: Ctx, passkey: Passkey, handle: string): Promise<boolean> {
  if (passkey.userHandle !== null && sameText(handle, passkey.userHandle)) return true
  // From before handles were stored, or registered while the secret was replaced.
  return verify(config.secrets, handlePurpose, String(passkey.accountId), handle)
}

/** New passkey as a browser made it. */
export interface PasskeyOrder {
  readonly accountId: AccountId
  readonly name: string
  /** The answer of the browser, as JSON. */
  readonly credential: string
  readonly boundTo: string
}

/**
 * Stores a passkey, which opens the account from then on. `Invalid` where the answer of the browser is not acceptable,
 * about `name`, and beyond the limit. Returns the recovery codes if it is the first factor of the account.
 */
export async function registerPasskey(ctx: Ctx, order: PasskeyOrder): Promise<RecoveryCodes> {
  const { accountId, boundTo } = order
  const name = order.name.trim()
  if (name === '' || name.length > passkeyLimits.nameLength)
    throw new InvalidFields([problem('missing_or_too_long', { field: 'name' })])
  const answer = parseRegistration(order.credential)
  if (answer === null) throw unacceptable()
  const scope = { purpose: 'registration', boundTo } as const
  const found = await checkRegistration(answer, expectationOf(ctx, scope, false))
  if ('failure' in found) throw refuse(ctx, found.failure)
  const { challenge, ...credential } = found
  const isFree = sql`not exists (select 1 from ${passkeys} where credential_id = ${credential.credentialId})`
  const isRoom = sql`(select count(*) from ${passkeys} where account_id = ${accountId}) < ${passkeyLimits.count}`
  const changes = new Changes()
    .require(isFree, new Invalid('passkey_taken'))
    .require(isRoom, new Invalid('too_many_passkeys', { max: passkeyLimits.count }))
  await addChallengeUse(ctx, changes, challenge, unacceptable())
  const codes = await addRecoveryCodesIfFirst(ctx, changes, accountId)
  const { transports } = answer.response
  const derived = await sign(ctx.config.secrets, handlePurpose, String(accountId))
  const userHandle = sql<string>`coalesce((select p.user_handle from passkeys p
    where p.account_id = ${accountId} and p.user_handle is not null limit 1), ${derived})`
  const row = { id: ctx.ids.next(), accountId, name, transports, userHandle, createdAt: ctx.clock.now() }
  await commit(ctx, changes.add(ctx.db.insert(passkeys).values({ ...row, ...credential })))
  return codes
}

/** Removes a passkey of this account, and the recovery codes if no other factor is left. Says whether there was one. */
export async function removePasskey(ctx: Ctx, accountId: AccountId, id: number): Promise<boolean> {
  const own = and(eq(passkeys.id, id), eq(passkeys.accountId, accountId))
  const changes = new Changes().add(
    ctx.db.delete(passkeys).where(own),
    deleteCodesWithoutFactor(ctx, accountId),
  )
  const [removed] = await commit(ctx, changes)
  return removed === 1
}

/** Account whose passkey was used instead of a password; `Invalid` where the answer is not acceptable. */
export async function checkPasskey(ctx: Ctx, credential: string, boundTo: string): Promise<AccountId> {
  const { passkey, answer } = await findUsed(ctx, credential)
  const handle = answer.response.userHandle ?? ''
  // A name that does not belong to the key: another account was meant.
  if (handle !== '' && !(await isOwnHandle(ctx, passkey, handle))) throw unacceptable()
  const scope = { purpose: 'sign-in', boundTo } as const
  await usePasskey(ctx, new Changes(), passkey, { answer, expected: expectationOf(ctx, scope, true) })
  return passkey.accountId
}

/** Completes a pending sign-in by a passkey of its account; `Invalid` where the answer is not acceptable. */
export async function checkPasskeyStep(ctx: Ctx, pending: PendingSignIn, credential: string): Promise<void> {
  const { passkey, answer } = await findUsed(ctx, credential)
  if (passkey.accountId !== pending.accountId) throw unacceptable()
  const scope = stepScope(pending)
  const changes = new Changes().require(isPending(pending), unacceptable()).add(deletePending(ctx, pending))
  await usePasskey(ctx, changes, passkey, { answer, expected: expectationOf(ctx, scope, false) })
}

/** Scope of the challenge for the second step of a sign-in. */
export function stepScope({ tokenHash }: PendingSignIn): ChallengeScope {
  return { purpose: 'second factor', boundTo: tokenHash }
}

async function findUsed(ctx: Ctx, credential: string) {
  const answer = parseAssertion(credential)
  if (answer === null) throw unacceptable()
  const byId = ctx.db.select().from(passkeys).where(eq(passkeys.credentialId, answer.id))
  const passkey = await execute(ctx.db, first(byId))
  if (passkey === null) throw new Invalid('passkey_unknown')
  return { passkey, answer }
}

async function usePasskey(
  ctx: Ctx,
  changes: Changes,
  passkey: Passkey,
  { answer, expected }: { readonly answer: AssertionAnswer; readonly expected: Expectation },
): Promise<void> {
  const found = await checkAssertion(answer, passkey, expected)
  if ('failure' in found) throw refuse(ctx, found.failure)
  const { challenge, ...state } = found
  await addChallengeUse(ctx, changes, challenge, unacceptable())
  const used = { ...state, lastUsedAt: ctx.clock.now() }
  // Removed meanwhile, or used again with a later count.
  const unchanged = sql`exists (select 1 from ${passkeys} where id = ${passkey.id}
    and sign_count = ${passkey.signCount})`
  changes
    .require(unchanged, unacceptable())
    .add(ctx.db.update(passkeys).set(used).where(eq(passkeys.id, passkey.id)))
  await commit(ctx, changes)
}

function expectationOf(ctx: Ctx, scope: ChallengeScope, needsUserVerification: boolean): Expectation {
  return {
    origin: ctx.config.origin,
    rpId: relyingPartyId(ctx),
    isChallenge: (challenge) => isLiveChallenge(ctx, challenge, scope),
    needsUserVerification,
  }
}

/** Refusal with its reason in the log: the person can do nothing about it but try again. */
function refuse(ctx: Ctx, reason: string): Invalid {
  ctx.log.info('A passkey was refused', { reason })
  return unacceptable()
}

function unacceptable(): Invalid {
  return new Invalid('passkey_refused')
}
