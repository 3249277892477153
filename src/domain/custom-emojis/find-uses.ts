import { type SQL, sql } from 'drizzle-orm'
import { combineQueries, map, type Query, rows } from '../../db/query'
import { emojiUses } from '../../db/schema'
import type { EmojiUseKind } from '../../db/schema/instance'
import { limitTo, oneRow } from '../../db/sql'
import type { EmojiSnapshot } from '../../db/values'
import type { Ctx } from '../../ports/ctx'

/** A local text that names a shortcode. */
export interface EmojiUse {
  readonly kind: EmojiUseKind
  readonly subjectId: number
}

/** Tables whose rows store the emojis they show. */
export const emojiTables = ['statuses', 'status_edits', 'accounts', 'announcements'] as const
export type EmojiTable = (typeof emojiTables)[number]

/** A row whose texts may name an emoji, with its stored emojis, parsed and raw. */
export interface EmojiText {
  readonly table: EmojiTable
  readonly id: number
  readonly subjectId: number
  readonly words: string
  readonly emojis: readonly EmojiSnapshot[]
  readonly stored: string
}

/** The texts that name `shortcode`, in a fixed order, after `after`. One statement. */
export function emojiUsesOf(
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
export function emojiTextsOf(ctx: Ctx, uses: readonly EmojiUse[]): Query<readonly EmojiText[]> {
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
