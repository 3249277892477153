import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { DeletedStatus, Status } from '../../../src/contract/entities/status'
import * as schema from '../../../src/db/schema'
import { settleUploads } from '../../../src/domain/media/delete-files'
import { pruneUnattachedMedia } from '../../../src/domain/media/expire'
import { withheldKey } from '../../../src/domain/media/pictures'
import { as } from '../../support/as'
import { idsOf } from '../../support/body-ids'
import { fakeQueue } from '../../support/fake-queue'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedUpload } from '../../support/given-upload'
import { clock, context } from '../../support/test-app'

const path = (id: string) => `/api/v1/statuses/${id}`
const missing = { status: 404, body: { error: 'Record not found' } }
const remove = (by: TestAccount, id: string, query = '') => as(by).delete(`${path(id)}${query}`)

async function figuresOf(who: TestAccount) {
  const { db } = context()
  const [account] = await db.select().from(schema.accounts).where(eq(schema.accounts.id, who.id))
  const counters = await db.select().from(schema.counters)
  const named = (name: string) => counters.find((row) => row.name === name)?.value ?? 0
  return { own: account?.statusesCount ?? 0, statuses: named('statuses'), replies: named('replies') }
}

describe('DELETE statuses/:id', () => {
  it('returns the source without content, and the status is deleted [T-525]', async () => {
    const alice = await given.account()
    const text = '**Not** for long #briefly'
    const { id } = await given.status({ by: alice, text, spoilerText: 'Short', contentType: 'text/markdown' })
    const answer = await remove(alice, id)
    const deleted = DeletedStatus.parse(answer.body)
    expect(deleted).toMatchObject({ id, text, spoiler_text: 'Short', tags: [{ name: 'briefly' }] })
    expect(answer.body).not.toHaveProperty('content')
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('30')
    expect(answer.costs.trips).toBeLessThanOrEqual(3)
    expect(await as(alice).get(path(id))).toMatchObject(missing)
    expect(await remove(alice, id)).toMatchObject(missing)
  })

  it('answers 404 for another account’s status and keeps it [T-526]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice })
    expect(await remove(bob, id)).toMatchObject(missing)
    expect((await as(bob).get(path(id))).status).toBe(200)
  })

  it('returns the poll for a redraft [T-527]', async () => {
    const alice = await given.account()
    const poll = { options: ['a', 'b'], expiresInSeconds: 300, multiple: true, hideTotals: false }
    const { id } = await given.status({ by: alice, poll })
    const deleted = DeletedStatus.parse((await remove(alice, id)).body)
    expect(deleted.poll).toMatchObject({ multiple: true, options: [{ title: 'a' }, { title: 'b' }] })
    const left = await context()
      .db.select()
      .from(schema.polls)
      .where(eq(schema.polls.statusId, Number(id)))
    expect(left).toEqual([])
  })

  it('DELETE statuses/:id keeps its media for the redraft [T-528]', async () => {
    const alice = await given.account()
    const media = await storedUpload(alice)
    const { id } = await given.status({ by: alice, mediaIds: [Number(media)] })
    const deleted = DeletedStatus.parse((await remove(alice, id)).body)
    expect(deleted.media_attachments.map((one) => one.id)).toEqual([media])
    const again = await as(alice).post('/api/v1/statuses', { status: deleted.text, media_ids: [media] })
    expect(Status.parse(again.body).media_attachments.map((one) => one.id)).toEqual([media])
  })

  describe('with its own media', () => {
    const publicFile = (key: string) => context().files.head(key)

    async function withFiles(by: TestAccount) {
      const media = await storedUpload(by)
      const keys = ['original', 'small'].map((name) => `attachments/${media}/${name}.png`)
      for (const key of keys) await context().files.put(key, new Uint8Array([7]), 'image/png')
      const queue = fakeQueue()
      const overrides = { overrides: { jobs: queue.ctx.jobs } }
      const { id } = await given.status({ by, mediaIds: [Number(media)] })
      const served = async () => (await Promise.all(keys.map(publicFile))).map((file) => file !== null)
      return { id, media, keys, queue, overrides, served }
    }

    it('makes their files unreachable, and reachable again once another post has them', async () => {
      const alice = await given.account()
      const { id, media, queue, overrides, served } = await withFiles(alice)
      await as(alice).delete(path(id), undefined, overrides)
      await queue.work()
      expect(await served()).toEqual([false, false])
      const again = { status: 'once more', media_ids: [media] }
      expect((await as(alice).post('/api/v1/statuses', again, overrides)).status).toBe(200)
      await queue.work()
      expect(await served()).toEqual([true, true])
    })

    it('restores the files for a scheduled post, and for an edit that attaches them', async () => {
      const alice = await given.account()
      const { id } = await given.status({ by: alice })
      const at = new Date(clock.now().getTime() + 3_600_000).toISOString()
      const uses = [
        { method: 'POST', to: '/api/v1/statuses', more: { scheduled_at: at } },
        { method: 'PUT', to: path(id), more: {} },
      ] as const
      for (const { method, to, more } of uses) {
        const { id: deleted, media, queue, overrides, served } = await withFiles(alice)
        await as(alice).delete(path(deleted), undefined, overrides)
        await queue.work()
        expect(await served()).toEqual([false, false])
        const body = { status: 'x', media_ids: [media], ...more }
        expect((await as(alice).call(method, to, body, overrides)).status).toBe(200)
        await queue.work()
        expect(await served()).toEqual([true, true])
      }
    })

    it('deletes all of their files once the day for a redraft is over', async () => {
      const alice = await given.account()
      const { id, keys, queue, overrides, served } = await withFiles(alice)
      await as(alice).delete(path(id), undefined, overrides)
      await queue.work()
      await context()
        .db.update(schema.mediaAttachments)
        .set({ createdAt: new Date(0) })
        .where(eq(schema.mediaAttachments.accountId, alice.id))
      await pruneUnattachedMedia(queue.ctx)
      await queue.work()
      const withheld = await Promise.all(keys.map((key) => publicFile(withheldKey(key))))
      expect([await served(), withheld]).toEqual([
        [false, false],
        [null, null],
      ])
    })

    it('restores files that another post attached while they were moved away', async () => {
      const alice = await given.account()
      const { id, media, served } = await withFiles(alice)
      await remove(alice, id)
      const { files } = context()
      let isTaken = false
      const get: typeof files.get = async (key, range) => {
        if (!isTaken) {
          isTaken = true
          await as(alice).post('/api/v1/statuses', { status: 'taken', media_ids: [media] })
        }
        return files.get(key, range)
      }
      await settleUploads(context({ files: { ...files, get } }), Number(id), 0)
      expect(await served()).toEqual([true, true])
    })
  })

  it('delete_media deletes its media and their files [T-529]', async () => {
    const alice = await given.account()
    const media = await storedUpload(alice)
    const key = `attachments/${media}/original.png`
    const { files } = context()
    await files.put(key, new Uint8Array([1]), 'image/png')
    const { id } = await given.status({ by: alice, mediaIds: [Number(media)] })
    expect((await remove(alice, id, '?delete_media=true')).status).toBe(200)
    expect(await files.head(key)).toBeNull()
    expect((await as(alice).get(`/api/v1/media/${media}`)).status).toBe(404)
  })

  it('DELETE statuses/:id removes it from timelines, threads, lists of interactions and notifications', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const tag = freshName('gone')
    const { id } = await given.status({ by: alice, text: `@${bob.username} #${tag}` })
    const answering = await given.status({ by: bob, inReplyTo: { id } })
    for (const verb of ['favourite', 'bookmark', 'reblog']) await as(bob).post(`${path(id)}/${verb}`)
    await as(alice).post(`${path(id)}/pin`)
    await remove(alice, id)
    const list = async (who: TestAccount, where: string) => idsOf(await as(who).get(`/api/v1/${where}`))
    expect(await list(alice, 'timelines/home')).toEqual([])
    expect(await list(bob, 'timelines/home')).toEqual([answering.id])
    expect(await list(bob, 'favourites')).toEqual([])
    expect(await list(bob, 'bookmarks')).toEqual([])
    expect(await list(bob, 'notifications')).toEqual([])
    expect(await list(bob, `timelines/tag/${tag}`)).toEqual([])
    expect(await list(bob, `accounts/${alice.id}/statuses?pinned=true`)).toEqual([])
    expect((await as(bob).get(path(answering.id))).body).toMatchObject({
      in_reply_to_id: null,
      in_reply_to_account_id: String(alice.id),
    })
    const { db } = context()
    expect(
      await db
        .select()
        .from(schema.statusTags)
        .where(eq(schema.statusTags.statusId, Number(id))),
    ).toEqual([])
  })

  it('DELETE statuses/:id subtracts its counts and those of its reblogs', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const parent = await given.status({ by: bob })
    const before = { alice: await figuresOf(alice), bob: await figuresOf(bob) }
    const { id } = await given.status({ by: alice, inReplyTo: parent })
    await as(bob).post(`${path(id)}/reblog`)
    expect(await figuresOf(bob)).toEqual({
      own: before.bob.own + 1,
      statuses: before.bob.statuses + 2,
      replies: before.bob.replies + 1,
    })
    await remove(alice, id)
    expect(await figuresOf(alice)).toEqual(before.alice)
    expect(await figuresOf(bob)).toEqual(before.bob)
    expect((await as(bob).get(path(parent.id))).body).toMatchObject({ replies_count: 0 })
  })

  it('stores a tombstone, so that a late delivery does not restore it', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    await remove(alice, id)
    const uri = `https://fieldfare.test/users/${alice.username}/statuses/${id}`
    const { db } = context()
    expect(await db.select().from(schema.tombstones).where(eq(schema.tombstones.uri, uri))).toHaveLength(1)
  })

  it('deleting a reblog undoes it', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice })
    const reblog = Status.parse((await as(bob).post(`${path(id)}/reblog`)).body)
    expect((await remove(bob, reblog.id)).status).toBe(200)
    expect((await as(bob).get(path(id))).body).toMatchObject({ reblogs_count: 0, reblogged: false })
  })

  it('deleting twice at once subtracts once', async () => {
    const alice = await given.account()
    await given.status({ by: alice })
    const { id } = await given.status({ by: alice })
    const both = await Promise.all([remove(alice, id), remove(alice, id)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await figuresOf(alice)).own).toBe(1)
  })

  it('deleting a private status removes it from the feeds of followers', async () => {
    const [alice, fan] = [await given.account(), await given.account()]
    await relation.follow(fan, alice)
    const { id } = await given.status({ by: alice, visibility: 'private' })
    expect((await remove(alice, id)).status).toBe(200)
    expect(idsOf(await as(fan).get('/api/v1/timelines/home'))).toEqual([])
  })
})
