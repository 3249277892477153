import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { notifications, trendingStatuses } from '../../src/db/schema'
import { settleFiles } from '../../src/domain/moderation/withhold-files'
import { indexStatuses } from '../../src/domain/search/index-statuses'
import { updatePopularAccounts } from '../../src/domain/suggestions/compute'
import { as } from '../support/as'
import { everyReadPath, readAll, type Targets } from '../support/every-endpoint'
import { freshName, given, type TestAccount } from '../support/given'
import { storedCollection } from '../support/given-collection'
import { storedList } from '../support/given-list'
import { relation } from '../support/given-relationships'
import { givenStaff } from '../support/given-staff'
import { storedNotification } from '../support/given-stored'
import { storedUpload } from '../support/given-upload'
import { clock, context, fetchApp } from '../support/test-app'

/**
 * Everything that can be read, asked before a suspension, during it and after it was lifted: nothing of the account is
 * shown in between, and afterwards each answer is the same to the byte.
 */

const secret = freshName('zugvogel')
const tag = freshName('birds')

let alice: TestAccount
let viewer: TestAccount
let moderator: TestAccount
let targets: Targets
let statuses: readonly string[]
let fileKey: string

beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageUsers'] })
  viewer = await given.account({ discoverable: true })
  alice = await given.account({
    displayName: secret,
    note: secret,
    noteHtml: `<p>${secret}</p>`,
    fields: [{ name: 'Bird', value: secret, html: secret, verifiedAt: null }],
    discoverable: true,
    indexable: true,
    followersCount: 50,
    lastStatusAt: clock.now(),
  })
  const { db, ids, files } = context()
  await relation.follow(viewer, alice)
  await relation.follow(alice, viewer)
  const own = await given.status({ by: viewer, text: `Hello #${tag}` })
  const upload = await storedUpload(alice, {
    description: secret,
    fileKey: `attachments/${secret}/original.png`,
    previewKey: null,
  })
  fileKey = `attachments/${secret}/original.png`
  await files.put(fileKey, new Uint8Array([1, 2, 3]), 'image/png')
  const text = `${secret} #${tag} @${viewer.username}`
  const made = [
    await given.status({ by: alice, text, visibility: 'public' }),
    await given.status({ by: alice, text, visibility: 'unlisted', mediaIds: [Number(upload)] }),
    await given.status({ by: alice, text, visibility: 'private' }),
    await given.status({ by: alice, text, visibility: 'direct' }),
    await given.status({ by: alice, text, visibility: 'public', inReplyTo: own }),
  ]
  statuses = made.map(({ id }) => String(id))
  const [first = ''] = statuses
  await as(alice).post(`/api/v1/statuses/${first}/pin`)
  for (const what of ['favourite', 'reblog']) await as(alice).post(`/api/v1/statuses/${own.id}/${what}`)
  for (const what of ['favourite', 'reblog', 'bookmark'])
    await as(viewer).post(`/api/v1/statuses/${first}/${what}`)
  await as(viewer).post(`/api/v1/accounts/${alice.id}/pin`)
  await as(alice).post('/api/v1/featured_tags', { name: tag })
  await storedNotification({ accountId: viewer.id, fromAccountId: alice.id, type: 'follow' })
  await db
    .insert(trendingStatuses)
    .values({ statusId: Number(first), accountId: alice.id, language: 'en', rank: 1e9, trendable: true })
  const kept = await storedCollection({ by: viewer, of: [alice] })
  const made2 = await storedCollection({ by: alice, of: [viewer], name: secret })
  await updatePopularAccounts(context())
  await indexStatuses(context())
  const told = await db
    .select({ id: notifications.id })
    .from(notifications)
    .where(eq(notifications.accountId, viewer.id))
  targets = {
    statuses: [...statuses, Number(own.id)],
    accounts: [alice.id, viewer.id],
    scheduled: [1],
    polls: [1],
    media: [upload],
    notifications: told.map(({ id }) => id),
    collections: [kept.id, made2.id],
    tag,
    lists: [await storedList({ of: viewer, members: [alice, viewer] })],
    words: [secret, alice.username],
  }
  expect(ids).toBeDefined()
})

const document = 'application/activity+json'

/** Paths that other servers and visitors read, with the form they ask for. */
function openPaths(): readonly (readonly [string, string])[] {
  const { username } = alice
  const handle = `@${username}`
  return [
    ...[
      '',
      '/outbox',
      '/outbox?page=true',
      '/followers',
      '/following',
      '/collections/featured',
      '/collections/tags',
    ].map((rest) => [`/users/${username}${rest}`, document] as const),
    ...statuses.flatMap((id) => [
      [`/users/${username}/statuses/${id}`, document] as const,
      [`/users/${username}/statuses/${id}/replies`, document] as const,
      [`/${handle}/${id}`, 'text/html'] as const,
      [`/${handle}/${id}/embed`, 'text/html'] as const,
      [`/api/oembed?url=https://fieldfare.test/${handle}/${id}`, 'application/json'] as const,
    ]),
    [`/.well-known/webfinger?resource=acct:${username}@fieldfare.test`, 'application/jrd+json'],
    [`/${handle}`, 'text/html'],
    [`/${handle}/with_replies`, 'text/html'],
    [`/${handle}/media`, 'text/html'],
    [`/${handle}.rss`, '*/*'],
    [`/${handle}.atom`, '*/*'],
    [`/tags/${tag}`, 'text/html'],
    [`/tags/${tag}.rss`, '*/*'],
    [`/tags/${tag}.atom`, '*/*'],
    ['/', 'text/html'],
    ['/directory', 'text/html'],
    ['/explore', 'text/html'],
    ['/nodeinfo/2.0', 'application/json'],
    [`/media/${fileKey}`, '*/*'],
  ]
}

type Reading = Readonly<{ status: number; text: string; link: string }>

/** Every answer by caller and path. */
async function readEverything(): Promise<ReadonlyMap<string, Reading>> {
  const found = new Map<string, Reading>()
  for (const [name, caller] of [
    ['viewer', viewer],
    ['nobody', null],
  ] as const)
    await readAll(caller, everyReadPath(targets, caller), (path, { status, body, headers }) =>
      found.set(`${name} ${path}`, { status, text: JSON.stringify(body), link: headers.get('link') ?? '' }),
    )
  for (const [path, accept] of openPaths()) {
    const request = new Request(`https://fieldfare.test${path}`, { headers: { accept }, redirect: 'manual' })
    const { response } = await fetchApp(request)
    found.set(`open ${path}`, {
      status: response.status,
      text: await response.text(),
      link: response.headers.get('link') ?? '',
    })
  }
  return found
}

/** Traces of the account's words and statuses in an answer. */
function tracesIn({ text, link }: Reading): readonly string[] {
  return [
    ...(text.includes(secret) ? ['its words'] : []),
    ...statuses.filter(
      (id) => text.includes(`"id":"${id}"`) || text.includes(`/${id}"`) || link.includes(id),
    ),
  ]
}

describe('a suspension', () => {
  let before: ReadonlyMap<string, Reading>
  let between: ReadonlyMap<string, Reading>
  let after: ReadonlyMap<string, Reading>
  let steady: readonly string[]
  beforeAll(async () => {
    const first = await readEverything()
    before = await readEverything()
    steady = [...before.keys()].filter((path) => first.get(path)?.text === before.get(path)?.text)
    const action = `/api/v1/admin/accounts/${alice.id}`
    const suspended = await as(moderator).post(`${action}/action`, {
      type: 'suspend',
      send_email_notification: false,
    })
    await settleFiles(context(), alice.id, 0)
    between = await readEverything()
    const lifted = await as(moderator).post(`${action}/unsuspend`)
    await settleFiles(context(), alice.id, 0)
    after = await readEverything()
    expect([suspended.status, lifted.status]).toEqual([200, 200])
  }, 280_000)

  it('the account is in many places before', () => {
    const places = [...before].filter(([, reading]) => tracesIn(reading).length > 0)
    expect(places.length).toBeGreaterThan(60)
    for (const place of [
      'open /@',
      'open /users/',
      'open /tags/',
      'nobody /api/v1/',
      'viewer /api/v2/search',
    ])
      expect(
        places.some(([path]) => path.startsWith(place)),
        place,
      ).toBe(true)
  })

  it('removes every mention and status of the account', () => {
    const leaks = [...between].flatMap(([path, reading]) =>
      path.includes(secret) && reading.status >= 400
        ? []
        : tracesIn(reading).map((trace) => `${path}: ${trace}`),
    )
    expect(leaks).toEqual([])
  })

  it('answers like Mastodon: an empty actor, refused collections, statuses not found, pages gone', () => {
    const statusOf = (path: string) => between.get(`open ${path}`)?.status
    const user = `/users/${alice.username}`
    expect(statusOf(user)).toBe(200)
    expect(between.get(`open ${user}`)?.text).toContain('"suspended":true')
    expect(statusOf(`${user}/outbox`)).toBe(403)
    expect(statusOf(`${user}/followers`)).toBe(403)
    expect(statusOf(`${user}/statuses/${statuses[0]}`)).toBe(404)
    expect(statusOf(`/@${alice.username}`)).toBe(410)
    expect(statusOf(`/media/${fileKey}`)).toBe(404)
    expect(between.get(`nobody /api/v1/accounts/${alice.id}`)?.text).toContain('"suspended":true')
  })

  it('lifting it restores every response exactly', () => {
    const changed = steady.filter((path) => {
      const [was, is] = [before.get(path), after.get(path)]
      return was?.status !== is?.status || was?.text !== is?.text || was?.link !== is?.link
    })
    expect(steady.length).toBeGreaterThan(200)
    expect(changed).toEqual([])
  })
})

describe('a suspended account', () => {
  it('a suspended account can use nothing, and everything again once the suspension is lifted', async () => {
    const bob = await given.account()
    const action = `/api/v1/admin/accounts/${bob.id}`
    await as(moderator).post(`${action}/action`, { type: 'suspend' })
    expect((await as(bob).get('/api/v1/timelines/home')).status).toBe(403)
    expect((await as(bob).post('/api/v1/statuses', { status: 'x' })).status).toBe(403)
    await as(moderator).post(`${action}/unsuspend`)
    expect((await as(bob).get('/api/v1/timelines/home')).status).toBe(200)
  })
})
