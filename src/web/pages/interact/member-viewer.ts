import { execute } from '../../../db/query'
import type { Viewer } from '../../../domain/core/viewer'
import { peopleById } from '../../../domain/sessions/find'
import { Forbidden } from '../../../errors'
import type { AccountId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'

/** The account of a session as the viewer that commands act for. */
export async function memberViewer(ctx: Ctx, id: AccountId): Promise<Viewer> {
  const person = (await execute(ctx.db, peopleById(ctx, [id]))).get(id)
  if (person === undefined) throw new Forbidden()
  return person.viewer
}
