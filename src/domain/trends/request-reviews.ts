import { eq, sql } from 'drizzle-orm'
import { combineQueries, execute, first, inList, jsonRows } from '../../db/query'
import { settings, tags, trendAuthors, trendPublishers } from '../../db/schema'
import { Conflict } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { pickSettings } from '../instance/settings'
import { notify } from '../notifications/notify'
import { staffWhoChose } from '../users/find-staff'
import { linksUnderReview, statusesUnderReview, type TrendUnderReview, tagsUnderReview } from './find-waiting'

/** Only what ranks above the third trend that is shown is worth the attention of a moderator, as in Mastodon. */
const reviewThreshold = 3
/** Least time between two requests. */
const requestMilliseconds = 2 * 3_600_000
const lastRequest = 'trends.reviewRequestedAt'

/**
 * Subjects to be reviewed: those of unreviewed trends that rank above the third allowed one of their
 * language. Pure; `trends` are by descending rank.
 */
export function subjectsToReview(trends: readonly TrendUnderReview[]): readonly string[] {
  const lowest = new Map(
    [...Map.groupBy(trends, ({ language }) => language)].map(([language, list]) => [
      language,
      list.filter(({ isAllowed }) => isAllowed)[reviewThreshold - 1]?.rank ?? Number.NEGATIVE_INFINITY,
    ]),
  )
  const waiting = trends.filter(
    ({ isAllowed, isWaiting, language, rank }) =>
      !isAllowed && isWaiting && rank > (lowest.get(language) ?? 0),
  )
  return [...new Set(waiting.map(({ subject }) => subject))]
}

/**
 * Cron: requests the review of new trends, of each once and at most every two hours. Moderators with the permission for
 * taxonomies who chose so are notified, and by that mailed. Nothing is requested where trends are off or need no review.
 */
export async function requestTrendReviews(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const isLate = sql`not exists (select 1 from settings where key = ${lastRequest}
    and cast(value as integer) > ${now.getTime() - requestMilliseconds})`
  const found = await execute(
    ctx.db,
    combineQueries({
      chosen: pickSettings(ctx, ['trends', 'trendableByDefault']),
      last: first(
        ctx.db.select({ value: settings.value }).from(settings).where(eq(settings.key, lastRequest)),
      ),
      tags: tagsUnderReview(ctx, now),
      statuses: statusesUnderReview(ctx, now),
      links: linksUnderReview(ctx, now),
      staff: staffWhoChose(ctx, 'manageTaxonomies', 'admin.trends'),
    }),
  )
  if (!found.chosen.trends || found.chosen.trendableByDefault) return
  if (Number(found.last?.value ?? 0) > now.getTime() - requestMilliseconds) return
  const names = subjectsToReview(found.tags).map(Number)
  const authors = subjectsToReview(found.statuses).map(Number)
  const hosts = subjectsToReview(found.links).map((domain) => ({ id: ctx.ids.next(), domain }))
  if (names.length + authors.length + hosts.length === 0) return
  const at = now.getTime()
  const changes = new Changes().require(isLate, new Conflict('requested_already')).add(
    ctx.db.update(tags).set({ requestedReviewAt: now }).where(inList(tags.id, names)),
    ctx.db.run(sql`insert into ${trendAuthors} (account_id, requested_review_at)
        select a.id, ${at} from ${jsonRows(authors)} cross join accounts a on a.id = item.value where true
        on conflict (account_id) do update set requested_review_at = excluded.requested_review_at`),
    ctx.db.run(sql`insert into ${trendPublishers} (id, domain, requested_review_at)
        select item.value ->> 'id', item.value ->> 'domain', ${at} from ${jsonRows(hosts)} where true
        on conflict (domain) do update set requested_review_at = excluded.requested_review_at`),
    ctx.db.run(sql`insert into ${settings} (key, value, updated_at) values (${lastRequest}, ${String(at)}, ${at})
        on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`),
  )
  notify(
    ctx,
    changes,
    found.staff.map((to) => ({ type: 'admin.trends', to, from: to, statusId: null, subjectId: at })),
  )
  try {
    await commit(ctx, changes)
  } catch (failure) {
    // Another run was faster.
    if (!(failure instanceof Conflict)) throw failure
  }
}
