import { eq, sql } from 'drizzle-orm'
import { both, execute, first, type Query, rows } from '../../db/query'
import { termsNotices, users } from '../../db/schema'
import { Conflict, Invalid, NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { dayText, requireUnchangedTerms, type Terms, termsOf } from './terms'

/** Notice of a version of the terms to members, and how far its mails are. */
export type TermsNotice = typeof termsNotices.$inferSelect

/** Notice of the version that comes into force on this day; null before members were notified. */
export function termsNoticeOf(ctx: Ctx, effectiveOn: string): Query<TermsNotice | null> {
  return first(ctx.db.select().from(termsNotices).where(eq(termsNotices.effectiveOn, effectiveOn)))
}

/** Notices of every version, one each at most. */
export function findTermsNotices(ctx: Ctx): Query<TermsNotice[]> {
  return rows(ctx.db.select().from(termsNotices))
}

/**
 * Tells members about a version of the terms: by mail, in parts that a job sends, and by a page at their next visit with
 * the browser. `Invalid` for a replaced version, `Conflict` where members were notified already
 * or the version is replaced at the same time.
 */
export async function notifyOfTerms(ctx: Ctx, moderator: Moderator, effectiveOn: string): Promise<void> {
  const [terms, notice] = await execute(
    ctx.db,
    both(termsOf(ctx, effectiveOn), termsNoticeOf(ctx, effectiveOn)),
  )
  if (terms === null) throw new NotFound()
  if (notice !== null) throw alreadyAnnounced()
  if (terms.succeededOn !== null && terms.succeededOn <= dayText(ctx.clock.now()))
    throw new Invalid('terms_replaced')
  const changes = requireUnchangedTerms(new Changes(), effectiveOn, terms)
  addTermsNotice(ctx, changes, terms, moderator)
  recordAudit(ctx, changes, moderator, {
    action: 'notify',
    target: { type: 'terms_of_service', id: null, label: effectiveOn },
  })
  await commit(ctx, changes)
}

/**
 * Adds a notice to the batch that publishes a version, or to one of its own. Its moderator knows the terms, and is not
 * led to them by the next page.
 */
export function addTermsNotice(
  ctx: Ctx,
  changes: Changes,
  { effectiveOn, publishedAt }: Pick<Terms, 'effectiveOn' | 'publishedAt'>,
  { accountId }: Moderator,
): Changes {
  const now = ctx.clock.now()
  const notice = { effectiveOn, joinedBefore: publishedAt, sentAt: now }
  if (accountId !== null)
    changes.add(ctx.db.update(users).set({ termsSeenAt: now }).where(eq(users.accountId, accountId)))
  return changes
    .require(
      sql`not exists (select 1 from terms_notices where effective_on = ${effectiveOn})`,
      alreadyAnnounced(),
    )
    .add(ctx.db.insert(termsNotices).values(notice))
    .enqueue({ kind: 'mail-terms', effectiveOn, part: 0, delaySeconds: 0 })
}

function alreadyAnnounced() {
  return new Conflict('members_told')
}
