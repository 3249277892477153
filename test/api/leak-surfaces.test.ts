import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoints } from '../../src/api'
import type { Endpoint } from '../../src/api/endpoint'
import { Status } from '../../src/contract/entities/status'
import type { NotificationType } from '../../src/contract/notification-kinds'
import {
  accounts,
  bookmarks,
  conversations,
  favourites,
  homeEntries,
  listEntries,
  notifications,
  statusPins,
  trendingStatuses,
} from '../../src/db/schema'
import { indexStatuses } from '../../src/domain/search/index-statuses'
import { as, type TestResponse } from '../support/as'
import { call, everyReadPath, pathsOf, readAll, type Targets } from '../support/every-endpoint'
import { freshName, given, type TestAccount } from '../support/given'
import { importedIds } from '../support/given-archive'
import { storedList } from '../support/given-list'
import { relation } from '../support/given-relationships'
import { scheduledStatus } from '../support/given-scheduled'
import { storedNotification, storedStatus } from '../support/given-stored'
import { storedUpload } from '../support/given-upload'
import { archivedPost } from '../support/mastodon-archive'
import { clock, context } from '../support/test-app'

/**
 * Every readable endpoint, asked for statuses that the viewer must not see: each was favourited, reblogged, answered,
 * pinned and announced while it was visible, or straight in the tables. Made from the endpoint list.
 */

interface Scene {
  readonly author: TestAccount
  readonly viewer: TestAccount
  /** A word in everything the statuses carry. */
  readonly secret: string
  readonly hidden: readonly number[]
  readonly targets: Targets
  /** Endpoints through which the viewer met the statuses as long as they could see them. */
  readonly met: readonly string[]
  /** Further accounts that must not see the status. */
  readonly alsoBarred: readonly (TestAccount | string | null)[]
}

type Traces = Pick<Scene, 'secret' | 'hidden' | 'targets'>

interface Situation {
  readonly visibilities: readonly Status['visibility'][]
  /** Whether the statuses mention the viewer. */
  readonly mentions?: boolean
  /** Makes the relationship of the two at the time when the statuses are written. */
  before?(author: TestAccount, viewer: TestAccount): Promise<unknown>
  /** Makes the change by which the viewer can no longer see the statuses. */
  afterwards?(author: TestAccount, viewer: TestAccount): Promise<unknown>
  /** Hidden from the viewer alone: strangers may see public ones. */
  readonly onlyFromViewer?: boolean
  /**
   * Whether other callers are asked as well. Their answers do not depend on the relation of viewer and author: in the
   * other situations they would be those of the first one again.
   */
  readonly asksOthers?: boolean
}

const follow = (author: TestAccount, viewer: TestAccount) => relation.follow(viewer, author)
const everything: readonly Status['visibility'][] = ['public', 'private', 'direct']

const situations: Readonly<Record<string, Situation>> = {
  'a stranger': { visibilities: ['private', 'direct'], asksOthers: true },
  'somebody who asks to follow': {
    visibilities: ['private', 'direct'],
    before: (author, viewer) => relation.followRequest(viewer, author),
  },
  'a follower, of direct ones': { visibilities: ['direct'], before: follow },
  'somebody who stopped following': {
    visibilities: ['private'],
    before: follow,
    afterwards: (author, viewer) => as(viewer).post(`/api/v1/accounts/${author.id}/unfollow`),
  },
  'somebody taken off the followers': {
    visibilities: ['private'],
    before: follow,
    afterwards: (author, viewer) => as(author).post(`/api/v1/accounts/${viewer.id}/remove_from_followers`),
  },
  'somebody blocked since': {
    visibilities: everything,
    mentions: true,
    onlyFromViewer: true,
    before: follow,
    afterwards: (author, viewer) => as(author).post(`/api/v1/accounts/${viewer.id}/block`),
  },
  'anybody, of a suspended author': {
    visibilities: everything,
    mentions: true,
    asksOthers: true,
    before: follow,
    afterwards: (author) =>
      context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, author.id)),
  },
}

async function play({ visibilities, mentions, asksOthers, before, afterwards }: Situation): Promise<Scene> {
  const [author, viewer, friend] = [await given.account(), await given.account(), await given.account()]
  await relation.follow(viewer, friend)
  await before?.(author, viewer)
  const secret = `${freshName('capercaillie')}x`
  const tag = `${secret}tag`
  const parent = await given.status({ by: friend, text: 'Who sings there?' })
  const text = `${secret} #${tag} ${mentions === true ? `@${viewer.username}` : ''}`
  const polls: string[] = []
  const scheduled: string[] = []
  const media: string[] = []
  const hidden: number[] = []
  for (const visibility of visibilities) {
    const poll = {
      options: [`${secret} a`, 'b'],
      expiresInSeconds: 30 * 86_400,
      multiple: false,
      hideTotals: false,
    }
    const upload = await storedUpload(author, { description: secret })
    const asked = await given.status({ by: author, text, spoilerText: secret, visibility, poll })
    const shown = await given.status({
      by: author,
      text,
      visibility,
      mediaIds: [Number(upload)],
      inReplyTo: parent,
    })
    polls.push(Status.parse((await as(author).get(`/api/v1/statuses/${asked.id}`)).body).poll?.id ?? '')
    media.push(upload)
    scheduled.push(await scheduledStatus(author, { text, spoilerText: secret, visibility }))
    // Names the viewer, and is for nobody more than it was on its old server.
    const name = { href: `https://fieldfare.test/users/${viewer.username}`, name: `@${viewer.username}` }
    const archived = { visibility, summary: secret, hashtags: [tag], mentions: [name] }
    const number = hidden.length + 1
    const imported = await importedIds(author, [
      archivedPost(number, clock.now().toISOString(), `<p>${secret}</p>`, archived),
    ])
    hidden.push(Number(asked.id), Number(shown.id), ...imported.map(Number))
  }
  const around = await leaveTraces({ author, viewer, friend }, hidden, mentions === true)
  const scene = {
    author,
    viewer,
    secret,
    hidden,
    targets: {
      polls,
      scheduled,
      media,
      tag,
      words: [secret, author.username],
      statuses: [...hidden, ...around.statuses, parent.id],
      furtherStatuses: around.furtherStatuses,
      accounts: [author.id, viewer.id, friend.id],
      notifications: around.notifications,
      furtherNotifications: around.furtherNotifications,
      lists: [around.list],
    },
  }
  // Viewers who could see the statuses saw them in many places: otherwise the search below would prove nothing.
  const met = afterwards === undefined ? [] : await placesOf(scene, viewer, visibilities.includes('public'))
  if (afterwards !== undefined) expect(met).toEqual(expect.arrayContaining([...placesOfStatuses]))
  await afterwards?.(author, viewer)
  const appToken = await given.token({ scopes: 'read write' })
  return {
    ...scene,
    met,
    // A token of no person is nobody to each endpoint: asked about strangers, this shows.
    alsoBarred: asksOthers === true ? [null, friend, ...(afterwards === undefined ? [appToken] : [])] : [],
  }
}

const kinds: readonly NotificationType[] = ['status', 'update', 'poll', 'mention', 'reblog', 'favourite']

/** Statuses of each visibility: with a poll, with a picture, and from an archive. */
const madeOfEach = 3

/** Answers to what names no status, by endpoint and body: the same for each member. */
const answersToNone = new Map<string, Promise<TestResponse>>()

/**
 * Writes every trace of the statuses that there can be, straight into the tables: rules at writing help no more. Traces of
 * each kind are asked for everywhere once for each visibility, as examples; of the others lists and contexts are read.
 */
async function leaveTraces(
  { author, viewer, friend }: Readonly<Record<'author' | 'viewer' | 'friend', TestAccount>>,
  hidden: readonly number[],
  named: boolean,
) {
  const { db, ids } = context()
  const around: number[] = []
  const furtherStatuses: number[] = []
  const told: number[] = []
  const furtherNotifications: number[] = []
  const list = await storedList({ of: viewer, members: [author, friend] })
  for (const [index, statusId] of hidden.entries()) {
    const isExample = (kind: number) => kind % madeOfEach === index % madeOfEach
    const mark = () => ({ id: ids.next(), accountId: viewer.id, statusId })
    await db.insert(homeEntries).values({ accountId: viewer.id, statusId }).onConflictDoNothing()
    await db.insert(favourites).values(mark())
    await db.insert(bookmarks).values(mark())
    await db
      .insert(trendingStatuses)
      .values({ statusId, accountId: author.id, language: 'en', rank: 1e9, trendable: true })
    await db
      .insert(conversations)
      .values({
        accountId: viewer.id,
        id: statusId,
        conversationId: statusId,
        lastStatusId: statusId,
        participants: [author.id],
      })
      .onConflictDoNothing()
    await db.insert(statusPins).values({ id: ids.next(), accountId: author.id, statusId })
    const traces = [
      await storedStatus({ accountId: friend.id, reblogOfId: statusId, inHomeOf: [viewer.id] }),
      await storedStatus({ accountId: viewer.id, reblogOfId: statusId, inHomeOf: [viewer.id] }),
      await storedStatus({ accountId: friend.id, inReplyToId: statusId, inReplyToAccountId: author.id }),
      await storedStatus({ accountId: viewer.id, inReplyToId: statusId, inReplyToAccountId: author.id }),
    ]
    for (const [kind, id] of traces.entries()) (isExample(kind) ? around : furtherStatuses).push(id)
    for (const [kind, type] of kinds.entries()) {
      if (type === 'mention' && named) continue
      const sent = { accountId: viewer.id, fromAccountId: author.id, type, statusId }
      const id = await storedNotification(sent)
      ;(isExample(kind) ? told : furtherNotifications).push(id)
    }
  }
  // A viewer's search covers the statuses they interacted with.
  await indexStatuses(context())
  // As in the home: what pages begin and end with is to be seen, and so is its id in the Link.
  const home = await db.select().from(homeEntries).where(eq(homeEntries.accountId, viewer.id))
  const entries = home.map(({ statusId }) => ({ listId: list, statusId }))
  await db.insert(listEntries).values(entries).onConflictDoNothing()
  const heard = await db.select().from(notifications).where(eq(notifications.accountId, viewer.id))
  const others = heard.map(({ id }) => id).filter((id) => !furtherNotifications.includes(id))
  return {
    list,
    statuses: around,
    furtherStatuses,
    notifications: [...new Set([...told, ...others])],
    furtherNotifications,
  }
}

const placesOfStatuses = [
  '/api/v1/accounts/:id/statuses',
  '/api/v1/bookmarks',
  '/api/v1/conversations',
  '/api/v1/favourites',
  '/api/v1/notifications',
  '/api/v1/notifications/:id',
  '/api/v1/polls/:id',
  '/api/v1/statuses',
  '/api/v1/statuses/:id',
  '/api/v1/statuses/:id/context',
  '/api/v1/statuses/:id/source',
  '/api/v1/timelines/home',
  '/api/v1/timelines/list/:id',
  '/api/v2/search',
  '/media_proxy/:id',
  '/media_proxy/:id/small',
] as const

/** Endpoints that can show a status, but none of these: where their own tests hide statuses from a reader. */
const testedElsewhere: Readonly<Record<string, string>> = {
  '/api/v1/annual_reports': 'annual-reports.test.ts: of the reader, about their own statuses',
  '/api/v1/annual_reports/:year': 'annual-reports.test.ts: of the reader, about their own statuses',
  '/api/v1/notifications/requests': 'notifications/policy.test.ts: the last status of a filtered account',
  '/api/v1/notifications/requests/:id': 'notifications/policy.test.ts: the last status of a filtered account',
  '/api/v1/statuses/:id/quotes': 'statuses/quotes.test.ts: what quotes a status',
  '/api/v1/timelines/link': 'timelines-link.test.ts: what links to a page that trends',
}

/** Whether the answer of an endpoint can hold a status, by its schema. */
function canShowStatuses({ output }: Endpoint): boolean {
  const schema = z.toJSONSchema(z.object({ output }), { unrepresentable: 'any' })
  return JSON.stringify(schema).includes('/Status"')
}

/** Endpoints that can show a status, and patterns of their paths. What only staff read is tested elsewhere. */
const able = endpoints
  .filter((one) => one.method === 'GET' && one.auth.kind !== 'staff' && canShowStatuses(one))
  .map(({ path }) => ({ path, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`) }))
const placeOf = (path: string) => path.replace(/\?.*/, '').replaceAll(/\d{3,}/g, ':id')

/**
 * Finds the places that show hidden statuses to `reader`, and asks each until it shows one: the places above, or with
 * `everywhere` all that can show a status.
 */
async function placesOf(scene: Traces, reader: TestAccount, everywhere: boolean): Promise<string[]> {
  const met = new Set<string>()
  const isWanted = (place: string) =>
    placesOfStatuses.some((one) => one === place) ||
    (everywhere && able.some(({ pattern }) => pattern.test(place)))
  const asked = everyReadPath(scene.targets, reader).filter((path) => isWanted(placeOf(path)))
  function* unmet() {
    for (const path of asked) if (!met.has(placeOf(path))) yield path
  }
  await readAll(reader, unmet(), (path, answer) => {
    if (told(answer, scene).length > 0) met.add(placeOf(path))
  })
  return [...met].sort()
}

/** Traces of the hidden statuses in an answer, as words to print. */
function told(answer: TestResponse, { secret, hidden, targets }: Traces): string[] {
  const text = JSON.stringify(answer.body)
  const link = `${answer.headers.get('link') ?? ''} ${answer.headers.get('location') ?? ''}`
  const ids = [...hidden.map(String), ...targets.polls, ...targets.scheduled, ...targets.media].map(String)
  return [
    ...(text.replaceAll(targets.tag, '').includes(secret) ? ['words'] : []),
    ...ids.flatMap((id) => (text.includes(`"id":"${id}"`) ? [`the entity ${id}`] : [])),
    ...hidden.flatMap((id) => (text.includes(`/${id}"`) ? [`an address of ${id}`] : [])),
    ...ids.flatMap((id) => (link.includes(id) ? [`${id} in ${link}`] : [])),
  ]
}

describe.each(Object.entries(situations))('%s', (_, situation) => {
  let scene: Scene
  beforeAll(async () => {
    scene = await play(situation)
  })

  it('never reads the hidden statuses [T-364]', async () => {
    const leaks: string[] = []
    const open = situation.onlyFromViewer === true ? scene.targets.media.map((id) => `/media/${id}`) : []
    let answered = 0
    for (const caller of [scene.viewer, ...scene.alsoBarred]) {
      // Notifications of the viewer are not found by other accounts, whatever they are about: one of each kind shows it.
      const notifications = scene.targets.notifications.slice(0, kinds.length)
      const targets =
        caller === scene.viewer
          ? scene.targets
          : { ...scene.targets, notifications, furtherNotifications: [], furtherStatuses: [] }
      // Addresses without authentication show only what everybody may see.
      const paths = everyReadPath(targets, caller).filter((path) => !open.includes(path))
      await readAll(caller, paths, (path, answer) => {
        expect(answer.status, path).toBeLessThan(500)
        if (answer.status === 200) answered += 1
        leaks.push(...told(answer, scene).map((what) => `${path}: ${what}`))
      })
    }
    expect(leaks).toEqual([])
    expect(answered).toBeGreaterThan(30)
  })

  it('every request gets the same answer as for an unknown id [T-365]', async () => {
    const missing = { ...scene.targets, statuses: [7], polls: [7], scheduled: [7], media: [7] }
    const asked = { ...scene.targets, statuses: scene.hidden.slice(-2), furtherStatuses: [] }
    const differing: string[] = []
    const ofThem = endpoints.filter(
      ({ path, auth }) =>
        auth.kind !== 'staff' && /\/(statuses|scheduled_statuses|polls|media)\/:id/.test(path),
    )
    for (const endpoint of ofThem.filter(({ path }) => !takesBack.test(path)))
      for (const body of bodies.filter((body) => matters(endpoint, body))) {
        const [none] = pathsOf(endpoint.path, missing)
        const key = `${endpoint.method} ${none} ${JSON.stringify(body)}`
        const toNone = answersToNone.get(key) ?? call(scene.viewer, endpoint, none ?? '', body)
        answersToNone.set(key, toNone)
        const not = await toNone
        // Each names another status, and none of the calls may change anything.
        const paths = pathsOf(endpoint.path, asked)
        const answers = await Promise.all(paths.map((path) => call(scene.viewer, endpoint, path, body)))
        for (const [at, there] of answers.entries()) {
          const path = paths[at]
          if (there.status !== not.status || JSON.stringify(there.body) !== JSON.stringify(not.body))
            differing.push(
              `${endpoint.method} ${path} ${JSON.stringify(body)}: ${there.status}, not ${not.status}`,
            )
        }
      }
    expect(differing).toEqual([])
  })

  it('no written status can name the hidden one', async () => {
    const sent = endpoints.flatMap((endpoint) =>
      namesOf(endpoint.input).flatMap((name) => {
        const value = references[name]?.(scene)
        return value === undefined ? [] : [{ endpoint, body: { status: 'x', [name]: value } }]
      }),
    )
    expect(sent.length).toBeGreaterThan(2)
    for (const { endpoint, body } of sent) {
      const answer = await call(scene.viewer, endpoint, endpoint.path, body)
      expect(
        answer.status,
        `${endpoint.method} ${endpoint.path} ${JSON.stringify(body)}`,
      ).toBeGreaterThanOrEqual(endpoint.auth.kind === 'staff' ? 403 : 404)
      expect(told(answer, scene)).toEqual([])
    }
  })

  it('undoes interactions without the text of the status [T-366]', async () => {
    for (const undo of ['unfavourite', 'unbookmark', 'unreblog'])
      for (const id of scene.hidden) {
        const answer = await as(scene.viewer).post(`/api/v1/statuses/${id}/${undo}`)
        expect(answer.status).toBe(200)
        expect(told(answer, scene).filter((what) => what === 'words')).toEqual([])
      }
  })

  // Statuses that were never public are shown in few places.
  if (!situation.visibilities.includes('public')) return

  it('the same check finds visible statuses on every endpoint', () => {
    const unmet = able.filter(({ pattern }) => !scene.met.some((place) => pattern.test(place)))
    expect(able.length).toBeGreaterThan(15)
    expect([...new Set(unmet.map(({ path }) => path))].toSorted()).toEqual(
      Object.keys(testedElsewhere).toSorted(),
    )
  })
})

/** Taking a mark back is how one gets rid of what one can no longer see. */
const takesBack = /\/un(favourite|bookmark|reblog)$/

const bodies: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { choices: [] },
  { choices: [99] },
  { visibility: 'direct' },
  { visibility: 'nonsense' },
  { delete_media: true },
  { focus: 'nonsense' },
  { description: 'changed' },
  { scheduled_at: '2000-01-01' },
  { scheduled_at: '2100-01-01' },
]

/** Whether the endpoint reads this body: `GET` has none, and keys that the input does not name are dropped. */
function matters({ method, input }: Endpoint, body: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(body)
  if (names.length === 0) return true
  if (method === 'GET' || input === undefined) return false
  const known = namesOf(input)
  return known.length === 0 || names.some((name) => known.includes(name))
}

/** Inputs other than the path that name a status or what hangs on it. */
const references: Readonly<Record<string, (scene: Scene) => unknown>> = {
  in_reply_to_id: ({ hidden }) => String(hidden[0]),
  quoted_status_id: ({ hidden }) => String(hidden[0]),
  media_ids: ({ targets }) => targets.media.slice(0, 1),
  status_id: ({ hidden }) => String(hidden[0]),
  status_ids: ({ hidden }) => hidden.map(String),
}

function namesOf(input: unknown): string[] {
  return typeof input === 'object' && input !== null && 'shape' in input
    ? Object.keys(Object(input.shape))
    : []
}
