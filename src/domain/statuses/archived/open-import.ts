import { and, eq, sql } from 'drizzle-orm'
import { first } from '../../../db/query'
import { archiveImports } from '../../../db/schema'
import { Invalid, validationFailed } from '../../../errors'
import type { ArchiveSource } from '../../../lib/archives/archived'
import { dayMilliseconds } from '../../../lib/days'
import type { AccountId } from '../../../lib/ids'
import { parseWebAddress } from '../../../lib/web-address'
import type { Ctx } from '../../../platform/ports'
import { Changes, commit, commitAndRead } from '../../core/changes'
import type { ArchiveImport } from './find-imported'

/** Accounts of other servers that one account brings statuses of. */
const mostImports = 40

/**
 * Opens the import of an archive of `actorUri`, or goes on with the one there is. `Invalid` for an address that is none,
 * for an account of this server, and for the archive of a 41st account.
 */
export async function openArchiveImport(
  ctx: Ctx,
  owner: AccountId,
  source: ArchiveSource,
): Promise<ArchiveImport> {
  const actorUri = parseWebAddress(source.actorUri)
  const followersUri = parseWebAddress(source.followersUri)
  if (actorUri === null) throw validationFailed('Actor is not a web address')
  if (followersUri === null) throw validationFailed('Followers is not a web address')
  if (URL.parse(actorUri)?.origin === ctx.config.origin)
    throw new Invalid('Validation failed: Actor is an account of this server, whose posts are here')
  const now = ctx.clock.now()
  const isOwn = and(eq(archiveImports.accountId, owner), eq(archiveImports.actorUri, actorUri))
  const others = sql`(select count(*) from archive_imports where account_id = ${owner} and actor_uri <> ${actorUri})`
  const changes = new Changes()
    .require(sql`${others} < ${mostImports}`, validationFailed('Actor is one too many'))
    .add(
      ctx.db
        .insert(archiveImports)
        .values({
          id: ctx.ids.next(),
          accountId: owner,
          actorUri,
          followersUri,
          createdAt: now,
          progressedAt: now,
        })
        .onConflictDoUpdate({
          target: [archiveImports.accountId, archiveImports.actorUri],
          set: { followersUri, progressedAt: now },
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

/** Retention of an import without progress. What it imported stays known for as long as it is there. */
const keptMilliseconds = 30 * dayMilliseconds

/** Cron: forgets imports, and what they refused. */
export async function pruneArchiveImports(ctx: Ctx): Promise<void> {
  const before = ctx.clock.now().getTime() - keptMilliseconds
  await commit(
    ctx,
    new Changes().add(ctx.db.delete(archiveImports).where(sql`${archiveImports.progressedAt} < ${before}`)),
  )
}
