import { type SQL, sql } from 'drizzle-orm'
import { parseHandle } from '../../contract/handle'
import { constant, execute, type Query } from '../../db/query'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { selectById } from '../accounts/find'
import { selectMatching } from '../accounts/find-directory'
import type { ViewerRef } from '../core/viewer'
import { selectTags } from '../search/find'
import { searchByWords } from '../search/find-statuses'
import { noTerms, type SearchTerms } from '../search/plan'
import { knownAtAddress } from './remote/find-at-address'

const maxResults = 40

export const searchKinds = ['accounts', 'hashtags', 'statuses'] as const
export type SearchKind = (typeof searchKinds)[number]

export interface SearchInput {
  /** Without spaces around it. */
  readonly text: string
  /** Null for all kinds, of which there is one page. */
  readonly type: SearchKind | null
  /** Fetches what the text names on another server. */
  readonly resolve: boolean
  /** Accounts that the viewer follows alone. */
  readonly onlyFollowed: boolean
  /** Hashtags that moderators reviewed alone. */
  readonly onlyReviewed: boolean
  /** Statuses of this account alone. */
  readonly author: AccountId | null
  readonly limit: number
  readonly maxId: number | undefined
  readonly minId: number | undefined
  readonly offset: number
}

/** Results as selections (id, cursor); null for a kind that has none. */
export interface SearchSelections {
  readonly accounts: SQL | null
  readonly statuses: SQL | null
  readonly tags: SQL | null
}

const wants = ({ type }: SearchInput, kind: SearchKind) => type === null || type === kind

/** Searches for a known caller: first fetches and looks up handles and addresses in the text. */
export async function selectInSteps(ctx: Ctx, search: SearchInput, as: ViewerRef): Promise<SearchSelections> {
  if (isAddress(search.text)) return searchByUrl(ctx, search, as)
  const { remote, terms, results } = searchByText(ctx, search, as)
  // At the host of an actor, a handle may name an account whose handle has another domain.
  const resolved = remote === null ? null : await ctx.resolver.accountByHandle(remote)
  return results(await execute(ctx.db, terms), resolved)
}

export function isAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}

/**
 * The resource with this URL: a status or else an account, fetched from its server only if `resolve` is set. After it
 * come the statuses that link to the address, for those who may search statuses.
 */
async function searchByUrl(ctx: Ctx, search: SearchInput, as: ViewerRef): Promise<SearchSelections> {
  const { text: address, resolve, offset } = search
  const resource =
    resolve && offset === 0
      ? await ctx.resolver.resolveAddress(address)
      : await execute(ctx.db, knownAtAddress(ctx, address))
  const account =
    resource?.kind === 'account' && offset === 0 && wants(search, 'accounts') ? resource.id : null
  const status = resource?.kind === 'status' ? resource.id : null
  return {
    accounts: account === null ? null : selectById(account),
    statuses: wants(search, 'statuses') ? linking(ctx, search, as, status) : null,
    tags: null,
  }
}

/** Statuses that link to the address searched for, after the status at this address. */
function linking(ctx: Ctx, search: SearchInput, as: ViewerRef, first: StatusId | null): SQL | null {
  const words = as.signedIn ? searchByWords(ctx, as, { ...wordsIn(search), first }) : null
  const found = words?.select(noTerms) ?? null
  if (found !== null || first === null || search.offset > 0) return found
  return sql`select ${first} as id, 0 as cursor`
}

/** Search by text, in the order of its steps. */
export interface TextSearch {
  /** Handle of an account on another server that is fetched first; null for none. */
  readonly remote: { readonly username: string; readonly domain: string } | null
  /** Look-up of what the text names; without a statement where it names nothing. */
  readonly terms: Query<SearchTerms>
  /** `resolved`: the account that `remote` is. */
  results(terms: SearchTerms, resolved?: AccountId | null): SearchSelections
}

export function searchByText(ctx: Ctx, search: SearchInput, as: ViewerRef): TextSearch {
  const limit = Math.min(search.limit, maxResults)
  const { text, offset, onlyReviewed } = search
  const isOneOfMany = search.type === null
  const name = text.replace(/^@/, '')
  const handle = wants(search, 'accounts') ? parseHandle(name, ctx.config.ownDomains) : null
  const { onlyFollowed } = search
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
    results: (terms, resolved = null) => ({
      accounts: accountsWith(resolved),
      statuses: words?.select(terms) ?? null,
      tags,
    }),
  }
}

function wordsIn({ text, type, author, maxId, minId, limit, offset }: SearchInput) {
  return {
    text,
    author,
    page: { limit: Math.min(limit, maxResults), maxId, minId },
    offset,
    isOneOfMany: type === null,
  }
}
