import { eq } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { translations } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'

/** The cached response of a service to the same request, as JSON. One statement. */
export function cachedTranslation(ctx: Ctx, key: string): Query<string | null> {
  const found = first(
    ctx.db.select({ answer: translations.answer }).from(translations).where(eq(translations.key, key)),
  )
  return map(found, (row) => row?.answer ?? null)
}
