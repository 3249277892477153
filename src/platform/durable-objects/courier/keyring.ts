import { combineQueries, execute } from '../../../db/query'
import { sealedKeysOf } from '../../../domain/accounts/find-sealed-keys'
import { signatureOf } from '../../../domain/instance/find-signature'
import { mayContact } from '../../../domain/instance/limits'
import type { AccountId } from '../../../lib/ids'
import { unseal } from '../../../lib/sealing'
import type { SignatureScheme } from '../../../lib/signatures/sign'
import type { Ctx } from '../../ports'

const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

export interface SenderKeys {
  readonly current: CryptoKey
  /** For servers that do not know the current one yet. */
  readonly previous: CryptoKey | null
}

/** Keys of the senders of one batch, in memory only and as long as the batch takes. */
export interface KeyRing {
  /** Null where the sender has no key any more. */
  of(sender: AccountId): SenderKeys | null
  /** Whether all of these were loaded. */
  covers(senders: readonly AccountId[]): boolean
  /** Scheme stored from earlier fetches, null where unknown. */
  readonly scheme: SignatureScheme | null
  /** Current decision of the moderators, who may have suspended the server since. */
  readonly mayContact: boolean
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
  const opened = await Promise.all(
    sealed.map(async ({ accountId, privateKey, previousPrivateKey }) => {
      const current = await open(ctx, privateKey)
      const previous = previousPrivateKey === null ? null : await open(ctx, previousPrivateKey)
      return [accountId, { current, previous }] as const
    }),
  )
  const keys = new Map<AccountId, SenderKeys>(opened)
  const asked = new Set(senders)
  return {
    of: (sender) => keys.get(sender) ?? null,
    covers: (others) => others.every((sender) => asked.has(sender)),
    scheme,
    mayContact: allowed,
  }
}

async function open(ctx: Ctx, sealed: string): Promise<CryptoKey> {
  const pkcs8 = await unseal(ctx.config.secret, sealed)
  return crypto.subtle.importKey('pkcs8', pkcs8, rsa, false, ['sign'])
}
