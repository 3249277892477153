import type { Ctx } from '../../context'
import type { Relationship } from '../../contract/entities/relationship'
import { ask } from '../../db/query'
import { selectKnown } from '../../domain/accounts/find'
import { refById, type Viewer } from '../../domain/viewer'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import { loadRelationships } from '../../view/load/relationships'
import { presentRelationship } from '../../view/present/relationship'

/** How the viewer stands to `target` now: the answer to every change between the two. */
export async function relationshipTo(ctx: Ctx, viewer: Viewer, target: AccountId): Promise<Relationship> {
  const [facts] = await ask(ctx.db, loadRelationships(ctx, refById(viewer.id), selectKnown([target])))
  if (facts === undefined) throw new NotFound()
  return presentRelationship(facts)
}
