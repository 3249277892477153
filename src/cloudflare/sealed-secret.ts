import { type SealBinding, seal, UnopenableSecret, unseal } from '../lib/sealing'
import { instanceSecrets, sameText, signWith } from '../lib/secrets'

/** The instance secret, encrypted under a set-up secret. */
export interface SealedSecret {
  readonly sealed: string
  /** HMAC under the instance secret, by which a secret from the file is recognized. */
  readonly check: string
}

const binding: SealBinding = { kind: 'instance secret', owner: 0 }

export async function sealedUnder(setupSecret: string, secret: string): Promise<SealedSecret> {
  const bytes = new TextEncoder().encode(secret)
  return { sealed: await seal(instanceSecrets(setupSecret), binding, bytes), check: await checkOf(secret) }
}

/** Null under another set-up secret. */
export async function opened(setupSecret: string, { sealed }: SealedSecret): Promise<string | null> {
  try {
    return new TextDecoder().decode(await unseal(instanceSecrets(setupSecret), binding, sealed))
  } catch (failure) {
    if (failure instanceof UnopenableSecret) return null
    throw failure
  }
}

/** The instance secret by a former set-up secret, or by itself as it stands in the downloaded file; null for other texts. */
export async function provenSecret(proof: string, kept: SealedSecret): Promise<string | null> {
  return sameText(await checkOf(proof), kept.check) ? proof : opened(proof, kept)
}

function checkOf(secret: string): Promise<string> {
  return signWith(instanceSecrets(secret).current, 'fieldfare installation', 'instance secret')
}
