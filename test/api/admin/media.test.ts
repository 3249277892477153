import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { auditLog } from '../../../src/db/schema'
import { as } from '../../support/as'
import { given } from '../../support/given'
import { givenStaff } from '../../support/given-staff'
import { storedRow } from '../../support/stored-row'
import { context } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/media/clean'
const { db } = context()
const day = 86_400_000

/** The bucket dates files by the real clock. */
const inDays = (days: number) => ({
  overrides: { clock: { ...context().clock, now: () => new Date(Date.now() + days * day) } },
})
const keys = async () => (await env.MEDIA.list()).objects.map(({ key }) => key)

it('counts unreferenced files in a dry run, and deletes them otherwise after a week', async () => {
  const staff = await givenStaff({ permissions: ['viewDevops'] })
  const person = await given.account()
  const upload = await storedRow('media_attachments', { account_id: person.id })
  const shown = 'attachments/77/random/evidence.png'
  await storedRow('evidence_files', { file_key: shown, evidence_id: 1, check_at: 0 })
  await db.run(sql`update accounts set avatar = ${`{"key":"avatars/${person.id}/current/a.webp"}`}
    where id = ${person.id}`)
  const kept = [
    `attachments/${upload}/random/original.png`,
    shown,
    `avatars/${person.id}/current/a.webp`,
    'emojis/1/random/e.png',
    'backups/2026/manifest.json',
    '.evidence/attachments/99/random/original.png',
  ]
  const orphans = [
    'attachments/99/random/original.png',
    `avatars/${person.id}/former/a.webp`,
    'headers/98/random/h.webp',
  ]
  for (const key of [...kept, ...orphans]) await env.MEDIA.put(key, 'bytes')
  expect((await as(staff).post(path, { dry_run: true })).body).toMatchObject({ orphans: 0 })
  const counted = await as(staff).post(path, { dry_run: true }, inDays(8))
  expect(counted.body).toEqual({ files: 9, bytes: 45, orphans: 3, orphan_bytes: 15, next: null })
  expect(counted.costs.trips).toBeLessThanOrEqual(3)
  expect(await keys()).toHaveLength(9)
  expect((await as(staff).post(path, {}, inDays(8))).body).toMatchObject({ orphans: 3, orphan_bytes: 15 })
  expect(await keys()).toEqual(kept.toSorted())
  const [act] = await db.select().from(auditLog).orderBy(sql`id desc`).limit(1)
  expect(act).toMatchObject({ action: 'clean', targetType: 'media', newValues: { files: 3, bytes: 15 } })
})

it('deletes unreferenced files in parts', async () => {
  const staff = await givenStaff({ permissions: ['viewDevops'] })
  const files = {
    ...context().files,
    listFacts: async (after: string) => ({
      files: [{ ...fact, key: after === '' ? 'a' : 'b' }],
      isLast: after !== '',
    }),
  }
  const first = await as(staff).post(path, { dry_run: true }, { overrides: { files } })
  expect(first.body).toMatchObject({ files: 1, next: 'a' })
  const second = await as(staff).post(path, { dry_run: true, after: 'a' }, { overrides: { files } })
  expect(second.body).toMatchObject({ files: 1, next: null })
})

const fact = { sizeBytes: 1, mime: 'image/png', etag: 'x', uploadedAt: new Date(0) }
