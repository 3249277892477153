import { both, constant, execute, type Query } from '../db/query'
import { clientAddress, sitePrefixOf } from '../lib/network'
import { type HttpMessage, publicUrlOf } from '../lib/signatures/message'
import { findSignatureProblem, isSignedBy, readSignature, type Signature } from '../lib/signatures/verify'
import { hostOf, parseWebAddress } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import { type ActorFailure, refreshStale, storeActor } from './actors'
import { budgetDomain, secondsToWait, spend } from './budgets'
import { fetchKey } from './fetch-key'
import { keyById, type SignatureVerdict } from './find-signer'
import { backoffReason } from './host-backoff'
import {
  type ClaimedKey,
  countKeyRequest,
  recordUnverifiedKey,
  recordVerifiedKey,
} from './key-request-limits'

/**
 * Verifies a request's signature and returns its signer: one lookup for a known key, and no claim is believed before
 * it is proved.
 *
 * Checked against the configured origin and the path as sent. `body` is null for requests without one. An unknown
 * key, or a known one that does not fit, is fetched once from its own server. `relevance` runs with the key lookup:
 * false yields `idle` without any fetch.
 */
export async function verifyRequest(
  ctx: Ctx,
  request: Request,
  body: Uint8Array | null,
  relevance: Query<boolean> = constant(true),
): Promise<SignatureVerdict> {
  const claim = readSignature(request.headers)
  if (claim.kind === 'unsigned') return claim
  if (claim.kind === 'malformed') return refused(claim.reason)
  const { signature } = claim
  const keyId = parseWebAddress(signature.keyId)
  if (keyId === null) return refused('The key id is no address')
  const { method, headers } = request
  const message = { method, headers, body, url: publicUrlOf(ctx.config.origin, request.url) }
  const problem = await findSignatureProblem(signature, message, ctx.clock.now())
  if (problem !== null) return refused(problem)
  const [key, isRelevant] = await execute(ctx.db, both(keyById(ctx, keyId), relevance))
  if (!isRelevant) return { kind: 'idle' }
  const network = sitePrefixOf(clientAddress(headers))
  if (key !== null && (await isSignedBy(key.publicKey, signature, message))) {
    recordVerifiedKey(ctx, { keyId, network })
    refreshStale(ctx, { id: key.signer.id, uri: key.signer.uri, readAt: key.readAt })
    return { kind: 'signed', signer: key.signer }
  }
  if (key?.signer.suspended === true)
    return refused('The signature does not fit the key of a suspended actor')
  return verifyWithRemoteKey(ctx, { keyId, network, signature, message })
}

function refused(reason: string): SignatureVerdict {
  return { kind: 'refused', reason }
}

interface UnverifiedRequest extends ClaimedKey {
  readonly signature: Signature
  readonly message: HttpMessage
}

/** Seconds for which the result of a key fetch is cached. */
const keptSeconds = 300

/** Shorter cache for unreachable servers: they may recover soon, and their requests are retried. */
const downSeconds = 30

/**
 * Fetches a key from its server, unless this isolate did so lately. Cached in memory only: a write for each forged
 * request would invite abuse, and fetches by several isolates do no harm.
 *
 * A key that did not fit is cached as a key: another actor's forgery must not shut out its owner.
 */
async function verifyWithRemoteKey(ctx: Ctx, unproven: UnverifiedRequest): Promise<SignatureVerdict> {
  const { keyId, signature, message } = unproven
  const [, word, rest = ''] = /^(\w+) ?(.*)$/s.exec(ctx.memory.get(`key ${keyId}`) ?? '') ?? []
  if (word === 'gone') return { kind: 'gone' }
  if (word === 'refused' || word === 'retry') return { kind: word, reason: rest }
  if (word === 'found' && !(await isSignedBy(rest, signature, message))) return keyMismatch
  const isSpent = secondsToWait(ctx, 'newcomers', budgetDomain(keyId)) !== null
  const reason = isSpent ? 'Too many new accounts of one server' : countKeyRequest(ctx, unproven)
  if (reason !== null) return { kind: 'retry', reason }
  const verdict = await fetchKeyAndVerify(ctx, unproven)
  if (verdict.kind === 'signed') recordVerifiedKey(ctx, unproven)
  else recordUnverifiedKey(ctx, unproven)
  return verdict
}

const keyMismatch = refused('The signature does not fit its key')

/** Stores the actor only after the signature is verified. */
async function fetchKeyAndVerify(
  ctx: Ctx,
  { keyId, signature, message }: UnverifiedRequest,
): Promise<SignatureVerdict> {
  const key = await fetchKey(ctx, keyId)
  if (key.kind !== 'found') return rememberFailure(ctx, keyId, key)
  ctx.memory.set(`key ${keyId}`, `found ${key.publicKey}`, keptSeconds)
  if (!(await isSignedBy(key.publicKey, signature, message))) return keyMismatch
  const stored = await storeActor(ctx, key.owner)
  if (stored.kind !== 'stored') return rememberFailure(ctx, keyId, stored)
  if (stored.isNew) spend(ctx, 'newcomers', budgetDomain(key.owner.uri))
  const current = await execute(ctx.db, keyById(ctx, keyId))
  if (current?.signer.id !== stored.id) return refused('The key belongs to another actor')
  return { kind: 'signed', signer: current.signer }
}

function rememberFailure(ctx: Ctx, keyId: string, failure: ActorFailure): SignatureVerdict {
  const keep = (text: string, seconds: number) => ctx.memory.set(`key ${keyId}`, text, seconds)
  switch (failure.kind) {
    case 'gone':
      keep('gone', keptSeconds)
      return failure
    case 'refused':
      keep(`refused ${failure.reason}`, keptSeconds)
      return failure
    case 'unreachable':
      // Covered by the host's backoff, if the whole host failed.
      if (backoffReason(ctx, hostOf(keyId) ?? '') === null) keep(`retry ${failure.reason}`, downSeconds)
      return { kind: 'retry', reason: failure.reason }
  }
}
