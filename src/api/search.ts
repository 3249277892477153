import * as z from 'zod'
import { Search } from '../contract/entities/search'
import { Flag, Int, OptionalId } from '../contract/scalars'
import { combineQueries, constant, execute, type Query } from '../db/query'
import { selectById } from '../domain/accounts/find'
import { selectMatching } from '../domain/accounts/find-directory'
import { type Viewer, type ViewerRef, viewerRefOf } from '../domain/core/viewer'
import { selectTags } from '../domain/search/find'
import { searchByWords } from '../domain/search/find-statuses'
import { noTerms, type SearchTerms } from '../domain/search/plan'
import { activeViewer } from '../domain/sessions/find'
import { knownAtAddress } from '../domain/statuses/remote/find-at-address'
import { BadRequest, Unauthorized } from '../errors'
import { parseHandle } from '../lib/handle'
import type { AccountId, StatusId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { loadAccounts, noAccounts } from '../view/load/accounts'
import { loadStatuses, type StatusBundle, statusesById } from '../view/load/statuses'
import { loadTags, type TagFacts, usesPerWeek } from '../view/load/tags'
import { presentAccounts } from '../view/present/account'
import { presentStatuses } from '../view/present/status'
import { presentTag } from '../view/present/tag'
import { anyone, readEndpoint } from './endpoint'

const maxResults = 40
const usualResults = 20

const Input = z.object({
  q: z.string().default(''),
  // Rails treats a blank field as absent.
  type: z.preprocess(
    (sent) => (sent === '' ? undefined : sent),
    z.enum(['accounts', 'hashtags', 'statuses']).nullish(),
  ),
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
      return remote === null && terms.statements.length === 0 ? results(terms.decode([])) : constant(null)
    },
    show: async (ctx, { input, viewer, caller, found }) => {
      // Remote fetches and further pages require an account in good standing; a pending user gets the reason.
      if ((input.resolve || input.offset > 0) && caller?.person != null) activeViewer(caller.person)
      assertAllowed(input, viewer !== null)
      const { config, clock } = ctx
      const shown = found ?? (await searchInSteps(ctx, searchOf(input), viewer))
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

/** Search parameters; pages exist only for a single kind of results. */
interface SearchInput extends Input {
  readonly text: string
}

function searchOf(input: Input): SearchInput {
  return { ...input, text: input.q.trim(), offset: input.type == null ? 0 : input.offset }
}

interface SearchFacts {
  readonly accounts: typeof noAccounts
  readonly statuses: Query<StatusBundle>
  readonly tags: Query<TagFacts[]>
}

const nothing: SearchFacts = {
  accounts: noAccounts,
  statuses: constant({ ids: [], cursors: [], endsEarly: false, statuses: new Map() }),
  tags: constant([]),
}

const resultsOf = (facts: SearchFacts) => combineQueries({ ...facts })
type SearchResults = ReturnType<ReturnType<typeof resultsOf>['decode']>

const wants = ({ type }: SearchInput, kind: NonNullable<Input['type']>) => type == null || type === kind

/** Searches for a known caller: first fetches and looks up handles and addresses in the text. */
async function searchInSteps(ctx: Ctx, search: SearchInput, viewer: Viewer | null): Promise<SearchResults> {
  if (isAddress(search.text)) return execute(ctx.db, resultsOf(await searchByUrl(ctx, search, viewer)))
  const { remote, terms, results } = searchByText(ctx, search, viewerRefOf(viewer))
  // At the host of an actor, a handle may name an account whose handle has another domain.
  const resolved = remote === null ? null : await ctx.resolver.accountByHandle(remote)
  return execute(ctx.db, results(await execute(ctx.db, terms), resolved))
}

function isAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}

/**
 * The resource with this URL: a status or else an account, fetched from its server only if `resolve` is set. After it
 * come the statuses that link to the address, for those who may search statuses.
 */
async function searchByUrl(ctx: Ctx, search: SearchInput, viewer: Viewer | null): Promise<SearchFacts> {
  const { text: address, resolve, offset } = search
  const resource =
    resolve && offset === 0
      ? await ctx.resolver.resolveAddress(address)
      : await execute(ctx.db, knownAtAddress(ctx, address))
  const account =
    resource?.kind === 'account' && offset === 0 && wants(search, 'accounts') ? resource.id : null
  const status = resource?.kind === 'status' ? resource.id : null
  const statuses = wants(search, 'statuses') ? linking(ctx, search, viewerRefOf(viewer), status) : null
  return {
    ...nothing,
    accounts: account === null ? noAccounts : loadAccounts(ctx, selectById(account)),
    statuses: statuses ?? nothing.statuses,
  }
}

/** Statuses that link to the address searched for, after the status at this address. */
function linking(ctx: Ctx, search: SearchInput, as: ViewerRef, first: StatusId | null) {
  const words = as.signedIn ? searchByWords(ctx, as, { ...wordsIn(search), first }) : null
  const found = words?.select(noTerms) ?? null
  if (found !== null) return loadStatuses(ctx, as, found)
  return first === null || search.offset > 0 ? null : loadStatuses(ctx, as, statusesById([first]))
}

/** Search by text, in the order of its steps. */
interface TextSearch {
  /** Handle of an account on another server that is fetched first; null for none. */
  readonly remote: { readonly username: string; readonly domain: string } | null
  /** Look-up of what the text names; without a statement where it names nothing. */
  readonly terms: Query<SearchTerms>
  /** `resolved`: the account that `remote` is. */
  results(terms: SearchTerms, resolved?: AccountId | null): Query<SearchResults>
}

function searchByText(ctx: Ctx, search: SearchInput, as: ViewerRef): TextSearch {
  const limit = Math.min(search.limit, maxResults)
  const { text, offset, exclude_unreviewed: onlyReviewed } = search
  const isOneOfMany = search.type == null
  const name = text.replace(/^@/, '')
  const handle = wants(search, 'accounts') ? parseHandle(name, ctx.config.ownDomains) : null
  const { following: onlyFollowed } = search
  const accountsWith = (resolved: AccountId | null) =>
    wants(search, 'accounts') && !text.startsWith('#')
      ? selectMatching(as, { text: name, handle, resolved, onlyFollowed, limit, offset, isOneOfMany })
      : null
  const words = as.signedIn && wants(search, 'statuses') ? searchByWords(ctx, as, wordsIn(search)) : null
  const isTagged = wants(search, 'hashtags') && !text.startsWith('@')
  const tags = isTagged ? selectTags({ viewer: as, text, onlyReviewed, limit, offset, isOneOfMany }) : null
  return {
    remote: search.resolve && handle?.domain != null ? { ...handle, domain: handle.domain } : null,
    terms: words?.terms ?? constant(noTerms),
    results: (terms, resolved = null) => {
      const statuses = words?.select(terms) ?? null
      const accounts = accountsWith(resolved)
      return resultsOf({
        accounts: accounts === null ? noAccounts : loadAccounts(ctx, accounts),
        statuses: statuses === null ? nothing.statuses : loadStatuses(ctx, as, statuses),
        tags:
          tags === null
            ? nothing.tags
            : loadTags(ctx, as.id, tags, usesPerWeek(isOneOfMany ? 'part' : 'alone', limit)),
      })
    },
  }
}

function wordsIn({ text, type, account_id, max_id, min_id, limit, offset }: SearchInput) {
  return {
    text,
    author: account_id ?? null,
    page: { limit: Math.min(limit, maxResults), maxId: max_id, minId: min_id },
    offset,
    isOneOfMany: type == null,
  }
}
