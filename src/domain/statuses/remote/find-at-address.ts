import { map, type Query, together } from '../../../db/query'
import type { AtAddress, Ctx } from '../../../platform/ports'
import { type ReadAccount, readAtAddress } from '../../accounts/find-read'
import { statusIdAt } from './find-remote'

/** What this server has at a web address. */
export type KnownAtAddress =
  | (AtAddress & { readonly kind: 'status' })
  | (AtAddress & { readonly kind: 'account'; readonly account: ReadAccount })

/** The status, or else the account, with this id or page address, without asking anybody. Two statements. */
export function knownAtAddress(ctx: Ctx, address: string): Query<KnownAtAddress | null> {
  const found = together({ status: statusIdAt(ctx, address), account: readAtAddress(ctx, address) })
  return map(found, ({ status, account }): KnownAtAddress | null => {
    if (status !== null) return { kind: 'status', id: status }
    return account === null ? null : { kind: 'account', id: account.id, account }
  })
}
