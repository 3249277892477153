import { Unreachable } from '../../../errors'
import { parseJsonBytes } from '../../../lib/json'
import { readBody } from '../../../lib/outgoing'
import type { Ctx } from '../../../ports/ctx'

const timeoutMilliseconds = 5_000
const mostBytes = 65_536

/** Fetches a JSON document for set-up. Null for every answer but JSON with status 200, and without one. */
export async function readJson(ctx: Ctx, url: string, accept: string): Promise<unknown> {
  try {
    const answer = await ctx.http.send({
      method: 'GET',
      url,
      headers: { accept },
      maxBytes: mostBytes,
      timeoutMilliseconds,
      redirects: 'follow',
    })
    if (answer.status === 200) return parseJsonBytes(await readBody(answer, timeoutMilliseconds))
    await answer.body?.cancel()
    return null
  } catch (failure) {
    if (failure instanceof Unreachable || failure instanceof SyntaxError) return null
    throw failure
  }
}
