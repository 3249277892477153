import * as z from 'zod'
import { Account } from '../contract/entities/account'
import { Suggestion } from '../contract/entities/search'
import { Id, Limit, Offset } from '../contract/scalars'
import { combineQueries, execute } from '../db/query'
import { type Viewer, type ViewerRef, viewerById } from '../domain/core/viewer'
import { computeSuggestions, dismissSuggestion, isFresh } from '../domain/suggestions/compute'
import { selectSuggested, suggestionsFor } from '../domain/suggestions/find'
import type { Ctx } from '../ports/ctx'
import { loadAccounts } from '../view/load/accounts'
import { presentSuggestions } from '../view/present/account'
import { endpoint, readEndpoint, user } from './endpoint'

const Page = z.object({
  limit: Limit(40, 80),
  offset: Offset(1_000),
})
type Page = z.output<typeof Page>

const reading = { auth: user('read:accounts'), input: Page }

export const suggestions = [
  readEndpoint({
    path: '/api/v2/suggestions',
    summary: 'People the viewer might like to follow, and why',
    ...reading,
    output: z.array(Suggestion),
    read: (ctx, { input, as }) => suggested(ctx, as, input),
    show: async (ctx, call) => {
      const { list, accounts } = await refreshIfStale(ctx, call)
      return presentSuggestions(ctx.config, list?.entries ?? [], accounts)
    },
  }),
  readEndpoint({
    path: '/api/v1/suggestions',
    summary: 'People the viewer might like to follow',
    deprecatedSince: new Date('2021-11-26T00:00:00Z'),
    ...reading,
    output: z.array(Account),
    read: (ctx, { input, as }) => suggested(ctx, as, input),
    show: async (ctx, call) => {
      const { list, accounts } = await refreshIfStale(ctx, call)
      return presentSuggestions(ctx.config, list?.entries ?? [], accounts).map(({ account }) => account)
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/v1/suggestions/:account_id',
    summary: 'Suggest an account no longer',
    auth: user('write:accounts'),
    input: z.object({ account_id: Id }),
    run: (ctx, { input, viewer }) => dismissSuggestion(ctx, viewer, input.account_id),
  }),
]

function suggested(ctx: Ctx, as: ViewerRef, page: Page) {
  return combineQueries({
    list: suggestionsFor(ctx, as),
    accounts: loadAccounts(ctx, selectSuggested(as, page, ctx.clock.now())),
  })
}

type Suggested = ReturnType<ReturnType<typeof suggested>['decode']>

/** The stored list, or a recomputed one if it is stale. */
async function refreshIfStale(
  ctx: Ctx,
  { found, viewer, input }: { readonly found: Suggested; readonly viewer: Viewer; readonly input: Page },
): Promise<Suggested> {
  if (isFresh(found.list, ctx.clock.now())) return found
  await computeSuggestions(ctx, viewer)
  return execute(ctx.db, suggested(ctx, viewerById(viewer.id), input))
}
