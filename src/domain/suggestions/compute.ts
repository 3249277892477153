import { sql } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { suggestionLists } from '../../db/schema'
import type { SuggestionEntry, SuggestionSource } from '../../db/schema/discovery'
import { parseHandle } from '../../lib/handle'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { accountsByHandles } from '../accounts/find'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { pickSettings } from '../instance/settings'
import { friendsOfFriends, type SuggestionList } from './find'
import { popularAccounts } from './find-popular'
import { mergeSuggestions } from './merge'

const friendsSuggested = 60
const validMilliseconds = 30 * 60_000

/** Whether a list is still fresh at `now`. Mastodon caches its own for a quarter of an hour. */
export function isFresh(list: SuggestionList | null, now: Date): boolean {
  return list !== null && now.getTime() - list.computedAt.getTime() < validMilliseconds
}

/**
 * Computes and stores the viewer's suggestions: accounts featured by the operator, friends of friends, and popular
 * accounts, in this order.
 */
export async function computeSuggestions(ctx: Ctx, viewer: Pick<Viewer, 'id'>): Promise<void> {
  const now = ctx.clock.now()
  const found = await execute(
    ctx.db,
    combineQueries({
      settings: pickSettings(ctx, ['featuredAccounts']),
      friends: friendsOfFriends(ctx, viewerById(viewer.id), now, friendsSuggested),
      popular: popularAccounts(ctx),
    }),
  )
  const featured = await featuredIds(ctx, found.settings.featuredAccounts)
  const entries = mergeSuggestions([
    { source: 'featured', ids: featured },
    { source: 'friends_of_friends', ids: found.friends.map(({ id }) => id) },
    ...bySource(found.popular),
  ])
  const save = ctx.db
    .insert(suggestionLists)
    .values({ accountId: viewer.id, entries, computedAt: now })
    .onConflictDoUpdate({
      target: suggestionLists.accountId,
      set: { entries: sql`excluded.entries`, computedAt: now },
    })
  await commit(ctx, new Changes().add(save))
}

/** The accounts the operator features, in the order given, as far as they are known here. */
async function featuredIds(ctx: Ctx, names: readonly string[]): Promise<AccountId[]> {
  const handles = names.flatMap((name) => parseHandle(name, ctx.config.ownDomains) ?? [])
  if (handles.length === 0) return []
  const resolved = await execute(ctx.db, accountsByHandles(ctx, handles))
  return handles.flatMap(
    ({ username, domain }) =>
      resolved.find(
        (account) => account.username.toLowerCase() === username.toLowerCase() && account.domain === domain,
      )?.id ?? [],
  )
}

/** An entry of its own for each account, so that the order is kept. */
function bySource(entries: readonly SuggestionEntry[]) {
  return entries.flatMap(({ id, sources }) =>
    sources.map((source): { source: SuggestionSource; ids: AccountId[] } => ({ source, ids: [id] })),
  )
}
