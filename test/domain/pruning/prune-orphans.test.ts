import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { isOrphanRoundDue, pruneOrphanedFiles } from '../../../src/domain/pruning/prune-orphans'
import { given } from '../../support/given'
import { storedRow } from '../../support/stored-row'
import { context } from '../../support/test-app'

const day = 86_400_000

/** The bucket dates files by the real clock. */
const inDays = (days: number, files = context().files) =>
  context({ clock: { ...context().clock, now: () => new Date(Date.now() + days * day) }, files })
const isDue = async (days: number) => {
  const [row] = await context().db.all<{ due: number }>(sql`select ${isOrphanRoundDue(inDays(days))} as due`)
  return row?.due === 1
}

it('deletes uploaded files that no row names and no evidence shows after a week', async () => {
  const person = await given.account()
  const upload = await storedRow('media_attachments', { account_id: person.id })
  const shown = 'attachments/77/random/evidence.png'
  await storedRow('evidence_files', { file_key: shown, evidence_id: 1, check_at: 0 })
  const kept = [
    `attachments/${upload}/random/original.png`,
    shown,
    'attachments/no-id/random/original.png',
    'avatars/99/random/original.png',
    '.evidence/attachments/99/random/original.png',
  ]
  const orphans = ['attachments/99/random/original.png', 'attachments/99/random/small.webp']
  for (const key of [...kept, ...orphans]) await env.MEDIA.put(key, 'bytes')
  const keys = async () => (await env.MEDIA.list()).objects.map(({ key }) => key)
  await pruneOrphanedFiles(inDays(6))
  expect(await keys()).toEqual(expect.arrayContaining([...kept, ...orphans]))
  expect([await isDue(7), await isDue(37)]).toEqual([false, true])
  await pruneOrphanedFiles(inDays(37))
  expect(await keys()).toEqual(expect.arrayContaining(kept))
  expect(await keys()).toEqual(expect.not.arrayContaining([orphans[0]]))
  expect(await keys()).toEqual(expect.not.arrayContaining([orphans[1]]))
})

it('keeps files from before the first account, because a restored database may name them', async () => {
  await given.account()
  const key = 'attachments/98/random/original.png'
  await env.MEDIA.put(key, 'bytes')
  await context().db.run(sql`update users set created_at = ${Date.now() + day}`)
  await context().db.run(sql`delete from settings where key = 'task.prune-orphans'`)
  await pruneOrphanedFiles(inDays(60))
  expect(await env.MEDIA.head(key)).not.toBeNull()
  await context().db.run(sql`update users set created_at = ${Date.now() - day}`)
  await context().db.run(sql`delete from settings where key = 'task.prune-orphans'`)
  await pruneOrphanedFiles(inDays(60))
  expect(await env.MEDIA.head(key)).toBeNull()
})

it('checks all files in parts', async () => {
  const asked: string[] = []
  const files = {
    ...context().files,
    list: async (_prefix: string, after: string, most: number) => {
      asked.push(after)
      const from = after === '' ? 0 : Number(after.split('/')[1]) + 1
      const count = Math.min(most, 700 - from)
      return Array.from({ length: count }, (_, i) => ({
        key: `attachments/${from + i}/r/o.png`,
        uploadedAt: new Date(0),
      }))
    },
    delete: async () => undefined,
  }
  await context().db.run(sql`delete from settings where key = 'task.prune-orphans'`)
  await pruneOrphanedFiles(inDays(0, files))
  expect(await isDue(0)).toBe(true)
  await pruneOrphanedFiles(inDays(0, files))
  expect(await isDue(0)).toBe(false)
  expect(asked).toEqual(['', 'attachments/499/r/o.png'])
})
