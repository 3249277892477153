import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { UsageMeter } from '../../src/cloudflare/usage-meter'
import { ArchiveImport } from '../../src/contract/entities/own-account'
import { Status } from '../../src/contract/entities/status'
import { Context } from '../../src/contract/entities/status-details'
import { accounts, archiveImportDays, listEntries, settings, statuses } from '../../src/db/schema'
import { importLimits } from '../../src/domain/statuses/archived/totals'
import { backfillFeeds, rebuildListFeed } from '../../src/domain/timelines/backfill'
import { dayMilliseconds, dayOf } from '../../src/lib/days'
import { as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { processActivity } from '../support/fediverse/process-activity'
import { homeFeedOf, listFeedOf } from '../support/feeds'
import { freshName, given, type TestAccount } from '../support/given'
import {
  archivedUpload,
  importedIds,
  importedPart,
  importsPath,
  openedImport,
} from '../support/given-archive'
import { storedList } from '../support/given-list'
import { formOf } from '../support/given-media'
import { relation } from '../support/given-relationships'
import { archivedPost, type Item } from '../support/mastodon-archive'
import { mediaFile } from '../support/media'
import { openFeed } from '../support/read-feed'
import { withSettings } from '../support/settings'
import { clock, context, settleLateWork } from '../support/test-app'

/** Attacks by a member with an archive that they wrote themselves. */

const day = '2020-01-01T00:00:00Z'
const shown = async (id: string) => Status.parse((await as(null).get(`/api/v1/statuses/${id}`)).body)

describe('a forged archive', () => {
  let mallory: TestAccount
  beforeAll(async () => {
    mallory = await given.account()
  })

  it('stores no post of more bytes than a written one may have', async () => {
    const long = 'a'.repeat(39_000)
    const links = Array.from(
      { length: 180 },
      (_, index) => `<a href="https://a.example/${index}/${'b'.repeat(230)}">x</a> `,
    )
    const poll = { endTime: day, closed: day, votersCount: 0 }
    const many = Array.from({ length: 20 }, (_, index) => [`${index} ${'\u{1f426}'.repeat(240)}`, 0])
    const items: readonly Item[] = [
      archivedPost(1, day, `<p>${long}</p>`),
      archivedPost(2, day, `<p>${'\u{1f426}'.repeat(4_600)}</p>`),
      archivedPost(3, day, `<p>${links.join('')}</p>`),
      archivedPost(4, day, '<p>Which?</p>', { poll: { ...poll, options: Object.fromEntries(many) } }),
    ]
    const written = await as(mallory).post('/api/v1/statuses', { status: long })
    expect(written.status).toBe(422)
    const results = await importedPart(mallory, { items })
    expect(results.map(({ state, reason }) => `${state}: ${reason}`)).toEqual([
      'refused: Its text has more than 18384 bytes',
      'refused: Its text has more than 18384 bytes',
      'refused: Its HTML has more than 40960 bytes',
      'refused: Its poll has more than 7000 bytes',
    ])
    expect(await context().db.$count(statuses, eq(statuses.accountId, mallory.id))).toBe(0)
  })

  it('stores no invented results of polls', async () => {
    const poll = { options: { Yes: 90_000, No: 1 }, endTime: day, closed: day, votersCount: 90_001 }
    const [id = ''] = await importedIds(mallory, [archivedPost(10, day, '<p>Agreed?</p>', { poll })])
    expect((await shown(id)).poll).toMatchObject({
      expired: true,
      votes_count: 0,
      options: [{ votes_count: 0 }, { votes_count: 0 }],
    })
  })

  it('adds no reply to the thread of another account, now or once the other post arrives', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    await relation.follow(alice, peer)
    const post = await given.status({ by: alice })
    const note = peer.note()
    const [toLocal = '', toRemote = ''] = await importedIds(mallory, [
      archivedPost(20, day, '<p>Said first</p>', {
        inReplyTo: `https://fieldfare.test/users/${alice.username}/statuses/${post.id}`,
      }),
      archivedPost(21, day, '<p>Said first there</p>', { inReplyTo: String(note['id']) }),
    ])
    await processActivity(peer, peer.create(note))
    const [late] = await context()
      .db.select()
      .from(statuses)
      .where(eq(statuses.uri, String(note['id'])))
    for (const id of [post.id, String(late?.id)]) {
      const thread = Context.parse((await as(null).get(`/api/v1/statuses/${id}/context`)).body)
      expect(thread.descendants).toEqual([])
      expect((await shown(id)).replies_count).toBe(0)
    }
    expect(late?.conversationId).toBe(late?.id)
    for (const id of [toLocal, toRemote]) expect((await shown(id)).in_reply_to_id).toBeNull()
  })
})

/** Uses all totals of an account but so much, on this day or on earlier ones. */
async function used(
  by: TestAccount,
  span: 'perDay' | 'inAll',
  left: { readonly posts: number; readonly files: number },
) {
  const { posts, files } = importLimits
  const row = { entries: posts[span].count - left.posts, files: files[span].count - left.files }
  const day = dayOf(clock.now()) - (span === 'perDay' ? 0 : 3)
  await context().db.delete(archiveImportDays).where(eq(archiveImportDays.accountId, by.id))
  await context()
    .db.insert(archiveImportDays)
    .values({ accountId: by.id, day, ...row })
}

/** Sends posts by an import of an actor, and answers with what became of them. */
async function sent(caller: TestAccount | string, actor: string, numbers: readonly number[]) {
  const opened = await as(caller).post(importsPath, { actor })
  const { id } = ArchiveImport.parse(opened.body)
  const items = numbers.map((number) => {
    const uri = `${actor}/statuses/${number}`
    const object = { type: 'Note', id: uri, attributedTo: actor, published: day, content: '<p>Flood</p>' }
    return { ...object, to: ['https://www.w3.org/ns/activitystreams#Public'] }
  })
  return as(caller).post(`${importsPath}/${id}/statuses`, { items })
}

describe('the import limits of an account', () => {
  it('the import limits of an account apply for a day across imports and tokens, with nothing of a part stored above them', async () => {
    const mallory = await given.account()
    const other = await given.token({ accountId: mallory.id, scopes: 'read write' })
    await used(mallory, 'perDay', { posts: 2, files: 1 })
    expect((await sent(mallory, 'https://one.example/users/m', [1, 2])).status).toBe(200)
    const refused = await sent(other, 'https://two.example/users/m', [3])
    expect(refused.status).toBe(429)
    expect(refused.headers.get('x-ratelimit-reset')).toBe('2026-11-02T00:00:00.000000Z')
    expect(refused.body).toEqual({
      error: 'An account can import 4000 posts of 16 MiB a day. The import can go on at midnight (UTC)',
    })
    expect(await context().db.$count(statuses, eq(statuses.accountId, mallory.id))).toBe(2)
    expect((await sent(mallory, 'https://one.example/users/m', [1, 2])).body).toMatchObject([
      { state: 'known' },
      { state: 'known' },
    ])
  })

  it('the import limits of an account count refused posts once, so that a second run costs nothing', async () => {
    const mallory = await given.account()
    const items = [archivedPost(30, day, ''), archivedPost(31, day, '<p>Text</p>')]
    await importedPart(mallory, { items })
    await importedPart(mallory, { items })
    const [row] = await context()
      .db.select()
      .from(archiveImportDays)
      .where(eq(archiveImportDays.accountId, mallory.id))
    expect(row?.entries).toBe(2)
    expect(row?.bytes).toBeGreaterThan(300)
  })

  it('the import limits of an account apply for all days', async () => {
    const mallory = await given.account()
    await used(mallory, 'inAll', { posts: 1, files: 0 })
    expect((await sent(mallory, 'https://one.example/users/m', [1, 2])).status).toBe(422)
    expect((await sent(mallory, 'https://one.example/users/m', [1])).status).toBe(200)
    expect((await sent(mallory, 'https://one.example/users/m', [2])).status).toBe(422)
    const { id } = await openedImport(mallory)
    const file = await as(mallory).post(`${importsPath}/${id}/media`, formOf({ file: mediaFile('rgb.png') }))
    expect(file.status).toBe(422)
  })

  it('the import limits of an account refuse an import of more bytes than a day allows with 429', async () => {
    const mallory = await given.account()
    const row = { accountId: mallory.id, day: dayOf(clock.now()) }
    await context()
      .db.insert(archiveImportDays)
      .values({ ...row, bytes: importLimits.posts.perDay.bytes - 100 })
    expect((await sent(mallory, 'https://one.example/users/m', [1])).status).toBe(429)
  })

  it('the import limits of an account count files, also against the limit of uploads, and the other way round', async () => {
    const mallory = await given.account()
    await archivedUpload(mallory, 'a.png')
    const { id } = await openedImport(mallory)
    const upload = (path: string) => as(mallory).post(path, formOf({ file: mediaFile('rgb.png') }))
    const own = await upload('/api/v2/media')
    expect(own.headers.get('x-ratelimit-remaining')).toBe('28')
    for (let count = 0; count < 28; count += 1) await upload('/api/v2/media')
    expect((await upload('/api/v2/media')).status).toBe(429)
    expect((await upload(`${importsPath}/${id}/media`)).status).toBe(429)
    const [row] = await context()
      .db.select()
      .from(archiveImportDays)
      .where(eq(archiveImportDays.accountId, mallory.id))
    expect(row).toMatchObject({ files: 1, entries: 0 })
    expect(row?.fileBytes).toBeGreaterThan(50)
  })
})

it('imports stop at seven tenths of a quota of the day, long before members can no longer post', async () => {
  const mallory = await given.account()
  const meter = new UsageMeter()
  context({ meter }).usage.add('rowsWritten', 70_000)
  await settleLateWork()
  const { id } = await openedImport(mallory)
  const items = [archivedPost(40, day, '<p>More</p>')]
  const send = (path: string, body: object) =>
    as(mallory).post(`${importsPath}/${id}/${path}`, { ...body }, { overrides: { meter } })
  expect((await send('statuses', { items })).status).toBe(503)
  expect((await send('marks', { kind: 'favourites', uris: ['https://one.example/1'] })).status).toBe(503)
})

it('imports stop at nine tenths of the budget of the database, before pruning makes room for them', async () => {
  const mallory = await given.account()
  await withSettings({ databaseMegabytes: 50 }, async () => {
    const { db } = context()
    const items = [archivedPost(41, day, '<p>More</p>')]
    const { id } = await openedImport(mallory)
    const path = `${importsPath}/${id}/statuses`
    // Rows of D1 have two megabytes at most.
    const rows = Array.from({ length: 25 }, (_, index) => `test.filling.${index}`)
    for (const key of rows)
      await db.run(sql`insert into settings (key, value, updated_at)
        values (${key}, json_quote(hex(zeroblob(950000))), ${clock.now().getTime()})`)
    expect((await as(mallory).post(path, { items })).body).toEqual({
      error: 'The database of this server has no room for imports now',
    })
    for (const key of rows) await db.delete(settings).where(eq(settings.key, key))
  })
  expect(await context().db.$count(statuses, eq(statuses.accountId, mallory.id))).toBe(0)
})

describe('imported posts', () => {
  const tag = freshName('flood')
  /** Dates: within a week, after the first day here, and before both. */
  let mallory: TestAccount
  let reader: TestAccount
  let ids: readonly string[] = []
  beforeAll(async () => {
    mallory = await given.account({ discoverable: true })
    reader = await given.account()
    clock.advance(40 * dayMilliseconds)
    const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMilliseconds).toISOString()
    ids = await importedIds(
      mallory,
      [0, 6, 20, 60].map((days, index) =>
        archivedPost(50 + index, daysAgo(days), `<p>Flood #${tag}</p>`, { hashtags: [tag] }),
      ),
    )
  })

  it('imported posts are shown on the profile and at their own address', async () => {
    const listed = idsOf(await as(null).get(`/api/v1/accounts/${mallory.id}/statuses`))
    expect(listed).toEqual(ids)
    const kinds = await Promise.all(ids.map(async (id) => (await shown(id)).visibility))
    expect(kinds).toEqual(['unlisted', 'unlisted', 'unlisted', 'public'])
  })

  it.each(['public', 'public?local=true', `tag/${tag}`])(
    'imported posts are in no timeline: %s',
    async (timeline) => {
      const listed = idsOf(await as(null).get(`/api/v1/timelines/${timeline}`))
      expect(listed.filter((id) => ids.includes(id))).toEqual(ids.slice(3))
    },
  )

  it('enter no home feed and no list, also of later followers', async () => {
    await relation.follow(reader, mallory)
    const list = await storedList({ of: reader, members: [mallory] })
    await backfillFeeds(context(), reader.id, mallory.id)
    expect(await homeFeedOf(reader)).toEqual(ids.slice(3).map(Number))
    expect(await listFeedOf(list)).toEqual(ids.slice(3).map(Number))
    await context().db.delete(listEntries).where(eq(listEntries.listId, list))
    const order = { ownerId: reader.id, listId: list, joinedIds: [mallory.id], concernsHome: false }
    await rebuildListFeed(context(), order)
    expect(await listFeedOf(list)).toEqual(ids.slice(3).map(Number))
  })

  it('imported posts are left out of feeds for news readers, the directory and trends', async () => {
    expect((await openFeed(`/@${mallory.username}.rss`)).feed.items).toHaveLength(1)
    const [row] = await context().db.select().from(accounts).where(eq(accounts.id, mallory.id))
    expect(row?.lastStatusAt?.toISOString()).toBe((await shown(ids[3] ?? '')).created_at)
  })
})
