import { eq, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { first, type Query } from '../../db/query'
import { pushSubscriptions } from '../../db/schema'
import type { TokenId } from '../../lib/ids'

export type PushSubscriptionRow = typeof pushSubscriptions.$inferSelect

/** The subscription of the token with this hash. */
export function subscriptionByTokenHash(ctx: Ctx, tokenHash: string): Query<PushSubscriptionRow | null> {
  return subscriptionOf(ctx, sql`(select id from access_tokens where token_hash = ${tokenHash})`)
}

export function subscriptionByToken(ctx: Ctx, id: TokenId): Query<PushSubscriptionRow | null> {
  return subscriptionOf(ctx, sql`${id}`)
}

function subscriptionOf(ctx: Ctx, token: SQL): Query<PushSubscriptionRow | null> {
  return first(ctx.db.select().from(pushSubscriptions).where(eq(pushSubscriptions.accessTokenId, token)))
}
