import { eq } from 'drizzle-orm'
import { instances } from '../../db/schema'
import type { SignatureScheme } from '../../lib/signatures/sign'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

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
