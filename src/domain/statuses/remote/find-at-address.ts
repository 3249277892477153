import { combineQueries, map, type Query } from '../../../db/query'
import type { Ctx } from '../../../ports/ctx'
import type { ResolvedAddress } from '../../../ports/federation'
import { type ResolvableAccount, resolvableByUrl } from '../../accounts/find'
import { statusIdAt } from './find-remote'

/** Stored status or account at a web address. */
export type KnownAtAddress =
  | (ResolvedAddress & { readonly kind: 'status' })
  | (ResolvedAddress & { readonly kind: 'account'; readonly account: ResolvableAccount })

/** The status, or else the account, with this id or page address, without fetching. Two statements. */
export function knownAtAddress(ctx: Ctx, address: string): Query<KnownAtAddress | null> {
  const found = combineQueries({ status: statusIdAt(ctx, address), account: resolvableByUrl(ctx, address) })
  return map(found, ({ status, account }): KnownAtAddress | null => {
    if (status !== null) return { kind: 'status', id: status }
    return account === null ? null : { kind: 'account', id: account.id, account }
  })
}
