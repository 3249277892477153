import type { Viewer } from '../domain/core/viewer'
import { type FeedAccess, visibleScopes } from '../domain/timelines/public'
import type { TextKey } from '../lib/translate'
import { paths } from './paths'

/** Pages for visitors, in the order of their tabs. */
export const explorePlaces = ['trends', 'local', 'all', 'people'] as const
export type ExplorePlace = (typeof explorePlaces)[number]

/** Address and label, in English, of each. */
export const explorePages: Readonly<
  Record<ExplorePlace, { readonly path: string; readonly label: TextKey }>
> = {
  trends: { path: paths.explore, label: 'explore.trending' },
  local: { path: paths.posts, label: 'common.thisServer' },
  all: { path: paths.allPosts, label: 'explore.allServers' },
  people: { path: paths.people, label: 'common.people' },
}

/** Settings that decide which of the pages are open. */
interface ExploreSettings {
  readonly localFeedAccess: FeedAccess['local']
  readonly remoteFeedAccess: FeedAccess['remote']
  readonly trends: boolean
  readonly profileDirectory: boolean
}

/** The pages that settings open to a member, or to visitors. Pure. */
export function openPlaces(
  settings: ExploreSettings,
  member: Pick<Viewer, 'permissions'> | null,
): readonly ExplorePlace[] {
  const access = { local: settings.localFeedAccess, remote: settings.remoteFeedAccess }
  const { local, remote } = visibleScopes(access, member)
  const isOpen = { trends: settings.trends, local, all: local && remote, people: settings.profileDirectory }
  return explorePlaces.filter((place) => isOpen[place])
}
