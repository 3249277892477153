import { map, type Query } from '../../db/query'
import { Invalid } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import type { Viewer } from '../core/viewer'
import { type InstanceSettings, pickSettings } from '../instance/settings'
import { hasPermission } from '../policy/permissions'

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
