import { type SQL, sql } from 'drizzle-orm'
import { namedLimits } from '../../contract/limits'
import { findShortcodes } from '../../contract/text/emoji'
import { combineQueries, execute, jsonRows, limitTo, map, oneRow, type Query, rows } from '../../db/query'
import { emojiUses } from '../../db/schema'
import type { EmojiUseKind } from '../../db/schema/instance'
import type { EmojiSnapshot } from '../../db/values'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { emojisByShortcodes } from './shortcodes'

/** Texts of a job: as many as fit into its three round trips. */
const textsPerJob = 200

export interface EmojiRefresh {
  readonly shortcode: string
  /** The last text that was checked. */
  readonly after: EmojiUse | null
}

/**
 * Makes local names, profiles, statuses and announcements show the emoji `shortcode` as it is now: a new one appears,
 * a deleted or disabled one does not.
 *
 * A part at a time, in three round trips; the rest becomes a job. A second run changes nothing, and a row edited at
 * the same moment keeps its edit.
 */
export async function refreshEmoji(ctx: Ctx, { shortcode, after }: EmojiRefresh): Promise<void> {
  const { emojis, uses } = await execute(
    ctx.db,
    combineQueries({
      emojis: emojisByShortcodes(ctx, [shortcode]),
      uses: emojiUsesOf(ctx, shortcode, { after, most: textsPerJob }),
    }),
  )
  const last = uses.at(-1)
  if (last === undefined) return
  const [emoji = null] = emojis
  const texts = await execute(ctx.db, emojiTextsOf(ctx, uses))
  const changes = new Changes()
  for (const table of emojiTables) {
    const own = texts.filter((text) => text.table === table)
    writeEmojis(ctx, changes, { table, texts: own.flatMap((text) => changeOf(text, shortcode, emoji)) })
  }
  deleteUses(ctx, changes, { shortcode, uses: uses.filter((use) => !texts.some((text) => isOf(text, use))) })
  if (changes.statements.length > 0) await commit(ctx, changes)
  if (uses.length === textsPerJob) await ctx.jobs.send({ kind: 'refresh-emoji', shortcode, after: last })
}

/** A row whose stored emojis are out of date. */
interface EmojiChange {
  readonly id: number
  readonly stored: string
  readonly emojis: string
}

/** The update of a text whose emojis changed; empty if up to date. Pure. */
function changeOf(
  { id, words, emojis, stored }: EmojiText,
  shortcode: string,
  emoji: EmojiSnapshot | null,
): readonly EmojiChange[] {
  const others = emojis.filter((one) => one.shortcode !== shortcode)
  const isShown = emoji !== null && findShortcodes(words).includes(shortcode)
  const next = JSON.stringify(isShown ? [...others, emoji].slice(0, namedLimits.emojis) : others)
  return next === stored ? [] : [{ id, stored, emojis: next }]
}

function writeEmojis(
  ctx: Ctx,
  changes: Changes,
  { table, texts }: { readonly table: EmojiTable; readonly texts: readonly EmojiChange[] },
): void {
  if (texts.length === 0) return
  const name = sql.raw(table)
  changes.add(
    ctx.db.run(sql`update ${name} set emojis = item.value ->> 'emojis' from ${jsonRows(texts)}
      where ${name}.id = item.value ->> 'id' and ${name}.emojis = item.value ->> 'stored'`),
  )
}

/** Deletes the uses of deleted texts. */
function deleteUses(
  ctx: Ctx,
  changes: Changes,
  { shortcode, uses }: { readonly shortcode: string; readonly uses: readonly EmojiUse[] },
): void {
  if (uses.length === 0) return
  changes.add(
    ctx.db.run(sql`delete from emoji_uses where shortcode = ${shortcode} and (kind, subject_id) in (
      select item.value ->> 'kind', item.value ->> 'subjectId' from ${jsonRows(uses)})`),
  )
}

function isOf({ table, subjectId }: EmojiText, use: EmojiUse): boolean {
  return kindOf[table] === use.kind && subjectId === use.subjectId
}

const kindOf = {
  statuses: 'status',
  status_edits: 'status',
  accounts: 'account',
  announcements: 'announcement',
} as const satisfies Record<EmojiTable, EmojiUse['kind']>

/** A local text that names a shortcode. */
interface EmojiUse {
  readonly kind: EmojiUseKind
  readonly subjectId: number
}

/** Tables whose rows store the emojis they show. */
const emojiTables = ['statuses', 'status_edits', 'accounts', 'announcements'] as const
type EmojiTable = (typeof emojiTables)[number]

/** A row whose texts may name an emoji, with its stored emojis, parsed and raw. */
interface EmojiText {
  readonly table: EmojiTable
  readonly id: number
  readonly subjectId: number
  readonly words: string
  readonly emojis: readonly EmojiSnapshot[]
  readonly stored: string
}

/** The texts that name `shortcode`, in a fixed order, after `after`. One statement. */
function emojiUsesOf(
  ctx: Ctx,
  shortcode: string,
  { after, most }: { readonly after: EmojiUse | null; readonly most: number },
): Query<EmojiUse[]> {
  const { kind, subjectId } = emojiUses
  const behind = after === null ? sql`1` : sql`(${kind}, ${subjectId}) > (${after.kind}, ${after.subjectId})`
  return rows(
    ctx.db
      .select({ kind, subjectId })
      .from(emojiUses)
      .where(sql`${emojiUses.shortcode} = ${shortcode} and ${behind}
        order by kind, subject_id ${limitTo(most)}`),
  )
}

/** The rows of these texts, earlier versions of statuses included. Four statements. */
function emojiTextsOf(ctx: Ctx, uses: readonly EmojiUse[]): Query<readonly EmojiText[]> {
  const ids = (kind: EmojiUseKind) =>
    sql`(select value from json_each(${JSON.stringify(uses.filter((use) => use.kind === kind).map(({ subjectId }) => subjectId))}))`
  const found = combineQueries({
    statuses: textsIn(
      ctx,
      sql`select s.id, s.id as subject_id, s.text || ' ' || s.spoiler_text || ' ' || coalesce(p.options, '') as words,
        s.emojis from statuses s left join polls p on p.id = s.poll_id where s.local = 1 and s.id in ${ids('status')}`,
    ),
    status_edits: textsIn(
      ctx,
      sql`select e.id, e.status_id as subject_id, e.emojis,
        e.text || ' ' || e.spoiler_text || ' ' || coalesce(e.poll_options, '') words
        from status_edits e where e.status_id in ${ids('status')}`,
    ),
    accounts: textsIn(
      ctx,
      sql`select a.id, a.id as subject_id, a.display_name || ' ' || a.note || ' ' || a.fields as words, a.emojis
        from accounts a where a.domain is null and a.id in ${ids('account')}`,
    ),
    announcements: textsIn(
      ctx,
      sql`select n.id, n.id as subject_id, n.text as words, n.emojis
        from announcements n where n.id in ${ids('announcement')}`,
    ),
  })
  return map(found, ({ statuses, status_edits: edits, accounts, announcements }) => [
    ...statuses.map((row) => ({ ...row, table: 'statuses' as const })),
    ...edits.map((row) => ({ ...row, table: 'status_edits' as const })),
    ...accounts.map((row) => ({ ...row, table: 'accounts' as const })),
    ...announcements.map((row) => ({ ...row, table: 'announcements' as const })),
  ])
}

function textsIn(ctx: Ctx, selection: SQL): Query<readonly Omit<EmojiText, 'table'>[]> {
  const found = rows(
    ctx.db
      .select({
        id: sql<number>`said.id`.as('id'),
        subjectId: sql<number>`said.subject_id`.as('subject_id'),
        words: sql<string>`said.words`.as('words'),
        stored: sql<string>`said.emojis`.as('stored'),
      })
      .from(oneRow)
      .innerJoin(sql`(${selection}) as said`, sql`1`),
  )
  return map(found, (all) => all.map((row) => ({ ...row, emojis: JSON.parse(row.stored) })))
}
