import { eq } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { first, map, type Query } from '../../db/query'
import { instances } from '../../db/schema'
import type { SignatureScheme } from '../../lib/signatures/sign'
import { Changes, commit } from '../changes'

/** The signatures a server was last seen to insist on; null while it took the first it got. */
export function findSignatureScheme(ctx: Ctx, host: string): Query<SignatureScheme | null> {
  const found = ctx.db
    .select({ signature: instances.signature })
    .from(instances)
    .where(eq(instances.domain, host))
  return map(first(found), (row) => row?.signature ?? null)
}

/** Keeps what a server insists on, so that the next request need not knock twice. Servers nobody here knows are not kept. */
export async function rememberSignatureScheme(
  ctx: Ctx,
  host: string,
  signature: SignatureScheme,
): Promise<void> {
  const remember = ctx.db.update(instances).set({ signature }).where(eq(instances.domain, host))
  await commit(ctx, new Changes().add(remember))
}
