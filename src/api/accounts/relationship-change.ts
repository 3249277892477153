import * as z from 'zod'
import { Relationship } from '../../contract/entities/account'
import { Id } from '../../contract/scalars'
import { execute } from '../../db/query'
import { selectKnown } from '../../domain/accounts/find'
import { type Viewer, viewerById } from '../../domain/core/viewer'
import type { Scope } from '../../domain/sessions/scopes'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { RateFamily } from '../../ports/rate-limits'
import { loadRelationships } from '../../view/load/relationships'
import { presentRelationship } from '../../view/present/account'
import { user } from '../caller'
import { type Endpoint, endpoint } from '../endpoint'

export const ById = z.object({ id: Id })

interface Change<I extends z.ZodType<{ id: AccountId }>> {
  readonly path: `/${string}`
  readonly summary: string
  readonly scope: Scope
  readonly limit?: RateFamily
  readonly deprecatedSince?: Date
  readonly input: I
  make(ctx: Ctx, viewer: Viewer, input: z.output<I>): Promise<void>
}

/** Declares a route that changes the relationship between the viewer and account `id`, and returns it. */
export function relationshipChange<I extends z.ZodType<{ id: AccountId }>>(change: Change<I>): Endpoint {
  const { path, summary, scope, limit, deprecatedSince, input, make } = change
  return endpoint({
    method: 'POST',
    path,
    summary,
    input,
    ...(limit === undefined ? {} : { limit }),
    ...(deprecatedSince === undefined ? {} : { deprecatedSince }),
    auth: user(scope),
    output: Relationship,
    run: async (ctx, call) => {
      await make(ctx, call.viewer, call.input)
      return relationshipTo(ctx, call.viewer, call.input.id)
    },
  })
}

async function relationshipTo(ctx: Ctx, viewer: Viewer, target: AccountId): Promise<Relationship> {
  const [facts] = await execute(ctx.db, loadRelationships(ctx, viewerById(viewer.id), selectKnown([target])))
  if (facts === undefined) throw new NotFound()
  return presentRelationship(facts)
}
