import type { Vault } from './ports'

/** Vault port. A few objects share passwords and keys, so that one sign-in does not wait for all others. */
export function vaultOf(env: Env): Vault {
  const pool = 4
  const pick = () => {
    const place = (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) % pool
    return env.VAULT.get(env.VAULT.idFromName(`vault-${place}`))
  }
  return {
    hashPassword: (password) => pick().hashPassword(password),
    verifyPassword: (password, hash) => pick().verifyPassword(password, hash),
    generateKeyPair: () => pick().generateKeyPair(),
    generatePushKeyPair: () => pick().generatePushKeyPair(),
    sign: (privateKey, bytes) => pick().sign(privateKey, bytes),
    signPush: (privateKey, bytes) => pick().signPush(privateKey, bytes),
  }
}
