import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { AdminArchiveImport } from '../../../src/contract/entities/admin/maintenance'
import { Status } from '../../../src/contract/entities/status'
import { openDb } from '../../../src/db/query'
import {
  continueImportRemoval,
  removeImport,
  resumeImportRemoval,
} from '../../../src/domain/cleanup/remove-archive-import'
import { operator } from '../../../src/domain/policy/permissions'
import type { Job } from '../../../src/messages/jobs'
import { as } from '../../support/as'
import { Browser } from '../../support/browser'
import { countingDb } from '../../support/costs'
import { given, type TestAccount } from '../../support/given'
import {
  archivedUpload,
  importedIds,
  importedPart,
  importsPath,
  openedImport,
} from '../../support/given-archive'
import { givenOwner } from '../../support/given-staff'
import { addressOf, archivedPost, archivedReblog } from '../../support/mastodon-archive'
import { context, settleLateWork } from '../../support/test-app'
import { countersOf } from '../../support/viewer-state'

const path = '/api/fieldfare/v1/admin/archive_imports'
const day = '2020-01-01T00:00:00Z'

describe('imports of archives, as staff sees them', () => {
  let owner: TestAccount
  beforeAll(async () => {
    owner = await givenOwner()
  })

  const listed = async () => AdminArchiveImport.array().parse((await as(owner).get(`${path}?limit=100`)).body)
  const ofMember = async ({ id }: TestAccount) =>
    (await listed()).find(({ account_id: account }) => account === String(id))

  it('lists imports with the member, the actor and the number of posts', async () => {
    const wren = await given.account()
    const upload = await archivedUpload(wren, 'media/1.png')
    const files = [{ path: 'media/1.png', description: null }]
    await importedPart(wren, { items: [archivedPost(1, day, '<p>A nest</p>', { files })], uploads: [upload] })
    const found = await ofMember(wren)
    expect(found).toMatchObject({
      username: wren.username,
      actor: 'https://old.example/users/wren',
      proof: null,
      imported_count: 1,
      files_count: 1,
      removed_at: null,
    })
    expect(found?.bytes).toBeGreaterThan(200)
    expect(found?.file_bytes).toBeGreaterThan(50)
  })

  it('removes imports with all their posts, files and counts, and no local post', async () => {
    const finch = await given.account()
    const mine = Status.parse((await as(finch).post('/api/v1/statuses', { status: '#nests here' })).body)
    await as(finch).post('/api/v1/featured_tags', { name: 'nests' })
    const posts = Array.from({ length: 4 }, (_, index) =>
      archivedPost(index + 1, day, '<p>An egg</p>', {
        hashtags: ['nests'],
        visibility: index === 3 ? 'private' : 'public',
      }),
    )
    const ids = await importedIds(finch, [...posts, archivedReblog(9, day, addressOf(1))])
    const tags = async () => (await as(finch).get('/api/v1/featured_tags')).body
    expect(await tags()).toMatchObject([{ statuses_count: '4' }])

    const { id } = await openedImport(finch)
    const answer = await as(owner).delete(`${path}/${id}`)
    expect(answer.status).toBe(200)
    expect(AdminArchiveImport.parse(answer.body).removed_at).not.toBeNull()
    await settleLateWork()
    for (const one of ids) expect((await as(finch).get(`/api/v1/statuses/${one}`)).status).toBe(404)
    expect((await as(finch).get(`/api/v1/statuses/${mine.id}`)).status).toBe(200)
    expect(await countersOf(finch)).toMatchObject({ statuses_count: 1 })
    expect(await tags()).toMatchObject([{ statuses_count: '1' }])
    expect(await ofMember(finch)).toMatchObject({ imported_count: 0 })
    expect((await new Browser().get(`/@${finch.username}`)).html).not.toContain('imported')
    expect((await as(owner).delete(`${path}/${id}`)).status).toBe(200)
  })

  it('removed imports accept no more posts, and are hidden from the member', async () => {
    const robin = await given.account()
    await importedIds(robin, [archivedPost(1, day, '<p>An egg</p>')])
    const { id, actor } = await openedImport(robin)
    await as(owner).delete(`${path}/${id}`)
    const items = [archivedPost(2, day, '<p>Another egg</p>')]
    expect((await as(robin).post(`${importsPath}/${id}/statuses`, { items })).status).toBe(404)
    const again = await as(robin).post(importsPath, { actor })
    expect(again).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('removed by a moderator') },
    })
    expect((await as(robin).get(importsPath)).body).toEqual([])
  })

  it('only a role above that of the member removes an import', async () => {
    const { id } = await openedImport(owner)
    const other = await givenOwner()
    expect((await as(other).delete(`${path}/${id}`)).status).toBe(403)
    expect((await as(owner).delete(`${path}/1`)).status).toBe(404)
    expect((await as(await given.account()).get(path)).status).toBe(403)
  })

  it('removes imports in parts, also after a lost job', async () => {
    const tit = await given.account()
    const posts = Array.from({ length: 120 }, (_, index) => archivedPost(index + 1, day, '<p>An egg</p>'))
    for (let at = 0; at < posts.length; at += 20) await importedIds(tit, posts.slice(at, at + 20))
    const { id } = await openedImport(tit)
    await settleLateWork()
    const jobs: Job[] = []
    const counted = countingDb(env.DB)
    const send = async (job: Job) => void jobs.push(job)
    const ctx = context({ db: openDb(counted.db), jobs: { send } })
    await removeImport(ctx, operator, Number(id))
    const left = async () => (await ofMember(tit))?.imported_count
    await continueImportRemoval(ctx, Number(id))
    expect(await left()).toBe(120)
    jobs.length = 0
    await resumeImportRemoval(ctx)
    expect(jobs).toEqual([{ kind: 'remove-archive-import', importId: Number(id) }])
    await Promise.all([continueImportRemoval(ctx, Number(id)), continueImportRemoval(ctx, Number(id))])
    await continueImportRemoval(ctx, Number(id))
    expect(await left()).toBe(0)
    expect(counted.read().rowsRead).toBeLessThanOrEqual(40 * posts.length)
    expect(await countersOf(tit)).toMatchObject({ statuses_count: 0 })
  })
})
