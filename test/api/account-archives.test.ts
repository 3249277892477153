import { env } from 'cloudflare:workers'
import { gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { unpackTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { AccountArchive } from '../../src/contract/entities/own-account'
import { Status } from '../../src/contract/entities/status'
import { accountArchives, accounts, archivePieces } from '../../src/db/schema'
import { archiveKey, partBytes } from '../../src/domain/statuses/archive-export/pack-archive'
import { maintainArchives } from '../../src/domain/statuses/archive-export/request-archive'
import { runJob } from '../../src/jobs/run-job'
import { dayMilliseconds } from '../../src/lib/days'
import type { Files } from '../../src/ports/files'
import { anonymous, as } from '../support/as'
import { countingDb } from '../support/costs'
import { fakeMailer } from '../support/fake-mailer'
import { fakeQueue } from '../support/fake-queue'
import { given, type TestAccount } from '../support/given'
import { importsPath } from '../support/given-archive'
import { relation } from '../support/given-relationships'
import { storedStatus } from '../support/given-stored'
import { storedUpload } from '../support/given-upload'
import { clock, context, fetchApp, settleLateWork } from '../support/test-app'

const path = '/api/fieldfare/v1/account_archives'
const day = 86_400_000

/** Requests the archive of somebody, and runs its jobs to the end. */
async function madeArchive(by: TestAccount): Promise<AccountArchive> {
  const mailer = fakeMailer()
  const queue = fakeQueue({ mailer: mailer.overrides.mailer })
  const answer = await as(by).post(path, {}, { overrides: { jobs: queue.ctx.jobs } })
  expect(answer.status).toBe(200)
  await queue.work()
  expect(mailer.sent.map(({ to, subject }) => [to, subject])).toEqual([
    [by.email, 'Your archive of fieldfare.test is ready'],
  ])
  const [latest] = z.array(AccountArchive).parse((await as(by).get(path)).body)
  return AccountArchive.parse(latest)
}

async function download(by: TestAccount | null, id: string): Promise<Response> {
  const headers: Record<string, string> = by === null ? {} : { Authorization: `Bearer ${by.token}` }
  const { response } = await fetchApp(new Request(`https://fieldfare.test${path}/${id}/file`, { headers }))
  return response
}

/** The files of an archive by their names. */
async function filesOf(by: TestAccount, { id }: AccountArchive): Promise<ReadonlyMap<string, Uint8Array>> {
  const packed = new Uint8Array(await (await download(by, id)).arrayBuffer())
  const entries = await unpackTar(gunzipSync(packed), { strict: true })
  return new Map(entries.map(({ header, data }) => [header.name, new Uint8Array(data ?? [])]))
}

const Collection = z.looseObject({ totalItems: z.int(), orderedItems: z.array(z.unknown()) })
const textOf = (files: ReadonlyMap<string, Uint8Array>, name: string) =>
  new TextDecoder().decode(files.get(name) ?? new Uint8Array(0))
const collectionIn = (files: ReadonlyMap<string, Uint8Array>, name: string) =>
  Collection.parse(JSON.parse(textOf(files, name)))

const postsOf = async (by: TestAccount) =>
  z.array(Status).parse((await as(by).get(`/api/v1/accounts/${by.id}/statuses?limit=40`)).body)

/** Facts of a status that an archive keeps. */
const kept = (status: Status) => ({
  text: status.content.replace(/<[^>]*>/g, ''),
  visibility: status.visibility,
  createdAt: status.created_at,
  warning: status.spoiler_text,
  sensitive: status.sensitive,
  language: status.language,
  tags: status.tags.map(({ name }) => name),
  isReply: status.in_reply_to_id !== null,
  isReblog: status.reblog !== null,
  media: status.media_attachments.map(({ type, description }) => ({ type, description })),
  poll: status.poll?.options.map(({ title, votes_count: votes }) => ({ title, votes })) ?? null,
})

/** A media store that says when it is asked. */
function counted(files: Files, asked: () => void): Files {
  return new Proxy(files, {
    get(target, name) {
      asked()
      return Reflect.get(target, name)
    },
  })
}

describe('the archive of an account', () => {
  it('gives the same posts to the same audience when it is imported on another server', async () => {
    const [wren, robin] = await given.accounts(2)
    if (wren === undefined || robin === undefined) return
    await relation.follow(robin, wren)
    const root = await given.status({ by: wren, text: 'Root #birds', spoilerText: 'Careful', language: 'de' })
    await given.status({ by: wren, text: 'Answer', inReplyTo: root, visibility: 'private' })
    await given.status({ by: wren, text: `For @${robin.username}`, visibility: 'direct' })
    await given.status({ by: wren, text: 'At home', localOnly: true })
    const poll = { options: ['Wren', 'Robin'], expiresInSeconds: 600, multiple: false, hideTotals: false }
    await given.status({ by: wren, text: 'Which?', visibility: 'unlisted', poll })
    const upload = await storedUpload(wren, { description: 'A nest', previewKey: null })
    await context().files.put(`attachments/${upload}/original.png`, new Uint8Array([1, 2, 3]), 'image/png')
    await given.status({ by: wren, text: 'Look', mediaIds: [Number(upload)] })
    await as(wren).post(`/api/v1/statuses/${root.id}/reblog`)
    await as(wren).post(`/api/v1/statuses/${root.id}/favourite`)
    await as(wren).post(`/api/v1/statuses/${root.id}/bookmark`)
    const files = await filesOf(wren, await madeArchive(wren))
    const name = `media_attachments/files/${upload}/original.png`
    expect([...files.keys()].toSorted()).toEqual(
      ['actor.json', 'bookmarks.json', 'likes.json', name, 'outbox.json'].toSorted(),
    )
    expect([...(files.get(name) ?? [])]).toEqual([1, 2, 3])
    const uri = `https://fieldfare.test/users/${wren.username}`
    expect(JSON.parse(textOf(files, 'actor.json'))).toMatchObject({ id: uri, outbox: 'outbox.json' })
    for (const list of ['likes.json', 'bookmarks.json'])
      expect(collectionIn(files, list)).toMatchObject({
        totalItems: 1,
        orderedItems: [`${uri}/statuses/${root.id}`],
      })

    // Posts younger than a week are listed nowhere but on the profile.
    clock.advance(8 * dayMilliseconds)
    const other = await given.account()
    const moved = textOf(files, 'outbox.json').replaceAll('https://fieldfare.test', 'https://moved.test')
    const outbox = Collection.parse(JSON.parse(moved))
    expect(outbox.totalItems).toBe(7)
    const actor = `https://moved.test/users/${wren.username}`
    const opened = z
      .looseObject({ id: z.string() })
      .parse((await as(other).post(importsPath, { actor })).body)
    const copy = await storedUpload(other, { previewKey: null })
    const body = { items: outbox.orderedItems, uploads: [{ url: name, id: copy }] }
    const sent = await as(other).post(`${importsPath}/${opened.id}/statuses`, body)
    expect(sent.body).toMatchObject(
      Array.from({ length: 7 }, () => ({ state: 'imported', missing_files: [] })),
    )
    expect((await postsOf(other)).map(kept)).toEqual((await postsOf(wren)).map(kept))
    const local = (await postsOf(other)).find(({ content }) => content.includes('At home'))
    expect((await anonymous.get(`/api/v1/statuses/${local?.id}`)).status).toBe(404)
  })

  it('the archive of an account is readable by its owner only, for every requester and address', async () => {
    const [wren, robin] = await given.accounts(2)
    if (wren === undefined || robin === undefined) return
    await given.status({ by: wren, text: 'Secret', visibility: 'direct' })
    const { id } = await madeArchive(wren)
    const own = await download(wren, id)
    expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    await own.body?.cancel()
    expect((await download(robin, id)).status).toBe(404)
    expect((await download(null, id)).status).toBe(401)
    const narrow = await given.token({ accountId: wren.id, scopes: 'read:accounts read:statuses' })
    expect((await download({ ...wren, token: narrow }, id)).status).toBe(403)
    const [row] = await context()
      .db.select()
      .from(accountArchives)
      .where(eq(accountArchives.accountId, wren.id))
    const key = archiveKey({ folder: row?.folder ?? '' })
    expect(await context().files.head(key)).not.toBeNull()
    const { response } = await fetchApp(new Request(`https://fieldfare.test/media/${key}`))
    expect(response.status).toBe(404)
    expect((await as(robin).get(path)).body).toEqual([])
  })

  it('stores an archive of ten megabytes in parts, also when a message repeats', async () => {
    const wren = await given.account()
    const bytes = Uint8Array.from({ length: 5_000_001 }, (_, index) => (index * 31 + (index >> 8)) % 251)
    const uploads: string[] = []
    for (const _ of [1, 2]) {
      const upload = await storedUpload(wren, { previewKey: null })
      await context().files.put(`attachments/${upload}/original.png`, bytes, 'image/png')
      uploads.push(upload)
    }
    await given.status({ by: wren, text: 'Large', mediaIds: uploads.map(Number) })
    const queue = fakeQueue()
    await as(wren).post(path, {}, { overrides: { jobs: queue.ctx.jobs } })
    for (await settleLateWork(); queue.jobs.length > 0; await settleLateWork())
      for (const job of queue.jobs.splice(0)) {
        const [first, second] = [await runJob(queue.ctx, job), await runJob(queue.ctx, job)]
        if (job.kind === 'build-archive') expect([first.kind, second.kind]).toEqual(['done', 'ignored'])
      }
    const [archive] = z.array(AccountArchive).parse((await as(wren).get(path)).body)
    expect(archive).toMatchObject({ state: 'ready' })
    const files = await filesOf(wren, AccountArchive.parse(archive))
    for (const upload of uploads) {
      const file = files.get(`media_attachments/files/${upload}/original.png`) ?? new Uint8Array(0)
      expect(file.length).toBe(bytes.length)
      expect(file.every((byte, index) => byte === bytes[index])).toBe(true)
    }
    expect(collectionIn(files, 'outbox.json').totalItems).toBe(1)
  })

  it.each([1_024, 512, 0])(
    'completes an archive whose last part has %i bytes left for its end',
    async (left) => {
      const wren = await given.account()
      const key = `attachments/${wren.id}/last.png`
      const block = 512
      await context().files.put(key, new Uint8Array(partBytes - block - left), 'image/png')
      const queue = fakeQueue()
      const asked = AccountArchive.parse(
        (await as(wren).post(path, {}, { overrides: { jobs: queue.ctx.jobs } })).body,
      )
      const archiveId = Number(asked.id)
      await context()
        .db.update(accountArchives)
        .set({ stage: 'packing' })
        .where(eq(accountArchives.id, archiveId))
      await context().db.insert(archivePieces).values({ archiveId, position: 0, name: 'last.png', key })
      for (let steps = 0; steps < 4; steps += 1) {
        await settleLateWork()
        for (const job of queue.jobs.splice(0)) await runJob(queue.ctx, job)
      }
      const [archive] = z.array(AccountArchive).parse((await as(wren).get(path)).body)
      expect(archive).toMatchObject({ state: 'ready' })
      const files = await filesOf(wren, asked)
      expect(files.get('last.png')?.length).toBe(partBytes - block - left)
    },
  )

  it('takes at most fifty statements and fifty storage requests a step for many posts with files', async () => {
    const wren = await given.account()
    for (let index = 0; index < 130; index += 1) {
      const key = `attachments/${wren.id}/${index}.png`
      await context().files.put(key, new Uint8Array(700), 'image/png')
      const file = { id: 1_000 + index, type: 'image', file: { key }, preview: null } as const
      const attachments = [{ ...file, description: null, blurhash: null, meta: {} }]
      await storedStatus({ accountId: wren.id, attachments })
    }
    const queue = fakeQueue()
    await as(wren).post(path, {}, { overrides: { jobs: queue.ctx.jobs } })
    const most = { statements: 0, requests: 0 }
    for (await settleLateWork(); queue.jobs.length > 0; await settleLateWork())
      for (const job of queue.jobs.splice(0)) {
        const counter = countingDb(env.DB)
        let requests = 0
        const files = counted(queue.ctx.files, () => {
          requests += 1
        })
        await runJob(context({ jobs: queue.ctx.jobs, files }, counter.db), job)
        most.statements = Math.max(most.statements, counter.read().statements)
        most.requests = Math.max(most.requests, requests)
      }
    const [archive] = z.array(AccountArchive).parse((await as(wren).get(path)).body)
    const stored = await filesOf(wren, AccountArchive.parse(archive))
    expect([...stored.keys()].filter((name) => name.startsWith('media_attachments/')).length).toBe(130)
    expect(collectionIn(stored, 'outbox.json').orderedItems.length).toBe(130)
    expect(most.statements).toBeLessThanOrEqual(50)
    expect(most.requests).toBeLessThanOrEqual(40)
    expect(most.requests).toBeGreaterThan(10)
  })

  it('allows an archive every seven days, continues after a lost message, and deletes expired ones', async () => {
    const wren = await given.account()
    const queue = fakeQueue()
    const overrides = { jobs: queue.ctx.jobs }
    const asked = await as(wren).post(path, {}, { overrides })
    expect(asked.body).toMatchObject({ state: 'making', size_bytes: null, ready_at: null })
    expect((await as(wren).post(path, {}, { overrides })).status).toBe(422)
    await queue.work()
    const again = await as(wren).post(path, {}, { overrides })
    expect(again.status).toBe(422)
    const { id } = AccountArchive.parse(asked.body)
    const state = () =>
      context()
        .db.select()
        .from(accountArchives)
        .where(eq(accountArchives.id, Number(id)))
    await context()
      .db.update(accountArchives)
      .set({ stage: 'packing', readyAt: null, piece: 0 })
      .where(eq(accountArchives.id, Number(id)))
    clock.advance(16 * 60_000)
    await maintainArchives(queue.ctx)
    await queue.work()
    const [row] = await state()
    expect(row).toMatchObject({ stage: 'ready' })
    clock.advance(7 * day + 1)
    // Of the tests before as well: some at a time.
    for (const _ of [1, 2, 3]) await maintainArchives(queue.ctx)
    expect(await state()).toEqual([])
    expect(await context().files.list(`${row?.folder}/`, '', 10)).toEqual([])
    expect((await as(wren).post(path, {}, { overrides })).status).toBe(200)
  })

  it('deletes the archive when its owner is suspended', async () => {
    const wren = await given.account()
    const { id } = await madeArchive(wren)
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, wren.id))
    await maintainArchives(context())
    const left = await context().db.$count(accountArchives, eq(accountArchives.id, Number(id)))
    expect(left).toBe(0)
  })
})
