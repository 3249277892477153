import { eq, type SQL, sql } from 'drizzle-orm'
import { normaliseHashtag } from '../../contract/text/hashtag'
import { combineQueries, execute, first, inList, jsonRows, orNotFound } from '../../db/query'
import {
  previewCards,
  settings,
  tags,
  trendAuthors,
  trendingStatuses,
  trendPublishers,
} from '../../db/schema'
import { Conflict, Invalid, NotFound } from '../../errors'
import type { TagId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type AuditTargetType, changedValues, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { pickSettings } from '../instance/settings'
import { notify } from '../notifications/notify'
import { requirePermission } from '../policy/permissions'
import { staffWhoChose } from '../users/find'
import { type Reviewable, type ReviewTarget, statusUnderReview } from './find-review'
import { linksUnderReview, statusesUnderReview, type TrendUnderReview, tagsUnderReview } from './find-waiting'

/**
 * Allows or forbids a target to trend from now on, with an entry in the audit log. `Forbidden` without the permission
 * for taxonomies, `NotFound` for a target deleted meanwhile.
 */
export async function reviewTrend(
  ctx: Ctx,
  moderator: Moderator,
  { target, trendable }: { readonly target: ReviewTarget; readonly trendable: boolean },
): Promise<void> {
  requirePermission(moderator, 'manageTaxonomies')
  const changes = new Changes()
  const exists = existing[target.what](target)
  if (exists !== null) changes.require(exists, new NotFound())
  changes.add(ctx.db.run(decisions[target.what](target, trendable ? 1 : 0, ctx.clock.now().getTime())))
  recordAudit(ctx, changes, moderator, {
    action: trendable ? 'approve' : 'reject',
    target: { type: targetTypes[target.what], id: target.id, label: target.label },
    ...changedValues({ trendable: target.trendable }, { trendable }),
  })
  await commit(ctx, changes)
}

const targetTypes: Readonly<Record<Reviewable, AuditTargetType>> = {
  tag: 'tag',
  status: 'status',
  author: 'account',
  link: 'link',
  publisher: 'publisher',
}

type Decision = (target: ReviewTarget, trendable: 1 | 0, now: number) => SQL

/** Statements that store a decision. */
const decisions: Readonly<Record<Reviewable, Decision>> = {
  tag: ({ id }, trendable, now) =>
    sql`update ${tags} set trendable = ${trendable}, reviewed_at = ${now} where id = ${id}`,
  // A status that does not trend yet has the lowest rank.
  status: ({ id }, trendable, now) => sql`
    insert into ${trendingStatuses} (status_id, account_id, language, rank, trendable, reviewed_at)
    select id, account_id, language, 0, ${trendable}, ${now} from (${statusUnderReview(id)}) where true
    on conflict (status_id) do update set trendable = excluded.trendable, reviewed_at = excluded.reviewed_at`,
  author: ({ id }, trendable, now) => sql`
    insert into ${trendAuthors} (account_id, trendable, reviewed_at) values (${id}, ${trendable}, ${now})
    on conflict (account_id) do update set trendable = excluded.trendable, reviewed_at = excluded.reviewed_at`,
  link: ({ id }, trendable) => sql`update ${previewCards} set trendable = ${trendable} where id = ${id}`,
  publisher: ({ id, label }, trendable, now) => sql`
    insert into ${trendPublishers} (id, domain, trendable, reviewed_at)
    values (${id}, ${label}, ${trendable}, ${now})
    on conflict (domain) do update set trendable = excluded.trendable, reviewed_at = excluded.reviewed_at`,
}

/** Conditions: the target still exists. Null for hosts, which a decision makes known. */
const existing: Readonly<Record<Reviewable, (target: ReviewTarget) => SQL | null>> = {
  tag: ({ id }) => sql`exists (select 1 from tags where id = ${id})`,
  status: ({ id }) => sql`exists (${statusUnderReview(id)})`,
  author: ({ id }) => sql`exists (select 1 from accounts where id = ${id})`,
  link: ({ id }) => sql`exists (select 1 from preview_cards where id = ${id})`,
  publisher: () => null,
}

/** Changes of a hashtag by a moderator; an absent field keeps its value. */
interface TagPatch {
  /** The spelling shown: the same name but for the case of letters. */
  readonly displayName?: string | undefined
  /** Whether search finds it. */
  readonly listable?: boolean | undefined
  /** Whether it may trend. */
  readonly trendable?: boolean | undefined
  /** Whether statuses are found by it. */
  readonly usable?: boolean | undefined
}

/**
 * Changes a hashtag and counts as its review, with an entry in the audit log. `NotFound` for an unknown one, `Invalid`
 * for a spelling of another name, `Conflict` where another moderator changed it meanwhile.
 */
export async function updateTag(
  ctx: Ctx,
  moderator: Moderator,
  { id, patch }: { readonly id: TagId; readonly patch: TagPatch },
): Promise<void> {
  requirePermission(moderator, 'manageTaxonomies')
  const tag = await execute(ctx.db, orNotFound(first(ctx.db.select().from(tags).where(eq(tags.id, id)))))
  const { displayName, listable, trendable, usable } = tag
  const before = { displayName, listable, trendable, usable }
  const after = {
    displayName: patch.displayName ?? displayName,
    listable: patch.listable ?? listable,
    trendable: patch.trendable ?? trendable,
    usable: patch.usable ?? usable,
  }
  if (after.displayName !== displayName && normaliseHashtag(after.displayName) !== tag.name)
    throw new Invalid('other_name', { field: 'display_name' })
  const unchanged = sql`exists (select 1 from tags where id = ${id}
    and display_name = ${displayName} and listable = ${Number(listable)}
    and usable = ${Number(usable)} and trendable is ${trendable === null ? null : Number(trendable)})`
  const changes = new Changes().require(unchanged, new Conflict('hashtag_changed')).add(
    ctx.db
      .update(tags)
      .set({ ...after, reviewedAt: ctx.clock.now() })
      .where(eq(tags.id, id)),
  )
  recordAudit(ctx, changes, moderator, {
    action: 'update',
    target: { type: 'tag', id, label: displayName },
    ...changedValues(before, after),
  })
  await commit(ctx, changes)
}

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
