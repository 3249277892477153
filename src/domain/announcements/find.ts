import { eq, type SQL, sql } from 'drizzle-orm'
import { first, map, oneRow, type Query, rows } from '../../db/query'
import { announcementMutes, announcementReactions, announcements } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { idPage, newestFirst, type Page } from '../core/page'
import type { Viewer, ViewerRef } from '../core/viewer'
import { idByAddress } from '../statuses/find'

export type AnnouncementRow = typeof announcements.$inferSelect

/**
 * Whether the announcement `a` is shown at `now`: from its publication until its event is over; a day is over when it
 * ends. Later events are announced in advance, as in Mastodon.
 */
export function isCurrent(now: Date): SQL {
  const time = now.getTime()
  return sql`(a.published_at <= ${time}
    and (a.ends_at is null or a.ends_at + a.all_day * ${dayMilliseconds} > ${time}))`
}

/** Whether the announcement `a` is shown at `now` and not dismissed by the viewer. */
export function isUnread(viewer: ViewerRef, now: Date): SQL {
  const { announcementId, accountId } = announcementMutes
  return sql`(${isCurrent(now)} and not exists (select 1 from ${announcementMutes}
    where ${announcementId} = a.id and ${accountId} = ${viewer.id}))`
}

/** Whether the announced event is over at `now`, as in `isCurrent`. Pure. */
export function isOver({ endsAt, allDay }: Pick<AnnouncementRow, 'endsAt' | 'allDay'>, now: Date): boolean {
  return endsAt !== null && endsAt.getTime() + (allDay ? dayMilliseconds : 0) <= now.getTime()
}

/** State of an announcement for staff. Pure. */
export function announcementState(row: AnnouncementRow, now: Date) {
  if (row.publishedAt === null) return 'draft'
  if (row.publishedAt > now) return 'scheduled'
  return isOver(row, now) ? 'over' : 'published'
}

/** An announcement with the facts needed to react to it. */
export interface Reactable {
  readonly id: number
  readonly reactions: AnnouncementRow['reactions']
  /** Emojis the viewer reacted with. */
  readonly own: readonly string[]
}

/** The announcement with this id, if it is current. One statement. */
export function reactableAnnouncement(
  ctx: Ctx,
  viewer: Viewer,
  { id, now }: { readonly id: number; readonly now: Date },
): Query<Reactable | null> {
  const own = sql<string>`(select json_group_array(r.name) from ${announcementReactions} r
    where r.announcement_id = ${announcements.id} and r.account_id = ${viewer.id})`
  const found = first(
    ctx.db
      .select({ id: announcements.id, reactions: announcements.reactions, own: own.as('own') })
      .from(announcements)
      .where(sql`${announcements.id} = ${id} and exists (
        select 1 from announcements a where a.id = ${id} and ${isCurrent(now)})`),
  )
  return map(found, (row) => {
    if (row === null) return null
    const names: readonly string[] = JSON.parse(row.own)
    return { ...row, own: names }
  })
}

/** An announcement by id, current or not. For staff. */
export function findAnnouncement(ctx: Ctx, id: number): Query<AnnouncementRow | null> {
  return first(ctx.db.select().from(announcements).where(eq(announcements.id, id)))
}

/** A page of announcements, current or not, newest first. For staff. */
export function findAnnouncements(ctx: Ctx, page: Page): Query<AnnouncementRow[]> {
  const { bounds, order } = idPage(page, sql`${announcements.id}`)
  return map(rows(ctx.db.select().from(announcements).where(bounds).orderBy(order)), newestFirst)
}

/** Ids of known statuses with these URLs. One statement. */
export function statusIdsByUrls(ctx: Ctx, addresses: readonly string[]): Query<StatusId[]> {
  const ids = sql.join(
    addresses.map((address) => idByAddress(ctx, address)),
    sql`, `,
  )
  const found = first(ctx.db.select({ ids: sql<string>`json_array(${ids})`.as('ids') }).from(oneRow))
  return map(found, (row) => {
    const list: readonly (StatusId | null)[] = JSON.parse(row?.ids ?? '[]')
    return list.filter((id) => id !== null)
  })
}
