import { desc, eq, sql } from 'drizzle-orm'
import { first, map, type Query, rows } from '../../db/query'
import { termsOfService } from '../../db/schema'
import type { Ctx } from '../../platform/ports'

/** Terms of service, in Markdown, from the day they come into force until they are succeeded. */
export interface Terms {
  /** YYYY-MM-DD in UTC, as `succeededOn`. */
  readonly effectiveOn: string
  readonly text: string
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
  const { effectiveOn, publishedAt, text } = termsOfService
  const found = ctx.db
    .select({ effectiveOn, publishedAt, characters: sql<number>`length(${text})`.as('characters') })
    .from(termsOfService)
    .orderBy(desc(effectiveOn))
    .limit(mostListed)
  return map(rows(found), (list) =>
    list.map((version, at) => ({ ...version, succeededOn: list[at - 1]?.effectiveOn ?? null })),
  )
}

/** A statement that publishes a version, in force from `effectiveOn` on. The last version of a day wins. */
export function publishTerms(ctx: Ctx, text: string, effectiveOn = dayText(ctx.clock.now())) {
  const publishedAt = ctx.clock.now()
  return ctx.db
    .insert(termsOfService)
    .values({ effectiveOn, text, publishedAt })
    .onConflictDoUpdate({ target: termsOfService.effectiveOn, set: { text, publishedAt } })
}

/** Day in UTC as YYYY-MM-DD. */
export function dayText(at: Date): string {
  return at.toISOString().slice(0, 10)
}
