import { base64url, type InstanceSecret, type InstanceSecrets, secretOfVersion } from './secrets'

/** Kinds of values that are encrypted at rest. Each has an encryption key of its own. */
export type SealedKind =
  | 'access token'
  | 'actor key'
  | 'authenticator app'
  | 'instance secret'
  | 'message franking'
  | 'push key'
  | 'webhook secret'

/** Kind of a value and the row it belongs to, both of which opening it requires. */
export interface SealBinding {
  readonly kind: SealedKind
  /** Id of the account, token or webhook; 0 for the server. */
  readonly owner: number
}

/** A value that no configured secret opens. `message` names its kind, owner and version, and is safe to show. */
export class UnopenableSecret extends Error {
  override readonly name = 'UnopenableSecret'
}

/**
 * Encrypts a value at rest, as `aesgcm2$<version>$<nonce>$<sealed>`: AES-GCM under a key derived from the current secret
 * for its kind. Kind and owner are authenticated: copied to another row, the value does not open.
 */
export async function seal(
  { current }: InstanceSecrets,
  binding: SealBinding,
  bytes: ArrayBuffer | Uint8Array,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const algorithm = { name: 'AES-GCM', iv, additionalData: bindingBytes(binding) }
  const sealed = await crypto.subtle.encrypt(algorithm, await keyFor(current, binding.kind), bytes)
  return `aesgcm2$${current.version}$${base64url(iv)}$${base64url(sealed)}`
}

/** Decrypts a text of `seal`. Throws `UnopenableSecret` for one of another row, kind or unknown secret, or damaged. */
export async function unseal(
  secrets: InstanceSecrets,
  binding: SealBinding,
  text: string,
): Promise<ArrayBuffer> {
  const [format, ...parts] = text.split('$')
  if (format === 'aesgcm1' && parts.length === 2) return unsealUnbound(secrets, binding, parts)
  const [version, nonce, sealed] = parts
  if (format !== 'aesgcm2' || version === undefined || nonce === undefined || sealed === undefined)
    throw new UnopenableSecret(`${nameOf(binding)} has an unknown format`)
  const secret = secretOfVersion(secrets, version)
  if (secret === null) throw new UnopenableSecret(unknownVersion(binding, version))
  const opened = await decrypt(await keyFor(secret, binding.kind), {
    nonce,
    sealed,
    additionalData: bindingBytes(binding),
  })
  if (opened === null)
    throw new UnopenableSecret(`${nameOf(binding)} does not open: it is damaged, or that of another row`)
  return opened
}

/** Start of the texts that the current secret sealed; others wait to be sealed again. */
export function sealedPrefix({ current }: InstanceSecrets): string {
  return `aesgcm2$${current.version}$`
}

/** Opens a value from before versions: it names no secret and no owner, so that each accepted secret is tried. */
async function unsealUnbound(
  { accepted }: InstanceSecrets,
  binding: SealBinding,
  [nonce = '', sealed = '']: readonly string[],
): Promise<ArrayBuffer> {
  for (const secret of accepted) {
    const opened = await decrypt(await deriveKey(secret, `fieldfare ${unboundPurpose(binding)}`), {
      nonce,
      sealed,
    })
    if (opened !== null) return opened
  }
  throw new UnopenableSecret(`${nameOf(binding)} opens under none of the configured secrets. ${remedy}`)
}

/** Purpose under which values were encrypted before: only that of authenticator apps named its owner. */
function unboundPurpose({ kind, owner }: SealBinding): string {
  return kind === 'authenticator app' ? `authenticator app of ${owner}` : 'actor keys'
}

interface Encrypted {
  readonly nonce: string
  readonly sealed: string
  readonly additionalData?: Uint8Array
}

/** Null for what this key did not encrypt. */
async function decrypt(key: CryptoKey, { nonce, sealed, ...rest }: Encrypted): Promise<ArrayBuffer | null> {
  try {
    const iv = Uint8Array.fromBase64(nonce, { alphabet: 'base64url' })
    const bytes = Uint8Array.fromBase64(sealed, { alphabet: 'base64url' })
    return await crypto.subtle.decrypt({ name: 'AES-GCM', iv, ...rest }, key, bytes)
  } catch (failure) {
    // No base64, or refused by the algorithm.
    if (failure instanceof SyntaxError || failure instanceof DOMException) return null
    throw failure
  }
}

/** Keys that were derived, by secret and kind: deriving one costs as much as opening a value. */
const derivedKeys = new WeakMap<InstanceSecret, Map<SealedKind, CryptoKey>>()

async function keyFor(secret: InstanceSecret, kind: SealedKind): Promise<CryptoKey> {
  const keys = derivedKeys.get(secret) ?? new Map<SealedKind, CryptoKey>()
  derivedKeys.set(secret, keys)
  const known = keys.get(kind)
  if (known !== undefined) return known
  const key = await deriveKey(secret, `fieldfare sealed ${kind}`)
  keys.set(kind, key)
  return key
}

async function deriveKey({ text }: InstanceSecret, salt: string): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', encoder.encode(text), 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: encoder.encode(salt), info: new Uint8Array() },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

const encoder = new TextEncoder()

function bindingBytes({ kind, owner }: SealBinding): Uint8Array {
  return encoder.encode(`fieldfare ${kind} of ${owner}`)
}

function nameOf({ kind, owner }: SealBinding): string {
  return owner === 0 ? `The ${kind} of the server` : `The ${kind} of ${owner}`
}

const remedy = 'Put the former INSTANCE_SECRET into ACCEPTED_INSTANCE_SECRETS.'

function unknownVersion(binding: SealBinding, version: string): string {
  return `${nameOf(binding)} is encrypted under the secret ${version}, which is not configured. ${remedy}`
}
