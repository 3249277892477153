import { canonicalJson } from '../lib/canonical-json'
import { parsePublicKey, verifiesSignature } from '../lib/signatures/keys'
import { decodeMultibase } from '../lib/signatures/multibase'
import { ageProblem } from '../lib/signatures/verify'
import { parseWebAddress } from '../lib/web-address'
import { instantOf } from './vocab/dates'
import { isObject, type JsonObject, listOf } from './vocab/json'

/** A proof of a document (FEP-8b32, cryptosuite eddsa-jcs-2022), parsed and unverified. */
export interface IntegrityProof {
  /** Address of its key. */
  readonly keyId: string
  readonly value: string
  readonly signature: Uint8Array
  /** Further properties, which are signed as well. */
  readonly options: JsonObject
}

/** Longer documents are fetched instead: a post has a few thousand characters, and these take 5 ms. */
const mostCharacters = 65_536
const mostContexts = 20

const encoder = new TextEncoder()

/**
 * Parses the proof of a document. Null for other kinds of proofs, for sets of them, and for one that expired or was not
 * made within the time that signatures of requests count: an older one may be a replay.
 */
export function readProof({ proof }: JsonObject, now: Date): IntegrityProof | null {
  if (!isObject(proof)) return null
  const { proofValue: value, ...options } = proof
  const { type, cryptosuite, proofPurpose, verificationMethod, created, expires } = options
  if (type !== 'DataIntegrityProof' || cryptosuite !== 'eddsa-jcs-2022') return null
  if (proofPurpose !== 'assertionMethod') return null
  const at = instantOf(created)
  if (at === null || ageProblem(at.getTime() / 1000, now) !== null) return null
  if (expires !== undefined && (instantOf(expires) ?? now) <= now) return null
  const keyId = typeof verificationMethod === 'string' ? parseWebAddress(verificationMethod) : null
  // The cryptosuite allows base58btc alone.
  const signature = typeof value === 'string' && value.startsWith('z') ? decodeMultibase(value) : null
  return keyId === null || typeof value !== 'string' || signature === null
    ? null
    : { keyId, value, signature, options }
}

/** Whether the owner of `publicKey`, a Multikey with Ed25519, made the proof of this document. Ignores the time. */
export async function isProvenBy(
  publicKey: string,
  document: JsonObject,
  { options, signature }: Pick<IntegrityProof, 'options' | 'signature'>,
): Promise<boolean> {
  const key = publicKey.startsWith('z') ? parsePublicKey(publicKey) : null
  const signed = signedForm(document, options)
  if (key?.kind !== 'ed25519' || signed === null) return false
  const digest = await digestOf(signed.document)
  for (const form of signed.options) {
    const first = await digestOf(form)
    if (first === null || digest === null) return false
    if (await verifiesSignature(key, signature, Uint8Array.of(...first, ...digest))) return true
  }
  return false
}

interface SignedForm {
  readonly document: JsonObject
  /** The forms of the options that may have been signed. */
  readonly options: readonly JsonObject[]
}

/**
 * The document and options as they were signed; null where the contexts do not fit.
 *
 * A Linked Data signature is added after the proof, and later contexts than those in the proof may be, too. Early versions
 * of the specification sign the context of the document among the options and leave it out of the proof.
 */
function signedForm(secured: JsonObject, options: JsonObject): SignedForm | null {
  const { proof: _, signature: __, ...document } = secured
  const { '@context': context } = options
  if (context === undefined) {
    const inherited = { ...options, '@context': document['@context'] }
    return { document, options: document['@context'] === undefined ? [options] : [options, inherited] }
  }
  return beginsWith(document['@context'], context)
    ? { document: { ...document, '@context': context }, options: [options] }
    : null
}

function beginsWith(contexts: unknown, signed: unknown): boolean {
  const all = listOf(contexts, mostContexts)
  return listOf(signed, mostContexts).every(
    (context, index) => canonicalJson(context, mostCharacters) === canonicalJson(all[index], mostCharacters),
  )
}

/** Digest of the canonical form; null where there is none. */
async function digestOf(value: JsonObject): Promise<Uint8Array | null> {
  const text = canonicalJson(value, mostCharacters)
  return text === null ? null : new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
}
