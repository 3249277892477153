import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { combineQueries, jsonRows, map, type Query, rows } from '../../db/query'
import { announcements } from '../../db/schema'
import type { ViewerRef } from '../../domain/core/viewer'
import { visibleTo } from '../../domain/policy/visibility'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

/** An announcement as shown to its reader. */
export interface AnnouncementFacts
  extends Omit<typeof announcements.$inferSelect, 'text' | 'statusIds' | 'createdAt'> {
  readonly read: boolean
  readonly ownReactions: readonly string[]
  readonly statuses: readonly LinkedStatus[]
}

/** Link to a status in an announcement, as far as the reader may see it. */
export interface LinkedStatus {
  readonly id: StatusId
  readonly uri: string | null
  readonly url: string | null
  readonly username: string
}

/** Loads the announcements that fulfil `condition` on the row `a`, earliest start first. Two statements. */
export function loadAnnouncements(ctx: Ctx, viewer: ViewerRef, condition: SQL): Query<AnnouncementFacts[]> {
  const found = loadFor(ctx, sql`(select ${viewer.id} as id)`, condition)
  return map(found, (all) => all.map(({ facts }) => facts))
}

/** Loads the announcement `id` as shown to each of several readers; empty if deleted. Two statements. */
export function loadAnnouncementOfMany(
  ctx: Ctx,
  id: number,
  readers: readonly AccountId[],
): Query<ReadonlyMap<AccountId, AnnouncementFacts>> {
  const found = loadFor(ctx, sql`(select item.value as id from ${jsonRows(readers)})`, sql`a.id = ${id}`)
  return map(found, (all) => new Map(all.map(({ readerId, facts }) => [readerId, facts])))
}

/** Loads for `readers`, a table of ids. */
function loadFor(ctx: Ctx, readers: SQL, condition: SQL) {
  const { text: _text, createdAt: _created, ...columns } = getTableColumns(announcements)
  const found = combineQueries({
    list: rows(
      ctx.db
        .select({
          ...columns,
          readerId: sql<AccountId>`reader.id`.as('reader_id'),
          read: sql<number>`exists (select 1 from announcement_mutes m
            where m.announcement_id = ${announcements.id} and m.account_id = reader.id)`.as('read'),
          own: sql<string>`(select json_group_array(r.name) from announcement_reactions r
            where r.announcement_id = ${announcements.id} and r.account_id = reader.id)`.as('own'),
        })
        .from(announcements)
        .crossJoin(sql`${readers} as reader`)
        .where(sql`${announcements.id} in (select a.id from announcements a where ${condition})`)
        .orderBy(sql`coalesce(starts_at, published_at)`, announcements.id),
    ),
    statuses: rows(
      ctx.db
        .select({
          readerId: sql<AccountId>`reader.id`.as('reader_id'),
          id: sql<StatusId>`s.id`.as('id'),
          uri: sql<string | null>`s.uri`.as('uri'),
          url: sql<string | null>`s.url`.as('url'),
          username: sql<string>`author.username`.as('username'),
        })
        .from(sql`announcements a cross join json_each(a.status_ids) linked
          cross join statuses s on s.id = linked.value cross join accounts author on author.id = s.account_id
          cross join ${readers} as reader`)
        // Content sent to every reader is limited to what every reader may see.
        .where(sql`${condition} and s.visibility in ('public', 'unlisted')
          and ${visibleTo({ id: sql`reader.id`, signedIn: true })}`),
    ),
  })
  return map(found, ({ list, statuses }) =>
    list.map(({ statusIds, own, read, readerId, ...row }) => {
      const ownReactions: readonly string[] = JSON.parse(own)
      const linked = statusIds.flatMap(
        (id) => statuses.find((status) => status.id === id && status.readerId === readerId) ?? [],
      )
      return { readerId, facts: { ...row, read: read === 1, ownReactions, statuses: linked } }
    }),
  )
}
