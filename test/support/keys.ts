/** A key pair of somebody elsewhere: the public half as their document shows it. */
export interface Keys {
  readonly publicKey: string
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>
}

export async function rsaKeys(hash: 'SHA-256' | 'SHA-512' = 'SHA-256'): Promise<Keys> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash, modulusLength: 2048 }
  return keysOf({ ...algorithm, publicExponent: new Uint8Array([1, 0, 1]) })
}

export function ed25519Keys(): Promise<Keys> {
  return keysOf({ name: 'Ed25519' })
}

async function keysOf(algorithm: SubtleCryptoGenerateKeyAlgorithm): Promise<Keys> {
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  if (!('publicKey' in pair)) throw new Error('No pair')
  const spki = await crypto.subtle.exportKey('spki', pair.publicKey)
  if (!(spki instanceof ArrayBuffer)) throw new Error('No bytes')
  const lines = new Uint8Array(spki).toBase64().match(/.{1,64}/g) ?? []
  return {
    publicKey: `-----BEGIN PUBLIC KEY-----\n${lines.join('\n')}\n-----END PUBLIC KEY-----\n`,
    sign: async (bytes) => new Uint8Array(await crypto.subtle.sign(algorithm.name, pair.privateKey, bytes)),
  }
}
