import { DurableObject } from 'cloudflare:workers'

export interface Window {
  readonly limit: number
  readonly periodSeconds: number
}

/**
 * Exact counters of one subject (a user, an address) in fixed windows aligned to the epoch.
 *
 * Kept in memory and storage both: an evicted object continues counting where it stopped.
 */
export class Throttle extends DurableObject<Env> {
  /** Adds `amount` and returns the uses in this window, including these; refused ones count as well. */
  async take(family: string, window: Window, nowMilliseconds: number, amount = 1): Promise<number> {
    const slot = Math.floor(nowMilliseconds / (window.periodSeconds * 1000))
    const stored = await this.ctx.storage.get<{ slot: number; used: number }>(family)
    const used = (stored?.slot === slot ? stored.used : 0) + amount
    await this.ctx.storage.put(family, { slot, used })
    const end = (slot + 1) * window.periodSeconds * 1000
    // Alarms go by the machine's own time, which a caller may not share: an early one would delete a current count.
    const endsAt = Date.now() + end - nowMilliseconds
    const alarm = await this.ctx.storage.getAlarm()
    if (alarm === null || alarm < endsAt) await this.ctx.storage.setAlarm(endsAt)
    return used
  }

  /** Deletes the storage after the last window has ended. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }
}
