import type { AccountBundle } from '../view/load/accounts'
import type { Incoming } from './endpoint'
import { page } from './paginate'
import type { Reply } from './reply'

/** Lists of accounts page by the row that makes the relation, and end where a page is not full. */
export function accountPage<T>(
  body: readonly T[],
  call: { readonly request: Incoming; readonly input: { readonly limit: number } },
  bundle: Pick<AccountBundle, 'cursors'>,
): Reply<T[]> {
  return page(body, call.request, {
    ...{ cursors: bundle.cursors, limit: call.input.limit },
    ...{ prev: 'since_id', nextWhen: 'full' },
  })
}
