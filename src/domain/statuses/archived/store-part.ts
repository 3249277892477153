import { eq, type SQL, sql } from 'drizzle-orm'
import { jsonRows } from '../../../db/query'
import {
  accounts,
  archiveImportRefusals,
  archiveImports,
  featuredTags,
  importedStatuses,
  mediaAttachments,
  polls,
  statuses,
  statusMentions,
  statusTags,
  tags,
} from '../../../db/schema'
import { Conflict, NotFound } from '../../../errors'
import type { AccountId } from '../../../lib/ids'
import { utf8Bytes } from '../../../lib/text/bytes'
import type { Ctx } from '../../../ports/ctx'
import type { Changes } from '../../core/changes'
import { areFree } from '../../media/find'
import { documentOf, insertDocuments } from '../../search/document'
import { addToInstanceCounters } from '../store'
import { type ArchiveImport, isStanding } from './find-imported'
import type { ImportedRow, ItemResult } from './plan-archived'
import { countImported } from './totals'

interface Part {
  readonly author: AccountId
  readonly importId: number
  readonly rows: readonly ImportedRow[]
}

/** Adds the rows of a part, whatever their number in the same statements: parents first, counters last. */
export function storePart(ctx: Ctx, changes: Changes, part: Part): void {
  if (part.rows.length === 0) return
  changes.add(insertStatuses(ctx, part))
  addPolls(ctx, changes, part)
  addMentions(ctx, changes, part)
  addTags(ctx, changes, part)
  claimUploads(ctx, changes, part)
  changes.add(
    insertDocuments(ctx, part.rows.filter(({ reblogOfId }) => reblogOfId === null).map(searchDocument(part))),
  )
  addCounters(ctx, changes, part)
  const known = part.rows.map(({ id, uri, profileOnly }) => ({ id, uri, profileOnly }))
  changes.add(
    ctx.db.run(sql`insert into ${importedStatuses} (account_id, uri, status_id, import_id, profile_only)
      select ${part.author}, item.value ->> 'uri', item.value ->> 'id', ${part.importId}, item.value ->> 'profileOnly'
      from ${jsonRows(known)}`),
  )
}

function insertStatuses(ctx: Ctx, { author, rows }: Part) {
  const values = rows.map(({ poll, ...row }) => ({ ...row, pollId: poll?.id ?? null }))
  return ctx.db.run(sql`insert into ${statuses} (id, account_id, local, visibility, text, content, spoiler_text, sensitive,
      language, in_reply_to_id, in_reply_to_account_id, in_reply_to_uri, reblog_of_id, conversation_id, poll_id,
      attachments, mentions, tags, emojis, quote_policy, local_only, created_at, edited_at)
    select item.value ->> 'id', ${author}, 1, item.value ->> 'visibility', item.value ->> 'text',
      item.value ->> 'content', item.value ->> 'spoilerText', item.value ->> 'sensitive', item.value ->> 'language',
      item.value ->> 'inReplyToId', item.value ->> 'inReplyToAccountId', item.value ->> 'inReplyToUri',
      item.value ->> 'reblogOfId', item.value ->> 'conversationId', item.value ->> 'pollId',
      item.value -> 'attachments', item.value -> 'mentions', item.value -> 'tags', item.value -> 'emojis',
      item.value ->> 'quotePolicy', item.value ->> 'localOnly', item.value ->> 'createdAt', item.value ->> 'editedAt'
    from ${jsonRows(values)} order by item.key`)
}

function addPolls(ctx: Ctx, changes: Changes, { author, rows }: Part): void {
  const values = rows.flatMap(({ id, poll }) => (poll === null ? [] : [{ ...poll, statusId: id }]))
  if (values.length === 0) return
  changes.add(
    ctx.db.run(sql`insert into ${polls} (id, account_id, status_id, options, tallies, multiple, votes_count, voters_count,
        expires_at, closed_at)
      select item.value ->> 'id', ${author}, item.value ->> 'statusId', item.value -> 'options',
        (select json_group_array(0) from json_each(item.value, '$.options')), item.value ->> 'multiple', 0, 0,
        item.value ->> 'expiresAt', item.value ->> 'expiresAt'
      from ${jsonRows(values)}`),
  )
}

/** Mentions of statuses visible to everyone. Those of other statuses stay names: they give nobody access. */
function addMentions(ctx: Ctx, changes: Changes, { rows }: Part): void {
  const values = rows.flatMap(({ id, visibility, mentions }) =>
    isOpen(visibility) ? mentions.map((mention) => ({ id, account: mention.id })) : [],
  )
  if (values.length === 0) return
  changes.add(
    ctx.db.run(sql`insert into ${statusMentions} (status_id, account_id)
      select item.value ->> 'id', item.value ->> 'account' from ${jsonRows(values)} where true on conflict do nothing`),
  )
}

function addTags(ctx: Ctx, changes: Changes, { author, rows }: Part): void {
  const named = new Map(rows.flatMap((row) => row.tags.map((tag) => [tag.name, tag] as const)))
  if (named.size === 0) return
  const now = ctx.clock.now().getTime()
  const all = [...named.values()].map((tag) => ({ ...tag, id: ctx.ids.next() }))
  const uses = rows.flatMap(({ id, tags: used }) => used.map(({ name }) => ({ id, name })))
  const counted = rows.flatMap(({ visibility, localOnly, createdAt, tags: used }) =>
    isOpen(visibility) && !localOnly ? used.map(({ name }) => ({ name, at: createdAt })) : [],
  )
  changes.add(
    ctx.db.run(sql`insert into ${tags} (id, name, display_name, created_at)
      select item.value ->> 'id', item.value ->> 'name', item.value ->> 'display', ${now} from ${jsonRows(all)}
      where true on conflict (name) do nothing`),
    ctx.db.run(sql`insert into ${statusTags} (tag_id, status_id)
      select t.id, item.value ->> 'id' from ${jsonRows(uses)} cross join tags t on t.name = item.value ->> 'name'
      where true on conflict do nothing`),
    ctx.db.run(sql`update ${featuredTags} set statuses_count = statuses_count + more.count,
        last_status_at = max(coalesce(last_status_at, 0), more.latest)
      from (select t.id as tag, count(*) as count, max(item.value ->> 'at') as latest
        from ${jsonRows(counted)} cross join tags t on t.name = item.value ->> 'name' group by t.id) more
      where featured_tags.account_id = ${author} and featured_tags.tag_id = more.tag`),
  )
}

/** Guards against two statuses claiming the same upload concurrently. */
function claimUploads(ctx: Ctx, changes: Changes, { author, rows }: Part): void {
  const values = rows.flatMap(({ id, attachments }) =>
    attachments.map(({ id: media, description, meta }) => ({ id, media, description, meta })),
  )
  if (values.length === 0) return
  const ids = values.map(({ media }) => media)
  changes.require(areFree(author, ids), new Conflict('file_attached')).add(
    ctx.db.run(sql`update ${mediaAttachments} set status_id = item.value ->> 'id',
        description = item.value ->> 'description', meta = item.value -> 'meta'
      from ${jsonRows(values)} where media_attachments.id = item.value ->> 'media'`),
  )
}

function searchDocument({ author }: Part) {
  return (row: ImportedRow) =>
    documentOf({
      ...row,
      accountId: author,
      isReply: row.inReplyToId !== null || row.inReplyToUri !== null,
      isQuote: false,
      pollOptions: row.poll?.options ?? null,
    })
}

/** As `incrementCounters`, but for the days and weeks of the server: nothing was written here then. */
function addCounters(ctx: Ctx, changes: Changes, { author, rows }: Part): void {
  const counted = rows.filter(({ visibility, localOnly }) => visibility !== 'direct' && !localOnly)
  const isReply = ({ inReplyToId, visibility }: ImportedRow) => inReplyToId !== null && isOpen(visibility)
  // The directory and sitemaps are in the order of the latest posts.
  const latest = counted.reduce(
    (last, { createdAt, profileOnly }) => (profileOnly ? last : Math.max(last, createdAt)),
    0,
  )
  if (counted.length > 0)
    changes.add(
      ctx.db
        .update(accounts)
        .set({
          statusesCount: sql`statuses_count + ${counted.length}`,
          ...(latest === 0 ? {} : { lastStatusAt: sql`max(coalesce(last_status_at, 0), ${latest})` }),
        })
        .where(eq(accounts.id, author)),
      addToInstanceCounters(ctx, sql`${counted.length}`),
    )
  const replies = counted.filter(isReply).length
  if (replies > 0) changes.add(addToInstanceCounters(ctx, sql`${replies}`, ['replies']))
  const answered = rows
    .filter(isReply)
    .map(({ inReplyToId: id, localOnly }) => ({ id, localOnly, isHidden: false }))
  const shared = rows
    .filter(({ reblogOfId }) => reblogOfId !== null)
    .map(({ reblogOfId: id, localOnly, visibility }) => ({ id, localOnly, isHidden: !isOpen(visibility) }))
  for (const [targets, set] of [
    [answered, sql`replies_count = replies_count + more.count`],
    [
      shared,
      sql`reblogs_count = reblogs_count + more.count, untrusted_reblogs_count = untrusted_reblogs_count + more.count`,
    ],
  ] as const) {
    if (targets.length === 0) continue
    changes.add(
      ctx.db.run(sql`update ${statuses} set ${set}
        from (select item.value ->> 'id' as id, item.value ->> 'localOnly' as within, item.value ->> 'isHidden' as hidden, count(*) as count
          from ${jsonRows(targets)} group by 1, 2, 3) more
        where statuses.id = more.id and (more.within = 0 or statuses.local_only = 1)
          and (more.hidden = 0 or statuses.visibility = 'private')`),
    )
  }
}

function isOpen(visibility: ImportedRow['visibility']): boolean {
  return visibility === 'public' || visibility === 'unlisted'
}

/** Refusals kept of one import. */
const mostRefusals = 20_000

/**
 * Adds the progress of an import, and to the totals of the account. What was refused before and is imported now is no
 * refusal any more.
 */
export function recordPart(
  ctx: Ctx,
  changes: Changes,
  {
    source: { id: importId, accountId },
    rows,
    results,
  }: {
    readonly source: ArchiveImport
    readonly rows: readonly ImportedRow[]
    readonly results: readonly ItemResult[]
  },
): void {
  const stored = results.flatMap(({ kind, uri }) => (kind === 'refused' || uri === null ? [] : [uri]))
  const refused = results.flatMap((result, index) =>
    result.kind === 'refused'
      ? [{ uri: (result.uri ?? `entry ${index + 1}`).slice(0, 2_048), reason: result.reason }]
      : [],
  )
  const isRefused = (uri: SQL) => sql`exists (select 1 from archive_import_refusals r
    where r.import_id = ${importId} and r.uri = ${uri})`
  const fresh = (what: SQL) => sql`(select ${what} from ${jsonRows(refused)}
    where not ${isRefused(sql`item.value ->> 'uri'`)})`
  const less = sql`(select count(*) from ${jsonRows(stored)} where ${isRefused(sql`item.value`)})`
  const bytes = bytesOf(rows)
  changes.include(
    countImported(ctx, accountId, 'posts', {
      count: sql`(${rows.length} + ${fresh(sql`count(*)`)})`,
      bytes: sql`(${bytes} + ${fresh(sql`coalesce(sum(length(cast(item.value as blob))), 0)`)})`,
    }),
  )
  changes.require(isStanding(importId), new NotFound()).add(
    ctx.db
      .update(archiveImports)
      .set({
        imported: sql`imported + ${rows.length}`,
        openCount: sql`open_count + ${rows.filter(({ visibility }) => isOpen(visibility)).length}`,
        bytes: sql`bytes + ${bytes}`,
        refused: sql`refused + ${fresh(sql`count(*)`)} - ${less}`,
        progressedAt: ctx.clock.now(),
      })
      .where(eq(archiveImports.id, importId)),
  )
  if (stored.length > 0)
    changes.add(
      ctx.db.run(sql`delete from ${archiveImportRefusals}
        where import_id = ${importId} and uri in (select item.value from ${jsonRows(stored)})`),
    )
  // The first reason stays: a repetition writes nothing.
  if (refused.length > 0)
    changes.add(
      ctx.db.run(sql`insert into ${archiveImportRefusals} (import_id, uri, reason)
        select ${importId}, item.value ->> 'uri', item.value ->> 'reason' from ${jsonRows(refused)}
        where (select refused from archive_imports where id = ${importId}) < ${mostRefusals}
        on conflict (import_id, uri) do nothing`),
    )
}

function bytesOf(rows: readonly ImportedRow[]): number {
  return rows.reduce((sum, row) => sum + utf8Bytes(JSON.stringify(row)), 0)
}
