import { DurableObject } from 'cloudflare:workers'
import { type SealBinding, seal, UnopenableSecret, unseal } from '../../lib/sealing'
import { base64url, instanceSecrets, sameText, signWith } from '../../lib/secrets'

/** Variables that set-up collects, for those that the environment leaves out. */
export type ChosenVariable = 'ORIGIN' | 'PLAN' | 'MAIL_FROM'
export type ChosenVariables = Readonly<Partial<Record<ChosenVariable, string>>>

/** Variables of this server; null where the set-up secret is another than the one that sealed them. */
export type InstalledVariables = Readonly<{ INSTANCE_SECRET: string }> & ChosenVariables

interface SealedSecret {
  readonly sealed: string
  /** HMAC under the instance secret, by which a secret from the file is recognized. */
  readonly check: string
}

const binding: SealBinding = { kind: 'instance secret', owner: 0 }
const keys = { secret: 'secret', chosen: 'chosen' } as const

/**
 * The one object of a server that was set up in the browser. Makes the instance secret at the first call and keeps it
 * encrypted under SETUP_SECRET, with the variables that were chosen in set-up.
 */
export class Installation extends DurableObject<Env> {
  /** Opens the secret, or makes it where there is none. Null under another set-up secret. */
  async open(setupSecret: string): Promise<InstalledVariables | null> {
    const kept = await this.#kept()
    const secret = kept === null ? await this.#make(setupSecret) : await opened(setupSecret, kept)
    return secret === null ? null : { ...(await this.#chosen()), INSTANCE_SECRET: secret }
  }

  /** Keeps chosen variables beside those from before. Later isolates have them. */
  async choose(variables: ChosenVariables): Promise<void> {
    await this.ctx.storage.put(keys.chosen, { ...(await this.#chosen()), ...variables })
  }

  /**
   * Encrypts the secret under `setupSecret`. `proof` is the former set-up secret, or the instance secret itself as it stands
   * in the downloaded file; false for any other text.
   */
  async sealAgain(setupSecret: string, proof: string): Promise<boolean> {
    const kept = await this.#kept()
    if (kept === null) return false
    const secret = sameText(await checkOf(proof), kept.check) ? proof : await opened(proof, kept)
    if (secret === null) return false
    await this.ctx.storage.put(keys.secret, await sealedUnder(setupSecret, secret))
    return true
  }

  async #make(setupSecret: string): Promise<string | null> {
    const secret = base64url(crypto.getRandomValues(new Uint8Array(32)))
    const made = await sealedUnder(setupSecret, secret)
    // Encryption lets other calls run: the first of them wins.
    const first = await this.#kept()
    if (first !== null) return opened(setupSecret, first)
    await this.ctx.storage.put(keys.secret, made)
    return secret
  }

  async #kept(): Promise<SealedSecret | null> {
    return (await this.ctx.storage.get<SealedSecret>(keys.secret)) ?? null
  }

  async #chosen(): Promise<ChosenVariables> {
    return (await this.ctx.storage.get<ChosenVariables>(keys.chosen)) ?? {}
  }
}

async function sealedUnder(setupSecret: string, secret: string): Promise<SealedSecret> {
  const bytes = new TextEncoder().encode(secret)
  return { sealed: await seal(instanceSecrets(setupSecret), binding, bytes), check: await checkOf(secret) }
}

async function opened(setupSecret: string, { sealed }: SealedSecret): Promise<string | null> {
  try {
    return new TextDecoder().decode(await unseal(instanceSecrets(setupSecret), binding, sealed))
  } catch (failure) {
    if (failure instanceof UnopenableSecret) return null
    throw failure
  }
}

function checkOf(secret: string): Promise<string> {
  return signWith(instanceSecrets(secret).current, 'fieldfare installation', 'instance secret')
}
