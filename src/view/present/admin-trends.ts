import type { Config } from '../../config'
import type {
  AdminPreviewCardProvider,
  AdminTag,
  AdminTrendsLink,
  AdminTrendsStatus,
} from '../../contract/entities/admin/trends'
import type { trendPublishers } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { StatusBundle } from '../load/statuses'
import type { TagFacts } from '../load/tags'
import type { TrendingLink } from '../load/trending'
import { presentCard } from './media'
import { type PresentContext, presentStatus } from './status'
import { presentTag, presentUsage } from './tag'
import { timestampOrNull } from './time'

/** Presents a hashtag to moderators. Without a decision it may trend as the setting says. */
export function presentAdminTag(config: Config, tag: TagFacts, trendableByDefault: boolean): AdminTag {
  return {
    ...presentTag(config, tag, true),
    trendable: tag.trendable ?? trendableByDefault,
    usable: tag.usable,
    requires_review: tag.reviewedAt === null,
    listable: tag.listable,
  }
}

/** Presents the one hashtag that was loaded, or throws `NotFound`. */
export function presentOnlyAdminTag(
  config: Config,
  [tag]: readonly TagFacts[],
  trendableByDefault: boolean,
): AdminTag {
  if (tag === undefined) throw new NotFound()
  return presentAdminTag(config, tag, trendableByDefault)
}

export function presentAdminTrendsLink(
  config: Config,
  link: TrendingLink,
  viewerId: AccountId | null,
): AdminTrendsLink {
  const { id, card, creator, history, requiresReview } = link
  return {
    ...presentCard(config, { card, creator, viewerId }),
    history: presentUsage(history),
    id: String(id),
    requires_review: requiresReview,
  }
}

/** Presents the one page that was loaded, or throws `NotFound`. */
export function presentOnlyAdminTrendsLink(
  config: Config,
  [link]: readonly TrendingLink[],
  viewerId: AccountId | null,
): AdminTrendsLink {
  if (link === undefined) throw new NotFound()
  return presentAdminTrendsLink(config, link, viewerId)
}

/** Presents the statuses of a bundle to moderators, in its order. */
export function presentAdminTrendsStatuses(
  showing: PresentContext,
  bundle: StatusBundle,
  unreviewed: ReadonlySet<StatusId>,
): AdminTrendsStatus[] {
  return bundle.ids.map((id) => ({
    ...presentStatus(showing, bundle, id),
    requires_review: unreviewed.has(id),
  }))
}

/** Presents the one status that was loaded, which a moderator has decided about, or throws `NotFound`. */
export function presentReviewedStatus(showing: PresentContext, bundle: StatusBundle): AdminTrendsStatus {
  const [status] = presentAdminTrendsStatuses(showing, bundle, new Set())
  if (status === undefined) throw new NotFound()
  return status
}

/** A host of linked pages, with the decision of moderators. */
type PublisherFacts = typeof trendPublishers.$inferSelect

export function presentPublisher(publisher: PublisherFacts): AdminPreviewCardProvider {
  const { id, domain, trendable, reviewedAt, requestedReviewAt } = publisher
  return {
    id: String(id),
    domain,
    trendable,
    reviewed_at: timestampOrNull(reviewedAt),
    requested_review_at: timestampOrNull(requestedReviewAt),
    requires_review: reviewedAt === null,
  }
}

/** Presents the one host that was loaded, or throws `NotFound`. */
export function presentOnlyPublisher([publisher]: readonly PublisherFacts[]): AdminPreviewCardProvider {
  if (publisher === undefined) throw new NotFound()
  return presentPublisher(publisher)
}
