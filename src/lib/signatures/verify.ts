import { type CavageSignature, cavageCoverageProblem, cavageSigningStrings, parseCavage } from './cavage'
import { matchesContentDigest, matchesDigest } from './digests'
import { parsePublicKey, verifiesSignature } from './keys'
import type { HttpMessage } from './message'
import {
  coversDate,
  type MessageSignature,
  parseMessageSignature,
  rfc9421CoverageProblem,
  signatureBase,
} from './rfc9421'

/** A parsed, unverified signature. */
export type Signature = CavageSignature | MessageSignature

export type SignatureClaim =
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'claimed'; readonly signature: Signature }

const mostOldSeconds = 12 * 60 * 60
const mostAheadSeconds = 60 * 60
const mostHeaderCharacters = 8_192
const encoder = new TextEncoder()

/** Parses the signature of a request, so that its key can be looked up. Verifies nothing. */
export function readSignature(headers: Headers): SignatureClaim {
  const [inputs, signature] = [headers.get('signature-input'), headers.get('signature')]
  if (signature === null && inputs === null) return { kind: 'unsigned' }
  if (signature === null) return { kind: 'malformed', reason: 'The Signature header is missing' }
  if (signature.length + (inputs?.length ?? 0) > mostHeaderCharacters)
    return { kind: 'malformed', reason: 'The signature headers are too long' }
  const read = inputs === null ? parseCavage(signature) : parseMessageSignature(inputs, signature)
  return typeof read === 'string' ? { kind: 'malformed', reason: read } : { kind: 'claimed', signature: read }
}

/**
 * Reason why the signature cannot be valid for the message with any key, or null: it must cover method, target,
 * host, body and a time within 12 hours back and one ahead, and the digest must match the body.
 *
 * Needs no key: call this before looking one up.
 */
export async function findSignatureProblem(
  signature: Signature,
  message: HttpMessage,
  now: Date,
): Promise<string | null> {
  return (
    coverageProblem(signature, message) ??
    timeProblem(signature, message, now) ??
    (await bodyProblem(signature, message))
  )
}

/** Whether the owner of `publicKey` (PEM or multibase) signed this message. Ignores the time. */
export async function isSignedBy(
  publicKey: string,
  signature: Signature,
  message: HttpMessage,
): Promise<boolean> {
  const key = parsePublicKey(publicKey)
  if (key === null) return false
  for (const text of signingStringsOf(signature, message))
    if (await verifiesSignature(key, signature.bytes, encoder.encode(text))) return true
  return false
}

function signingStringsOf(signature: Signature, message: HttpMessage): readonly string[] {
  if (signature.scheme === 'cavage') return cavageSigningStrings(signature, message)
  const base = signatureBase(signature.input, message)
  return base === null ? [] : [base]
}

function coverageProblem(signature: Signature, message: HttpMessage): string | null {
  return signature.scheme === 'cavage'
    ? cavageCoverageProblem(signature, message)
    : rfc9421CoverageProblem(signature, message)
}

function timeProblem(signature: Signature, message: HttpMessage, now: Date): string | null {
  const nowSeconds = now.getTime() / 1000
  const dated = signature.scheme === 'cavage' ? signature.covered.includes('date') : coversDate(signature)
  const date = dated ? Date.parse(message.headers.get('date') ?? '') / 1000 : null
  if (Number.isNaN(date)) return 'The date is missing or unreadable'
  for (const at of [signature.created, date]) {
    const problem = at === null ? null : ageProblem(at, now)
    if (problem !== null) return problem
  }
  const isExpired = signature.expires !== null && signature.expires < nowSeconds - mostAheadSeconds
  return isExpired ? 'The signature has expired' : null
}

/** Reason why a signature made at this time does not count now, or null. Seconds since 1970. */
export function ageProblem(createdSeconds: number, now: Date): string | null {
  const nowSeconds = now.getTime() / 1000
  if (createdSeconds < nowSeconds - mostOldSeconds) return 'The signature is too old'
  return createdSeconds > nowSeconds + mostAheadSeconds ? 'The signature is of the future' : null
}

async function bodyProblem(signature: Signature, message: HttpMessage): Promise<string | null> {
  if (signature.scheme === 'cavage') {
    if (!signature.covered.includes('digest')) return null
    const digest = message.headers.get('digest') ?? ''
    return (await matchesDigest(digest, message.body ?? new Uint8Array())) ? null : digestMismatch
  }
  const covers = signature.input.items.some(({ bare }) => bare.value === 'content-digest')
  if (!covers) return null
  const digest = message.headers.get('content-digest') ?? ''
  return (await matchesContentDigest(digest, message.body ?? new Uint8Array())) ? null : digestMismatch
}

const digestMismatch = 'The digest does not fit the body'
