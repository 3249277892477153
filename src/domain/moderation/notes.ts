import { eq, getTableColumns, sql } from 'drizzle-orm'
import { execute, first, map, orNotFound, type Query, rows } from '../../db/query'
import { moderationNotes } from '../../db/schema'
import { Conflict, Forbidden, Invalid } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import { idPage, newestFirst, type Page } from '../core/page'
import type { Moderator } from '../core/viewer'
import { outranks, rolePosition } from '../policy/permissions'

export type NoteRow = typeof moderationNotes.$inferSelect

/** Subject of a note. */
export interface NoteSubject {
  readonly type: 'report' | 'account'
  readonly id: number
}

const maxNote = 2_000

/** Notes about a report or an account, newest first; null where that does not exist. One statement each. */
export function findNotes(ctx: Ctx, subject: NoteSubject, page: Page): Query<readonly NoteRow[]> {
  const { bounds, order } = idPage(page, sql`${moderationNotes.id}`)
  const found = ctx.db
    .select()
    .from(moderationNotes)
    .where(sql`${isAbout(subject)} and ${bounds}`)
    .orderBy(order)
  return map(rows(found), newestFirst)
}

function isAbout({ type, id }: NoteSubject) {
  return eq(type === 'report' ? moderationNotes.reportId : moderationNotes.targetAccountId, id)
}

/** The handle of what a note is about; null where it does not exist. */
export function noteSubjectLabel(ctx: Ctx, { type, id }: NoteSubject): Query<string | null> {
  const account =
    type === 'report' ? sql`(select target_account_id from reports where id = ${id})` : sql`${id}`
  const found = first(
    ctx.db
      .select({ label: sql<string>`a.username || coalesce('@' || a.domain, '')`.as('label') })
      .from(sql`accounts a`)
      .where(sql`a.id = ${account} and a.id > 0`),
  )
  return map(found, (row) => row?.label ?? null)
}

/** Adds a note about a report or an account. `Invalid` for an empty or long text. */
export async function addNote(
  ctx: Ctx,
  moderator: Moderator,
  subject: NoteSubject,
  content: string,
): Promise<NoteRow> {
  const label = await execute(ctx.db, orNotFound(noteSubjectLabel(ctx, subject)))
  if (content.trim() === '') throw new Invalid('blank', { field: 'content' })
  if ([...content].length > maxNote) throw new Invalid('too_long', { field: 'content', max: maxNote })
  const row: NoteRow = {
    id: ctx.ids.next(),
    accountId: moderator.accountId,
    username: moderator.username,
    reportId: subject.type === 'report' ? subject.id : null,
    targetAccountId: subject.type === 'account' ? subject.id : null,
    content: content.trim(),
    createdAt: ctx.clock.now(),
  }
  const changes = new Changes().add(ctx.db.insert(moderationNotes).values(row))
  recordAudit(ctx, changes, moderator, {
    action: 'note',
    target: { ...subject, label },
    after: { note_id: String(row.id) },
  })
  await commit(ctx, changes)
  return row
}

/** Deletes a note: its author may, and a moderator whose role stands above that of the author. */
export async function deleteNote(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const found = first(
    ctx.db
      .select({
        ...getTableColumns(moderationNotes),
        position: rolePosition(sql`${moderationNotes.accountId}`).as('position'),
      })
      .from(moderationNotes)
      .where(eq(moderationNotes.id, id)),
  )
  const note = await execute(ctx.db, orNotFound(found))
  const isOwn = note.accountId !== null && note.accountId === moderator.accountId
  if (!isOwn && !outranks(moderator, note.position)) throw new Forbidden()
  const subject: NoteSubject =
    note.reportId === null
      ? { type: 'account', id: note.targetAccountId ?? 0 }
      : { type: 'report', id: note.reportId }
  const label = (await execute(ctx.db, noteSubjectLabel(ctx, subject))) ?? ''
  const changes = new Changes()
    .require(sql`exists (select 1 from moderation_notes where id = ${id})`, new Conflict('note_deleted'))
    .add(ctx.db.delete(moderationNotes).where(eq(moderationNotes.id, id)))
  recordAudit(ctx, changes, moderator, {
    action: 'delete_note',
    target: { ...subject, label },
    before: { note_id: String(id), username: note.username },
  })
  await commit(ctx, changes)
}
