import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { both, execute, first, jsonRows, limitTo, map, type Query, rows } from '../../db/query'
import { settings, users } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Folder of the uploads to statuses: `attachments/<id of the upload>/<random>/<name>`. */
const folder = 'attachments/'
const listedAtOnce = 500
/** Age from which a file without a row is an orphan: interrupted work no longer continues then. */
const orphanAgeMilliseconds = 7 * dayMilliseconds
/** Time between two rounds through the folder. */
const restMilliseconds = 30 * dayMilliseconds

const placeKey = 'task.prune-orphans'
const Place = z.object({ after: z.string(), restUntil: z.number() })

/** Condition: a round through the files is under way, or due. */
export const isOrphanRoundDue = ({ clock }: Ctx) => sql`not exists (select 1 from settings
  where key = ${placeKey} and cast(value ->> 'restUntil' as integer) > ${clock.now().getTime()})`

/**
 * Cron: deletes files of uploads that no row names and no evidence shows, as interrupted uploads and lost jobs left them.
 * A part of the folder per run, a round each month.
 */
export async function pruneOrphanedFiles(ctx: Ctx): Promise<void> {
  const stored = first(ctx.db.select().from(settings).where(eq(settings.key, placeKey)))
  const [held, founded] = await execute(ctx.db, both(stored, foundingTime(ctx)))
  const place = Place.safeParse(held?.value)
  const listed = await ctx.files.list(folder, place.success ? place.data.after : '', listedAtOnce)
  const now = ctx.clock.now().getTime()
  const old = listed.filter(
    ({ uploadedAt: at }) => at.getTime() < now - orphanAgeMilliseconds && at.getTime() >= founded,
  )
  const orphans = await findOrphans(
    ctx,
    old.flatMap(({ key }) => fileOf(key) ?? []),
  )
  if (orphans.length > 0) await ctx.files.delete(orphans)
  const isOver = listed.length < listedAtOnce
  const value = {
    after: isOver ? '' : (listed.at(-1)?.key ?? ''),
    restUntil: isOver ? now + restMilliseconds : 0,
  }
  const row = { key: placeKey, value, updatedAt: ctx.clock.now() }
  await commit(
    ctx,
    new Changes().add(
      ctx.db.insert(settings).values(row).onConflictDoUpdate({ target: settings.key, set: { value } }),
    ),
  )
}

/**
 * Time of the first account; the end of time where there is none. Files from before it belong to a database that was
 * lost: a restored one may name them.
 */
function foundingTime(ctx: Ctx): Query<number> {
  const found = ctx.db
    .select({ at: sql<number>`created_at`.as('at') })
    .from(users)
    .where(sql`true order by account_id ${limitTo(1)}`)
  return map(first(found), (row) => row?.at ?? Number.MAX_SAFE_INTEGER)
}

interface UploadedFile {
  readonly key: string
  readonly upload: number
}

/** Null for a key of another form: it stays. */
function fileOf(key: string): UploadedFile | null {
  const [, upload] = /^attachments\/(\d{1,16})\/[^/]+\/[^/]+$/.exec(key) ?? []
  return upload === undefined ? null : { key, upload: Number(upload) }
}

async function findOrphans(ctx: Ctx, files: readonly UploadedFile[]): Promise<readonly string[]> {
  if (files.length === 0) return []
  const found = ctx.db
    .select({ key: sql<string>`item.value ->> 'key'`.as('key') })
    .from(jsonRows(files))
    .where(sql`not exists (select 1 from media_attachments m where m.id = item.value ->> 'upload')
      and not exists (select 1 from evidence_files e where e.file_key = item.value ->> 'key')`)
  return execute(
    ctx.db,
    map(rows(found), (all) => all.map(({ key }) => key)),
  )
}
