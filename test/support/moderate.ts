import { type AccountAction, actOnAccount } from '../../src/domain/moderation/act'
import { operator } from '../../src/domain/policy/permissions'
import type { Ctx } from '../../src/ports/ctx'
import { context } from './test-app'

/** Puts an account into a state as the operator does by a script. Returns the id of the strike. */
export function moderate(
  account: { readonly id: number },
  type: AccountAction['type'],
  { ctx = context(), ...action }: Partial<AccountAction> & { readonly ctx?: Ctx } = {},
): Promise<number> {
  return actOnAccount(ctx, operator, {
    accountId: account.id,
    type,
    text: '',
    reportId: null,
    warningPresetId: null,
    sendEmail: true,
    statusIds: null,
    collectionIds: null,
    ...action,
  })
}
