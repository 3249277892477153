import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { openStore } from '../../../scripts/lib/backups/local-target.mjs'
import { quiet, root, wrangler } from '../../../scripts/lib/server.mjs'
import { runCommand } from '../../node/instance'

/** Backups written by hand: of an older version, with rows that changed while they were read, and with a very long row. */

const folder = mkdtempSync(join(tmpdir(), 'fieldfare-older-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

type Rows = readonly Readonly<Record<string, unknown>>[]

/** Writes a backup into a folder: sections of tables in their order, all in one part. */
function write(name: string, schema: string, sections: readonly (readonly [string, Rows])[]): string {
  const dir = join(folder, name)
  mkdirSync(dir)
  const text = sections.map(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {})
    return [{ table, columns }, ...rows.map((row) => columns.map((column) => row[column]))]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
  })
  const bytes = gzipSync(text.join(''))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = `database-000001-${sha256.slice(0, 16)}.jsonl.gz`
  writeFileSync(join(dir, file), bytes)
  const contents = Object.fromEntries(sections.map(([table, rows]) => [table, rows.length]))
  const manifest = {
    format: 'fieldfare-backup',
    version: 1,
    name,
    origin: 'https://social.example.org',
    domain: 'social.example.org',
    software: '0.1.0',
    schema,
    secret_version: '00000000',
    accepted_secret_versions: ['00000000'],
    started_at: '2026-11-01T00:00:00Z',
    finished_at: '2026-11-01T00:00:00Z',
    rows: sections.reduce((sum, [, rows]) => sum + rows.length, 0),
    tables: contents,
    left_out: {},
    media: { objects: 0, bytes: 0 },
    parts: [{ file, kind: 'database', bytes: bytes.length, sha256, contents }],
  }
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest))
  return dir
}

const account = (id: number, more: object = {}) => ({
  id,
  username: `name${id}`,
  moved_to_account_id: null,
  created_at: 1,
  updated_at: 1,
  ...more,
})
const status = (id: number, more: object = {}) => ({
  id,
  account_id: 1,
  local: 1,
  visibility: 'public',
  conversation_id: id,
  reblog_of_id: null,
  created_at: 1,
  ...more,
})
const long = '"\\ \u{1f426}é'.repeat(40_000)

const sections = [
  ['settings', [{ key: 'long', value: JSON.stringify(long), updated_at: 1 }]],
  [
    'applications',
    [
      {
        id: 7,
        name: 'App',
        client_id: 'c',
        client_secret_hash: 's',
        redirect_uris: '[]',
        scopes: 'read',
        created_at: 1,
      },
    ],
  ],
  // Each moved to the other, whichever comes first; the third to one that is in no part.
  [
    'accounts',
    [
      account(1, { moved_to_account_id: 2 }),
      account(2, { moved_to_account_id: 1 }),
      account(3, { moved_to_account_id: 9 }),
    ],
  ],
  ['users', [{ account_id: 1, email: 'a@b.test', password_hash: 'h', created_at: 1, invite_id: 99 }]],
  [
    'access_tokens',
    [
      { id: 1, application_id: 7, account_id: 1, token_hash: 'one', scopes: 'read', created_at: 1 },
      { id: 2, application_id: 7, account_id: 5, token_hash: 'two', scopes: 'read', created_at: 1 },
    ],
  ],
  // The original comes behind its reblog.
  ['statuses', [status(10, { reblog_of_id: 20 }), status(20), status(30, { reblog_of_id: 40 })]],
] as const satisfies readonly (readonly [string, Rows])[]

/** Rows of the tables that the backup has, and the names of all tables, indexes and triggers. */
async function dumpOf(place: string): Promise<unknown> {
  const { server, database } = await openStore(place)
  const read = async (sql: string) => (await database.prepare(sql).all()).results
  const rows = await Promise.all(sections.map(([table]) => read(`select * from ${table}`)))
  const names = await read(`select type, name from sqlite_schema where name not glob '_cf*' order by name`)
  const migrations = await read('select name from d1_migrations order by name')
  await server.dispose()
  return { rows, names, migrations }
}

let printed: { left_out: Record<string, number>; migrations: string[] }
let rowsOf: (sql: string) => Promise<readonly unknown[]>
const Result = z.object({ left_out: z.record(z.string(), z.number()), migrations: z.array(z.string()) })

beforeAll(async () => {
  const dir = write('older', '0049_tokens_and_secrets.sql', sections)
  const into = join(folder, 'into')
  const { out, problem } = await runCommand([
    'restore',
    dir,
    '--folder',
    into,
    '--new-secrets',
    '--yes',
    '--json',
  ])
  expect(problem).toBe('')
  printed = Result.parse(JSON.parse(out))
  const { server, database } = await openStore(into)
  rowsOf = async (sql) => (await database.prepare(sql).all()).results
  return () => server.dispose()
})

it('applies later migrations, with their changes of its rows', async () => {
  expect(printed.migrations.slice(0, 2)).toEqual(['0050_pruning.sql', expect.stringMatching(/^005/)])
  // By migration 0050, since somebody signed in by the application.
  expect(await rowsOf('select used from applications')).toEqual([{ used: 1 }])
  expect(await rowsOf(`select count(*) as count from d1_migrations where name = '0050_pruning.sql'`)).toEqual(
    [{ count: 1 }],
  )
  expect(await rowsOf(`select name from sqlite_schema where name = 'applications_used'`)).toHaveLength(1)
})

it('inserts rows that refer to each other in any order, and none that refers to missing ones', async () => {
  expect(await rowsOf('select id, moved_to_account_id as moved from accounts order by id')).toEqual([
    { id: 1, moved: 2 },
    { id: 2, moved: 1 },
    { id: 3, moved: null },
  ])
  expect(await rowsOf('select account_id, invite_id from users')).toEqual([
    { account_id: 1, invite_id: null },
  ])
  expect(await rowsOf('select id from access_tokens')).toEqual([{ id: 1 }])
  expect(await rowsOf('select id, reblog_of_id as of from statuses order by id')).toEqual([
    { id: 10, of: 20 },
    { id: 20, of: null },
  ])
  expect(printed.left_out).toEqual({ access_tokens: 1, statuses: 1 })
  expect(await rowsOf('pragma foreign_key_check')).toEqual([])
  expect(await rowsOf(`select name from sqlite_schema where name like 'fieldfare_restore%'`)).toEqual([])
})

it('inserts a row too large for a statement, in parts', async () => {
  expect(await rowsOf(`select value from settings where key = 'long'`)).toEqual([
    { value: JSON.stringify(long) },
  ])
})

it('writes SQL that wrangler runs on another database, with the same outcome', async () => {
  const [file, tried, other] = ['all.sql', 'tried', 'wrangled'].map((name) => join(folder, name))
  const words = ['--folder', String(tried), '--sql', String(file), '--new-secrets', '--yes']
  expect(await runCommand(['restore', join(folder, 'older'), ...words])).toMatchObject({
    code: 0,
    problem: '',
  })
  const place = ['--local', '--persist-to', String(other), '--config', join(root, 'wrangler.full.toml')]
  execFileSync(
    process.execPath,
    [wrangler, 'd1', 'execute', 'DB', ...place, '--file', String(file), '--yes'],
    {
      cwd: root,
      env: { ...process.env, ...quiet },
      stdio: 'pipe',
    },
  )
  expect(await dumpOf(String(other))).toEqual(await dumpOf(String(tried)))
})

it('refuses a backup of a newer version, or without a manifest', async () => {
  const newer = write('newer', '9999_later.sql', sections)
  const into = ['--folder', join(folder, 'other'), '--new-secrets', '--yes']
  expect(await runCommand(['restore', newer, ...into])).toMatchObject({
    code: 1,
    problem: expect.stringContaining('of a newer version than this clone'),
  })
  writeFileSync(join(newer, 'manifest.json'), '{"format": "fieldfare-backup"')
  expect((await runCommand(['restore', newer, ...into])).problem).toContain('was cut off')
  writeFileSync(join(newer, 'manifest.json'), '{"format": "other"}')
  expect((await runCommand(['restore', newer, ...into])).problem).toContain('is no manifest')
})
