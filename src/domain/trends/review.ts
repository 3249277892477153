import { type SQL, sql } from 'drizzle-orm'
import { previewCards, tags, trendAuthors, trendingStatuses, trendPublishers } from '../../db/schema'
import { NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { type AuditTargetType, changedValues, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { requirePermission } from '../policy/permissions'
import { type Reviewable, type ReviewTarget, statusUnderReview } from './find-review'

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
