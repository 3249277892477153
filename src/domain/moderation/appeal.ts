import { eq, sql } from 'drizzle-orm'
import { strikesUrl } from '../../contract/addresses'
import { both, execute } from '../../db/query'
import { accountWarnings, appeals } from '../../db/schema'
import { Conflict, Invalid, InvalidFields, NotFound } from '../../errors'
import { problem } from '../../errors/sentences'
import { dayWords } from '../../lib/date-words'
import type { AccountId } from '../../lib/ids'
import { plainText } from '../../lib/mail'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import { translateFor } from '../core/translate'
import type { Moderator } from '../core/viewer'
import { notify } from '../notifications/notify'
import { requirePermission } from '../policy/permissions'
import type { MailOutcome } from '../users/confirm'
import { findMemberById, staffWithPermission } from '../users/find'
import { strikeSeen } from '../users/warn'
import { undoStrike } from './act'
import { addCollectionUnmarking, addUnmarking } from './act-on-statuses'
import { type FoundStrike, findAppeals, findStrikes } from './find-strikes'
import { accountToModerate, auditTarget, changesOn, requireTarget } from './find-target'

const maxText = 2_000

/** Page of one row. */
const onlyOne = { limit: 1 }

/**
 * Appeals against a strike: once, within twenty days, and whatever the state of the account. Notifies moderators who
 * decide about appeals.
 *
 * `NotFound` for a strike against another account; `Invalid` for an empty or long text, a second appeal and a late one.
 */
export async function createAppeal(
  ctx: Ctx,
  accountId: AccountId,
  { strikeId, text }: { readonly strikeId: number; readonly text: string },
): Promise<FoundStrike> {
  const [[strike], staff] = await execute(
    ctx.db,
    both(
      findStrikes(ctx, { targetId: accountId, strikeId }, onlyOne),
      staffWithPermission(ctx, 'manageAppeals'),
    ),
  )
  if (strike === undefined) throw new NotFound()
  const written = text.replaceAll('\r\n', '\n').trim()
  refuseAppeal(strike, written)
  const appeal = { id: ctx.ids.next(), text: written, createdAt: ctx.clock.now() }
  const changes = new Changes()
    .require(sql`not exists (select 1 from appeals where strike_id = ${strikeId})`, appealedAlready())
    .add(
      ctx.db.insert(appeals).values({ ...appeal, accountId, strikeId }),
      strikeSeen(ctx, accountId, strikeId),
    )
  const about = { type: 'admin.appeal', from: accountId, statusId: null, subjectId: appeal.id } as const
  notify(
    ctx,
    changes,
    staff.map((to) => ({ ...about, to })),
  )
  await commit(ctx, changes)
  const undecided = { approvedAt: null, rejectedAt: null, decidedByAccountId: null }
  return { ...strike, appeal: { ...appeal, ...undecided }, isAppealable: false }
}

function refuseAppeal(strike: FoundStrike, text: string): void {
  if (strike.appeal !== null) throw appealedAlready()
  if (strike.overruledAt !== null) throw new Invalid('strike_undone')
  if (!strike.isAppealable) throw new Invalid('appeal_too_late')
  if (text === '') throw new InvalidFields([problem('blank', { field: 'text' })])
  if ([...text].length > maxText)
    throw new InvalidFields([problem('too_long', { field: 'text', max: maxText })])
}

function appealedAlready() {
  return new Invalid('appealed_already')
}

/** Decision about an appeal. */
export interface AppealDecision {
  readonly appealId: number
  readonly verdict: 'approve' | 'reject'
}

/**
 * Decides an appeal. Approved, the action is undone and the strike overruled in the same batch; what was deleted does
 * not return. The owner of the account is mailed either way.
 *
 * `Forbidden` about an account of an equal or higher role, the moderator's own included; `Conflict` where the appeal is
 * decided already.
 */
export async function decideAppeal(
  ctx: Ctx,
  moderator: Moderator,
  { appealId, verdict }: AppealDecision,
): Promise<FoundStrike> {
  requirePermission(moderator, 'manageAppeals')
  const [strike] = await execute(ctx.db, findAppeals(ctx, { onlyPending: false, appealId }, onlyOne))
  if (strike?.appeal == null) throw new NotFound()
  const target = requireTarget(
    moderator,
    await execute(ctx.db, accountToModerate(ctx, strike.targetAccountId)),
  )
  const now = ctx.clock.now()
  const isApproved = verdict === 'approve'
  const decision = {
    approvedAt: isApproved ? now : null,
    rejectedAt: isApproved ? null : now,
    decidedByAccountId: moderator.accountId,
  }
  const isPending = sql`exists (select 1 from appeals
    where id = ${appealId} and approved_at is null and rejected_at is null)`
  const changes = changesOn(moderator, target)
    .require(isPending, new Conflict('appeal_decided'))
    .add(ctx.db.update(appeals).set(decision).where(eq(appeals.id, appealId)))
  if (isApproved) {
    changes.add(
      ctx.db.update(accountWarnings).set({ overruledAt: now }).where(eq(accountWarnings.id, strike.id)),
    )
    undoStrike(ctx, changes, moderator, { target, action: strike.action })
    if (strike.action === 'mark_statuses_as_sensitive') {
      await addCollectionUnmarking(ctx, changes, strike)
      recordAudit(ctx, changes, moderator, {
        action: 'unmark_statuses_as_sensitive',
        target: auditTarget(target),
        after: { strike_id: String(strike.id), status_ids: (strike.statusIds ?? []).map(String) },
      })
    }
  }
  recordAudit(ctx, changes, moderator, {
    action: verdict,
    target: { type: 'appeal', id: appealId, label: strike.targetAcct },
    after: { strike_id: String(strike.id), action: strike.action },
  })
  if (ctx.mailer !== null) changes.enqueue({ kind: 'send-appeal-email', appealId })
  if (isApproved) await addUnmarking(ctx, changes, strike, { after: 0, least: 0 })
  await commit(ctx, changes)
  const overruledAt = isApproved ? now : strike.overruledAt
  return { ...strike, overruledAt, appeal: { ...strike.appeal, ...decision } }
}

/** Mails a member the decision about their appeal: handles `send-appeal-email`. */
export async function mailAppealDecision(ctx: Ctx, appealId: number): Promise<MailOutcome> {
  if (ctx.mailer === null) return 'no mailer'
  const [strike] = await execute(ctx.db, findAppeals(ctx, { onlyPending: false, appealId }, { limit: 1 }))
  if (strike?.appeal == null) return 'no such person'
  const member = await execute(ctx.db, findMemberById(ctx, strike.targetAccountId))
  if (member === null) return 'no such person'
  const { domain, origin } = ctx.config
  const t = await translateFor(ctx, member.locale)
  const day = dayWords(t.language, strike.createdAt)
  const isApproved = strike.appeal.approvedAt !== null
  await ctx.mailer.send({
    to: member.email,
    subject: isApproved
      ? t('mail.appeal.appealDomainApproved', { domain })
      : t('mail.appeal.appealDomainRejected', { domain }),
    text: plainText(
      t('mail.helloUsername', { username: member.username }),
      isApproved
        ? t('mail.appeal.appealAgainstModeratorsDecisionDay', { day })
        : t('mail.appeal.appealAgainstModeratorsDecision', { day }),
      t('mail.appeal.allDecisionsAboutAccount', { address: strikesUrl(origin) }),
    ),
  })
  return null
}
