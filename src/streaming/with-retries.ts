import type { Ctx } from '../ports/ctx'

/** Moved or restarted objects are back within this time, as a rule; so is the database. */
const pausesMilliseconds = [50, 1_000]

/** Returns the result of `attempt`. After the last retry logs `message` and returns null. */
export async function withRetries<T>(
  ctx: Ctx,
  attempt: () => Promise<T>,
  [message, about]: readonly [string, object],
): Promise<T | null> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt()
    } catch (cause) {
      const pause = pausesMilliseconds[failures]
      if (pause === undefined) {
        ctx.log.error(message, { ...about, cause })
        return null
      }
      await ctx.clock.sleep(pause)
    }
  }
}
