import * as z from 'zod'
import type { Ctx } from '../context'
import { Search } from '../contract/entities/search'
import { Flag, Int } from '../contract/scalars'
import { ask, known, type Query, together } from '../db/query'
import { selectById } from '../domain/accounts/find'
import { accountsByUris } from '../domain/accounts/find-by-uri'
import { selectMatching } from '../domain/accounts/find-matching'
import { selectTags } from '../domain/search/find'
import { findIdByAddress } from '../domain/statuses/find-remote'
import { refOf, type Viewer } from '../domain/viewer'
import { BadRequest, Unauthorized } from '../errors'
import { parseHandle } from '../lib/handle'
import type { AccountId, StatusId } from '../lib/ids'
import { loadAccounts, noAccounts } from '../view/load/accounts'
import { loadStatuses, statusesById } from '../view/load/statuses'
import { loadTags, type TagFacts } from '../view/load/tags'
import { presentAccounts } from '../view/present/account'
import { presentStatuses } from '../view/present/status'
import { presentTag } from '../view/present/tag'
import { anyone } from './caller'
import { endpoint } from './endpoint'

const mostResults = 40
const usualResults = 20

const Input = z.object({
  q: z.string().default(''),
  type: z.enum(['accounts', 'hashtags', 'statuses']).nullish(),
  resolve: Flag.default(false),
  following: Flag.default(false),
  exclude_unreviewed: Flag.default(false),
  limit: Int.default(usualResults),
  offset: Int.default(0),
})
type Input = z.output<typeof Input>

export const search = [
  endpoint({
    method: 'GET',
    path: '/api/v2/search',
    summary: 'Accounts and hashtags by their beginnings; accounts and statuses of any server by address',
    auth: anyone('read:search'),
    input: Input,
    output: Search,
    run: async (ctx, { input, viewer }) => {
      refuse(input, viewer)
      const text = input.q.trim()
      const found = isAddress(text)
        ? await atAddress(ctx, text, input)
        : await named(ctx, text, input, viewer)
      const { config, clock } = ctx
      const as = refOf(viewer)
      const wants = (type: NonNullable<Input['type']>) => input.type == null || input.type === type
      const shown = await ask(
        ctx.db,
        together({
          accounts: wants('accounts') ? found.accounts : noAccounts,
          statuses: loadStatuses(ctx, as, statusesById(wants('statuses') ? found.statuses : [])),
          tags: wants('hashtags') ? found.tags : known([]),
        }),
      )
      return {
        accounts: presentAccounts(config, shown.accounts),
        statuses: presentStatuses({ config, now: clock.now() }, shown.statuses),
        hashtags: shown.tags.map((tag) => presentTag(config, tag, viewer !== null)),
        collections: [],
      }
    },
  }),
]

function refuse({ q, resolve, limit, offset }: Input, viewer: Viewer | null): void {
  if (q.trim() === '') throw new BadRequest('Missing parameter: q')
  if (limit < 0 || offset < 0) throw new BadRequest('Limit and offset must not be negative')
  if (viewer !== null) return
  if (resolve)
    throw new Unauthorized(
      'Search queries that resolve remote resources are not supported without authentication',
    )
  if (offset > 0) throw new Unauthorized('Search queries pagination is not supported without authentication')
}

interface Found {
  readonly accounts: typeof noAccounts
  readonly statuses: readonly StatusId[]
  readonly tags: Query<TagFacts[]>
}

function isAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}

/** The one thing with this address: a status or else an account. Another server is asked only where that is wanted. */
async function atAddress(ctx: Ctx, address: string, { resolve, offset }: Input): Promise<Found> {
  const nothing: Found = { accounts: noAccounts, statuses: [], tags: known([]) }
  if (offset > 0) return nothing
  const status = resolve ? await ctx.resolver.statusByUri(address) : await findIdByAddress(ctx, address)
  if (status !== null) return { ...nothing, statuses: [status] }
  const account = resolve ? await ctx.resolver.accountByUri(address) : await knownAccount(ctx, address)
  return account === null ? nothing : { ...nothing, accounts: loadAccounts(ctx, selectById(account)) }
}

async function knownAccount(ctx: Ctx, address: string): Promise<AccountId | null> {
  const [found] = await ask(ctx.db, accountsByUris(ctx, [address]))
  return found?.id ?? null
}

async function named(ctx: Ctx, text: string, input: Input, viewer: Viewer | null): Promise<Found> {
  const name = text.replace(/^@/, '')
  const handle = parseHandle(name, ctx.config.ownDomains)
  const { following: onlyFollowed, offset, resolve } = input
  const limit = Math.min(input.limit, mostResults)
  if (resolve && handle !== null && handle.domain !== null)
    await ctx.resolver.accountByHandle({ username: handle.username, domain: handle.domain })
  const as = refOf(viewer)
  const accounts = text.startsWith('#')
    ? null
    : selectMatching(as, { text: name, handle, onlyFollowed, limit, offset })
  const tags = text.startsWith('@')
    ? null
    : selectTags({ text, onlyReviewed: input.exclude_unreviewed, limit, offset })
  return {
    accounts: accounts === null ? noAccounts : loadAccounts(ctx, accounts),
    statuses: [],
    tags: tags === null ? known([]) : loadTags(ctx, as.id, tags),
  }
}
