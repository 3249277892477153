import { eq, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { first, type Query } from '../../db/query'
import { accounts, remoteActors } from '../../db/schema'
import { ownSpelledOut } from '../../lib/handle'
import type { AccountId } from '../../lib/ids'
import { selectByHandle } from './find'

/** An account as resolving it needs it; `readAt` is when its document was last read, null for our own people. */
export interface ReadAccount {
  readonly id: AccountId
  readonly uri: string | null
  readonly readAt: Date | null
}

/** The account with this handle, if it may be shown. */
export function readByHandle(
  ctx: Ctx,
  handle: { readonly username: string; readonly domain: string },
): Query<ReadAccount | null> {
  const wanted = selectByHandle(ownSpelledOut(handle, ctx.config.ownDomains))
  return readWhere(ctx, sql`${accounts.id} in (select id from (${wanted}))`)
}

/** The account of another server with this actor id. */
export function readByUri(ctx: Ctx, uri: string): Query<ReadAccount | null> {
  return readWhere(ctx, eq(accounts.uri, uri))
}

function readWhere(ctx: Ctx, condition: SQL): Query<ReadAccount | null> {
  return first(
    ctx.db
      .select({ id: accounts.id, uri: accounts.uri, readAt: remoteActors.fetchedAt })
      .from(accounts)
      .leftJoin(remoteActors, eq(remoteActors.accountId, accounts.id))
      .where(condition),
  )
}
