import { Hono } from 'hono'
import { combineQueries, constant, execute, type Query } from '../../../db/query'
import { type ViewerRef, viewerById } from '../../../domain/core/viewer'
import {
  isAddress,
  type SearchInput,
  searchByText,
  searchKinds,
  selectInSteps,
} from '../../../domain/statuses/search'
import { Invalid } from '../../../errors'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadSearch, type SearchResults } from '../../../view/load/search'
import { presentStatuses } from '../../../view/present/status'
import { presentTag } from '../../../view/present/tag'
import type { PageError } from '../../error-texts'
import { type MemberFrame, showMemberView } from '../../member-view'
import { WithErrors } from '../../page-context'
import { paths } from '../../paths'
import { postView } from '../../posts/post-view'
import { relatedPeople } from '../people/related'
import { lastOffset, pageSize, type SearchAsked, type SearchFound } from './asked'
import { SearchPage } from './view'

/** Search for people, posts and hashtags, also by address and handle of any server. */
export function searchRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.search, showSearch)
  return app
}

/** Outcome of the first round trip: all results, that it takes further steps, or why the text is no search. */
type Opening =
  | { readonly kind: 'found'; readonly results: SearchResults }
  | { readonly kind: 'steps' }
  | { readonly kind: 'nothing-asked' }
  | { readonly kind: 'refused'; readonly problems: readonly PageError[] }

async function showSearch(c: AppContext): Promise<Response> {
  const asked = askedIn(c)
  const input = inputOf(asked)
  return showMemberView(c, {
    forVisitors: async () => c.redirect(paths.explore),
    read: (ctx, as) => open(ctx, input, as),
    show: async (frame, opening) => {
      const page = { ...frame, asked, found: null }
      if (opening.kind === 'nothing-asked') return <SearchPage {...page} />
      if (opening.kind === 'refused')
        return (
          <WithErrors errors={{ form: opening.problems }}>
            <SearchPage {...page} />
          </WithErrors>
        )
      const ctx = c.get('ctx')
      const as = viewerById(frame.session.accountId)
      const results =
        opening.kind === 'found'
          ? opening.results
          : await execute(ctx.db, loadSearch(ctx, as, await selectInSteps(ctx, input, as), input))
      return <SearchPage {...page} found={await foundOf(ctx, frame, input, results)} />
    },
  })
}

function askedIn(c: AppContext): SearchAsked {
  const text = (c.req.query('q') ?? '').trim().slice(0, 1_000)
  const type = searchKinds.find((kind) => kind === c.req.query('type')) ?? null
  const offset = c.req.query('offset') ?? ''
  const known = type !== null && /^\d{1,3}$/.test(offset) ? Math.min(Number(offset), lastOffset) : 0
  return { text, type, offset: known }
}

function inputOf({ text, type, offset }: SearchAsked): SearchInput {
  return {
    text,
    type,
    resolve: offset === 0,
    onlyFollowed: false,
    onlyReviewed: false,
    author: null,
    limit: type === null ? pageSize.all : pageSize.one,
    maxId: undefined,
    minId: undefined,
    offset,
  }
}

/** Searches in the first round trip where nothing has to be fetched or looked up before, as the API does. */
function open(ctx: Ctx, input: SearchInput, as: ViewerRef): Query<Opening> {
  if (input.text === '') return constant({ kind: 'nothing-asked' })
  if (isAddress(input.text)) return constant({ kind: 'steps' })
  try {
    const { remote, terms, results } = searchByText(ctx, input, as)
    if (remote !== null || terms.statements.length > 0) return constant({ kind: 'steps' })
    return combineQueries({
      kind: constant('found' as const),
      results: loadSearch(ctx, as, results(terms.decode([])), input),
    })
  } catch (failure) {
    if (!(failure instanceof Invalid)) throw failure
    return constant({ kind: 'refused', problems: failure.problems })
  }
}

async function foundOf(
  ctx: Ctx,
  { session, now }: MemberFrame,
  { limit, type }: SearchInput,
  results: SearchResults,
): Promise<SearchFound> {
  const { config } = ctx
  const people = await relatedPeople(ctx, results.accounts, session.accountId)
  const posts = presentStatuses({ config, now }, results.statuses).map((status) =>
    postView(config, status, session.accountId),
  )
  const tags = results.tags.map((tag) => presentTag(config, tag, true))
  const count = {
    accounts: results.accounts.ids.length,
    statuses: results.statuses.ids.length,
    hashtags: tags.length,
  }
  return { people, posts, tags, isFull: type !== null && count[type] >= limit }
}
