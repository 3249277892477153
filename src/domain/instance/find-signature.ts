import { eq } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { instances } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'

/** Signature scheme the server at `host` was last seen to accept, null where that is unknown. One statement. */
export function signatureOf(ctx: Ctx, host: string): Query<'cavage' | 'rfc9421' | null> {
  const { signature, domain } = instances
  const found = first(ctx.db.select({ signature }).from(instances).where(eq(domain, host)))
  return map(found, (row) => row?.signature ?? null)
}
