import { namedLimits } from '../../../contract/limits'
import { constant, map, type Query } from '../../../db/query'
import { liesOn } from '../../../lib/web-address'
import type { Ctx } from '../../../ports/ctx'
import { type AskedAccount, accountsByUris } from '../../accounts/find-resolvable'

/**
 * Known accounts that a remote status mentions or addresses, each once, under the first address that names it. Of more than a
 * hundred addresses those of this server are kept, then the first ones. One statement.
 */
export function mentionedAccounts(ctx: Ctx, addresses: readonly string[]): Query<readonly AskedAccount[]> {
  if (addresses.length === 0) return constant([])
  const kept = keepOwn(addresses, ctx.config.ownDomains)
  const places = new Map(kept.map((address, place) => [address, place]))
  return map(accountsByUris(ctx, kept), (found) => {
    const latestFirst = found.toSorted((one, other) => placeOf(places, other) - placeOf(places, one))
    // A map keeps the last of equal keys: explicit mentions come before other recipients.
    return [...new Map(latestFirst.map((account) => [account.id, account])).values()].toSorted(
      (one, other) => placeOf(places, one) - placeOf(places, other),
    )
  })
}

function placeOf(places: ReadonlyMap<string, number>, { asked }: AskedAccount): number {
  return places.get(asked) ?? 0
}

function keepOwn(addresses: readonly string[], ownDomains: readonly string[]): readonly string[] {
  const most = namedLimits.mentions
  if (addresses.length <= most) return addresses
  const own = addresses.filter((address) => liesOn(ownDomains, address)).slice(0, most)
  const others = addresses.filter((address) => !liesOn(ownDomains, address))
  const kept = new Set([...own, ...others.slice(0, most - own.length)])
  return addresses.filter((address) => kept.has(address))
}
