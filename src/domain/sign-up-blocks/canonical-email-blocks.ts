import { eq, sql } from 'drizzle-orm'
import { execute, first, map, orNotFound, type Query, rows } from '../../db/query'
import { canonicalEmailBlocks } from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import { sha256Hex } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import { idPage, newestFirst, type Page } from '../core/page'
import type { Moderator } from '../core/viewer'

export type CanonicalEmailBlockRow = typeof canonicalEmailBlocks.$inferSelect

/**
 * SHA-256 in hex of the canonical form of an address: lower case, without dots in the local part and without its
 * extension after `+`, since common providers deliver all of these to one mailbox. Source: Mastodon.
 */
export function canonicalEmailHash(email: string): Promise<string> {
  const [user = '', domain = ''] = email.trim().toLowerCase().split('@')
  const [mailbox = ''] = user.replaceAll('.', '').split('+')
  return sha256Hex(`${mailbox}@${domain}`)
}

/** A page of blocks, newest first. One statement. */
export function findCanonicalEmailBlocks(ctx: Ctx, page: Page): Query<readonly CanonicalEmailBlockRow[]> {
  const { bounds, order } = idPage(page, sql`${canonicalEmailBlocks.id}`)
  return map(rows(ctx.db.select().from(canonicalEmailBlocks).where(bounds).orderBy(order)), newestFirst)
}

export function findCanonicalEmailBlock(ctx: Ctx, id: number): Query<CanonicalEmailBlockRow | null> {
  return first(ctx.db.select().from(canonicalEmailBlocks).where(eq(canonicalEmailBlocks.id, id)))
}

/** The block that an address of this hash meets. */
export function matchCanonicalEmail(ctx: Ctx, hash: string): Query<CanonicalEmailBlockRow | null> {
  return first(
    ctx.db.select().from(canonicalEmailBlocks).where(eq(canonicalEmailBlocks.canonicalEmailHash, hash)),
  )
}

/** Blocks an address by itself or by its hash; the address wins. `Invalid` without either, and for one that is blocked. */
export async function createCanonicalEmailBlock(
  ctx: Ctx,
  moderator: Moderator,
  { email, hash }: { readonly email: string; readonly hash: string },
): Promise<CanonicalEmailBlockRow> {
  const row = {
    id: ctx.ids.next(),
    canonicalEmailHash: await requireHash(email, hash),
    accountId: null,
    createdAt: ctx.clock.now(),
  }
  const changes = new Changes()
    .require(
      sql`not exists (select 1 from canonical_email_blocks where canonical_email_hash = ${row.canonicalEmailHash})`,
      new Invalid('taken', { field: 'canonical_email_hash' }),
    )
    .add(ctx.db.insert(canonicalEmailBlocks).values(row))
  recordAudit(ctx, changes, moderator, { action: 'create', target: targetOf(row) })
  await commit(ctx, changes)
  return row
}

/** Adds that the address of a suspended account is blocked, unless it is already. */
export async function blockAddressOf(
  ctx: Ctx,
  changes: Changes,
  { accountId, email }: { readonly accountId: AccountId; readonly email: string },
): Promise<void> {
  const row = {
    id: ctx.ids.next(),
    canonicalEmailHash: await canonicalEmailHash(email),
    accountId,
    createdAt: ctx.clock.now(),
  }
  changes.add(ctx.db.insert(canonicalEmailBlocks).values(row).onConflictDoNothing())
}

/** Adds that the block which the suspension of an account caused is lifted. */
export function unblockAddressOf(ctx: Ctx, changes: Changes, accountId: AccountId): void {
  changes.add(ctx.db.delete(canonicalEmailBlocks).where(eq(canonicalEmailBlocks.accountId, accountId)))
}

/** Lifts a block. `NotFound` where there is none. */
export async function deleteCanonicalEmailBlock(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const current = await execute(ctx.db, orNotFound(findCanonicalEmailBlock(ctx, id)))
  const changes = new Changes()
    .require(sql`exists (select 1 from canonical_email_blocks where id = ${id})`, new NotFound())
    .add(ctx.db.delete(canonicalEmailBlocks).where(eq(canonicalEmailBlocks.id, id)))
  recordAudit(ctx, changes, moderator, { action: 'delete', target: targetOf(current) })
  await commit(ctx, changes)
}

async function requireHash(email: string, hash: string): Promise<string> {
  if (email.trim() !== '') {
    if (!/^[^@\s]+@[^@\s]+$/.test(email.trim())) throw new Invalid('invalid_email', { field: 'email' })
    return canonicalEmailHash(email)
  }
  const text = hash.trim().toLowerCase()
  if (text === '') throw new Invalid('blank', { field: 'canonical_email_hash' })
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Invalid('not_sha256', { field: 'canonical_email_hash' })
  return text
}

/** Hashes name no address, so the log may hold them. */
function targetOf({ id, canonicalEmailHash: hash }: CanonicalEmailBlockRow) {
  return { type: 'canonical_email_block' as const, id, label: hash }
}
