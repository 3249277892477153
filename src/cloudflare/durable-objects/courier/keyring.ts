import { combineQueries, execute } from '../../../db/query'
import { sealedKeysOf } from '../../../domain/accounts/find-actor-refs'
import { mayContact } from '../../../domain/servers/limits'
import { signatureOf } from '../../../domain/servers/signature'
import type { AccountId } from '../../../lib/ids'
import { UnopenableSecret, unseal } from '../../../lib/sealing'
import type { SignatureScheme } from '../../../lib/signatures/sign'
import type { Ctx } from '../../../ports/ctx'
import type { SigningFacts, SigningKeys } from '../../../ports/federation'

const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

export interface SenderKeys {
  readonly current: CryptoKey
  /** For servers that do not know the current one yet. */
  readonly previous: CryptoKey | null
  /** The current one as the database has it. */
  readonly sealed: string
}

/** Keys of the senders of one batch, in memory only and as long as the batch takes. */
export interface KeyRing {
  /** Null where the sender has no key any more. */
  of(sender: AccountId): SenderKeys | null
  /** Whether all of these were loaded. */
  covers(senders: readonly AccountId[]): boolean
  /** Scheme stored from earlier fetches, null where unknown or not read. */
  readonly scheme: SignatureScheme | null
  /** Current decision of the moderators, who may have suspended the server since. */
  readonly mayContact: boolean
  /** Read when the deliveries were enqueued: a key may have been replaced since. */
  readonly isHanded: boolean
}

export async function sign(key: CryptoKey, bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign(rsa, key, bytes))
}

/** Loads and decrypts the keys of `senders`: one D1 round trip, one import each. */
export async function openKeys(ctx: Ctx, senders: readonly AccountId[], host: string): Promise<KeyRing> {
  const { sealed, scheme, allowed } = await execute(
    ctx.db,
    combineQueries({
      sealed: sealedKeysOf(ctx, senders),
      scheme: signatureOf(ctx, host),
      allowed: mayContact(ctx, host),
    }),
  )
  return keyRing(ctx, { senders, sealed, scheme, mayContact: allowed, isHanded: false })
}

/**
 * Period in which handed keys and the permission that came with them are used. As long as isolates cache the limits on
 * servers; a retry comes later, and reads the database.
 */
const handedSeconds = 60

/**
 * Keys that came with deliveries, kept in memory: a courier that sends at once needs no round trip to the database for
 * them, and stores none.
 */
export class HandedKeys {
  readonly #known = new Map<AccountId, { readonly keys: SigningKeys; readonly readAt: number }>()

  keep({ keys, readAt }: SigningFacts): void {
    for (const key of keys) this.#known.set(key.accountId, { keys: key, readAt })
  }

  forget(): void {
    this.#known.clear()
  }

  /** Decrypts the keys of `senders`; null where some are unknown or too old. */
  async open(ctx: Ctx, senders: readonly AccountId[]): Promise<KeyRing | null> {
    const oldest = ctx.clock.now().getTime() - handedSeconds * 1_000
    for (const [sender, { readAt }] of this.#known) if (readAt <= oldest) this.#known.delete(sender)
    const sealed = senders.flatMap((sender) => this.#known.get(sender)?.keys ?? [])
    if (sealed.length < senders.length) return null
    return keyRing(ctx, { senders, sealed, scheme: null, mayContact: true, isHanded: true })
  }
}

interface OpenedFrom extends Pick<KeyRing, 'scheme' | 'mayContact' | 'isHanded'> {
  readonly senders: readonly AccountId[]
  readonly sealed: readonly SigningKeys[]
}

async function keyRing(ctx: Ctx, { senders, sealed, ...rest }: OpenedFrom): Promise<KeyRing> {
  const opened = await Promise.all(
    sealed.map(async ({ accountId, privateKey, previousPrivateKey }) => {
      const current = await open(ctx, accountId, privateKey)
      const previous =
        previousPrivateKey === null ? null : await openPrevious(ctx, accountId, previousPrivateKey)
      return [accountId, { current, previous, sealed: privateKey }] as const
    }),
  )
  const keys = new Map<AccountId, SenderKeys>(opened)
  const asked = new Set(senders)
  return {
    ...rest,
    of: (sender) => keys.get(sender) ?? null,
    covers: (others) => others.every((sender) => asked.has(sender)),
  }
}

/** The previous key is a last resort: one that does not open, perhaps because its secret was lost, is done without. */
async function openPrevious(ctx: Ctx, owner: AccountId, sealed: string): Promise<CryptoKey | null> {
  try {
    return await open(ctx, owner, sealed)
  } catch (failure) {
    if (!(failure instanceof UnopenableSecret)) throw failure
    ctx.log.error('A previous key does not open', { cause: failure })
    return null
  }
}

async function open(ctx: Ctx, owner: AccountId, sealed: string): Promise<CryptoKey> {
  const pkcs8 = await unseal(ctx.config.secrets, { kind: 'actor key', owner }, sealed)
  return crypto.subtle.importKey('pkcs8', pkcs8, rsa, false, ['sign'])
}
