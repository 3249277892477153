import * as z from 'zod'
import { AdminAccount } from '../../contract/entities/admin/account'
import { Flag, OptionalId, OptionalIdList, OptionalText } from '../../contract/scalars'
import { execute } from '../../db/query'
import { type AccountFilter, accountStates, planAccountPage } from '../../domain/moderation/find-accounts'
import { Invalid } from '../../errors'
import { type AddressRange, parseAddressRange } from '../../lib/network'
import type { Ctx } from '../../ports/ctx'
import { loadScannedAccounts } from '../../view/load/admin-accounts'
import { presentAdminAccounts } from '../../view/present/admin-account'
import { type ApiRequest, endpoint, staff } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const maxText = 200

/** Conditions that both versions know. */
const Texts = z.object({
  username: OptionalText,
  display_name: OptionalText,
  by_domain: OptionalText,
  email: OptionalText,
  ip: OptionalText,
})

const V1 = Texts.extend({
  local: Flag,
  remote: Flag,
  active: Flag,
  pending: Flag,
  disabled: Flag,
  silenced: Flag,
  suspended: Flag,
  sensitized: Flag,
  staff: Flag,
  ...paging(100, 200),
})

const blankToUndefined = (sent: unknown) => (sent === '' || sent === null ? undefined : sent)

const V2 = Texts.extend({
  origin: z.preprocess(blankToUndefined, z.enum(['local', 'remote']).optional()),
  status: z.preprocess(blankToUndefined, z.enum(accountStates).optional()),
  permissions: z.preprocess(blankToUndefined, z.enum(['staff']).optional()),
  role_ids: OptionalIdList,
  invited_by: OptionalId,
  ...paging(100, 200),
})

export const adminAccountLists = [
  endpoint({
    method: 'GET',
    path: '/api/v1/admin/accounts',
    summary:
      'Accounts with what moderators see of them: local ones that are not suspended unless asked otherwise',
    auth: staff('admin:read:accounts', 'manageUsers'),
    input: V1,
    output: z.array(AdminAccount),
    run: (ctx, { input, request }) => listAccounts(ctx, { filter: filterOfV1(input), input, request }),
  }),
  endpoint({
    method: 'GET',
    path: '/api/v2/admin/accounts',
    summary: 'Accounts with what moderators see of them',
    auth: staff('admin:read:accounts', 'manageUsers'),
    input: V2,
    output: z.array(AdminAccount),
    run: (ctx, { input, request }) => listAccounts(ctx, { filter: filterOfV2(input), input, request }),
  }),
]

interface ListRequest {
  /** Null where no account can meet the conditions. */
  readonly filter: AccountFilter | null
  readonly input: Parameters<typeof pageOf>[0]
  readonly request: ApiRequest
}

async function listAccounts(ctx: Ctx, { filter, input, request }: ListRequest) {
  if (filter === null || input.limit === 0) return []
  const scan = await planAccountPage(ctx, filter, pageOf(input))
  const bundle = await execute(ctx.db, loadScannedAccounts(ctx, scan))
  return page(presentAdminAccounts(ctx.config, bundle), request, {
    cursors: bundle.cursors,
    limit: scan.limit,
    endsEarly: bundle.endsEarly,
  })
}

/**
 * The first version as Mastodon reads it: flags that are set narrow by one state, the last of them, and without any the
 * list holds local accounts that are not suspended. A domain alone asks for remote accounts.
 */
function filterOfV1(input: z.output<typeof V1>): AccountFilter | null {
  const states = accountStates.filter((state) => input[state] === true)
  const isRemote = input.remote === true || (input.local !== true && text(input.by_domain) !== undefined)
  return withTexts(input, {
    origin: isRemote ? 'remote' : 'local',
    status: states.at(-1) ?? 'active',
    isStaff: input.staff,
  })
}

function filterOfV2(input: z.output<typeof V2>): AccountFilter | null {
  return withTexts(input, {
    origin: input.origin,
    status: input.status,
    isStaff: input.permissions === 'staff',
    roleIds: input.role_ids,
    invitedBy: input.invited_by,
  })
}

function withTexts(input: z.output<typeof Texts>, filter: AccountFilter): AccountFilter | null {
  const addresses = addressesOf(text(input.ip))
  if (addresses === null) return null
  return {
    ...filter,
    username: text(input.username)?.replace(/^@/, ''),
    displayName: text(input.display_name),
    domain: text(input.by_domain),
    email: text(input.email),
    addresses,
  }
}

/** Null for an invalid address: no account used it, as in Mastodon. */
function addressesOf(sent: string | undefined): AddressRange | undefined | null {
  return sent === undefined ? undefined : parseAddressRange(sent)
}

function text(sent: string | undefined): string | undefined {
  const trimmed = sent?.replaceAll('\u0000', '').trim() ?? ''
  if (trimmed.length > maxText) throw new Invalid('condition_too_long', { max: maxText })
  return trimmed === '' ? undefined : trimmed
}
