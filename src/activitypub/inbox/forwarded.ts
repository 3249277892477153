import { both, execute, type Query } from '../../db/query'
import { done, ignored, type Outcome } from '../../domain/core/changes'
import { type ForwardedFacts, forwardedFacts } from '../../domain/statuses/remote/find-forwarded'
import { canonicalJson } from '../../lib/json'
import { decodeMultibase, parsePublicKey, verifiesSignature } from '../../lib/signatures/keys'
import { ageProblem } from '../../lib/signatures/verify'
import { hostOf, parseWebAddress, sameOrigin } from '../../lib/web-address'
import type { RefetchHint } from '../../messages/jobs'
import type { Ctx } from '../../ports/ctx'
import { keyById, type Signer } from '../verify-request'
import type { Activity } from '../vocab/activity'
import { idOf, instantOf, isObject, type JsonObject, listOf } from '../vocab/json'
import { isStatusDocument } from '../vocab/status'

const gapSeconds = 60

/** Forwarding servers may name any number of objects, all of one third server. */
const mostAboutHost = 100

/** Minutes over which refetches of known objects of one server are spread: moderators remove a thousand at once. */
const mostMinutes = 10

/**
 * Refetches the object of an activity that `forwarder` passed on. Forwarding is no proof, so a job fetches the object from its
 * own server. Only relevant objects count: known here, or a reply to a known one.
 */
export async function refetchForwarded(
  ctx: Ctx,
  activity: Activity,
  forwarder: Signer | null,
): Promise<Outcome> {
  const uri = activity.object?.id ?? null
  if (uri === null) return ignored('forwarded without an object')
  if (!isAboutObject(activity)) return ignored(`${activity.type} forwarded by another server`)
  const facts = await execute(ctx.db, factsAbout(ctx, activity, uri))
  if (!isRelevant(activity, facts)) return ignored('forwarded, but irrelevant here')
  // Many servers forward the same object; a third server must not be hit over and over.
  const isRecent = ctx.memory.get(`hint ${uri}`) !== null
  const isPlanned = ctx.memory.get(`later hint ${uri}`) !== null
  if (isRecent && (isPlanned || activity.type === 'Create'))
    return ignored('forwarded, but refetched a moment ago')
  const minutes = minutesToWait(ctx, activity, uri)
  if (minutes === null) return ignored('forwarded, but its server was named too often')
  const hint = hintOf(activity, uri, forwarder)
  const job = { kind: 'refetch-object', uri, ...(hint === null ? {} : { hint }) } as const
  // The object changed again: one fetch, once the gap is over, for all that is forwarded until then.
  const delaySeconds = Math.max(minutes, isRecent ? 1 : 0) * gapSeconds
  if (delaySeconds === 0) {
    ctx.memory.set(`hint ${uri}`, '', gapSeconds)
    await ctx.jobs.send(job)
  } else {
    ctx.memory.set(`hint ${uri}`, '', delaySeconds)
    ctx.memory.set(`later hint ${uri}`, '', delaySeconds)
    await ctx.jobs.send(job, { delaySeconds })
  }
  return done
}

/** Delay that spreads the refetches of one server; null where it is named too often. New objects are not waited for. */
function minutesToWait(ctx: Ctx, { type }: Activity, uri: string): number | null {
  const count = ctx.memory.increment(`hints about ${hostOf(uri)}`, gapSeconds)
  const minutes = Math.floor((count - 1) / mostAboutHost)
  return minutes > (type === 'Create' ? 0 : mostMinutes) ? null : minutes
}

/**
 * What the activity adds to the object at its address: pages of PieFed have no date of their edit, and Discourse and Mbin answer
 * for what was deleted as if it had never been, or had not been deleted, while the Delete itself can be fetched.
 */
function hintOf({ type, id, actor }: Activity, uri: string, forwarder: Signer | null): RefetchHint | null {
  if (type === 'Update') return { type }
  if (type !== 'Delete' || !sameOrigin(actor, uri)) return null
  const isFetchable = id !== null && sameOrigin(id, uri) && addressOf(id) !== addressOf(uri)
  const isVouched = forwarder !== null && sameOrigin(forwarder.uri, uri)
  if (!isFetchable && !isVouched) return null
  return {
    type,
    ...(isFetchable ? { activity: id } : {}),
    ...(isVouched ? { vouched: true } : {}),
  }
}

/** Address without the fragment, which no request contains. */
function addressOf(id: string): string {
  return id.replace(/#.*$/, '')
}

/** Seconds for which an isolate remembers a proof: many servers forward the same activity. */
const rememberedSeconds = 300

/** Verdict on the proof of a forwarded activity. */
export type ForwardProof =
  | { readonly kind: 'proven'; readonly signer: Signer; readonly proof: string }
  /** Taken a moment ago, forwarded by another server. */
  | { readonly kind: 'repeated' }
  /** Object to be fetched from its own server. */
  | { readonly kind: 'unproven' }

/**
 * Verifies the integrity proof of a forwarded activity, by a stored key of its actor: nothing is fetched.
 *
 * Unproven are also those which a replay could misuse: other activities than those about statuses, changes of the actor
 * itself, and an `Update` that is not newer than the stored version. One round trip where there is a proof.
 */
export async function verifyForwarded(ctx: Ctx, activity: Activity): Promise<ForwardProof> {
  const proof = readProof(activity.received, ctx.clock.now())
  const uri = activity.object?.id ?? null
  if (proof === null || uri === null || !mayBeProven(ctx, activity, uri)) return { kind: 'unproven' }
  if (ctx.memory.get(`proven ${proof.value}`) !== null) return { kind: 'repeated' }
  const [key, facts] = await execute(ctx.db, both(keyById(ctx, proof.keyId), factsAbout(ctx, activity, uri)))
  if (key === null || key.signer.uri !== activity.actor) return { kind: 'unproven' }
  if (!isRelevant(activity, facts) || !isNewer(activity, facts)) return { kind: 'unproven' }
  return (await isProvenBy(key.publicKey, activity.received, proof))
    ? { kind: 'proven', signer: key.signer, proof: proof.value }
    : { kind: 'unproven' }
}

/** Remembers that a proven activity was handled. */
export function rememberProof(ctx: Ctx, proof: string): void {
  ctx.memory.set(`proven ${proof}`, '', rememberedSeconds)
}

function mayBeProven(ctx: Ctx, activity: Activity, uri: string): boolean {
  const { id, type, actor, object } = activity
  if (id === null || !sameOrigin(id, actor) || !sameOrigin(uri, actor) || uri === actor) return false
  if (type === 'Delete') return true
  if (!isStatusDocument(object?.document ?? null)) return false
  return type === 'Create' || (type === 'Update' && (updatedAt(activity) ?? Infinity) <= ctx.clock.now())
}

function isNewer(activity: Activity, { version }: ForwardedFacts): boolean {
  if (activity.type !== 'Update') return true
  const at = updatedAt(activity)
  return at !== null && version !== null && at > version
}

function updatedAt({ object }: Activity): Date | null {
  return instantOf(object?.document?.['updated'])
}

function isAboutObject({ type }: Activity): boolean {
  return ['Create', 'Update', 'Delete'].includes(type)
}

function factsAbout(ctx: Ctx, { object }: Activity, uri: string): Query<ForwardedFacts> {
  return forwardedFacts(ctx, { uri, inReplyTo: idOf(object?.document?.['inReplyTo']) })
}

function isRelevant({ type }: Activity, { known, parentKnown }: ForwardedFacts): boolean {
  return type === 'Create' ? !known && parentKnown : known
}

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

/** Digest of the canonical form; null if missing. */
async function digestOf(value: JsonObject): Promise<Uint8Array | null> {
  const text = canonicalJson(value, mostCharacters)
  return text === null ? null : new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
}
