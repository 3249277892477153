import { type SQL, sql } from 'drizzle-orm'
import type { BoundedSelection } from '../../db/selection'
import { candidateLimit, isOpening, type Page, scanStatuses } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { visibleInDiscovery } from '../policy/blocks-and-mutes'

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
