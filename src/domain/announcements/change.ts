import { eq, sql } from 'drizzle-orm'
import { findShortcodes } from '../../contract/text/emoji'
import { both, execute, first, limitTo, map, oneRow, orNotFound, type Query, rows } from '../../db/query'
import { announcementMutes, announcementReactions, announcements } from '../../db/schema'
import { Conflict, Invalid, NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { changedValues, recordAudit } from '../core/audit'
import { Changes, commit, commitWhere } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { recordEmojiUses } from '../custom-emojis/shortcodes'
import {
  type AnnouncementOrder,
  announcementTarget,
  announcementValues,
  checkedAnnouncement,
  composeAnnouncement,
} from './add'
import { type AnnouncementRow, findAnnouncement, isCurrent, isOver } from './find'

export interface AnnouncementPatch extends Partial<AnnouncementOrder> {
  /** New time of publication of an announcement that is not published yet. */
  readonly publishAt?: Date
}

/**
 * Changes the fields given. Connected users are shown a published announcement again; it stays read by those who dismissed it.
 * `Invalid` as for adding, and for a new time of publication once it is published; `Conflict` where it changed
 * meanwhile.
 */
export async function updateAnnouncement(
  ctx: Ctx,
  moderator: Moderator,
  id: number,
  { publishAt, ...patch }: AnnouncementPatch,
): Promise<void> {
  const row = await announcementOrNotFound(ctx, id)
  const { text, startsAt, endsAt, allDay } = row
  const fields = checkedAnnouncement({ text, startsAt, endsAt, allDay, ...patch })
  const composed = fields.text === text ? {} : await composeAnnouncement(ctx, fields.text)
  if (publishAt !== undefined && row.notifiedAt !== null) throw new Invalid('published_already')
  const now = ctx.clock.now()
  const isNow = row.notifiedAt !== null || (publishAt !== undefined && publishAt <= now)
  const after = {
    ...fields,
    publishedAt: publishAt ?? row.publishedAt,
    notifiedAt: row.notifiedAt ?? (isNow ? now : null),
  }
  const changes = new Changes()
  change(ctx, changes, row, { ...composed, ...after })
  changes.add(...recordEmojiUses(ctx, { kind: 'announcement', id }, findShortcodes(fields.text)))
  recordAudit(ctx, changes, moderator, {
    action: 'update',
    target: announcementTarget(row),
    ...changedValues(announcementValues(row), announcementValues(after)),
  })
  if (isNow && !isOver(fields, now)) changes.publish({ kind: 'announcement.published', announcementId: id })
  await commit(ctx, changes)
}

/** Publishes a draft or a scheduled announcement now, or makes a published one a draft again. */
export async function setAnnouncementPublished(
  ctx: Ctx,
  moderator: Moderator,
  id: number,
  published: boolean,
): Promise<void> {
  const row = await announcementOrNotFound(ctx, id)
  if (published ? row.notifiedAt !== null : row.publishedAt === null) return
  const at = published ? ctx.clock.now() : null
  const changes = new Changes()
  change(ctx, changes, row, { publishedAt: at, notifiedAt: at })
  recordAudit(ctx, changes, moderator, {
    action: published ? 'publish' : 'unpublish',
    target: announcementTarget(row),
    ...changedValues(announcementValues(row), { published_at: at }),
  })
  const kind = published ? 'announcement.published' : 'announcement.removed'
  await commit(ctx, changes.publish({ kind, announcementId: id }))
}

/** Members who dismissed an announcement or reacted to it, up to whom it goes in one batch. */
const membersInOneBatch = 200
/** Dismissals, and reactions, that one part deletes. */
const membersAtOnce = 1_000

/**
 * Deletes an announcement with its reactions: one that very many dismissed or reacted to is a draft from now on, which
 * jobs delete. `NotFound` for an unknown id.
 */
export async function removeAnnouncement(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const [row, isMany] = await execute(ctx.db, both(findAnnouncement(ctx, id), concernsMany(ctx, id)))
  if (row === null) throw new NotFound()
  const changes = new Changes()
    .require(sql`exists (select 1 from announcements where id = ${id})`, new NotFound())
    .publish({ kind: 'announcement.removed', announcementId: id })
  const isRow = eq(announcements.id, id)
  if (isMany)
    changes
      .add(ctx.db.update(announcements).set({ publishedAt: null, notifiedAt: null }).where(isRow))
      .enqueue({ kind: 'continue-announcement-removal', announcementId: id })
  else changes.add(ctx.db.delete(announcements).where(isRow))
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: announcementTarget(row),
    before: announcementValues(row),
  })
  await commit(ctx, changes)
}

function concernsMany(ctx: Ctx, id: number): Query<boolean> {
  const isMany = sql<number>`(select count(*) from (
    select 1 from ${announcementMutes} where announcement_id = ${id}
    union all select 1 from ${announcementReactions} where announcement_id = ${id}
    ${limitTo(membersInOneBatch + 1)})) > ${sql.raw(String(membersInOneBatch))}`
  return map(
    first(ctx.db.select({ isMany: isMany.as('is_many') }).from(oneRow)),
    (found) => found?.isMany === 1,
  )
}

/** Deletes the next dismissals of a removed announcement and reactions to it, at last the announcement. Runs may repeat. */
export async function continueAnnouncementRemoval(ctx: Ctx, id: number): Promise<void> {
  const some = sql`where announcement_id = ${id} ${limitTo(membersAtOnce)}`
  const isLeft = sql`exists (select 1 from ${announcementMutes} where announcement_id = ${id})
    or exists (select 1 from ${announcementReactions} where announcement_id = ${id})`
  // Published again, it stays.
  const isRemoved = sql`exists (select 1 from ${announcements}
    where ${announcements.id} = ${id} and ${announcements.publishedAt} is null)`
  const changes = new Changes()
    .add(
      ctx.db.delete(announcementMutes).where(sql`announcement_id = ${id} and account_id in (
          select account_id from announcement_mutes ${some})`),
      ctx.db.delete(announcementReactions).where(sql`announcement_id = ${id} and (account_id, name) in (
          select account_id, name from announcement_reactions ${some})`),
      ctx.db.delete(announcements).where(sql`id = ${id} and not (${isLeft})`),
    )
    .enqueueWhere(isLeft, { kind: 'continue-announcement-removal', announcementId: id })
  await commitWhere(ctx, isRemoved, changes)
}

export async function announcementOrNotFound(ctx: Ctx, id: number): Promise<AnnouncementRow> {
  const row = await execute(ctx.db, orNotFound(findAnnouncement(ctx, id)))
  return row
}

function change(
  ctx: Ctx,
  changes: Changes,
  { id, updatedAt, notifiedAt }: AnnouncementRow,
  values: Partial<AnnouncementRow>,
): void {
  const now = ctx.clock.now()
  // Later than the previous change, so that concurrent ones differ.
  const later = now > updatedAt ? now : new Date(updatedAt.getTime() + 1)
  changes
    .require(
      sql`exists (select 1 from announcements a where a.id = ${id} and a.updated_at = ${updatedAt.getTime()}
        and a.told_at is ${notifiedAt?.getTime() ?? null})`,
      new Conflict('announcement_changed'),
    )
    .add(
      ctx.db
        .update(announcements)
        .set({ ...values, updatedAt: later })
        .where(eq(announcements.id, id)),
    )
}

const maxPublishedPerRun = 3

/** Condition: an announcement is due and not yet published. */
export const hasDueAnnouncements = ({ clock }: Ctx) =>
  sql`exists (select 1 from announcements a where a.told_at is null and ${isCurrent(clock.now())})`

/**
 * Publishes due announcements to connected users. Each is published once: by the run that marks it as published.
 *
 * An announcement that was over before any run saw it is not published.
 */
export async function publishAnnouncements(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const due = ctx.db
    .select({ id: sql<number>`a.id`.as('id') })
    .from(sql`announcements a`)
    .where(sql`a.told_at is null and ${isCurrent(now)}`)
    .orderBy(sql`a.published_at`)
    .limit(maxPublishedPerRun)
  for (const { id } of await execute(ctx.db, rows(due))) {
    const untold = sql`exists (select 1 from announcements where id = ${id} and told_at is null)`
    const changes = new Changes()
      .require(untold, new Conflict('told_already'))
      .add(ctx.db.update(announcements).set({ notifiedAt: now }).where(eq(announcements.id, id)))
      .publish({ kind: 'announcement.published', announcementId: id })
    try {
      await commit(ctx, changes)
    } catch (failure) {
      // Another run was faster, or the announcement was deleted.
      if (!(failure instanceof Conflict)) throw failure
    }
  }
}
