import { eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { Status } from '../../src/contract/entities/status'
import { Context } from '../../src/contract/entities/status-details'
import { accounts, homeEntries, notifications, outbox, statuses, statusMentions } from '../../src/db/schema'
import { instantOf } from '../../src/lib/ids'
import { as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { portRecorder } from '../support/capture-delivery'
import { given, type TestAccount } from '../support/given'
import {
  archivedUpload,
  importedIds,
  importedPart,
  importsPath,
  openedImport,
} from '../support/given-archive'
import { relation } from '../support/given-relationships'
import { followedByMany } from '../support/many-followers'
import {
  addressOf,
  archivedActor,
  archivedPost,
  archivedReblog,
  oldServer,
} from '../support/mastodon-archive'
import { clock, context, settleLateWork } from '../support/test-app'

const show = async (id: string, by: TestAccount | null) => as(by).get(`/api/v1/statuses/${id}`)
const shown = async (id: string, by: TestAccount | null) => Status.parse((await show(id, by)).body)

describe('an imported post', () => {
  let wren: TestAccount
  beforeAll(async () => {
    wren = await given.account()
  })

  it('an imported post has its date, also in its id, with warning, language, edit and hashtags of its own server', async () => {
    const [id = ''] = await importedIds(wren, [
      archivedPost(1, '2019-05-04T10:20:30Z', `<p>A nest <a href="${oldServer}/tags/birds">#Birds</a></p>`, {
        summary: 'Nests',
        language: 'de',
        hashtags: ['Birds'],
        updated: '2019-05-05T00:00:00Z',
      }),
    ])
    expect(await shown(id, null)).toMatchObject({
      created_at: '2019-05-04T10:20:30.000Z',
      edited_at: '2019-05-05T00:00:00.000Z',
      spoiler_text: 'Nests',
      sensitive: true,
      language: 'de',
      visibility: 'public',
      tags: [{ name: 'birds' }],
      uri: `https://fieldfare.test/users/${wren.username}/statuses/${id}`,
      favourites_count: 0,
    })
    expect((await shown(id, null)).content).toContain('href="https://fieldfare.test/tags/birds"')
    expect(instantOf(Number(id)).toISOString()).toBe('2019-05-04T10:20:30.000Z')
    expect((await as(wren).get(`/api/v1/statuses/${id}/source`)).body).toMatchObject({
      text: 'A nest #Birds',
    })
  })

  it('an imported post has its own id beside another of the same millisecond', async () => {
    const at = '2018-01-01T00:00:00Z'
    const ids = await importedIds(
      wren,
      Array.from({ length: 20 }, (_, index) => archivedPost(100 + index, at, `<p>Storm ${index}</p>`)),
    )
    expect(new Set(ids).size).toBe(20)
  })

  it('an imported post is sanitised like remote posts, and keeps its text', async () => {
    const [id = ''] = await importedIds(wren, [
      archivedPost(
        2,
        '2020-01-01T00:00:00Z',
        '<p onclick="x()">Safe<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:x()">link</a></p>',
      ),
    ])
    expect((await shown(id, null)).content).toBe('<p>Safe link</p>')
  })

  it('keeps pictures with descriptions and focus, and names missing ones', async () => {
    const [one, two] = [
      'media_attachments/files/1/original/a.png',
      '/media_attachments/files/2/original/b.png',
    ]
    const items = [
      archivedPost(3, '2020-02-01T00:00:00Z', '<p>Two</p>', {
        files: [
          { path: one ?? '', description: 'A wren' },
          { path: two ?? '', description: null },
        ],
      }),
      archivedPost(4, '2020-02-02T00:00:00Z', '', { files: [{ path: 'gone.png', description: null }] }),
    ]
    const results = await importedPart(wren, { items, uploads: [await archivedUpload(wren, one ?? '')] })
    expect(results).toMatchObject([
      { state: 'imported', missing_files: [two] },
      { state: 'refused', id: null, reason: 'Its files are not in the archive' },
    ])
    const status = await shown(results[0]?.id ?? '', null)
    expect(status.media_attachments).toMatchObject([
      { type: 'image', description: 'A wren', meta: { focus: { x: 0.25, y: -0.5 } } },
    ])
  })

  it('an imported post keeps its poll, closed, without votes, because nothing proves them', async () => {
    const options = { Wren: 7, Robin: 3 }
    const [ended = '', open = ''] = await importedIds(wren, [
      archivedPost(5, '2020-03-01T00:00:00Z', '<p>Which?</p>', {
        poll: { options, endTime: '2020-03-02T00:00:00Z', closed: '2020-03-02T00:00:00Z', votersCount: 9 },
      }),
      archivedPost(6, '2026-10-31T00:00:00Z', '<p>Which now?</p>', {
        poll: { options, multiple: true, endTime: '2027-01-01T00:00:00Z', votersCount: 8 },
      }),
    ])
    expect((await shown(ended, null)).poll).toMatchObject({
      expires_at: '2020-03-02T00:00:00.000Z',
      expired: true,
      multiple: false,
      votes_count: 0,
      options: [
        { title: 'Wren', votes_count: 0 },
        { title: 'Robin', votes_count: 0 },
      ],
    })
    expect((await shown(open, null)).poll).toMatchObject({ expired: true, multiple: true, voters_count: 0 })
    const voter = await given.account()
    const { poll } = await shown(open, voter)
    expect((await as(voter).post(`/api/v1/polls/${poll?.id}/votes`, { choices: ['0'] })).status).toBe(422)
  })

  it('replies to imported posts of the same part and earlier ones, and to others by address', async () => {
    const [root = ''] = await importedIds(wren, [archivedPost(10, '2021-01-01T00:00:00Z', '<p>Root</p>')])
    const [reply = '', nested = '', other = ''] = await importedIds(wren, [
      archivedPost(11, '2021-01-01T00:01:00Z', '<p>Reply</p>', { inReplyTo: addressOf(10) }),
      archivedPost(12, '2021-01-01T00:02:00Z', '<p>Nested</p>', { inReplyTo: addressOf(11) }),
      archivedPost(13, '2021-01-01T00:03:00Z', '<p>Other</p>', {
        inReplyTo: 'https://third.example/notes/1',
      }),
    ])
    const thread = Context.parse((await as(null).get(`/api/v1/statuses/${root}/context`)).body)
    expect(thread.descendants.map(({ id, in_reply_to_id: to }) => [id, to])).toEqual([
      [reply, root],
      [nested, reply],
    ])
    expect((await shown(root, null)).replies_count).toBe(1)
    const [row] = await context()
      .db.select()
      .from(statuses)
      .where(eq(statuses.id, Number(other)))
    expect(row).toMatchObject({ inReplyToId: null, inReplyToUri: 'https://third.example/notes/1' })
  })

  it('replies to own posts here, and in no thread of another account', async () => {
    const robin = await given.account()
    const address = (by: TestAccount, id: string) =>
      `https://fieldfare.test/users/${by.username}/statuses/${id}`
    const own = await given.status({ by: wren })
    const other = await given.status({ by: robin })
    const answer = await given.status({ by: wren, inReplyTo: other })
    const addresses = [address(wren, own.id), address(robin, other.id), address(wren, answer.id)]
    const ids = await importedIds(
      wren,
      addresses.map((inReplyTo, index) =>
        archivedPost(14 + index, `2020-10-01T00:0${index}:00Z`, '<p>An answer</p>', { inReplyTo }),
      ),
    )
    const parents = await Promise.all(ids.map(async (id) => (await shown(id, null)).in_reply_to_id))
    expect(parents).toEqual([own.id, null, null])
    const thread = Context.parse((await as(null).get(`/api/v1/statuses/${other.id}/context`)).body)
    expect(thread.descendants.map(({ id }) => id)).toEqual([answer.id])
    expect((await shown(other.id, null)).replies_count).toBe(1)
    const rows = await context()
      .db.select({ uri: statuses.inReplyToUri })
      .from(statuses)
      .where(inArray(statuses.id, ids.map(Number)))
    expect(rows.map(({ uri }) => uri)).toEqual([null, ...addresses.slice(1)])
  })
})

describe('visibility of imported posts', () => {
  it('visibility of imported posts is kept: followers see followers-only posts, and mentions give no access', async () => {
    const [wren, follower, stranger, named] = await given.accounts(4)
    if (wren === undefined || follower === undefined || stranger === undefined || named === undefined) return
    await relation.follow(follower, wren)
    const mention = [{ href: `https://fieldfare.test/users/${named.username}`, name: `@${named.username}` }]
    const kinds = ['public', 'unlisted', 'private', 'direct'] as const
    const ids = await importedIds(
      wren,
      kinds.map((visibility, index) =>
        archivedPost(20 + index, `2022-01-0${index + 1}T00:00:00Z`, `<p>${visibility}</p>`, {
          visibility,
          mentions: mention,
        }),
      ),
    )
    const seenBy = async (by: TestAccount | null) =>
      (await Promise.all(ids.map((id) => show(id, by)))).map(({ status }) => status)
    expect(await seenBy(wren)).toEqual([200, 200, 200, 200])
    expect(await seenBy(follower)).toEqual([200, 200, 200, 404])
    for (const other of [stranger, named, null]) expect(await seenBy(other)).toEqual([200, 200, 404, 404])
    expect((await shown(ids[3] ?? '', wren)).mentions).toMatchObject([{ username: named.username }])
    const rows = await context()
      .db.select()
      .from(statusMentions)
      .where(eq(statusMentions.accountId, named.id))
    expect(rows.map(({ statusId }) => String(statusId))).toEqual(ids.slice(0, 2))
  })

  it('the narrower one of the enclosing activity counts', async () => {
    const wren = await given.account()
    const post = archivedPost(30, '2022-02-01T00:00:00Z', '<p>Quiet</p>', { visibility: 'private' })
    const [id = ''] = await importedIds(wren, [
      {
        ...post,
        object: { ...Object(post['object']), to: ['https://www.w3.org/ns/activitystreams#Public'] },
      },
    ])
    expect((await shown(id, wren)).visibility).toBe('private')
  })

  it('posts of a limited account are unlisted, like its new posts', async () => {
    const wren = await given.account({ silencedAt: clock.now() })
    const [id = ''] = await importedIds(wren, [archivedPost(31, '2022-03-01T00:00:00Z', '<p>Hello</p>')])
    expect((await shown(id, wren)).visibility).toBe('unlisted')
  })

  it('local-only posts stay local-only', async () => {
    const wren = await given.account()
    const [id = ''] = await importedIds(wren, [
      archivedPost(32, '2022-03-01T00:00:00Z', '<p>Home</p>', { more: { localOnly: true } }),
    ])
    expect((await show(id, null)).status).toBe(404)
    expect((await show(id, await given.account())).status).toBe(200)
  })
})

describe('an import', () => {
  it('notifies nobody: no activity, notification, job, live event or entry of a home feed', async () => {
    const [wren, follower, named] = await given.accounts(3)
    if (wren === undefined || follower === undefined || named === undefined) return
    await relation.follow(follower, wren, { notify: true })
    await followedByMany(wren, { count: 2, hosts: 2 })
    const recorder = portRecorder()
    const published: unknown[] = []
    const streams = { publish: (event: unknown) => void published.push(event) }
    const before = await context().db.$count(outbox)
    const results = await importedPart(wren, {
      items: [
        archivedPost(40, '2026-10-31T23:59:00Z', '<p>News https://page.example/ #news</p>', {
          mentions: [{ href: `https://fieldfare.test/users/${named.username}`, name: `@${named.username}` }],
          hashtags: ['news'],
        }),
      ],
      overrides: { ...recorder.overrides, streams },
    })
    await settleLateWork()
    expect(results).toMatchObject([{ state: 'imported' }])
    expect(await context().db.$count(outbox)).toBe(before)
    expect(published).toEqual([])
    expect(recorder.read()).toMatchObject({ jobs: [], handed: [], errors: [] })
    const rows = await context()
      .db.select()
      .from(notifications)
      .where(sql`${notifications.accountId} in (${follower.id}, ${named.id})`)
    expect(rows).toEqual([])
    const entries = await context()
      .db.select()
      .from(homeEntries)
      .where(eq(homeEntries.accountId, follower.id))
    expect(entries).toEqual([])
    expect(idsOf(await as(follower).get('/api/v1/timelines/home'))).toEqual([])
    // A new post does reach these servers.
    await as(wren).post('/api/v1/statuses', { status: 'New' }, { overrides: recorder.overrides })
    await settleLateWork()
    expect(recorder.read().handed.length).toBe(2)
  })

  it('a second import stores nothing twice, and continues with new posts', async () => {
    const wren = await given.account()
    const first = archivedPost(50, '2023-01-01T00:00:00Z', '<p>One</p>')
    const [id = ''] = await importedIds(wren, [first, archivedPost(51, '2023-01-02T00:00:00Z', '<p>Two</p>')])
    const again = await importedPart(wren, {
      items: [first, archivedPost(52, '2023-01-03T00:00:00Z', '<p>Three</p>'), first],
    })
    expect(again.map(({ state }) => state)).toEqual(['known', 'imported', 'known'])
    expect(again[0]?.id).toBe(id)
    expect(await openedImport(wren)).toMatchObject({
      actor: archivedActor,
      imported_count: 3,
      refused_count: 0,
    })
    const { id: importId } = await openedImport(wren)
    const known = await as(wren).post(`${importsPath}/${importId}/known`, {
      uris: [addressOf(50), addressOf(59)],
    })
    expect(known.body).toEqual([addressOf(50)])
  })

  it('two concurrent imports store each post once', async () => {
    const wren = await given.account()
    const items = [60, 61, 62].map((number) =>
      archivedPost(number, '2023-02-01T00:00:00Z', `<p>${number}</p>`),
    )
    const both = await Promise.all([importedPart(wren, { items }), importedPart(wren, { items })])
    expect(both[0]?.map(({ id }) => id)).toEqual(both[1]?.map(({ id }) => id))
    expect(await context().db.$count(statuses, eq(statuses.accountId, wren.id))).toBe(3)
  })

  it('updates counts and the latest date, which older posts do not change', async () => {
    const wren = await given.account()
    const recent = clock.now()
    await given.status({ by: wren })
    await importedIds(wren, [
      archivedPost(70, '2023-01-01T00:00:00Z', '<p>One</p>'),
      archivedPost(71, '2023-01-02T00:00:00Z', '<p>Two</p>', { visibility: 'private' }),
      archivedPost(72, '2023-01-03T00:00:00Z', '<p>Three</p>', { visibility: 'direct' }),
    ])
    const [row] = await context().db.select().from(accounts).where(eq(accounts.id, wren.id))
    expect(row?.statusesCount).toBe(3)
    expect(row?.lastStatusAt?.getTime()).toBeGreaterThanOrEqual(recent.getTime())
    const listed = idsOf(await as(null).get(`/api/v1/accounts/${wren.id}/statuses`))
    expect(listed.length).toBe(2)
    expect(instantOf(Number(listed[1])).getUTCFullYear()).toBe(2023)
  })

  it('stores the reason for each refused entry', async () => {
    const wren = await given.account()
    const foreign = archivedPost(80, '2023-03-01T00:00:00Z', '<p>Not mine</p>', {
      more: { attributedTo: `${oldServer}/users/robin` },
    })
    const results = await importedPart(wren, {
      items: [
        'nonsense',
        { type: 'Like', id: `${archivedActor}#likes/1` },
        foreign,
        archivedPost(81, '2006-12-31T00:00:00Z', '<p>Early</p>'),
        archivedPost(82, '2099-01-01T00:00:00Z', '<p>Late</p>'),
        archivedPost(83, 'yesterday', '<p>When</p>'),
        archivedPost(84, '2023-03-01T00:00:00Z', ''),
        archivedReblog(85, '2023-03-01T00:00:00Z', 'https://third.example/notes/9'),
      ],
    })
    expect(results.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'refused'))
    expect(results.map(({ reason }) => reason)).toEqual([
      'It cannot be read: no activity',
      'It cannot be read: no post',
      'It cannot be read: a post of another account',
      'It is older than 2007',
      'It cannot be read: published in the future',
      'It cannot be read: no date',
      'It is empty',
      'The shared post is not known here',
    ])
    const { id, refused_count: refused } = await openedImport(wren)
    expect(refused).toBe(8)
    const list = await as(wren).get(`${importsPath}/${id}/refusals?limit=2`)
    expect(list.body).toMatchObject([{ reason: expect.any(String) }, { reason: expect.any(String) }])
    await importedPart(wren, { items: [archivedPost(84, '2023-03-01T00:00:00Z', '<p>Now with text</p>')] })
    expect(await openedImport(wren)).toMatchObject({ imported_count: 1, refused_count: 7 })
  })

  it('refuses archives of another account, of a local account, or of none', async () => {
    const [wren, robin] = await given.accounts(2)
    if (wren === undefined || robin === undefined) return
    const { id } = await openedImport(wren)
    const items = [archivedPost(90, '2023-01-01T00:00:00Z', '<p>One</p>')]
    for (const [path, body] of [
      ['statuses', { items }],
      ['known', { uris: [addressOf(90)] }],
      ['marks', { kind: 'favourites', uris: [addressOf(90)] }],
      ['media', {}],
    ] as const)
      expect((await as(robin).post(`${importsPath}/${id}/${path}`, body)).status, path).toBe(404)
    expect((await as(robin).get(`${importsPath}/${id}/refusals`)).status).toBe(404)
    for (const actor of ['', 'wren', `https://fieldfare.test/users/${wren.username}`])
      expect((await as(wren).post(importsPath, { actor })).status).toBe(422)
    expect((await as(wren).post(`${importsPath}/${id}/statuses`, {})).status).toBe(400)
    for (const body of [{ items: [] }, { items: 'x' }, { items: Array.from({ length: 21 }, () => items[0]) }])
      expect((await as(wren).post(`${importsPath}/${id}/statuses`, body)).status).toBe(422)
  })

  it('does not attach an upload of another account', async () => {
    const [wren, robin] = await given.accounts(2)
    if (wren === undefined || robin === undefined) return
    const file = await archivedUpload(robin, 'a.png')
    const items = [
      archivedPost(91, '2023-01-01T00:00:00Z', '<p>One</p>', {
        files: [{ path: 'a.png', description: null }],
      }),
    ]
    const results = await importedPart(wren, { items, uploads: [file] })
    expect(results).toMatchObject([{ state: 'imported', missing_files: ['a.png'] }])
  })

  it('imports a whole part in few statements, whatever its size', async () => {
    const wren = await given.account()
    const { id } = await openedImport(wren)
    const items = Array.from({ length: 20 }, (_, index) =>
      archivedPost(200 + index, `2023-04-01T00:00:${10 + index}Z`, `<p>Post #tag${index}</p>`, {
        hashtags: [`tag${index}`],
        inReplyTo: index === 0 ? null : addressOf(199 + index),
      }),
    )
    const { costs } = await as(wren).post(`${importsPath}/${id}/statuses`, { items })
    expect(costs.statements).toBeLessThanOrEqual(25)
    expect(costs.trips).toBeLessThanOrEqual(5)
  })
})

describe('reblogs and marks of an archive', () => {
  it('stores reblogs, favourites and bookmarks at their dates, and notifies nobody', async () => {
    const [wren, robin] = await given.accounts(2)
    if (wren === undefined || robin === undefined) return
    const post = await given.status({ by: robin })
    const hidden = await given.status({ by: robin, visibility: 'private' })
    const address = (id: string) => `https://fieldfare.test/users/${robin.username}/statuses/${id}`
    const results = await importedPart(wren, {
      items: [
        archivedPost(300, '2023-05-01T00:00:00Z', '<p>Mine</p>'),
        archivedReblog(301, '2023-05-02T00:00:00Z', address(post.id)),
        archivedReblog(302, '2023-05-03T00:00:00Z', addressOf(300)),
        archivedReblog(303, '2023-05-04T00:00:00Z', address(hidden.id)),
        archivedReblog(304, '2023-05-05T00:00:00Z', address(post.id)),
      ],
    })
    expect(results.map(({ state }) => state)).toEqual([
      'imported',
      'imported',
      'imported',
      'refused',
      'refused',
    ])
    expect(await shown(results[1]?.id ?? '', null)).toMatchObject({
      created_at: '2023-05-02T00:00:00.000Z',
      reblog: { id: post.id, reblogs_count: 1 },
    })
    const [again] = await importedPart(wren, {
      items: [archivedReblog(305, '2023-05-06T00:00:00Z', addressOf(300))],
    })
    expect(again).toMatchObject({ reason: 'The post is shared already' })
    const [earlier] = await importedPart(wren, {
      items: [archivedPost(306, '2023-05-06T00:00:00Z', '<p>More</p>', { visibility: 'private' })],
    })
    const [own] = await importedPart(wren, {
      items: [archivedReblog(307, '2023-05-07T00:00:00Z', addressOf(306))],
    })
    expect(await shown(own?.id ?? '', wren)).toMatchObject({
      visibility: 'private',
      reblog: { id: earlier?.id, reblogs_count: 1 },
    })
    const other = await given.status({ by: robin })
    const [forFollowers] = await importedPart(wren, {
      items: [
        {
          ...archivedReblog(308, '2023-05-08T00:00:00Z', address(other.id)),
          to: [`${archivedActor}/followers`],
          cc: [],
        },
      ],
    })
    expect(await shown(forFollowers?.id ?? '', wren)).toMatchObject({
      visibility: 'private',
      reblog: { id: other.id, reblogs_count: 0 },
    })
    const { id } = await openedImport(wren)
    const uris = [address(post.id), addressOf(300), address(hidden.id), 'https://third.example/notes/1']
    for (const kind of ['favourites', 'bookmarks']) {
      const answer = await as(wren).post(`${importsPath}/${id}/marks`, { kind, uris })
      expect(answer.body).toMatchObject([
        { state: 'marked' },
        { state: 'marked' },
        { state: 'unknown' },
        { state: 'unknown' },
      ])
      await as(wren).post(`${importsPath}/${id}/marks`, { kind, uris })
    }
    expect(await shown(post.id, wren)).toMatchObject({
      favourites_count: 1,
      favourited: true,
      bookmarked: true,
    })
    const told = await context().db.$count(notifications, eq(notifications.accountId, robin.id))
    expect(told).toBe(0)
  })
})
