import { desc, eq, sql } from 'drizzle-orm'
import { both, execute, first, map, orNotFound, type Query, rows } from '../../db/query'
import { settings, termsNotices, termsOfService, users } from '../../db/schema'
import { Conflict, Invalid, NotFound } from '../../errors'
import { dayText } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { settingKey } from './settings'

/** Terms of service, in Markdown, from the day they come into force until they are succeeded. */
export interface Terms {
  /** YYYY-MM-DD in UTC, as `succeededOn`. */
  readonly effectiveOn: string
  readonly text: string
  /** Summary of the changes, in Markdown; empty where there is none. */
  readonly changelog: string
  readonly publishedAt: Date
  /** Null for the latest. */
  readonly succeededOn: string | null
}

/** A version without its text. */
export interface TermsSummary extends Omit<Terms, 'text'> {
  readonly characters: number
}

const succeededOn = sql<string | null>`(select min(later.effective_on) from terms_of_service later
  where later.effective_on > terms_of_service.effective_on)`

const versions = (ctx: Ctx) =>
  ctx.db
    .select({
      effectiveOn: termsOfService.effectiveOn,
      text: termsOfService.text,
      changelog: termsOfService.changelog,
      publishedAt: termsOfService.publishedAt,
      succeededOn: succeededOn.as('succeeded_on'),
    })
    .from(termsOfService)

/**
 * Version in force, or the next one where none is yet; also where the operator has withdrawn the terms. Two look-ups by
 * day.
 */
export function currentTerms(ctx: Ctx): Query<Terms | null> {
  const today = dayText(ctx.clock.now())
  const day = sql`coalesce(
    (select max(effective_on) from terms_of_service where effective_on <= ${today}),
    (select min(effective_on) from terms_of_service))`
  return first(versions(ctx).where(sql`${termsOfService.effectiveOn} = ${day}`))
}

/** Version that comes into force on a day, YYYY-MM-DD. */
export function termsOf(ctx: Ctx, day: string): Query<Terms | null> {
  return first(versions(ctx).where(eq(termsOfService.effectiveOn, day)))
}

const mostListed = 100

/** Every version without its text, the latest first. */
export function findTerms(ctx: Ctx): Query<TermsSummary[]> {
  const { effectiveOn, publishedAt, changelog, text } = termsOfService
  const found = ctx.db
    .select({
      effectiveOn,
      publishedAt,
      changelog,
      characters: sql<number>`length(${text})`.as('characters'),
    })
    .from(termsOfService)
    .orderBy(desc(effectiveOn))
    .limit(mostListed)
  return map(rows(found), (list) =>
    list.map((version, at) => ({ ...version, succeededOn: list[at - 1]?.effectiveOn ?? null })),
  )
}

/** Version of the terms that is to be published. */
export interface TermsDraft {
  readonly text: string
  readonly changelog: string
  /** YYYY-MM-DD in UTC. */
  readonly effectiveOn: string
}

/**
 * Adds the publication of a version to `changes`; it replaces `before`, the one of the same day as it was read. `Invalid`
 * where members were notified of that one, `Conflict` where another was published since it was read.
 */
export function addTerms(ctx: Ctx, changes: Changes, draft: TermsDraft, before: Terms | null): Changes {
  const { text, changelog, effectiveOn } = draft
  const publishedAt = ctx.clock.now()
  return requireUnchangedTerms(changes, effectiveOn, before)
    .require(
      sql`not exists (select 1 from terms_notices where effective_on = ${effectiveOn})`,
      new Invalid('terms_announced'),
    )
    .add(
      ctx.db
        .insert(termsOfService)
        .values({ effectiveOn, text, changelog, publishedAt })
        .onConflictDoUpdate({ target: termsOfService.effectiveOn, set: { text, changelog, publishedAt } }),
    )
}

/** Makes a batch fail with `Conflict` unless the version of this day is still the one that was read. */
function requireUnchangedTerms(
  changes: Changes,
  effectiveOn: string,
  before: Pick<Terms, 'text' | 'changelog'> | null,
): Changes {
  const ofDay = sql`from terms_of_service where effective_on = ${effectiveOn}`
  const isSame =
    before === null
      ? sql`not exists (select 1 ${ofDay})`
      : sql`exists (select 1 ${ofDay} and text = ${before.text} and changelog = ${before.changelog})`
  return changes.require(isSame, new Conflict('terms_changed'))
}

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
function addTermsNotice(
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

const mostCharacters = 100_000
const mostChangelog = 10_000
const key = settingKey('termsOfService')

/**
 * Publishes a version of the terms that comes into force on a day from today on, YYYY-MM-DD. A version of the same day
 * is replaced; with `notify` members are notified. `Invalid` for an empty or too long text, for a day that is past, and for
 * one whose version members were notified of; `Conflict` where another moderator publishes one of that day at the same time.
 */
export async function scheduleTerms(
  ctx: Ctx,
  moderator: Moderator,
  draft: TermsDraft & { readonly notify: boolean },
): Promise<void> {
  const { text, changelog, effectiveOn, notify } = draft
  if (text.trim() === '') throw new Invalid('blank', { field: 'text' })
  if (text.length > mostCharacters) throw new Invalid('too_long', { field: 'text', max: mostCharacters })
  if (changelog.length > mostChangelog)
    throw new Invalid('too_long', { field: 'changelog', max: mostChangelog })
  if (effectiveOn < dayText(ctx.clock.now())) throw new Invalid('day_passed', { field: 'effective_date' })
  const before = await execute(ctx.db, termsOf(ctx, effectiveOn))
  const changes = addTerms(ctx, new Changes(), draft, before).add(showTerms(ctx, text))
  if (notify) addTermsNotice(ctx, changes, { effectiveOn, publishedAt: ctx.clock.now() }, moderator)
  recordAudit(ctx, changes, moderator, {
    action: before === null ? 'create' : 'update',
    target: { type: 'terms_of_service', id: null, label: effectiveOn },
    ...(before === null ? {} : { before: { characters: before.text.length } }),
    after: { characters: text.length, ...(notify ? { notify } : {}) },
  })
  await commit(ctx, changes)
}

/**
 * Deletes a version that is not in force yet, with its notice. `Invalid` for another, which members have agreed to;
 * `Conflict` where it is changed at the same time.
 */
export async function cancelTerms(ctx: Ctx, moderator: Moderator, effectiveOn: string): Promise<void> {
  const terms = await execute(ctx.db, orNotFound(termsOf(ctx, effectiveOn)))
  if (effectiveOn <= dayText(ctx.clock.now())) throw new Invalid('terms_in_force')
  const changes = requireUnchangedTerms(new Changes(), effectiveOn, terms).add(
    ctx.db.delete(termsOfService).where(eq(termsOfService.effectiveOn, effectiveOn)),
    ctx.db
      .delete(settings)
      .where(sql`${settings.key} = ${key} and not exists (select 1 from terms_of_service)`),
  )
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: { type: 'terms_of_service', id: null, label: effectiveOn },
    before: { characters: terms.text.length },
  })
  await commit(ctx, changes)
}

/** A statement that shows the terms of the server where there were none: the setting says whether there are any. */
function showTerms(ctx: Ctx, text: string) {
  return ctx.db.run(sql`insert into ${settings} (key, value, updated_at)
    values (${key}, ${JSON.stringify(text)}, ${ctx.clock.now().getTime()})
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
      where settings.value = 'null'`)
}
