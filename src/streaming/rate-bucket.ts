/** Token bucket: admits a burst at once, and a fixed amount per second from then on. */
export class RateBucket {
  readonly #most: number
  readonly #perSecond: number
  #left: number
  #at: number | null = null

  constructor({ most, perSecond }: { readonly most: number; readonly perSecond: number }) {
    this.#most = most
    this.#perSecond = perSecond
    this.#left = most
  }

  /** Takes `amount`; false if that is more than is left. */
  tryTake(amount: number, now: Date): boolean {
    const at = now.getTime()
    const gained = (Math.max(0, at - (this.#at ?? at)) / 1_000) * this.#perSecond
    this.#left = Math.min(this.#most, this.#left + gained)
    this.#at = at
    if (amount > this.#left) return false
    this.#left -= amount
    return true
  }
}
