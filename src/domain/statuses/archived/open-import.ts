import { and, eq, sql } from 'drizzle-orm'
import { namesOfAccount } from '../../../contract/addresses'
import { execute, first, map, type Query } from '../../../db/query'
import { accounts, archiveImportRefusals, archiveImports } from '../../../db/schema'
import type { ImportProof } from '../../../db/schema/archives'
import type { ProfileField } from '../../../db/values'
import { Invalid } from '../../../errors'
import { dayMilliseconds } from '../../../lib/days'
import type { AccountId } from '../../../lib/ids'
import { parseWebAddress } from '../../../lib/web-address'
import type { ArchiveSource } from '../../../ports/archives'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit, commitAndRead } from '../../core/changes'
import type { ArchiveImport } from './find-imported'

/** Accounts of other servers that one account brings statuses of. */
const mostImports = 40

/**
 * Opens the import of an archive of `actorUri`, or continues with the one there is, and looks whether that account names this
 * one. `Invalid` for an address that is none, for an account of this server, for the archive of a 41st account, and for
 * one that staff removed.
 */
export async function openArchiveImport(
  ctx: Ctx,
  owner: AccountId,
  source: ArchiveSource,
): Promise<ArchiveImport> {
  const actorUri = parseWebAddress(source.actorUri)
  const followersUri = parseWebAddress(source.followersUri)
  if (actorUri === null) throw new Invalid('no_web_address', { field: 'actor' })
  if (followersUri === null) throw new Invalid('no_web_address', { field: 'followers' })
  if (URL.parse(actorUri)?.origin === ctx.config.origin) throw new Invalid('local_actor', { field: 'actor' })
  // Read again, as it may name this account by now. A server that is gone proves nothing.
  await ctx.resolver.accountByUri(actorUri, { fresh: true })
  const proof = await execute(ctx.db, findImportProof(ctx, owner, actorUri))
  const now = ctx.clock.now()
  const isOwn = and(eq(archiveImports.accountId, owner), eq(archiveImports.actorUri, actorUri))
  const others = sql`(select count(*) from archive_imports where account_id = ${owner} and actor_uri <> ${actorUri})`
  const isRemoved = sql`exists (select 1 from archive_imports where ${isOwn} and removed_at is not null)`
  const changes = new Changes()
    .require(sql`not ${isRemoved}`, new Invalid('removed_by_moderator', { field: 'actor' }))
    .require(sql`${others} < ${mostImports}`, new Invalid('one_too_many', { field: 'actor' }))
    .add(
      ctx.db
        .insert(archiveImports)
        .values({
          id: ctx.ids.next(),
          accountId: owner,
          actorUri,
          followersUri,
          proof,
          createdAt: now,
          progressedAt: now,
        })
        .onConflictDoUpdate({
          target: [archiveImports.accountId, archiveImports.actorUri],
          set: { followersUri, proof, progressedAt: now },
        }),
    )
  const { found } = await commitAndRead(
    ctx,
    changes,
    first(ctx.db.select().from(archiveImports).where(isOwn)),
  )
  if (found === null) throw new Error('The import that was just opened is gone')
  return found
}

/** Retention of what an import without progress refused, and of one that brought nothing. */
const keptMilliseconds = 30 * dayMilliseconds

/** Cron: forgets imports without progress that brought nothing, and what others refused. */
export async function pruneArchiveImports(ctx: Ctx): Promise<void> {
  const before = ctx.clock.now().getTime() - keptMilliseconds
  // Verbatim as in the index, so that it is used.
  const isOld = sql`progressed_at < ${before} and (imported = 0 or refused > 0)`
  const changes = new Changes().add(
    ctx.db.delete(archiveImports).where(sql`${isOld} and imported = 0 and removed_at is null`),
    ctx.db
      .delete(archiveImportRefusals)
      .where(sql`import_id in (select id from archive_imports where ${isOld})`),
    ctx.db.update(archiveImports).set({ refused: 0 }).where(sql`${isOld} and refused > 0`),
  )
  await commit(ctx, changes)
}

/**
 * What proves that the actor of an archive is the account that imports it: the actor names the account as an alias or has
 * moved to it, a field of its profile links to it, or its page was found to link back to the profile of the account. What
 * the account says of itself proves nothing. Null where nothing does. One statement.
 */
function findImportProof(ctx: Ctx, owner: AccountId, actor: string): Query<ImportProof | null> {
  const { alsoKnownAs, movedToAccountId, fields } = accounts
  const found = ctx.db
    .select({
      alsoKnownAs,
      movedToAccountId,
      fields,
      uri: sql<string>`${accounts.uri}`,
      url: accounts.url,
      username: sql<string>`(select o.username from accounts o where o.id = ${owner})`.as('owner_name'),
      ownFields: sql<readonly ProfileField[]>`(select o.fields from accounts o where o.id = ${owner})`
        .mapWith((cell: string): readonly ProfileField[] => JSON.parse(cell))
        .as('owner_fields'),
    })
    .from(accounts)
    .where(eq(accounts.uri, actor))
  return map(first(found), (row) => {
    if (row === null) return null
    const own = namesOfAccount(ctx.config.origin, row.username).map((one) => one.toLowerCase())
    const isOwn = (address: string) => own.includes(address.toLowerCase())
    if (row.movedToAccountId === owner || row.alsoKnownAs.some(isOwn)) return 'alias'
    const links = row.fields.flatMap(({ html }) => [...html.matchAll(/href="([^"]+)"/g)])
    if (links.some(([, address = '']) => isOwn(address))) return 'link'
    const theirs = [row.uri, row.url]
    const isVerified = row.ownFields.some(
      ({ value, verifiedAt }) => verifiedAt !== null && theirs.includes(value.trim()),
    )
    return isVerified ? 'link' : null
  })
}
