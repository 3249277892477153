import { eq } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { instances } from '../../db/schema'
import type { SignatureScheme } from '../../lib/signatures/sign'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Signature scheme the server at `host` was last seen to accept, null where that is unknown. One statement. */
export function signatureOf(ctx: Ctx, host: string): Query<'cavage' | 'rfc9421' | null> {
  const { signature, domain } = instances
  const found = first(ctx.db.select({ signature }).from(instances).where(eq(domain, host)))
  return map(found, (row) => row?.signature ?? null)
}

/**
 * Stores the signature scheme a server requires, so that the next request needs one attempt. Unknown servers are
 * not stored.
 */
export async function rememberSignatureScheme(
  ctx: Ctx,
  host: string,
  signature: SignatureScheme,
): Promise<void> {
  const remember = ctx.db.update(instances).set({ signature }).where(eq(instances.domain, host))
  await commit(ctx, new Changes().add(remember))
}
