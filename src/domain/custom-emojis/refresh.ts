import { sql } from 'drizzle-orm'
import { namedLimits } from '../../contract/limits'
import { combineQueries, execute } from '../../db/query'
import { jsonRows } from '../../db/sql'
import type { EmojiSnapshot } from '../../db/values'
import { findShortcodes } from '../../lib/text/emoji'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import {
  type EmojiTable,
  type EmojiText,
  type EmojiUse,
  emojiTables,
  emojiTextsOf,
  emojiUsesOf,
} from './find-uses'
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
