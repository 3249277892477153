import { createHmac, timingSafeEqual } from 'node:crypto'

/** 16 bytes: nobody guesses one, and addresses stay short. */
const macCharacters = 22

const mostRemembered = 5_000

/**
 * Where a file of another server is served by this one: `<mac>/<address, base64url>`.
 *
 * The mac under the instance secret keeps others from using the server as their proxy. A page shows the same few
 * pictures over and over, so what was computed is remembered.
 */
export class ProxyAddresses {
  readonly #secret: string
  readonly #made = new Map<string, string>()

  constructor(secret: string) {
    this.#secret = secret
  }

  pathOf(url: string): string {
    const known = this.#made.get(url)
    if (known !== undefined) return known
    const path = `${this.#macOf(url)}/${Buffer.from(url).toString('base64url')}`
    if (this.#made.size >= mostRemembered) this.#made.clear()
    this.#made.set(url, path)
    return path
  }

  /** The address behind a path, or null for a path nobody was given. */
  urlOf(mac: string, encoded: string): string | null {
    const url = Buffer.from(encoded, 'base64url').toString()
    const [given, right] = [Buffer.from(mac), Buffer.from(this.#macOf(url))]
    return given.byteLength === right.byteLength && timingSafeEqual(given, right) ? url : null
  }

  #macOf(url: string): string {
    const mac = createHmac('sha256', this.#secret).update('media proxy\0').update(url)
    return mac.digest('base64url').slice(0, macCharacters)
  }
}
