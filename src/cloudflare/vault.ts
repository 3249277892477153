import type { Vault } from '../ports/services'
import type { Usage } from '../ports/usage'

/** Vault port. A few objects share passwords and keys, so that one sign-in does not wait for all others. */
export function vaultOf(env: Env, { add }: Pick<Usage, 'add'>): Vault {
  const pool = 4
  const pick = () => {
    add('objectCalls', 1)
    const place = (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) % pool
    return env.VAULT.get(env.VAULT.idFromName(`vault-${place}`))
  }
  return {
    hashPassword: (password) => pick().hashPassword(password),
    verifyPassword: (password, hash) => pick().verifyPassword(password, hash),
    generateKeyPair: (owner) => pick().generateKeyPair(owner),
    generatePushKeyPair: () => pick().generatePushKeyPair(),
    sign: (privateKey, bytes, owner) => pick().sign(privateKey, bytes, owner),
    signPush: (privateKey, bytes) => pick().signPush(privateKey, bytes),
  }
}
