/// <reference types="vite/types/importMeta.d.ts" />
import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Buffer } from 'node:buffer'
import * as z from 'zod'
import { clock } from './test-app'

const Value = z.union([z.string(), z.number(), z.null()])
const Row = z.record(z.string(), Value)

const OldInstance = z.object({
  lastMigration: z.string(),
  takenAt: z.coerce.date(),
  tokens: z.record(z.string(), z.string()),
  /** Signed values of session cookies. */
  sessions: z.record(z.string(), z.string()),
  passwords: z.record(z.string(), z.string()),
  tables: z.record(z.string(), z.object({ columns: z.array(z.string()), rows: z.array(z.array(Value)) })),
  /** Storage of the courier to peer.example, which was down. */
  courier: z.object({
    schema: z.array(z.string()),
    parcels: z.array(Row),
    values: z.record(z.string(), z.record(z.string(), Value)),
  }),
  files: z.array(z.object({ key: z.string(), type: z.string(), body: z.base64() })),
  answers: z.array(
    z.object({
      as: z.string(),
      path: z.string(),
      accept: z.string().optional(),
      status: z.number(),
      body: z.json(),
    }),
  ),
})

const texts = import.meta.glob<string>('../data/instance-0020.json', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/**
 * An instance as an earlier version left it: its database, files, the courier that waited for a server, and answers.
 *
 * Recorded from a running server of the version with the migrations up to `lastMigration`, with its hosts renamed.
 * Answers are shortened, and hold no properties that later versions answer otherwise on purpose.
 */
export const oldInstance = OldInstance.parse(JSON.parse(Object.values(texts)[0] ?? ''))

/** Puts the database and the files of the old instance in the place of those of tests, and migrates the database. */
export async function upgradeOldInstance(): Promise<void> {
  await reset()
  const applied = env.TEST_MIGRATIONS.filter(({ name }) => name <= oldInstance.lastMigration)
  await applyD1Migrations(env.DB, applied)
  const tables = Object.entries(oldInstance.tables)
  await env.DB.batch([
    env.DB.prepare('pragma defer_foreign_keys = on'),
    ...tables.map(([table]) => env.DB.prepare(`delete from "${table}"`)),
    ...tables.map(([table, { columns, rows }]) => {
      const values = columns.map((_, at) => `json_extract(value, '$[${at}]')`)
      return env.DB.prepare(
        `insert into "${table}" (${columns.map((name) => `"${name}"`)}) select ${values} from json_each(?)`,
      ).bind(JSON.stringify(rows))
    }),
  ])
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
  for (const { key, type, body } of oldInstance.files)
    await env.MEDIA.put(key, Buffer.from(body, 'base64'), { httpMetadata: { contentType: type } })
  clock.set(oldInstance.takenAt)
}
