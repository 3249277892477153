import { eq, sql } from 'drizzle-orm'
import { ownAccountUrl, termsUrl } from '../../contract/addresses'
import { both, execute, limitTo, map, type Query, rows } from '../../db/query'
import { accounts, termsNotices, users } from '../../db/schema'
import { Conflict, Invalid, NotFound, Unavailable } from '../../errors'
import { dayWords } from '../../lib/date-words'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import { renderEmail, shortened } from '../../lib/mail'
import type { Ctx } from '../../ports/ctx'
import { type Mail, MailRefused } from '../../ports/mail'
import type { Mailer } from '../../ports/services'
import { Changes, commit, done, ignored, type Outcome, retry } from '../core/changes'
import { translateFor } from '../core/translate'
import { type Terms, type TermsNotice, termsNoticeOf, termsOf } from '../instance/terms'
import { findMemberById, type Member } from './find'
import { isReachableByMail } from './warn'

export const termsMailLimits = {
  /** Members whose turn it is in one part. */
  membersPerPart: 40,
  /** Time between two parts: 7,200 mails an hour at most. */
  partGapSeconds: 20,
  /** Failures in a row after which the mailer counts as out of order. */
  failuresPerPart: 3,
  /** Pause then, doubled with every further part that fails. */
  firstPauseSeconds: 300,
  longestPauseSeconds: 6 * 3_600,
  /** Time after which a single mail that failed is tried again. */
  retrySeconds: 600,
  /** Time since which a member must have been active, as in Mastodon; others see the page when they return. */
  activeDays: 365,
} as const

interface Addressee {
  readonly accountId: AccountId
  readonly username: string
  readonly email: string
  readonly locale: string
  readonly confirmedAt: Date | null
  readonly approved: boolean
  readonly suspendedAt: Date | null
  readonly lastActiveAt: Date | null
  readonly createdAt: Date
}

/**
 * Mails the next part of the members about new terms: handles `mail-terms`. Enqueues the part after it with a delay.
 *
 * Each member is claimed before the mail is sent, in the order of ids, so that a part that runs twice, or twice at once,
 * mails each member once. A failed mail becomes its own job; where several fail in a row, the mailer is taken to be
 * out of order, and the next part waits.
 */
export async function mailTerms(
  ctx: Ctx,
  { effectiveOn, part }: { readonly effectiveOn: string; readonly part: number },
): Promise<Outcome> {
  const { mailer } = ctx
  if (mailer === null) return ignored('no mailer')
  const [notice, terms] = await execute(
    ctx.db,
    both(termsNoticeOf(ctx, effectiveOn), termsOf(ctx, effectiveOn)),
  )
  if (notice === null || terms === null) return ignored('the notice is gone')
  if (notice.part !== part || notice.finishedAt !== null) return ignored('this part is done')
  const members = await execute(ctx.db, membersAfter(ctx, notice.mailedUpTo))
  const run = await mailMembers(ctx, mailer, { notice, terms, members })
  try {
    await commit(ctx, endOfPart(ctx, notice, { ...run, members }))
  } catch (failure) {
    if (failure instanceof Conflict) return ignored('another run has done this part')
    throw failure
  }
  return done
}

/** Outcome of the mails of a part. */
interface PartRun {
  readonly mails: number
  /** The last member tried where the mailer is out of order; null where all had their turn. */
  readonly cutAfter: AccountId | null
}

interface Part {
  readonly notice: TermsNotice
  readonly terms: Terms
  readonly members: readonly Addressee[]
}

/** Mails the eligible `members`. */
async function mailMembers(ctx: Ctx, mailer: Mailer, { notice, terms, members }: Part): Promise<PartRun> {
  let [mails, failures] = [0, 0]
  for (const member of members) {
    if (!isMailed(ctx, member, notice) || !(await claim(ctx, notice, member))) continue
    mails += 1
    if (await sendTermsMail(ctx, mailer, { member, terms })) {
      failures = 0
      continue
    }
    const { accountId } = member
    await ctx.jobs.send(
      { kind: 'mail-terms-to', effectiveOn: terms.effectiveOn, accountId },
      { delaySeconds: termsMailLimits.retrySeconds },
    )
    failures += 1
    if (failures === termsMailLimits.failuresPerPart) return { mails, cutAfter: accountId }
  }
  return { mails, cutAfter: null }
}

/** Mails one member again, whose mail failed before: handles `mail-terms-to`. */
export async function mailTermsTo(
  ctx: Ctx,
  { effectiveOn, accountId }: { readonly effectiveOn: string; readonly accountId: AccountId },
): Promise<Outcome> {
  const { mailer } = ctx
  if (mailer === null) return ignored('no mailer')
  const found = both(
    both(termsNoticeOf(ctx, effectiveOn), termsOf(ctx, effectiveOn)),
    memberOf(ctx, accountId),
  )
  const [[notice, terms], member] = await execute(ctx.db, found)
  if (notice === null || terms === null) return ignored('the notice is gone')
  if (member === null || !isMailed(ctx, member, notice)) return ignored('no such member')
  return (await sendTermsMail(ctx, mailer, { member, terms })) ? done : retry(termsMailLimits.retrySeconds)
}

/** Mails the notice about a version to one account, for a look at it. `Invalid` where it cannot be reached by mail. */
export async function previewTermsMail(ctx: Ctx, accountId: AccountId, effectiveOn: string): Promise<void> {
  const [terms, member] = await execute(
    ctx.db,
    both(termsOf(ctx, effectiveOn), findMemberById(ctx, accountId)),
  )
  if (terms === null || member === null) throw new NotFound()
  const { mailer } = ctx
  if (mailer === null || !isReachableByMail(ctx, member)) throw new Invalid('no_mail_address')
  if (!(await sendTermsMail(ctx, mailer, { member, terms }))) throw new Unavailable('mail_not_sent')
}

/** False where the mail may yet be sent by another attempt. */
async function sendTermsMail(
  ctx: Ctx,
  mailer: Mailer,
  {
    member,
    terms,
  }: { readonly member: Pick<Addressee, 'username' | 'email' | 'locale'>; readonly terms: Terms },
): Promise<boolean> {
  try {
    await mailer.send(await termsMail(ctx, member, terms))
    return true
  } catch (cause) {
    ctx.log.error('Failed to mail new terms', { effectiveOn: terms.effectiveOn, cause })
    return cause instanceof MailRefused
  }
}

/** Whether a member gets the mail: reachable, active within a year, and here before the terms were published. */
function isMailed(ctx: Ctx, member: Addressee, { joinedBefore }: TermsNotice): boolean {
  const { approved, suspendedAt, createdAt, lastActiveAt } = member
  if (!approved || suspendedAt !== null || createdAt > joinedBefore) return false
  const lastSeen = Math.max(createdAt.getTime(), lastActiveAt?.getTime() ?? 0)
  const isActive = lastSeen >= joinedBefore.getTime() - termsMailLimits.activeDays * dayMilliseconds
  return isActive && isReachableByMail(ctx, member)
}

/** Takes the mail of a member upon this run; false where another run has. */
async function claim(ctx: Ctx, { effectiveOn }: TermsNotice, { accountId }: Addressee): Promise<boolean> {
  const statement = ctx.db
    .update(termsNotices)
    .set({ mailedUpTo: accountId, mails: sql`mails + 1` })
    .where(sql`${termsNotices.effectiveOn} = ${effectiveOn} and ${termsNotices.mailedUpTo} < ${accountId}`)
  const [claimed] = await commit(ctx, new Changes().add(statement))
  return claimed === 1
}

/** Counts a part as done, and enqueues the one after it. */
function endOfPart(
  ctx: Ctx,
  { effectiveOn, part, failedParts }: TermsNotice,
  { mails, cutAfter, members }: PartRun & Pick<Part, 'members'>,
): Changes {
  const { firstPauseSeconds, longestPauseSeconds, partGapSeconds, membersPerPart } = termsMailLimits
  const isLast = cutAfter === null && members.length < membersPerPart
  const upTo = cutAfter ?? members.at(-1)?.accountId ?? 0
  const changes = new Changes()
    .require(
      sql`exists (select 1 from terms_notices where effective_on = ${effectiveOn} and part = ${part})`,
      new Conflict('part_done'),
    )
    .add(
      ctx.db
        .update(termsNotices)
        .set({
          part: part + 1,
          failedParts: cutAfter === null ? 0 : failedParts + 1,
          mailedUpTo: sql`max(mailed_up_to, ${upTo})`,
          finishedAt: isLast ? ctx.clock.now() : null,
        })
        .where(eq(termsNotices.effectiveOn, effectiveOn)),
    )
  if (isLast) return changes
  const pause = Math.min(firstPauseSeconds * 2 ** failedParts, longestPauseSeconds)
  const gap = mails === 0 ? 0 : partGapSeconds
  const delaySeconds = cutAfter === null ? gap : pause
  return changes.enqueue({ kind: 'mail-terms', effectiveOn, part: part + 1, delaySeconds })
}

/** Members in the order of ids, from the one after `accountId` on. */
function membersAfter(ctx: Ctx, accountId: AccountId): Query<Addressee[]> {
  return rows(
    addressees(ctx).where(
      sql`${users.accountId} > ${accountId} order by ${users.accountId} ${limitTo(termsMailLimits.membersPerPart)}`,
    ),
  )
}

function memberOf(ctx: Ctx, accountId: AccountId): Query<Addressee | null> {
  return map(rows(addressees(ctx).where(eq(users.accountId, accountId))), ([member]) => member ?? null)
}

function addressees(ctx: Ctx) {
  return ctx.db
    .select({
      accountId: users.accountId,
      username: accounts.username,
      email: users.email,
      locale: users.locale,
      confirmedAt: users.confirmedAt,
      approved: users.approved,
      suspendedAt: accounts.suspendedAt,
      lastActiveAt: users.lastActiveAt,
      createdAt: users.createdAt,
    })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
}

/** Builds the mail about new terms. As a message about the contract it cannot be declined. */
async function termsMail(
  ctx: Ctx,
  { username, email, locale }: Pick<Member, 'username' | 'email' | 'locale'>,
  { effectiveOn, changelog }: Pick<Terms, 'effectiveOn' | 'changelog'>,
): Promise<Mail> {
  const { domain, origin } = ctx.config
  const t = await translateFor<never>(ctx, locale)
  const isAhead = effectiveOn > ctx.clock.now().toISOString().slice(0, 10)
  const values = { domain, day: dayWords(t.language, effectiveOn) }
  const subject = isAhead
    ? t('mail.terms.termsServiceDomainChange', values)
    : t('mail.terms.termsServiceDomainChanged', values)
  const content = {
    language: t.language,
    subject,
    sentence: [subject],
    quoted: changelog.trim() === '' ? null : shortened(changelog.trim(), 5_000),
    note: isAhead ? t('mail.terms.ifGoUsingAccountFrom') : t('mail.terms.ifGoUsingAccount'),
    link: { label: t('common.readTheTerms'), url: termsUrl(origin, effectiveOn) },
    reason: t('mail.terms.getMailBecauseHave', {
      handle: `@${username}@${domain}`,
    }),
    links: [{ label: t('mail.seeYourAccount'), url: ownAccountUrl(origin) }],
  }
  return { to: email, subject, ...renderEmail(content) }
}

/** Records that a member has seen the page about new terms: it is not shown again until other terms are announced. */
export async function acknowledgeTerms(ctx: Ctx, accountId: AccountId): Promise<void> {
  const stamp = ctx.db
    .update(users)
    .set({ termsSeenAt: ctx.clock.now() })
    .where(eq(users.accountId, accountId))
  await commit(ctx, new Changes().add(stamp))
}
