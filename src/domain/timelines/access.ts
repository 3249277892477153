import { map, type Query } from '../../db/query'
import { Invalid } from '../../errors'
import type { Ctx } from '../../platform/ports'
import type { Viewer } from '../core/viewer'
import { type InstanceSettings, pickSettings } from '../instance/settings'
import { hasPermission } from '../policy/permissions'

/** Who reads the two halves of a feed: what people of this server wrote, and what others did. */
export interface FeedAccess {
  readonly local: InstanceSettings['localFeedAccess']
  readonly remote: InstanceSettings['remoteFeedAccess']
}

/** Who reads the public timelines. One statement. */
export function liveFeedAccess(ctx: Ctx): Query<FeedAccess> {
  return map(pickSettings(ctx, ['localFeedAccess', 'remoteFeedAccess']), (found) => ({
    local: found.localFeedAccess,
    remote: found.remoteFeedAccess,
  }))
}

/** Who reads the timelines of hashtags. One statement. */
export function tagFeedAccess(ctx: Ctx): Query<FeedAccess> {
  return map(pickSettings(ctx, ['localTagAccess', 'remoteTagAccess']), (found) => ({
    local: found.localTagAccess,
    remote: found.remoteTagAccess,
  }))
}

/** Which halves of a feed a viewer is shown. */
export interface FeedScopes {
  readonly local: boolean
  readonly remote: boolean
}

/**
 * What of the asked halves the viewer may read. `Invalid` for strangers as soon as one of them is not public.
 *
 * A half nobody may read is left out without a word, but for roles with the permission for feeds.
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
  if (viewer === null && (needsViewer('local') || needsViewer('remote')))
    throw new Invalid('This method requires an authenticated user')
  return { local: isOpen('local'), remote: isOpen('remote') }
}

/** Which halves of a feed a page shows to a viewer: what is closed to strangers is left out rather than refused. */
export function visibleScopes(access: FeedAccess, viewer: Pick<Viewer, 'permissions'> | null): FeedScopes {
  const isShown = (half: keyof FeedAccess) =>
    access[half] === 'public' ||
    (viewer !== null && (access[half] === 'authenticated' || hasPermission(viewer.permissions, 'viewFeeds')))
  return { local: isShown('local'), remote: isShown('remote') }
}
