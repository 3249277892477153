import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { versionOf } from '../../scripts/lib/rotate-secrets.mjs'
import { runCommand } from './instance'

const secretOfThen = 't'.repeat(43)
const schema = readdirSync('migrations')
  .filter((name) => name.endsWith('.sql'))
  .toSorted()
  .at(-1)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fieldfare-backup-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A downloaded backup whose one part has a row of `table`, with hashes that are right. */
function givenFolder(table: string): string {
  const dir = join(folder, 'backup')
  const bytes = gzipSync(`${JSON.stringify({ table, columns: ['id'] })}\n[1]\n`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = `database-000001-${sha256.slice(0, 16)}.jsonl.gz`
  const contents = { [table]: 1 }
  const manifest = {
    format: 'fieldfare-backup',
    version: 1,
    name: '20260101T000000Z-AAAAAAAAAAAAAAAAAAAAAA',
    origin: 'https://birds.example',
    domain: 'birds.example',
    software: '1.0.0',
    schema,
    secret_version: versionOf(secretOfThen),
    accepted_secret_versions: [],
    started_at: '2026-01-01T00:00:00Z',
    finished_at: '2026-01-01T00:01:00Z',
    rows: 1,
    tables: contents,
    left_out: {},
    media: { objects: 0, bytes: 0 },
    parts: [{ file, kind: 'database', bytes: bytes.length, sha256, contents }],
  }
  mkdirSync(dir)
  writeFileSync(join(dir, file), bytes)
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest))
  return dir
}

const secretsIn = (file: string, INSTANCE_SECRET: string) => {
  writeFileSync(file, JSON.stringify({ INSTANCE_SECRET, SETUP_TOKEN: 's'.repeat(43) }))
  return file
}

it('exports a backup, unless a table has the name of a path', async () => {
  expect(await runCommand(['export', givenFolder('accounts'), join(folder, 'plain')])).toMatchObject({
    code: 0,
  })
  expect(readdirSync(join(folder, 'plain'))).toEqual(['accounts.jsonl'])
  rmSync(join(folder, 'backup'), { recursive: true })
  const hostile = await runCommand(['export', givenFolder('../elsewhere'), join(folder, 'hostile')])
  expect(hostile).toMatchObject({ code: 1, problem: expect.stringContaining('no manifest of a backup') })
  expect(existsSync(join(folder, 'elsewhere.jsonl'))).toBe(false)
})

it('refuses to restore a folder whose secret does not open the backup', async () => {
  const dir = givenFolder('accounts')
  const given = secretsIn(join(folder, 'then.json'), secretOfThen)
  const into = join(folder, 'into')
  const restoring = ['restore', dir, '--folder', into, '--secrets', given, '--dry-run']
  expect(await runCommand(restoring)).toMatchObject({ code: 0 })
  mkdirSync(into)
  const held = secretsIn(join(into, 'secrets.json'), 'o'.repeat(43))
  expect(await runCommand(restoring)).toMatchObject({ code: 1, problem: expect.stringContaining(held) })
  secretsIn(held, secretOfThen)
  expect(await runCommand(restoring)).toMatchObject({ code: 0 })
})
