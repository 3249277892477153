import { sql } from 'drizzle-orm'
import { parseHandle } from '../../contract/handle'
import { combineQueries, execute } from '../../db/query'
import { settings, suggestionDismissals, suggestionLists } from '../../db/schema'
import type { SuggestionEntry, SuggestionSource } from '../../db/schema/discovery'
import { restOfMinutes } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { accountsByHandles } from '../accounts/find'
import { Changes, commit } from '../core/changes'
import { type Viewer, type ViewerRef, viewerById } from '../core/viewer'
import { pickSettings } from '../instance/settings'
import { anySuggestible, friendsOfFriends, listedHere, type SuggestionList } from './find'
import { mostFollowed, mostInteractions, popularAccounts, popularKey } from './find-popular'

const friendsSuggested = 60
const listedSuggested = 40
const validMilliseconds = 30 * 60_000

/** Whether a list is still fresh at `now`. Mastodon caches its own for a quarter of an hour. */
export function isFresh(list: SuggestionList | null, now: Date): boolean {
  return list !== null && now.getTime() - list.computedAt.getTime() < validMilliseconds
}

/**
 * Computes and stores the viewer's suggestions: accounts featured by the operator, friends of friends, and popular
 * accounts, in this order. Where none of them may be suggested, accounts of the directory, without a source.
 */
export async function computeSuggestions(ctx: Ctx, viewer: Pick<Viewer, 'id'>): Promise<void> {
  const now = ctx.clock.now()
  const found = await execute(
    ctx.db,
    combineQueries({
      settings: pickSettings(ctx, ['featuredAccounts', 'profileDirectory']),
      friends: friendsOfFriends(ctx, viewerById(viewer.id), now, friendsSuggested),
      popular: popularAccounts(ctx),
    }),
  )
  const featured = await featuredIds(ctx, found.settings.featuredAccounts)
  const merged = mergeSuggestions([
    { source: 'featured', ids: featured },
    { source: 'friends_of_friends', ids: found.friends.map(({ id }) => id) },
    ...bySource(found.popular),
  ])
  // Friends of friends are known to be suggestible; others may be followed or blocked by now.
  const isEnough = found.friends.length > 0 || !found.settings.profileDirectory
  const entries = isEnough ? merged : await orListed(ctx, viewerById(viewer.id), merged)
  const save = ctx.db
    .insert(suggestionLists)
    .values({ accountId: viewer.id, entries, computedAt: now })
    .onConflictDoUpdate({
      target: suggestionLists.accountId,
      set: { entries: sql`excluded.entries`, computedAt: now },
    })
  await commit(ctx, new Changes().add(save))
}

/** The entries if any of them may be suggested, else accounts of the directory. One round trip. */
async function orListed(
  ctx: Ctx,
  viewer: ViewerRef,
  entries: readonly SuggestionEntry[],
): Promise<readonly SuggestionEntry[]> {
  const now = ctx.clock.now()
  const ids = entries.map(({ id }) => id)
  const { isAny, listed } = await execute(
    ctx.db,
    combineQueries({
      isAny: anySuggestible(ctx, viewer, now, ids),
      listed: listedHere(ctx, viewer, now, listedSuggested),
    }),
  )
  return isAny ? entries : listed.map(({ id }) => ({ id, sources: [] }))
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

/** Accounts suggested by one source, best first. */
export interface RankedSource {
  readonly source: SuggestionSource
  readonly ids: readonly AccountId[]
}

/** Each account once, at its first position, with every source that suggests it. Pure. */
function mergeSuggestions(lists: readonly RankedSource[]): SuggestionEntry[] {
  const sources = new Map<AccountId, SuggestionSource[]>()
  for (const { source, ids } of lists)
    for (const id of ids) {
      const known = sources.get(id) ?? []
      sources.set(id, known.includes(source) ? known : [...known, source])
    }
  return [...sources].map(([id, named]) => ({ id, sources: named }))
}

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

/**
 * Excludes `target` from the viewer's suggestions for good. The response does not reveal whether the account exists.
 */
export async function dismissSuggestion(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  target: AccountId,
): Promise<void> {
  const keep = ctx.db.run(sql`insert into ${suggestionDismissals} (account_id, target_account_id)
    select ${viewer.id}, a.id from accounts a where a.id = ${target} on conflict do nothing`)
  await commit(ctx, new Changes().add(keep))
}
