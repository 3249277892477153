import { sql } from 'drizzle-orm'
import { execute, jsonRows, map, rows } from '../../db/query'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'

const listedAtOnce = 500
/** Age from which a file without a row is an orphan: interrupted work no longer continues then. */
const orphanAgeMilliseconds = 7 * dayMilliseconds

/** Part of the files that was looked through. */
export interface CleanedPart {
  readonly files: number
  readonly bytes: number
  readonly orphans: number
  readonly orphanBytes: number
  /** Key behind which the next part begins; null at the end. */
  readonly next: string | null
}

/**
 * Looks through the next files behind `after`, and deletes those of uploads, avatars and headers that nothing names and
 * no evidence shows, once they are a week old. With `isDryRun` it only counts them. Remote media is not stored.
 */
export async function cleanMedia(
  ctx: Ctx,
  moderator: Moderator,
  { after, isDryRun }: { readonly after: string; readonly isDryRun: boolean },
): Promise<CleanedPart> {
  const { files, isLast } = await ctx.files.listFacts(after, listedAtOnce)
  const before = ctx.clock.now().getTime() - orphanAgeMilliseconds
  const candidates = files.flatMap((file) =>
    file.uploadedAt.getTime() < before ? (candidateOf(file.key) ?? []) : [],
  )
  const orphans = new Set(await findOrphans(ctx, candidates))
  const sizeOf = (counted: typeof files) => counted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const part = {
    files: files.length,
    bytes: sizeOf(files),
    orphans: orphans.size,
    orphanBytes: sizeOf(files.filter(({ key }) => orphans.has(key))),
    next: isLast ? null : (files.at(-1)?.key ?? null),
  }
  if (isDryRun || orphans.size === 0) return part
  await ctx.files.delete([...orphans])
  const target = { type: 'media' as const, id: null, label: '' }
  const values = { files: part.orphans, bytes: part.orphanBytes }
  await commit(ctx, recordAudit(ctx, new Changes(), moderator, { action: 'clean', target, after: values }))
  return part
}

interface Candidate {
  readonly key: string
  readonly owner: number
  /** Folder of one upload, with its slashes. */
  readonly folder: string
  readonly isUpload: boolean
}

/** `<kind>/<id of upload or account>/<random>/<name>`; null for a key of another form, which stays. */
function candidateOf(key: string): Candidate | null {
  const [, kind, owner, random] =
    /^(attachments|avatars|headers)\/(\d{1,16})\/([^/]+)\/[^/]+$/.exec(key) ?? []
  if (kind === undefined || random === undefined) return null
  return { key, owner: Number(owner), folder: `/${random}/`, isUpload: kind === 'attachments' }
}

async function findOrphans(ctx: Ctx, candidates: readonly Candidate[]): Promise<readonly string[]> {
  if (candidates.length === 0) return []
  const isNamed = sql`case when item.value ->> 'isUpload'
    then exists (select 1 from media_attachments m where m.id = item.value ->> 'owner')
    else exists (select 1 from accounts a where a.id = item.value ->> 'owner'
      and instr(coalesce(a.avatar, '') || coalesce(a.header, ''), item.value ->> 'folder') > 0) end`
  const found = ctx.db
    .select({ key: sql<string>`item.value ->> 'key'`.as('key') })
    .from(jsonRows(candidates))
    .where(sql`not ${isNamed}
      and not exists (select 1 from evidence_files e where e.file_key = item.value ->> 'key')`)
  return execute(
    ctx.db,
    map(rows(found), (all) => all.map(({ key }) => key)),
  )
}
