import * as z from 'zod'
import { execute } from '../../../db/query'
import { addressKey, joinRanges, parseNetwork, rangesInclude } from '../../../lib/network'
import type { Ctx } from '../../../ports/ctx'
import { readCachedList } from '../../core/cached-lists'

/** Network without access, and the end of its block in milliseconds; null: for good. */
const Entry = z.tuple([z.string(), z.number().nullable()])

export const blockedNetworksKey = 'blocked networks'

/** Seconds that an isolate caches the networks without access. */
const cacheSeconds = 60

/**
 * Whether the network of an address has no access. At most one round trip per isolate and minute; a block that ends
 * shortens that minute.
 *
 * False while the list cannot be read: a failing database must not refuse requests that do without it.
 */
export async function isNetworkBlocked(ctx: Ctx, ip: string): Promise<boolean> {
  const ranges = ctx.memory.get(blockedNetworksKey) ?? (await readRanges(ctx))
  if (ranges === '') return false
  const address = addressKey(ip)
  return address !== null && rangesInclude(ranges, address)
}

async function readRanges(ctx: Ctx): Promise<string> {
  try {
    return await refreshBlockedNetworks(ctx)
  } catch (cause) {
    ctx.log.error('The networks without access could not be read', { cause })
    return ''
  }
}

/** Reads the networks without access into this isolate's cache; other isolates follow within a minute. */
export async function refreshBlockedNetworks(ctx: Ctx): Promise<string> {
  const now = ctx.clock.now().getTime()
  const listed = await execute(ctx.db, readCachedList(ctx, 'networks', Entry))
  const active = listed.filter(([, until]) => until === null || until > now)
  const ranges = joinRanges(active.flatMap(([cidr]) => parseNetwork(cidr) ?? []))
  const ends = active.flatMap(([, until]) => (until === null ? [] : [(until - now) / 1000]))
  ctx.memory.set(blockedNetworksKey, ranges, Math.min(cacheSeconds, ...ends))
  return ranges
}
