import { type SQL, sql } from 'drizzle-orm'
import { type BoundedSelection, first, map, type Query } from '../../db/query'
import { Invalid } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { candidateLimit, isOpening, type Page, scanIndex, scanStatuses } from '../core/page'
import type { Viewer, ViewerRef } from '../core/viewer'
import { type InstanceSettings, pickSettings } from '../instance/settings'
import { visibleInDiscovery } from '../policy/blocks-and-mutes'
import { hasPermission } from '../policy/permissions'
import { isTrendingCard } from '../trends/find-links'

/** Filters of a public timeline. With both `local` and `remote`, `local` wins. */
export interface PublicFilter {
  readonly local: boolean
  readonly remote: boolean
  readonly onlyMedia: boolean
}

/**
 * The newest public statuses without reblogs and replies to others, as rows (id, cursor).
 *
 * Local ones are found by the partial index `statuses_public_local`, whose conditions are repeated verbatim: a bound
 * parameter in their place would scan all statuses. All others are found among the newest of all kinds: an index of public
 * ones would be written for each status that arrives.
 */
export function publicSelection(
  viewer: ViewerRef,
  filter: PublicFilter,
  page: Page,
  now: Date,
): BoundedSelection {
  const shown = sql`s.in_reply_to_uri is null and ${narrowedTo(filter)} and ${allowedInPublicTimeline(viewer, now)}`
  const most = candidateLimit({ each: 2, limit: page.limit, of: 'statuses' })
  if (filter.local) return scanStatuses(page, { most, where: sql`${isOpening} and s.local = 1`, shown })
  return scanStatuses(page, { most, where: sql`1`, shown: sql`${isOpening} and ${shown}` })
}

/** The filter as a condition on the statuses row `s`. */
export function narrowedTo({ local, remote, onlyMedia }: PublicFilter): SQL {
  const origin = local ? sql`s.local = 1` : remote ? sql`s.local = 0` : sql`1`
  return onlyMedia ? sql`${origin} and s.attachments <> '[]'` : origin
}

/** True if the public status `s` may be shown to this viewer unrequested. */
export function allowedInPublicTimeline(viewer: ViewerRef, now: Date): SQL {
  return sql`${visibleInDiscovery(viewer, now)} and ${inChosenLanguage(viewer)}`
}

/** True if the status `s` is in a language the viewer chose, or has none. */
function inChosenLanguage(viewer: ViewerRef): SQL {
  if (!viewer.signedIn) return sql`1`
  // Not correlated with the status row, so SQLite reads the choice once per page.
  const chosen = sql`select choice.value from users chooser, json_each(chooser.settings, '$.chosenLanguages') choice
    where chooser.account_id = ${viewer.id} and choice.value is not null`
  return sql`(s.language is null or s.language in (${chosen}) or not exists (${chosen}))`
}

/** True if the page with this address is trending and so has a timeline. One statement. */
export function hasLinkTimeline(ctx: Ctx, url: string, now: Date): Query<boolean> {
  const found = ctx.db
    .select({ id: sql<number>`c.id`.as('id') })
    .from(sql`preview_cards c`)
    .where(sql`c.url = ${url} and ${isTrendingCard(now)}`)
  return map(first(found), (row) => row !== null)
}

/**
 * The newest public statuses that link to the page with this address, by discoverable authors, as rows (id,
 * cursor). Empty if the page has no timeline.
 */
export function linkSelection(viewer: ViewerRef, url: string, page: Page, now: Date): BoundedSelection {
  const card = sql`(select c.id from preview_cards c where c.url = ${url} and ${isTrendingCard(now)})`
  return scanIndex(page, {
    most: candidateLimit({ each: 4, limit: page.limit, of: 'statuses' }),
    of: 'statuses',
    cursor: sql`l.status_id`,
    candidates: (bounds) => sql`select l.status_id as id, l.status_id as cursor from status_links l
      where l.card_id = ${card} and ${bounds}`,
    shown: (
      candidates,
    ) => sql`select s.id as id, s.id as cursor from (${candidates}) linked cross join statuses s
      where s.id = linked.id and s.visibility = 'public' and s.reblog_of_id is null
        and exists (select 1 from accounts found where found.id = s.account_id and found.discoverable = 1)
        and ${allowedInPublicTimeline(viewer, now)}`,
  })
}

/** Access to the two halves of a feed: local and remote statuses. */
export interface FeedAccess {
  readonly local: InstanceSettings['localFeedAccess']
  readonly remote: InstanceSettings['remoteFeedAccess']
}

/** Access to the public timelines. One statement. */
export function liveFeedAccess(ctx: Ctx): Query<FeedAccess> {
  return map(pickSettings(ctx, ['localFeedAccess', 'remoteFeedAccess']), (found) => ({
    local: found.localFeedAccess,
    remote: found.remoteFeedAccess,
  }))
}

/** Access to the hashtag timelines. One statement. */
export function tagFeedAccess(ctx: Ctx): Query<FeedAccess> {
  return map(pickSettings(ctx, ['localTagAccess', 'remoteTagAccess']), (found) => ({
    local: found.localTagAccess,
    remote: found.remoteTagAccess,
  }))
}

/** Halves of a feed shown to a viewer. */
export interface FeedScopes {
  readonly local: boolean
  readonly remote: boolean
}

/**
 * Halves of the requested ones that the viewer may read. `Invalid` for anonymous viewers if one of them is not
 * public.
 *
 * A disabled half is omitted silently, except for roles with the permission to view feeds.
 */
export function resolveScopes(
  access: FeedAccess,
  viewer: Pick<Viewer, 'permissions'> | null,
  asked: { readonly local: boolean; readonly remote: boolean },
): FeedScopes {
  const wanted = { local: asked.local || !asked.remote, remote: !asked.local }
  const isOpen = (half: keyof FeedScopes) =>
    wanted[half] &&
    (access[half] !== 'disabled' || (viewer !== null && hasPermission(viewer.permissions, 'viewFeeds')))
  const needsViewer = (half: keyof FeedScopes) => wanted[half] && access[half] !== 'public'
  if (viewer === null && (needsViewer('local') || needsViewer('remote'))) throw new Invalid('person_required')
  return { local: isOpen('local'), remote: isOpen('remote') }
}

/** Halves of a feed that a page shows to a viewer: closed ones are omitted rather than refused. */
export function visibleScopes(access: FeedAccess, viewer: Pick<Viewer, 'permissions'> | null): FeedScopes {
  const isShown = (half: keyof FeedAccess) =>
    access[half] === 'public' ||
    (viewer !== null && (access[half] === 'authenticated' || hasPermission(viewer.permissions, 'viewFeeds')))
  return { local: isShown('local'), remote: isShown('remote') }
}
