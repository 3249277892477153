import { desc, eq, sql } from 'drizzle-orm'
import { first, type Query } from '../../db/query'
import { termsOfService } from '../../db/schema'
import type { Ctx } from '../../platform/ports'

/** Terms of service, in Markdown, from the day they came into force until they were succeeded. */
export interface Terms {
  /** YYYY-MM-DD in UTC, as `succeededOn`. */
  readonly effectiveOn: string
  readonly text: string
  /** Null for the latest. */
  readonly succeededOn: string | null
}

const versions = (ctx: Ctx) =>
  ctx.db
    .select({
      effectiveOn: termsOfService.effectiveOn,
      text: termsOfService.text,
      succeededOn: sql<string | null>`(select min(later.effective_on) from terms_of_service later
        where later.effective_on > terms_of_service.effective_on)`.as('succeeded_on'),
    })
    .from(termsOfService)

/** Latest version, also where the operator has withdrawn the terms. */
export function latestTerms(ctx: Ctx): Query<Terms | null> {
  return first(versions(ctx).orderBy(desc(termsOfService.effectiveOn)).limit(1))
}

/** Version that came into force on a day, YYYY-MM-DD. */
export function termsOf(ctx: Ctx, day: string): Query<Terms | null> {
  return first(versions(ctx).where(eq(termsOfService.effectiveOn, day)))
}

/** A statement that publishes a version, in force from today on. The last version of a day wins. */
export function publishTerms(ctx: Ctx, text: string) {
  const publishedAt = ctx.clock.now()
  const effectiveOn = publishedAt.toISOString().slice(0, 10)
  return ctx.db
    .insert(termsOfService)
    .values({ effectiveOn, text, publishedAt })
    .onConflictDoUpdate({ target: termsOfService.effectiveOn, set: { text, publishedAt } })
}
