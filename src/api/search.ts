import * as z from 'zod'
import { Search } from '../contract/entities/search'
import { Flag, Int, OptionalId } from '../contract/scalars'
import { constant, execute, type Query } from '../db/query'
import { viewerRefOf } from '../domain/core/viewer'
import { activeViewer } from '../domain/sessions/find'
import { isAddress, searchByText, searchKinds, selectInSteps } from '../domain/statuses/search'
import { BadRequest, Unauthorized } from '../errors'
import { loadSearch, type SearchResults } from '../view/load/search'
import { presentAccounts } from '../view/present/account'
import { presentStatuses } from '../view/present/status'
import { presentTag } from '../view/present/tag'
import { anyone, readEndpoint } from './endpoint'

const usualResults = 20

const Input = z.object({
  q: z.string().default(''),
  // Rails treats a blank field as absent.
  type: z.preprocess((sent) => (sent === '' ? undefined : sent), z.enum(searchKinds).nullish()),
  resolve: Flag.default(false),
  following: Flag.default(false),
  exclude_unreviewed: Flag.default(false),
  account_id: OptionalId,
  max_id: OptionalId,
  min_id: OptionalId,
  limit: Int.default(usualResults),
  offset: Int.default(0),
})
type Input = z.output<typeof Input>

export const search = [
  readEndpoint({
    path: '/api/v2/search',
    summary:
      'Accounts and hashtags by their beginnings, statuses by their words and the addresses they link to, accounts and statuses by address',
    auth: anyone('read:search'),
    input: Input,
    output: Search,
    // Null where something is fetched or looked up before the search: the caller has to be known first.
    read: (ctx, { input, as }): Query<SearchResults | null> => {
      assertAllowed(input, as.signedIn)
      const search = searchOf(input)
      if (isAddress(search.text)) return constant(null)
      const { remote, terms, results } = searchByText(ctx, search, as)
      if (remote !== null || terms.statements.length > 0) return constant(null)
      return loadSearch(ctx, as, results(terms.decode([])), search)
    },
    show: async (ctx, { input, viewer, caller, found }) => {
      // Remote fetches and further pages require an account in good standing; a pending user gets the reason.
      if ((input.resolve || input.offset > 0) && caller?.person != null) activeViewer(caller.person)
      assertAllowed(input, viewer !== null)
      const { config, clock } = ctx
      const search = searchOf(input)
      const as = viewerRefOf(viewer)
      const shown =
        found ?? (await execute(ctx.db, loadSearch(ctx, as, await selectInSteps(ctx, search, as), search)))
      return {
        accounts: presentAccounts(config, shown.accounts),
        statuses: presentStatuses({ config, now: clock.now() }, shown.statuses),
        hashtags: shown.tags.map((tag) => presentTag(config, tag, viewer !== null)),
        collections: [],
      }
    },
  }),
]

function assertAllowed({ q, resolve, limit, offset }: Input, isSignedIn: boolean): void {
  if (q.trim() === '') throw new BadRequest('search_without_query')
  if (limit < 0 || offset < 0) throw new BadRequest('search_page')
  if (isSignedIn) return
  if (resolve) throw new Unauthorized('search_resolve')
  if (offset > 0) throw new Unauthorized('search_offset')
}

/** Pages exist only for a single kind of results. */
function searchOf({ q, type, following, exclude_unreviewed, account_id, max_id, min_id, ...input }: Input) {
  return {
    text: q.trim(),
    type: type ?? null,
    resolve: input.resolve,
    onlyFollowed: following,
    onlyReviewed: exclude_unreviewed,
    author: account_id ?? null,
    limit: input.limit,
    maxId: max_id,
    minId: min_id,
    offset: type == null ? 0 : input.offset,
  }
}
