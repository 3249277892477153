import { desc, eq, sql } from 'drizzle-orm'
import { first, map, type Query, rows } from '../../db/query'
import { termsOfService } from '../../db/schema'
import { Conflict, Invalid } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'

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
export function requireUnchangedTerms(
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

/** Day in UTC as YYYY-MM-DD. */
export function dayText(at: Date): string {
  return at.toISOString().slice(0, 10)
}
