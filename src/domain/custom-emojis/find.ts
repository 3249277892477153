import { and, asc, count, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { first, inList, limitTo, map, type Query, rows } from '../../db/query'
import { customEmojis } from '../../db/schema'
import type { EmojiSnapshot } from '../../db/values'
import type { Ctx } from '../../ports/ctx'
import { idPage, newestFirst, type Page } from '../core/page'

export type CustomEmojiRow = typeof customEmojis.$inferSelect

/** The local custom emoji with this shortcode. One statement. */
export function ownEmoji(ctx: Ctx, name: string): Query<CustomEmojiRow | null> {
  const { domain, shortcode } = customEmojis
  return first(
    ctx.db
      .select()
      .from(customEmojis)
      // Verbatim the unique index's expression, so that the index is used.
      .where(sql`${shortcode} = ${name} and coalesce(${domain}, '') = ''`),
  )
}

/** The local custom emoji with this id. One statement. */
export function ownEmojiById(ctx: Ctx, id: number): Query<CustomEmojiRow | null> {
  return first(
    ctx.db
      .select()
      .from(customEmojis)
      .where(and(eq(customEmojis.id, id), isNull(customEmojis.domain))),
  )
}

/**
 * A page of local custom emojis, newest first, of those whose shortcode begins with `prefix`, and of one category where
 * it is given. One statement; with a prefix it reads the emojis that begin so, otherwise a page.
 */
export function findOwnEmojis(
  ctx: Ctx,
  prefix: string,
  page: Page,
  inCategory?: string,
): Query<CustomEmojiRow[]> {
  const { domain, shortcode, id, category } = customEmojis
  // Without the plus sign SQLite would scan by id where the index of shortcodes finds few.
  const { bounds, order } = idPage(page, prefix === '' ? sql`${id}` : sql`+${id}`)
  const begins = prefix === '' ? sql`1` : sql`${shortcode} >= ${prefix} and ${shortcode} < ${`${prefix}{`}`
  const belongs = inCategory === undefined ? sql`1` : sql`${category} = ${inCategory}`
  const found = ctx.db
    .select()
    .from(customEmojis)
    .where(sql`${domain} is null and ${begins} and ${belongs} and ${bounds}`)
    .orderBy(order)
  return map(rows(found), newestFirst)
}

/** Heading under which pickers show emojis, and how many there are. */
export interface EmojiCategory {
  readonly name: string
  readonly count: number
}

/** Categories of the local custom emojis, by name. One statement, which reads each emoji. */
export function emojiCategories(ctx: Ctx): Query<readonly EmojiCategory[]> {
  const { category, domain } = customEmojis
  return rows(
    ctx.db
      .select({ name: sql<string>`${category}`.as('name'), count: count().as('emojis') })
      .from(customEmojis)
      .where(and(isNull(domain), isNotNull(category)))
      .groupBy(category)
      .orderBy(asc(category)),
  )
}

/** Shortcodes among these that local emojis have. One statement. */
export function takenShortcodes(ctx: Ctx, shortcodes: readonly string[]): Query<readonly string[]> {
  const { shortcode, domain } = customEmojis
  const found = ctx.db
    .select({ shortcode })
    .from(customEmojis)
    .where(sql`${inList(shortcode, shortcodes)} and coalesce(${domain}, '') = ''`)
  return map(rows(found), (taken) => taken.map((row) => row.shortcode))
}

/** For a guard: whether a local emoji has this shortcode. */
export function isShortcodeTaken(shortcode: string): SQL {
  return sql`exists (select 1 from custom_emojis where shortcode = ${shortcode} and coalesce(domain, '') = '')`
}

/** Rows searched of a server: accounts first, then their statuses. */
const maxAccountsRead = 2_000
const maxStatusesRead = 5_000

/**
 * The emoji that accounts of `domain` use under this shortcode: on a profile, in a reaction or in a stored status.
 * Null if unused. One statement, for operators alone: it scans many rows.
 */
export function findRemoteEmoji(
  ctx: Ctx,
  { domain, shortcode }: { readonly domain: string; readonly shortcode: string },
): Query<EmojiSnapshot | null> {
  const profiles = sql`(select id, emojis from accounts where domain = ${domain} ${limitTo(maxAccountsRead)}) a`
  const namedEmojis = (list: SQL) =>
    sql`cross join json_each(${list}) e where e.value ->> 'shortcode' = ${shortcode}`
  const onProfiles = sql`select e.value as emoji from ${profiles} ${namedEmojis(sql`a.emojis`)}`
  const inReactions = sql`select r.emoji as emoji from ${profiles} cross join emoji_reactions r on r.account_id = a.id
    where r.name = ${`${shortcode}@${domain}`}`
  const inStatuses = sql`select e.value as emoji from (select s.emojis from ${profiles}
    cross join statuses s on s.account_id = a.id where s.emojis <> '[]' ${limitTo(maxStatusesRead)}) s
    ${namedEmojis(sql`s.emojis`)}`
  const found = first(
    ctx.db
      .select({
        emoji: sql<
          string | null
        >`coalesce((${onProfiles} limit 1), (${inReactions} limit 1), (${inStatuses} limit 1))`.as('emoji'),
      })
      .from(sql`(select 1) as one`),
  )
  return map(found, (row) => (row?.emoji == null ? null : JSON.parse(row.emoji)))
}
