import { desc, type SQL, sql } from 'drizzle-orm'
import { readStatusUri } from '../../../contract/addresses'
import { combineQueries, constant, first, jsonRows, map, type Query, rows } from '../../../db/query'
import { archiveImportRefusals, archiveImports, importedStatuses } from '../../../db/schema'
import type { AccountId, MediaId, StatusId } from '../../../lib/ids'
import type { ArchivedItem } from '../../../ports/archives'
import type { Ctx } from '../../../ports/ctx'
import { accountsByUris, type Mentionable } from '../../accounts/find'
import { viewerById } from '../../core/viewer'
import { type MediaRow, unattachedMediaById } from '../../media/find'
import { visibleTo } from '../../policy/visibility'

export type ArchiveImport = typeof archiveImports.$inferSelect

/** Guard: staff has not removed the import. */
export function isStanding(id: number): SQL {
  return sql`exists (select 1 from archive_imports where id = ${id} and removed_at is null)`
}

/** The import of an account with this id; null for that of another, and for one that staff removed. One statement. */
export function findArchiveImport(ctx: Ctx, owner: AccountId | SQL, id: number): Query<ArchiveImport | null> {
  return first(
    ctx.db
      .select()
      .from(archiveImports)
      .where(
        sql`${archiveImports.id} = ${id} and ${archiveImports.accountId} = ${owner} and ${archiveImports.removedAt} is null`,
      ),
  )
}

/** The imports of an account, latest first. One statement. */
export function archiveImportsOf(ctx: Ctx, owner: SQL): Query<readonly ArchiveImport[]> {
  return rows(
    ctx.db
      .select()
      .from(archiveImports)
      .where(sql`${archiveImports.accountId} = ${owner} and ${archiveImports.removedAt} is null`)
      .orderBy(desc(archiveImports.id))
      .limit(40),
  )
}

/** A page of what an import refused, by address. One statement. */
export function refusalsOf(
  ctx: Ctx,
  {
    owner,
    id,
    after,
    limit,
  }: { readonly owner: SQL; readonly id: number; readonly after: string; readonly limit: number },
): Query<readonly { readonly uri: string; readonly reason: string }[]> {
  const { uri, reason, importId } = archiveImportRefusals
  return rows(
    ctx.db
      .select({ uri, reason })
      .from(archiveImportRefusals)
      .where(
        sql`${importId} = (select id from archive_imports where id = ${id} and account_id = ${owner}) and ${uri} > ${after}`,
      )
      .orderBy(uri)
      .limit(limit),
  )
}

/** Statuses that the account imported from these addresses. One statement. */
export function importedAmong(
  ctx: Ctx,
  owner: AccountId,
  uris: readonly string[],
): Query<readonly { readonly uri: string; readonly id: StatusId; readonly conversationId: StatusId }[]> {
  return rows(
    ctx.db
      .select({
        uri: sql<string>`known.uri`.as('uri'),
        id: sql<StatusId>`s.id`.as('id'),
        conversationId: sql<StatusId>`s.conversation_id`.as('conversation_id'),
      })
      .from(
        sql`${jsonRows([...new Set(uris)])} cross join ${importedStatuses} known
          on known.account_id = ${owner} and known.uri = item.value
          cross join statuses s on s.id = known.status_id and s.account_id = ${owner}`,
      ),
  )
}

/** Guard: no status has one of these ids. */
export function areFreeIds(ids: readonly StatusId[]): SQL {
  return sql`not exists (select 1 from ${jsonRows(ids)} cross join statuses s on s.id = item.value)`
}

/** Guard: none of these addresses was imported by the account. */
export function areNewAddresses(owner: AccountId, uris: readonly string[]): SQL {
  return sql`not exists (select 1 from ${jsonRows(uris)} cross join imported_statuses i
    on i.account_id = ${owner} and i.uri = item.value)`
}

/** A status that an archived one answers or reblogs. */
export interface KnownStatus {
  readonly id: StatusId
  /** Address by which it was looked for. */
  readonly asked: string
  readonly accountId: AccountId
  readonly conversationId: StatusId
  readonly visibility: string
  readonly localOnly: number
  readonly reblogPolicy: string
  /** Flag: pending approval. */
  readonly pending: number
  /** Flag: its thread began with a status of the account. */
  readonly startedByAuthor: number
  /** Flag: the account has reblogged it. */
  readonly reblogged: number
}

/**
 * Statuses at addresses that `author` may see, and what `author` imported from them; reblogs are left out. One
 * statement.
 */
export function visibleAt(
  ctx: Ctx,
  author: AccountId,
  uris: readonly string[],
): Query<readonly KnownStatus[]> {
  if (uris.length === 0) return constant([])
  const asked = uris.map((uri) => {
    const own = readStatusUri(ctx.config.origin, uri)
    return { uri, id: own?.id ?? null, name: own?.username.toLowerCase() ?? null }
  })
  const named = sql`(select item.value ->> 'uri' as asked, found.id as id
      from ${jsonRows(asked)} cross join statuses found on found.uri = item.value ->> 'uri'
    union all
    select item.value ->> 'uri', found.id
      from ${jsonRows(asked)} cross join statuses found on found.id = item.value ->> 'id' and found.local = 1
      cross join accounts owner on owner.id = found.account_id and lower(owner.username) = item.value ->> 'name'
    union all
    select item.value ->> 'uri', known.status_id
      from ${jsonRows(asked)} cross join imported_statuses known
        on known.account_id = ${author} and known.uri = item.value ->> 'uri')`
  const column = <T>(text: string, name: string) => sql<T>`${sql.raw(text)}`.as(name)
  return rows(
    ctx.db
      .select({
        id: column<StatusId>('s.id', 'id'),
        asked: column<string>('named.asked', 'asked'),
        accountId: column<AccountId>('s.account_id', 'account_id'),
        conversationId: column<StatusId>('s.conversation_id', 'conversation_id'),
        visibility: column<string>('s.visibility', 'visibility'),
        localOnly: column<number>('s.local_only', 'local_only'),
        reblogPolicy: column<string>('s.reblog_policy', 'reblog_policy'),
        pending: column<number>(`coalesce(s.approval ->> 'state' = 'pending', 0)`, 'pending'),
        startedByAuthor: sql<number>`exists (select 1 from statuses root
          where root.id = s.conversation_id and root.account_id = ${author})`.as('started_by_author'),
        reblogged: sql<number>`exists (select 1 from statuses r
          where r.account_id = ${author} and r.reblog_of_id = s.id)`.as('reblogged'),
      })
      .from(sql`${named} named cross join statuses s on s.id = named.id`)
      .where(sql`s.reblog_of_id is null and ${visibleTo(viewerById(author))}`),
  )
}

/** Lookups for a part of an archive. */
export interface PartFacts {
  /** Imported before, of the part itself and of what it answers. */
  readonly imported: ReadonlyMap<string, { readonly id: StatusId; readonly conversationId: StatusId }>
  /** Parents and originals of the part, by address. */
  readonly known: ReadonlyMap<string, KnownStatus>
  readonly mentioned: ReadonlyMap<string, Mentionable>
  readonly media: ReadonlyMap<MediaId, MediaRow>
}

/** Loads the facts for a part of an archive: one round trip of four statements. */
export function partFacts(
  ctx: Ctx,
  owner: AccountId,
  { items, mediaIds }: { readonly items: readonly ArchivedItem[]; readonly mediaIds: readonly MediaId[] },
): Query<PartFacts> {
  const targets = [...new Set(items.flatMap(targetOf))]
  const mentioned = [
    ...new Set(items.flatMap((item) => (item.kind === 'status' ? item.status.mentioned : []))),
  ]
  const found = combineQueries({
    imported: importedAmong(ctx, owner, [...items.flatMap((item) => uriOf(item) ?? []), ...targets]),
    known: visibleAt(ctx, owner, targets),
    mentioned: mentioned.length === 0 ? constant([]) : accountsByUris(ctx, mentioned),
    media: mediaIds.length === 0 ? constant([]) : unattachedMediaById(ctx, owner, { ids: mediaIds }),
  })
  return map(found, (all) => ({
    imported: new Map(all.imported.map((row) => [row.uri, row])),
    known: new Map(all.known.map((row) => [row.asked, row])),
    mentioned: new Map(
      all.mentioned
        .filter(({ suspendedAt }) => suspendedAt === null)
        .map((account) => [account.asked, account]),
    ),
    media: new Map(all.media.map((row) => [row.id, row])),
  }))
}

export function uriOf(item: ArchivedItem): string | null {
  return item.kind === 'status' ? item.status.uri : item.uri
}

function targetOf(item: ArchivedItem): readonly string[] {
  if (item.kind === 'reblog') return [item.originalUri]
  return item.kind === 'status' && item.status.inReplyTo !== null ? [item.status.inReplyTo] : []
}
