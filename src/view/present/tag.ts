import type { Config } from '../../config'
import type { FeaturedTag, Tag } from '../../contract/entities/tag'
import { acctOf, taggedUrl, tagUrl } from '../../lib/addresses'
import type { FeaturedTagFacts, TagFacts } from '../load/tags'
import { day } from './time'
import { presentUsage } from './usage'

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
    last_status_at: tag.lastStatusAt === null ? null : day(tag.lastStatusAt),
  }
}
