import { both, execute } from '../../../db/query'
import { findPendingChanges, limitsOn, subscriptionById } from '../../../domain/moderation/blocklists/find'
import { NotFound } from '../../../errors'
import type { Ctx } from '../../../ports/ctx'
import type { PageQuery } from '../../member-pages/declaration'
import { pageBehind, readMaxId } from '../../pagination'
import { paths } from '../../paths'

const pageLength = 60

export async function loadList(ctx: Ctx, { id, query }: PageQuery) {
  if (id === null) throw new NotFound()
  const page = { limit: pageLength, maxId: readMaxId(query('max_id')) }
  const [list, changes] = await execute(
    ctx.db,
    both(subscriptionById(ctx, id), findPendingChanges(ctx, id, page)),
  )
  if (list === null) throw new NotFound()
  const domains = changes.map(({ domain }) => domain)
  const limits = await execute(ctx.db, limitsOn(ctx, domains))
  const last = changes.length < pageLength ? null : changes.at(-1)?.id
  return {
    list,
    changes: changes.map((change) => ({ ...change, existing: limits.get(change.domain)?.severity ?? null })),
    olderUrl: pageBehind(`${paths.blocklists}/${id}`, last),
  }
}

export type FoundBlocklist = Awaited<ReturnType<typeof loadList>>
