import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AccountId } from '../lib/ids'
import type { InstanceSecret, InstanceSecrets } from '../lib/secrets'

/** 16 bytes: enough against guessing, and addresses stay short. */
const macCharacters = 22

const mostRemembered = 5_000

/**
 * Period for which an address stays the same, and for which it works afterwards: pages, apps and their caches
 * show it for a while. Each file changes its address at a moment of its own, so that not all are fetched again
 * at once.
 */
export const linkMilliseconds = 28 * 86_400_000

/** A remote file, and the account it was shown for; null if it belongs to none. */
export interface ProxiedFile {
  readonly url: string
  readonly owner: AccountId | null
}

/** A cached address, and until when it is used. */
interface Made {
  readonly path: string
  readonly until: number
}

/**
 * Proxy addresses of remote files: `<mac>/<owner, base36>/<address, base64url>`.
 *
 * The MAC under an accepted instance secret keeps others from using the server as their proxy and lets addresses
 * expire; it covers the period it was made in. A page shows the same few pictures over and over, so computed
 * addresses are cached.
 */
export class ProxyAddresses {
  readonly #secrets: InstanceSecrets
  readonly #now: Date
  readonly #made: Map<string, Made>

  constructor(secrets: InstanceSecrets, now = new Date(0), made = new Map<string, Made>()) {
    this.#secrets = secrets
    this.#now = now
    this.#made = made
  }

  /** Returns a copy for another moment, with the same cache. */
  at(now: Date): ProxyAddresses {
    return new ProxyAddresses(this.#secrets, now, this.#made)
  }

  pathOf(url: string, owner: AccountId | null = null): string {
    const file = `${owner} ${url}`
    const cached = this.#made.get(file)
    if (cached !== undefined && cached.until > this.#now.getTime() && !this.#isEarly(cached))
      return cached.path
    const period = this.#periodOf(url)
    const named = `${nameOf(owner)}/${Buffer.from(url).toString('base64url')}`
    const path = `${macOf(this.#secrets.current, { url, owner }, period)}/${named}`
    if (this.#made.size >= mostRemembered) this.#made.clear()
    this.#made.set(file, { path, until: (period + 1) * linkMilliseconds - offsetOf(url) })
    return path
  }

  /** The file of a path, or null if the MAC is invalid or expired. */
  fileOf(mac: string, owner: string, encoded: string): ProxiedFile | null {
    const file = { url: Buffer.from(encoded, 'base64url').toString(), owner: ownerIn(owner) }
    const period = this.#periodOf(file.url)
    const isRight = this.#secrets.accepted.some((secret) =>
      [period, period - 1].some((one) => isSame(mac, macOf(secret, file, one))),
    )
    return isRight ? file : null
  }

  /** Whether the cached address is from a later period than now: tests turn clocks back. */
  #isEarly({ until }: Made): boolean {
    return until - linkMilliseconds > this.#now.getTime()
  }

  #periodOf(url: string): number {
    return Math.floor((this.#now.getTime() + offsetOf(url)) / linkMilliseconds)
  }
}

function macOf(secret: InstanceSecret, { url, owner }: ProxiedFile, period: number): string {
  const mac = createHmac('sha256', secret.text).update(`media proxy\0${period}\0${nameOf(owner)}\0${url}`)
  return mac.digest('base64url').slice(0, macCharacters)
}

function nameOf(owner: AccountId | null): string {
  return (owner ?? 0).toString(36)
}

function ownerIn(name: string): AccountId | null {
  const id = Number.parseInt(name, 36)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.byteLength === other.byteLength && timingSafeEqual(one, other)
}

/** Offset within a period, constant for an address: FNV-1a, spread over the period. */
function offsetOf(url: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < url.length; index++)
    hash = Math.imul(hash ^ url.charCodeAt(index), 0x01000193) >>> 0
  return Math.floor((hash / 0x1_0000_0000) * linkMilliseconds)
}
