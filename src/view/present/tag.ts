import type { Config } from '../../config'
import { acctOf, taggedUrl, tagUrl } from '../../contract/addresses'
import type { FeaturedTag, Tag, UsageHistory } from '../../contract/entities/tag'
import { dayText } from '../../lib/days'
import type { DailyUsage, FeaturedTagFacts, TagFacts } from '../load/tags'

/**
 * Presents a hashtag in the spelling it was first used with. `following` and `featuring` are for signed-in
 * viewers.
 */
export function presentTag({ origin }: Config, tag: TagFacts, isSignedIn: boolean): Tag {
  return {
    id: String(tag.id),
    name: tag.displayName,
    url: tagUrl(origin, tag.name),
    history: presentUsage(tag.history),
    ...(isSignedIn ? { following: tag.isFollowed, featuring: tag.isFeatured } : {}),
  }
}

export function presentFeaturedTag({ origin }: Config, tag: FeaturedTagFacts): FeaturedTag {
  return {
    id: String(tag.id),
    name: tag.name,
    url: taggedUrl(origin, acctOf(tag), tag.tag),
    statuses_count: String(tag.statusesCount),
    last_status_at: tag.lastStatusAt === null ? null : dayText(tag.lastStatusAt),
  }
}

export function presentUsage(history: readonly DailyUsage[]): UsageHistory {
  return history.map(({ day, accounts, uses }) => ({
    day: String(day.getTime() / 1000),
    accounts: String(accounts),
    uses: String(uses),
  }))
}
