import { actorAddresses } from '../../lib/addresses'

/**
 * A digest of a set of actor ids (FEP-8fcf): the SHA-256 hashes of the ids combined by XOR, in hexadecimal. The order
 * does not matter, and the digest of none is all zeros.
 */
export async function digestOfIds(ids: readonly string[]): Promise<string> {
  const sum = new Uint8Array(32)
  for (const id of ids) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(id)))
    for (const [index, byte] of hash.entries()) sum[index] = (sum[index] ?? 0) ^ byte
  }
  return sum.toHex()
}

/** Those of the actor ids that are at `host`. */
export function idsAt(host: string, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => URL.parse(id)?.host === host)
}

/** Where one server is told which of its people follow `actor`. */
export function synchronizationUrl(actor: string): string {
  return `${actor}/followers_synchronization`
}

/** What tells the server at `host` whom of its people we take for followers of `actor`. */
export async function synchronizationHeader(
  actor: string,
  host: string,
  followers: readonly string[],
): Promise<string> {
  const digest = await digestOfIds(idsAt(host, followers))
  const { followers: collection } = actorAddresses(actor)
  return `collectionId="${collection}", url="${synchronizationUrl(actor)}", digest="${digest}"`
}
