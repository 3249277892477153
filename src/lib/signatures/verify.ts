import { parsePublicKey, verifiesSignature } from './keys'
import {
  carriesBody,
  fieldValue,
  type HttpMessage,
  matchesContentDigest,
  matchesDigest,
  targetOf,
} from './message'
import {
  coversDate,
  type MessageSignature,
  parseMessageSignature,
  rfc9421CoverageProblem,
  signatureBase,
} from './rfc9421'
import { decodeBase64 } from './structured'

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

/** A signature by draft-cavage-http-signatures, parsed and unverified. */
interface CavageSignature {
  readonly scheme: 'cavage'
  readonly keyId: string
  readonly bytes: Uint8Array
  /** Covered fields, lower case, in order. */
  readonly covered: readonly string[]
  readonly created: number | null
  readonly expires: number | null
}

const parameter = /^\s*([A-Za-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))\s*(?:,|$)/

/** Parses a `Signature` header, or returns the reason it is invalid. `algorithm` is ignored: the key decides. */
export function parseCavage(header: string): CavageSignature | string {
  const given = parametersOf(header)
  if (given === null) return 'The Signature header is malformed or names a parameter twice'
  const bytes = decodeBase64(given.get('signature') ?? '')
  const keyId = given.get('keyid') ?? ''
  if (keyId === '' || bytes === null || bytes.length === 0)
    return 'The Signature header lacks key or signature'
  // By the draft a missing list means the date alone.
  const covered = (given.get('headers') ?? 'date').toLowerCase().split(/\s+/).filter(Boolean)
  if (new Set(covered).size < covered.length) return 'The signature covers a header twice'
  const created = secondsIn(given.get('created'))
  const expires = secondsIn(given.get('expires'))
  if (Number.isNaN(created) || Number.isNaN(expires)) return 'The Signature header has no readable time'
  return { scheme: 'cavage', keyId, bytes, covered, created, expires }
}

function parametersOf(header: string): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>()
  let rest = header
  while (rest.trim() !== '') {
    const match = parameter.exec(rest)
    const name = match?.[1]?.toLowerCase()
    if (match === null || name === undefined || found.has(name)) return null
    found.set(name, match[2]?.replaceAll(/\\(.)/g, '$1') ?? match[3] ?? '')
    rest = rest.slice(match[0].length)
  }
  return found
}

function secondsIn(text: string | undefined): number | null {
  if (text === undefined) return null
  return /^\d{1,12}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

/** The required component that the signature does not cover, or null. */
function cavageCoverageProblem(signature: CavageSignature, message: HttpMessage): string | null {
  const covers = (name: string) => signature.covered.includes(name)
  if (!covers('(request-target)')) return 'The signature does not cover the target'
  if (!covers('host')) return 'The signature does not cover the host'
  if (!covers('date') && !covers('(created)')) return 'The signature covers no time'
  if (carriesBody(message) && !covers('digest')) return 'The signature does not cover the body'
  return null
}

/**
 * The texts that may have been signed; none if a covered field is absent.
 *
 * Implementations differ in whether they sign the path with its query, and do not declare it.
 */
function cavageSigningStrings(signature: CavageSignature, message: HttpMessage): readonly string[] {
  const { path, query } = targetOf(message)
  const targets = query === '' ? [path] : [path + query, path]
  return targets.flatMap((target) => {
    const lines = signature.covered.map((name) => {
      const value = covered(name, { signature, message, target })
      return value === null ? null : `${name}: ${value}`
    })
    return lines.includes(null) ? [] : [lines.join('\n')]
  })
}

interface SigningContext {
  readonly signature: CavageSignature
  readonly message: HttpMessage
  readonly target: string
}

function covered(name: string, { signature, message, target }: SigningContext): string | null {
  if (name === '(request-target)') return `${message.method.toLowerCase()} ${target}`
  if (name === '(created)') return signature.created === null ? null : String(signature.created)
  if (name === '(expires)') return signature.expires === null ? null : String(signature.expires)
  return fieldValue(message, name)
}
