import { sql } from 'drizzle-orm'
import { execute, rows } from '../../db/query'
import { backupParts } from '../../db/schema'
import { backupKey, manifestFile } from '../../lib/backups'
import { softwareVersion } from '../../lib/version'
import type { Ctx } from '../../ports/ctx'
import type { BackupRow } from './state'
import { leftOut } from './tables'

/** Version of the form of backups; scripts/lib/backups/read-backup.mjs reads it. */
const formVersion = 1

/** Stores the list of the parts of a backup: what has one is complete. */
export async function storeManifest(ctx: Ctx, row: BackupRow, finishedAt: Date): Promise<void> {
  const found = ctx.db
    .select()
    .from(backupParts)
    .where(sql`${backupParts.backupId} = ${row.id} order by ${backupParts.number}`)
  const parts = await execute(ctx.db, rows(found))
  const { config } = ctx
  const tables: Record<string, number> = {}
  for (const { kind, contents } of parts)
    if (kind === 'database')
      for (const [table, count] of Object.entries(contents)) tables[table] = (tables[table] ?? 0) + count
  const manifest = {
    format: 'fieldfare-backup',
    version: formVersion,
    name: row.name,
    origin: config.origin,
    domain: config.domain,
    software: softwareVersion,
    schema: row.schema,
    // The secret is not in the backup. Without it no private key that is opens.
    secret_version: config.secrets.current.version,
    accepted_secret_versions: config.secrets.accepted.map(({ version }) => version),
    started_at: row.startedAt.toISOString(),
    finished_at: finishedAt.toISOString(),
    rows: row.rows,
    tables,
    left_out: leftOut,
    media: { objects: row.mediaObjects, bytes: row.mediaBytes },
    parts: parts.map(({ file, kind, bytes, sha256, contents }) => ({ file, kind, bytes, sha256, contents })),
  }
  const text = JSON.stringify(manifest, null, 1)
  await ctx.files.put(backupKey(row.name, manifestFile), new TextEncoder().encode(text), 'application/json')
}
