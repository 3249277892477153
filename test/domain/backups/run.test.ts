import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { runTasks } from '../../../src/cron/schedule'
import { openDb } from '../../../src/db/query'
import { backUp, deleteBackup, requestBackup } from '../../../src/domain/backups/run'
import { isBackupDue } from '../../../src/domain/backups/state'
import { dumpedTables } from '../../../src/domain/backups/tables'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { operator } from '../../../src/domain/policy/permissions'
import { pruneOrphanedFiles } from '../../../src/domain/pruning/prune-orphans'
import { tasks } from '../../../src/tasks'
import {
  clearBackups,
  contentsOf,
  finishBackup,
  givenBackup,
  linesOf,
  manifestOf,
  stateOf,
} from '../../support/backups'
import { countingDb } from '../../support/costs'
import { fakeQueue } from '../../support/fake-queue'
import { ownSecret } from '../../support/former-secrets'
import { given } from '../../support/given'
import { givenOwner } from '../../support/given-staff'
import { storedRow } from '../../support/stored-row'
import { clock, context } from '../../support/test-app'

const day = 86_400_000

/** Every table as rows of objects. */
async function rowsOf(table: string): Promise<readonly unknown[]> {
  const { results } = await env.DB.prepare(`select * from "${table}"`).all()
  return results
    .map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .toSorted()
}
const sorted = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  rows.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted()

const isDue = async () => {
  const [row] = await context().db.all<{ due: number }>(sql`select (${isBackupDue(context())}) as due`)
  return row?.due === 1
}
const names = async () =>
  (await env.DB.prepare('select name from backups order by id').all()).results.map(({ name }) => String(name))

beforeEach(async () => {
  await clearBackups()
})

describe('a backup', () => {
  it('a backup has each row of each table and lists each object, with hashes of its parts', async () => {
    const owner = await givenOwner()
    await given.status({ by: owner, text: 'Line\nbreak, "quotes", \\ and \u{1f426}' })
    await storedRow('tags', { id: 7, name: 'birds' })
    await storedRow('trending_tags', { tag_id: 7, rank: 0.1 + 0.2 })
    await env.MEDIA.put('avatars/1/a/still.webp', 'picture', { httpMetadata: { contentType: 'image/webp' } })
    const { name } = await givenBackup()
    const manifest = await manifestOf(name)
    const { tables, media } = await contentsOf(name)
    for (const { name: table } of dumpedTables()) {
      // The backup itself is noted in the audit log before it begins, and its job is taken from the outbox.
      if (table === 'outbox') continue
      expect([table, ...sorted(tables.get(table) ?? [])]).toEqual([table, ...(await rowsOf(table))])
      expect(manifest?.tables[table] ?? 0).toBe(tables.get(table)?.length ?? 0)
    }
    expect(tables.get('trending_tags')?.[0]?.['rank']).toBe(0.1 + 0.2)
    const stored = await env.MEDIA.head('avatars/1/a/still.webp')
    expect(media).toContainEqual(
      expect.objectContaining({
        key: 'avatars/1/a/still.webp',
        size: 7,
        etag: stored?.etag,
        type: 'image/webp',
      }),
    )
    expect(media.filter(({ key }) => key.startsWith('backups/'))).toEqual([])
    expect(manifest?.media.objects).toBe(media.length)
    for (const { file, sha256, bytes } of manifest?.parts ?? []) {
      const body = await (await env.MEDIA.get(`backups/${name}/${file}`))?.arrayBuffer()
      expect(body?.byteLength).toBe(bytes)
      expect(new Uint8Array(await crypto.subtle.digest('SHA-256', body ?? new ArrayBuffer())).toHex()).toBe(
        sha256,
      )
    }
    expect(JSON.stringify(manifest)).not.toContain(ownSecret)
  })

  it('a backup reads a table in parts, with long rows, within the statements of a run', async () => {
    const person = await given.account()
    const list = Array.from({ length: 2_500 }, (_, index) => index)
    await context().db.run(sql`insert into home_entries (account_id, status_id)
      select ${person.id}, value from json_each(${JSON.stringify(list)})`)
    const long = 'x'.repeat(400_000)
    await env.DB.prepare('insert into settings (key, value, updated_at) values (?, ?, 1)')
      .bind('long', JSON.stringify(long))
      .run()
    const row = await requestBackup(context(), operator)
    const most = { statements: 0, rowsRead: 0 }
    while ((await stateOf(row.name)) === 'running') {
      const counted = countingDb(env.DB)
      await backUp(context({ db: openDb(counted.db) }))
      const { statements, rowsRead } = counted.read()
      most.statements = Math.max(most.statements, statements)
      most.rowsRead = Math.max(most.rowsRead, rowsRead)
    }
    expect(most.statements).toBeLessThanOrEqual(24)
    expect(most.rowsRead).toBeLessThanOrEqual(2_500)
    const { tables } = await contentsOf(row.name)
    const entries = tables.get('home_entries')?.filter(({ account_id: id }) => id === person.id)
    expect(entries?.map(({ status_id: id }) => id)).toEqual(list)
    expect(tables.get('settings')?.find(({ key }) => key === 'long')?.['value']).toBe(JSON.stringify(long))
    const parts = (await manifestOf(row.name))?.parts ?? []
    expect(parts.filter(({ contents }) => contents['home_entries'] !== undefined).length).toBeGreaterThan(1)
    await env.DB.batch([
      env.DB.prepare(`delete from settings where key = 'long'`),
      env.DB.prepare('delete from home_entries'),
    ])
  })

  it('only one backup runs at a time, and two runs at once store each part once', async () => {
    const first = await requestBackup(context(), operator)
    expect((await requestBackup(context(), operator)).name).toBe(first.name)
    while ((await stateOf(first.name)) === 'running')
      await Promise.all([backUp(context()), backUp(context())])
    const { tables } = await contentsOf(first.name)
    const ids = tables.get('accounts')?.map(({ id }) => id) ?? []
    expect(new Set(ids).size).toBe(ids.length)
    expect(await stateOf(first.name)).toBe('complete')
  })

  it('a backup continues after a failure, and fails after ten', async () => {
    const { name } = await requestBackup(context(), operator)
    await backUp(context())
    const { files } = context()
    const broken = context({
      files: {
        ...files,
        put: async () => {
          throw new Error('R2 is away')
        },
      },
    })
    for (let attempt = 0; attempt < 9; attempt += 1)
      await expect(backUp(broken)).rejects.toThrow('R2 is away')
    expect(await env.DB.prepare('select state, failures, error from backups').first()).toEqual({
      state: 'running',
      failures: 9,
      error: 'R2 is away',
    })
    await finishBackup(name)
    expect(await stateOf(name)).toBe('complete')
    const next = await requestBackup(context(), operator)
    for (let attempt = 0; attempt < 10; attempt += 1)
      await expect(backUp(broken)).rejects.toThrow('R2 is away')
    expect(await stateOf(next.name)).toBe('failed')
    expect(await manifestOf(next.name)).toBeNull()
  })

  it('a backup fails where the database is migrated in the meantime', async () => {
    const { name } = await requestBackup(context(), operator)
    await env.DB.prepare(`update backups set schema = '0001_initial.sql'`).run()
    await expect(backUp(context())).rejects.toThrow('migrated')
    expect(await stateOf(name)).toBe('failed')
  })
})

describe('scheduled backups', () => {
  it('starts a backup when one is due, and runs it through the queue', async () => {
    await saveSettings(context(), operator, { backups: false })
    await givenOwner()
    clock.advance(8 * day)
    expect(await isDue()).toBe(false)
    await saveSettings(context(), operator, { backups: true })
    expect(await isDue()).toBe(true)
    const queue = fakeQueue()
    await runTasks(queue.ctx, tasks)
    await queue.work()
    const [name = ''] = await names()
    expect(await stateOf(name)).toBe('complete')
    expect(await isDue()).toBe(false)
    clock.advance(6 * day)
    expect(await isDue()).toBe(false)
    await saveSettings(context(), operator, { backupDays: 3 })
    expect(await isDue()).toBe(true)
    await saveSettings(context(), operator, { backupDays: null })
    clock.advance(day)
    expect(await isDue()).toBe(true)
  })

  it('starts another backup an hour after one that failed', async () => {
    const { name } = await givenBackup()
    await context().db.run(
      sql`update backups set state = 'failed', finished_at = ${clock.now().getTime()} where name = ${name}`,
    )
    expect(await isDue()).toBe(false)
    clock.advance(61 * 60_000)
    expect(await isDue()).toBe(true)
  })

  it('keeps as many complete backups as configured, and always the latest', async () => {
    await saveSettings(context(), operator, { keepBackups: 2 })
    for (const _ of [1, 2, 3]) {
      clock.advance(1_000)
      await givenBackup()
    }
    const [first = '', ...kept] = await names()
    expect(await stateOf(first)).toBe('deleting')
    const failing = await requestBackup(context(), operator)
    await env.DB.prepare(`update backups set state = 'failed', finished_at = ? where name = ?`)
      .bind(clock.now().getTime(), failing.name)
      .run()
    for (let run = 0; run < 4; run += 1) await backUp(context())
    expect(await names()).toEqual([...kept, failing.name])
    expect((await env.MEDIA.list({ prefix: `backups/${first}/` })).objects).toEqual([])
    for (const name of kept)
      expect((await linesOf(name, (await manifestOf(name))?.parts[0]?.file ?? '')).length).toBeGreaterThan(0)
    await saveSettings(context(), operator, { keepBackups: 1 })
    clock.advance(1_000)
    const last = await givenBackup()
    for (let run = 0; run < 8; run += 1) await backUp(context())
    expect(await names()).toEqual([last.name])
  })

  it('deletes a backup on request of the operator', async () => {
    const { name } = await givenBackup()
    expect(await deleteBackup(context(), operator, name)).toBe(true)
    await backUp(context())
    expect(await names()).toEqual([])
    expect((await env.MEDIA.list({ prefix: `backups/${name}/` })).objects).toEqual([])
    expect(await deleteBackup(context(), operator, name)).toBe(false)
  })

  it('pruning deletes no file of a backup as an orphan', async () => {
    const { name } = await givenBackup()
    const before = (await env.MEDIA.list({ prefix: 'backups/' })).objects.length
    const later = context({ clock: { ...context().clock, now: () => new Date(Date.now() + 400 * day) } })
    await context().db.run(sql`delete from settings where key = 'task.prune-orphans'`)
    await pruneOrphanedFiles(later)
    expect((await env.MEDIA.list({ prefix: 'backups/' })).objects.length).toBe(before)
    expect(await manifestOf(name)).not.toBeNull()
  })
})
