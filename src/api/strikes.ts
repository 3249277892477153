import * as z from 'zod'
import { Strike } from '../contract/entities/report'
import { Id } from '../contract/scalars'
import { both, combineQueries, execute } from '../db/query'
import { loadRules } from '../domain/instance/rules'
import { createAppeal } from '../domain/moderation/appeal'
import { findStrikes } from '../domain/moderation/find-strikes'
import { findCollectionEvidence, findEvidence } from '../domain/reports/find'
import { presentStrike } from '../view/present/report'
import { endpoint, user } from './endpoint'
import { page, pageOf, paging } from './paginate'

export const strikes = [
  endpoint({
    method: 'GET',
    path: '/api/fieldfare/v1/strikes',
    summary: 'Decisions of the moderators about the viewer, newest first, with appeals and evidence',
    auth: user('read:accounts'),
    input: z.object(paging(20, 40)),
    output: z.array(Strike),
    run: async (ctx, { viewer, input, request }) => {
      const [found, rules] = await execute(
        ctx.db,
        both(findStrikes(ctx, { targetId: viewer.id }, pageOf(input)), loadRules(ctx)),
      )
      const strikeIds = found.map(({ id }) => id)
      const [evidence, collections] = await execute(
        ctx.db,
        both(findEvidence(ctx, { strikeIds }), findCollectionEvidence(ctx, { strikeIds })),
      )
      return page(
        found.map((strike) => presentStrike(ctx.config, strike, { evidence, collections, rules })),
        request,
        { cursors: strikeIds, limit: input.limit },
      )
    },
  }),
  endpoint({
    path: '/api/fieldfare/v1/strikes/:id/appeal',
    summary: 'Appeals against a decision of the moderators: once, within twenty days',
    auth: user('write:accounts'),
    input: z.object({ id: Id, text: z.string().default('') }),
    output: Strike,
    run: async (ctx, { viewer, input: { id: strikeId, text } }) => {
      const strike = await createAppeal(ctx, viewer.id, { strikeId, text })
      const of = { strikeIds: [strikeId] }
      const found = await execute(
        ctx.db,
        combineQueries({
          evidence: findEvidence(ctx, of),
          collections: findCollectionEvidence(ctx, of),
          rules: loadRules(ctx),
        }),
      )
      return presentStrike(ctx.config, strike, found)
    },
  }),
]
