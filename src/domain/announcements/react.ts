import { and, eq, sql } from 'drizzle-orm'
import { announcementLimits } from '../../contract/limits'
import { readReactionName, readUnicodeEmoji } from '../../contract/text/emoji'
import { combineQueries, constant, execute } from '../../db/query'
import { announcementMutes, announcementReactions, announcements } from '../../db/schema'
import type { EmojiSnapshot } from '../../db/values'
import { Invalid, NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { emojisByShortcodes } from '../custom-emojis/shortcodes'
import { isCurrent, type Reactable, reactableAnnouncement } from './find'
export interface AnnouncementReaction {
  readonly id: number
  /** As typed: an emoji, or a local shortcode with or without colons. */
  readonly name: string
}

const shortcode = /^[A-Za-z0-9_]{2,128}$/

/**
 * Adds the viewer's reaction to an announcement, once for each emoji.
 *
 * `NotFound` unless the announcement is current, `Invalid` for anything but an emoji in use here and beyond the
 * number of distinct emojis.
 */
export async function reactToAnnouncement(
  ctx: Ctx,
  viewer: Viewer,
  { id, name }: AnnouncementReaction,
): Promise<void> {
  const typed = readReactionName(name)
  const { announcement, emojis } = await execute(
    ctx.db,
    combineQueries({
      announcement: reactableAnnouncement(ctx, viewer, { id, now: ctx.clock.now() }),
      emojis: shortcode.test(typed) ? emojisByShortcodes(ctx, [typed]) : constant([]),
    }),
  )
  if (announcement === null) throw new NotFound()
  const [emoji = null] = emojis
  if (emoji === null && readUnicodeEmoji(typed) === null) throw new Invalid('no_emoji', { field: 'name' })
  if (announcement.own.includes(typed)) return
  checkReactionLimit(announcement, typed)
  const add = ctx.db.run(sql`insert into ${announcementReactions} (announcement_id, account_id, name)
    select a.id, ${viewer.id}, ${typed} from announcements a
    where a.id = ${id} and (json_array_length(a.reactions) < ${announcementLimits.kindsOfReaction}
      or exists (select 1 from json_each(a.reactions) kind where kind.value ->> 'name' = ${typed}))
    on conflict do nothing`)
  const changes = new Changes().add(add, recount(ctx, id, { name: typed, emoji }))
  await commit(ctx, changes.publish({ kind: 'announcement.reacted', announcementId: id, name: typed }))
}

function checkReactionLimit({ reactions }: Reactable, name: string): void {
  const isNew = !reactions.some((kind) => kind.name === name)
  if (isNew && reactions.length >= announcementLimits.kindsOfReaction) throw new Invalid('too_many_reactions')
}

/** Removes a reaction of the viewer. `NotFound` if there is none. */
export async function unreactToAnnouncement(
  ctx: Ctx,
  viewer: Viewer,
  { id, name }: AnnouncementReaction,
): Promise<void> {
  const typed = readReactionName(name)
  const announcement = await execute(ctx.db, reactableAnnouncement(ctx, viewer, { id, now: ctx.clock.now() }))
  if (announcement === null || !announcement.own.includes(typed)) throw new NotFound()
  const { announcementId, accountId, name: kind } = announcementReactions
  const own = and(eq(announcementId, id), eq(accountId, viewer.id), eq(kind, typed))
  const changes = new Changes()
    .add(ctx.db.delete(announcementReactions).where(own))
    .add(recount(ctx, id, { name: typed, emoji: null }))
    .publish({ kind: 'announcement.reacted', announcementId: id, name: typed })
  await commit(ctx, changes)
}

/** The new count of a reaction after it was added or removed; reactions are in order of first use. */
function recount(
  ctx: Ctx,
  id: number,
  { name, emoji }: { readonly name: string; readonly emoji: EmojiSnapshot | null },
) {
  const picture = emoji === null ? null : JSON.stringify(emoji)
  const isKind = sql`kind.value ->> 'name' = ${name}`
  const recounted = sql`(select json_group_array(json(entry)) from (
    select case when ${isKind} then json_set(kind.value, '$.count', fresh.count) else kind.value end as entry
      from json_each(announcements.reactions) kind, fresh where fresh.count > 0 or not ${isKind}
    union all
    select json_object('name', ${name}, 'count', fresh.count, 'emoji', json(${picture})) from fresh
      where fresh.count > 0 and not exists (select 1 from json_each(announcements.reactions) kind where ${isKind})))`
  return ctx.db.run(sql`with fresh(count) as (select count(*) from ${announcementReactions}
      where announcement_id = ${id} and name = ${name})
    update ${announcements} set reactions = ${recounted} where id = ${id}`)
}

/** Marks an announcement as read by the viewer. `NotFound` unless it is current. */
export async function dismissAnnouncement(ctx: Ctx, viewer: Viewer, id: number): Promise<void> {
  const shown = sql`exists (select 1 from announcements a where a.id = ${id} and ${isCurrent(ctx.clock.now())})`
  const changes = new Changes().require(shown, new NotFound()).add(
    ctx.db
      .insert(announcementMutes)
      .values({ accountId: viewer.id, announcementId: id })
      .onConflictDoNothing({ target: [announcementMutes.accountId, announcementMutes.announcementId] }),
  )
  await commit(ctx, changes)
}
