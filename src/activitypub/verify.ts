import { ask, both, known, type Query } from '../db/query'
import { clientAddress, siteOf } from '../lib/network'
import { addressedAs, type Message } from '../lib/signatures/message'
import { isSignedBy, objection, readSignature, type Signature } from '../lib/signatures/verify'
import { hostOf, parseWebAddress } from '../lib/web-address'
import type { Ctx } from '../platform/ports'
import { type Failure, refreshStale, storeActor } from './actors'
import { budgetDomain, secondsToWait, spend } from './budgets'
import { reasonToPause } from './host-pause'
import { fetchKey } from './key-owner'
import { type NamedKey, noteProven, noteUnproven, reasonNotToAsk } from './key-requests'
import { keyById, type Verdict } from './keys'

/**
 * Who signed a request, if anybody: one look-up for a key that is known, and no word believed before it is proved.
 *
 * Held against our configured origin and the path as it was sent. `body` is null for requests that have none. An
 * unknown key, or a known one that does not fit, is asked for at its own server, once. `worthwhile` is asked along
 * with the key: where it says no, the verdict is `idle`, and nobody is asked for anything.
 */
export async function verifyRequest(
  ctx: Ctx,
  request: Request,
  body: Uint8Array | null,
  worthwhile: Query<boolean> = known(true),
): Promise<Verdict> {
  const claim = readSignature(request.headers)
  if (claim.kind === 'unsigned') return claim
  if (claim.kind === 'malformed') return refused(claim.reason)
  const { signature } = claim
  const keyId = parseWebAddress(signature.keyId)
  if (keyId === null) return refused('The key id is no address')
  const { method, headers } = request
  const message = { method, headers, body, url: addressedAs(ctx.config.origin, request.url) }
  const problem = await objection(signature, message, ctx.clock.now())
  if (problem !== null) return refused(problem)
  const [key, isWorthwhile] = await ask(ctx.db, both(keyById(ctx, keyId), worthwhile))
  if (!isWorthwhile) return { kind: 'idle' }
  const network = siteOf(clientAddress(headers))
  if (key !== null && (await isSignedBy(key.publicKey, signature, message))) {
    noteProven(ctx, { keyId, network })
    refreshStale(ctx, { id: key.signer.id, uri: key.signer.uri, readAt: key.readAt })
    return { kind: 'signed', signer: key.signer }
  }
  if (key?.signer.suspended === true)
    return refused('The signature does not fit the key of a suspended actor')
  return askForKey(ctx, { keyId, network, signature, message })
}

function refused(reason: string): Verdict {
  return { kind: 'refused', reason }
}

interface Unproven extends NamedKey {
  readonly signature: Signature
  readonly message: Message
}

/** How long what came of asking for a key stands. */
const keptSeconds = 300

/** A server that does not answer now may do so soon, and its requests come again. */
const downSeconds = 30

/**
 * Asks the server of a key for it, unless this isolate did so lately. Remembered in memory only: a write for each
 * forged request would be a gift to whoever sends them, and being asked by several isolates hurts nobody.
 *
 * What is remembered of a key that did not fit is the key: its owner must not be shut out by somebody else's forgery.
 */
async function askForKey(ctx: Ctx, unproven: Unproven): Promise<Verdict> {
  const { keyId, signature, message } = unproven
  const [, word, rest = ''] = /^(\w+) ?(.*)$/s.exec(ctx.memory.recall(`key ${keyId}`) ?? '') ?? []
  if (word === 'gone') return { kind: 'gone' }
  if (word === 'refused' || word === 'retry') return { kind: word, reason: rest }
  if (word === 'found' && !(await isSignedBy(rest, signature, message))) return misfit
  const isSpent = secondsToWait(ctx, 'newcomers', budgetDomain(keyId)) !== null
  const reason = isSpent ? 'Too many new accounts of one server' : reasonNotToAsk(ctx, unproven)
  if (reason !== null) return { kind: 'retry', reason }
  const verdict = await proveAnew(ctx, unproven)
  if (verdict.kind === 'signed') noteProven(ctx, unproven)
  else noteUnproven(ctx, unproven)
  return verdict
}

const misfit = refused('The signature does not fit its key')

/** Nothing is stored before the signature holds. */
async function proveAnew(ctx: Ctx, { keyId, signature, message }: Unproven): Promise<Verdict> {
  const key = await fetchKey(ctx, keyId)
  if (key.kind !== 'found') return remembered(ctx, keyId, key)
  ctx.memory.remember(`key ${keyId}`, `found ${key.publicKey}`, keptSeconds)
  if (!(await isSignedBy(key.publicKey, signature, message))) return misfit
  const stored = await storeActor(ctx, key.owner)
  if (stored.kind !== 'stored') return remembered(ctx, keyId, stored)
  if (stored.isNew) spend(ctx, 'newcomers', budgetDomain(key.owner.uri))
  const kept = await ask(ctx.db, keyById(ctx, keyId))
  if (kept?.signer.id !== stored.id) return refused('The key belongs to another actor')
  return { kind: 'signed', signer: kept.signer }
}

function remembered(ctx: Ctx, keyId: string, failure: Failure): Verdict {
  const keep = (text: string, seconds: number) => ctx.memory.remember(`key ${keyId}`, text, seconds)
  switch (failure.kind) {
    case 'gone':
      keep('gone', keptSeconds)
      return failure
    case 'refused':
      keep(`refused ${failure.reason}`, keptSeconds)
      return failure
    case 'unreachable':
      // Where the whole host failed, its pause is what counts.
      if (reasonToPause(ctx, hostOf(keyId) ?? '') === null) keep(`retry ${failure.reason}`, downSeconds)
      return { kind: 'retry', reason: failure.reason }
  }
}
