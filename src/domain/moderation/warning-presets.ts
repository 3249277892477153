import { desc, eq, sql } from 'drizzle-orm'
import { execute, first, orNotFound, type Query, rows } from '../../db/query'
import { warningPresets } from '../../db/schema'
import { Conflict, Invalid } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { changedValues, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'

export type WarningPresetRow = typeof warningPresets.$inferSelect

/** A preset as written by a moderator. */
export interface PresetText {
  readonly title: string
  readonly text: string
}

const most = { presets: 100, title: 200, text: 5_000 } as const

/** Presets, newest first. One statement. */
export function listPresets(ctx: Ctx): Query<WarningPresetRow[]> {
  return rows(ctx.db.select().from(warningPresets).orderBy(desc(warningPresets.id)).limit(most.presets))
}

/** Adds a preset. `Invalid` without a text, for texts that are too long, and beyond a hundred presets. */
export async function addPreset(
  ctx: Ctx,
  moderator: Moderator,
  wanted: PresetText,
): Promise<WarningPresetRow> {
  const now = ctx.clock.now()
  const row = { ...checked(wanted), id: ctx.ids.next(), createdAt: now, updatedAt: now }
  const changes = new Changes()
    .require(
      sql`(select count(*) from warning_presets) < ${most.presets}`,
      new Invalid('too_many', { field: 'presets', max: most.presets }),
    )
    .add(ctx.db.insert(warningPresets).values(row))
  recordAudit(ctx, changes, moderator, { action: 'create', target: targetOf(row), after: checked(wanted) })
  await commit(ctx, changes)
  return row
}

/** Changes a preset. `NotFound`, `Invalid` as for a new one, `Conflict` where the preset changed meanwhile. */
export async function changePreset(
  ctx: Ctx,
  moderator: Moderator,
  id: number,
  patch: Readonly<Record<keyof PresetText, string | undefined>>,
): Promise<WarningPresetRow> {
  const row = await presetOrNotFound(ctx, id)
  const was = { title: row.title, text: row.text }
  const wanted = checked({ title: patch.title ?? row.title, text: patch.text ?? row.text })
  const next = { ...row, ...wanted, updatedAt: ctx.clock.now() }
  const changes = requireUnchanged(row).add(
    ctx.db
      .update(warningPresets)
      .set({ ...wanted, updatedAt: next.updatedAt })
      .where(eq(warningPresets.id, id)),
  )
  recordAudit(ctx, changes, moderator, {
    action: 'update',
    target: targetOf(row),
    ...changedValues(was, wanted),
  })
  await commit(ctx, changes)
  return next
}

/** Deletes a preset; warnings keep its text. `NotFound`, `Conflict` where the preset changed meanwhile. */
export async function deletePreset(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const row = await presetOrNotFound(ctx, id)
  const changes = requireUnchanged(row).add(ctx.db.delete(warningPresets).where(eq(warningPresets.id, id)))
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: targetOf(row),
    before: { title: row.title, text: row.text },
  })
  await commit(ctx, changes)
}

/** The preset with this id. */
export function findPreset(ctx: Ctx, id: number): Query<WarningPresetRow | null> {
  return first(ctx.db.select().from(warningPresets).where(eq(warningPresets.id, id)))
}

async function presetOrNotFound(ctx: Ctx, id: number): Promise<WarningPresetRow> {
  const row = await execute(ctx.db, orNotFound(findPreset(ctx, id)))
  return row
}

function requireUnchanged({ id, title, text }: WarningPresetRow): Changes {
  return new Changes().require(
    sql`exists (select 1 from warning_presets p where p.id = ${id} and p.title = ${title} and p.text = ${text})`,
    new Conflict('preset_changed'),
  )
}

function checked({ title, text }: PresetText) {
  const preset = { title: title.trim(), text: text.trim() }
  if (preset.text === '') throw new Invalid('blank', { field: 'text' })
  for (const [field, value] of [
    ['title', preset.title],
    ['text', preset.text],
  ] as const) {
    const max = most[field]
    if ([...value].length > max) throw new Invalid('too_long', { field, max })
  }
  return preset
}

function targetOf({ id, title, text }: Pick<WarningPresetRow, 'id' | 'title' | 'text'>) {
  return { type: 'warning_preset' as const, id, label: title === '' ? text.slice(0, 50) : title }
}
