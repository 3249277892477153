import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { backUp, requestBackup } from '../../src/domain/backups/run'
import type { BackupRow } from '../../src/domain/backups/state'
import { operator } from '../../src/domain/policy/permissions'
import { context } from './test-app'

type Ctx = ReturnType<typeof context>

const Part = z.object({
  file: z.string(),
  kind: z.enum(['database', 'media']),
  bytes: z.number(),
  sha256: z.string(),
  contents: z.record(z.string(), z.number()),
})
const Manifest = z.looseObject({
  name: z.string(),
  schema: z.string(),
  tables: z.record(z.string(), z.number()),
  left_out: z.record(z.string(), z.string()),
  media: z.object({ objects: z.number(), bytes: z.number() }),
  parts: z.array(Part),
})
const Head = z.object({ table: z.string(), columns: z.array(z.string()) })
const Listed = z.object({ key: z.string(), size: z.number(), etag: z.string(), type: z.string() })

export const stateOf = async (name: string): Promise<string | null> =>
  env.DB.prepare('select state from backups where name = ?').bind(name).first('state')

/** Takes parts until the backup is no longer running. */
export async function finishBackup(name: string, ctx: Ctx = context()): Promise<number> {
  let parts = 0
  for (; (await stateOf(name)) === 'running'; parts += 1) {
    if (parts > 500) throw new Error('The backup does not end')
    await backUp(ctx)
  }
  return parts
}

/** A backup of the database and bucket as they are. */
export async function givenBackup(ctx: Ctx = context()): Promise<BackupRow> {
  const row = await requestBackup(ctx, operator)
  await finishBackup(row.name, ctx)
  return row
}

export async function manifestOf(name: string) {
  const stored = await env.MEDIA.get(`backups/${name}/manifest.json`)
  return stored === null ? null : Manifest.parse(await stored.json())
}

/** Lines of a part, unpacked. */
export async function linesOf(name: string, file: string): Promise<readonly unknown[]> {
  const stored = await env.MEDIA.get(`backups/${name}/${file}`)
  if (stored === null) throw new Error(`There is no ${file}`)
  const text = await new Response(stored.body.pipeThrough(new DecompressionStream('gzip'))).text()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Contents of a backup: the rows of each table as objects, and the listed objects. */
export async function contentsOf(name: string) {
  const manifest = await manifestOf(name)
  const tables = new Map<string, Readonly<Record<string, unknown>>[]>()
  const media: z.output<typeof Listed>[] = []
  for (const { file, kind } of manifest?.parts ?? []) {
    let head: z.output<typeof Head> | null = null
    for (const line of await linesOf(name, file))
      if (kind === 'media') media.push(Listed.parse(line))
      else if (!Array.isArray(line)) head = Head.parse(line)
      else if (head !== null) {
        const row = Object.fromEntries(head.columns.map((column, index) => [column, line[index]]))
        tables.set(head.table, [...(tables.get(head.table) ?? []), row])
      }
  }
  return { tables, media }
}

/** Forgets all backups, as a new database does; the bucket keeps them. */
export const deleteBackups = () => context().db.run(sql`delete from backups`)

export async function clearBackups(): Promise<void> {
  await deleteBackups()
  const { objects } = await env.MEDIA.list({ prefix: 'backups/' })
  if (objects.length > 0) await env.MEDIA.delete(objects.map(({ key }) => key))
}
