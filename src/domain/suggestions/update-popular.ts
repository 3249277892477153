import { sql } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { settings } from '../../db/schema'
import { restOfMinutes } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { mostFollowed, mostInteractions, popularKey } from './find-popular'
import { mergeSuggestions } from './merge'

/** Time for which the popular accounts are kept: who is popular changes slowly. */
const keptMilliseconds = restOfMinutes(12 * 60)

/** Condition: the popular accounts were not computed for half a day. */
export const isPopularOutdated = ({ clock }: Ctx) => sql`not exists (select 1 from settings
  where key = ${popularKey} and updated_at > ${clock.now().getTime() - keptMilliseconds})`

/** Cron: recomputes the popular accounts. */
export async function updatePopularAccounts(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const { followed, interactions } = await execute(
    ctx.db,
    combineQueries({ followed: mostFollowed(ctx, now), interactions: mostInteractions(ctx, now) }),
  )
  // Mastodon's ranking: both figures count alike, with diminishing returns.
  const ranks = new Map<number, number>()
  for (const { id, figure } of [...followed, ...interactions])
    ranks.set(id, (ranks.get(id) ?? 0) + figure / (1 + figure))
  const entries = mergeSuggestions([
    { source: 'most_followed', ids: followed.map(({ id }) => id) },
    { source: 'most_interactions', ids: interactions.map(({ id }) => id) },
  ]).toSorted((a, b) => (ranks.get(b.id) ?? 0) - (ranks.get(a.id) ?? 0))
  const row = { key: popularKey, value: entries, updatedAt: now }
  const save = ctx.db
    .insert(settings)
    .values(row)
    .onConflictDoUpdate({
      target: settings.key,
      set: { value: sql`excluded.value`, updatedAt: now },
    })
  await commit(ctx, new Changes().add(save))
}
