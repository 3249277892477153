import * as z from 'zod'
import { AsyncRefresh } from '../contract/entities/status-details'
import {
  findRefresh,
  isOwnRefreshId,
  type Refresh,
  refreshId,
  subjectOfRefreshId,
} from '../domain/core/async-refreshes'
import { NotFound } from '../errors'
import type { Ctx } from '../ports/ctx'
import { readEndpoint, user } from './endpoint'

export const asyncRefreshes = [
  readEndpoint({
    path: '/api/v1_alpha/async_refreshes/:id',
    summary: 'How far work is that goes on behind an earlier answer',
    auth: user('read'),
    input: z.object({ id: z.string() }),
    output: z.strictObject({ async_refresh: AsyncRefresh }),
    read: (ctx, { input }) => findRefresh(ctx, subjectOfRefreshId(input.id)),
    show: async (ctx, { input, found }) => {
      if (found === null || !(await isOwnRefreshId(ctx, input.id))) throw new NotFound()
      const { status, resultCount } = found
      return { async_refresh: { id: input.id, status, result_count: resultCount } }
    },
  }),
]

/** Seconds until a client should poll again. */
const retrySeconds = 3

/** Announces background work behind a response to the client, as long as it runs. */
export async function refreshHeaders(
  ctx: Ctx,
  refresh: Refresh | null,
): Promise<Readonly<Record<string, string>>> {
  if (refresh === null || refresh.status === 'finished') return {}
  const { subject, resultCount } = refresh
  const count = resultCount === null ? '' : `, result_count=${resultCount}`
  const id = await refreshId(ctx, subject)
  return { 'Mastodon-Async-Refresh': `id="${id}", retry=${retrySeconds}${count}` }
}
