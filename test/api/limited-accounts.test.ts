import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accounts, trendingStatuses } from '../../src/db/schema'
import { indexStatuses } from '../../src/domain/search/index-statuses'
import { updatePopularAccounts } from '../../src/domain/suggestions/compute'
import { as } from '../support/as'
import { runCourierAlarms } from '../support/courier'
import { everyReadPath, readAll, type Targets } from '../support/every-endpoint'
import { addActiveTopics, addSubscriber, FakeStreams } from '../support/fake-streams'
import { freshName, given, type TestAccount } from '../support/given'
import { knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { storedUpload } from '../support/given-upload'
import { clock, context, settleLateWork } from '../support/test-app'

/**
 * Everything that can be read about an account that moderators limited or sensitised, by a stranger, a follower and the
 * account itself. Generated from the endpoints, so none can be forgotten.
 */

const board = new FakeStreams()

const word = freshName('zilpzalp')
const tag = freshName('birds')

let author: TestAccount
let stranger: TestAccount
let follower: TestAccount
let targets: Targets

async function setState(values: Partial<Record<'silencedAt' | 'sensitizedAt', Date | null>>) {
  await context().db.update(accounts).set(values).where(eq(accounts.id, author.id))
}

beforeAll(async () => {
  ;[stranger, follower] = [await given.account(), await given.account()]
  author = await given.account({
    displayName: word,
    discoverable: true,
    indexable: true,
    followersCount: 50,
    lastStatusAt: clock.now(),
  })
  await relation.follow(follower, author)
  const question = await given.status({ by: stranger, text: 'Who sings?' })
  const media = async () => [Number(await storedUpload(author))]
  const made = [
    await given.status({ by: author, text: `${word} #${tag}`, mediaIds: await media() }),
    await given.status({ by: author, text: word, visibility: 'unlisted', mediaIds: await media() }),
    await given.status({ by: author, text: word, inReplyTo: question, mediaIds: await media() }),
  ]
  const [first] = made
  for (const one of [stranger, follower])
    for (const what of ['favourite', 'bookmark', 'reblog'])
      await as(one).post(`/api/v1/statuses/${first?.id}/${what}`)
  await as(author).post(`/api/v1/statuses/${first?.id}/pin`)
  const trend = {
    statusId: Number(first?.id),
    accountId: author.id,
    language: 'en',
    rank: 1e9,
    trendable: true,
  }
  await context().db.insert(trendingStatuses).values(trend)
  await updatePopularAccounts(context())
  await indexStatuses(context())
  targets = {
    statuses: [...made.map(({ id }) => id), question.id],
    accounts: [author.id, stranger.id],
    scheduled: [1],
    polls: [1],
    media: [1],
    notifications: [1],
    tag,
    lists: [1],
    words: [word, author.username],
  }
})

interface Shown {
  readonly path: string
  readonly entity: Readonly<Record<string, unknown>>
}

/** Statuses by the author and accounts that are the author, wherever they are in a body. */
function entitiesIn(path: string, body: unknown, kind: 'account' | 'status'): Shown[] {
  if (typeof body !== 'object' || body === null) return []
  const entity = Object.fromEntries(Object.entries(body))
  const nested = Object.values(entity).flatMap((value) => entitiesIn(path, value, kind))
  const isStatus =
    'spoiler_text' in entity && 'id' in entity && Object(entity['account']).id === String(author.id)
  const isAccount = 'acct' in entity && 'followers_count' in entity && entity['id'] === String(author.id)
  return (kind === 'status' ? isStatus : isAccount) ? [{ path, entity }, ...nested] : nested
}

const pathsIn = (shown: readonly Shown[]) => new Set(shown.map(({ path }) => path))

async function everything(
  reader: TestAccount | null,
  paths: Iterable<string> = everyReadPath(targets, reader),
): Promise<Shown[]> {
  const shown: Shown[] = []
  await readAll(reader, paths, (path, { body }) => {
    shown.push(...entitiesIn(path, body, 'status'), ...entitiesIn(path, body, 'account'))
  })
  return shown
}

const readers = {
  stranger: () => stranger,
  follower: () => follower,
  nobody: () => null,
}
type ReaderName = keyof typeof readers

const usual = new Map<ReaderName, Promise<readonly Shown[]>>()

/** Entities shown to a reader while the author is in no state: read once, because each state is ended again. */
function usuallyShownTo(name: ReaderName): Promise<readonly Shown[]> {
  const known = usual.get(name) ?? everything(readers[name]())
  usual.set(name, known)
  return known
}

async function shownIn(
  state: Parameters<typeof setState>[0],
  reader: TestAccount | null,
  paths?: Iterable<string>,
) {
  await setState(state)
  const shown = await everything(reader, paths)
  await setState({ silencedAt: null, sensitizedAt: null })
  return shown
}

/** Entities shown before and during a state of the author, and paths without queries that show less during it. */
async function readIn(state: Parameters<typeof setState>[0], name: ReaderName) {
  const before = await usuallyShownTo(name)
  // Paths that never show the account show it in no state either.
  const during = await shownIn(state, readers[name](), pathsIn(before))
  const left = pathsIn(during)
  const hidden = [...pathsIn(before)].filter((path) => !left.has(path))
  return { before, during, hidden: [...new Set(hidden.map((path) => path.split('?')[0]))].toSorted() }
}

describe('a limited account', () => {
  const discovery = () => [
    '/api/v1/directory',
    `/api/v1/statuses/${targets.statuses.at(-1)}/context`,
    '/api/v1/timelines/public',
    `/api/v1/timelines/tag/${tag}`,
    '/api/v1/trends/statuses',
  ]
  const hiddenFrom = {
    // Suggestions fall back to the directory for who has no friends of friends.
    stranger: () =>
      [...discovery(), '/api/v1/suggestions', '/api/v2/search', '/api/v2/suggestions'].toSorted(),
    nobody: discovery,
    // Found by followers who look for it; recommended to nobody.
    follower: () => ['/api/v1/directory'],
  }

  it.each(['stranger', 'follower', 'nobody'] as const)(
    'a limited account is left out of discovery, and otherwise shown as limited: %s',
    async (name) => {
      const { before, during, hidden } = await readIn({ silencedAt: clock.now() }, name)
      expect(hidden).toEqual(hiddenFrom[name]())
      const marks = (shown: readonly Shown[]) =>
        new Set(shown.flatMap(({ entity }) => ('acct' in entity ? [entity['limited'] ?? false] : [])))
      expect([marks(before), marks(during)]).toEqual([new Set([false]), new Set([true])])
    },
  )
})

describe('a sensitised account', () => {
  const marks = (shown: readonly Shown[]) =>
    new Set(shown.flatMap(({ entity }) => ('sensitive' in entity ? [entity['sensitive']] : [])))

  it.each(['stranger', 'follower', 'nobody'] as const)(
    'a sensitised account has every status shown as sensitive: %s',
    async (name) => {
      const { before, during, hidden } = await readIn({ sensitizedAt: clock.now() }, name)
      expect([marks(before), marks(during)]).toEqual([new Set([false]), new Set([true])])
      expect(hidden).toEqual([])
    },
  )

  it('a sensitised account sees its own statuses as it published them, like in Mastodon', async () => {
    const shown = await shownIn({ sensitizedAt: clock.now() }, author)
    expect(marks(shown)).toEqual(new Set([false]))
  })

  it('a sensitised account is published as sensitive to streams and to other servers', async () => {
    const peer = await knownPeer()
    await relation.follow(peer, author)
    await addActiveTopics('public')
    await addSubscriber(follower, 'user')
    await setState({ sensitizedAt: clock.now() })
    const body = { status: 'A siskin', media_ids: [await storedUpload(author)] }
    const { id } = z.object({ id: z.string() }).parse((await as(author).post('/api/v1/statuses', body)).body)
    await settleLateWork()
    await runCourierAlarms()
    for (const messages of [await board.messagesOn('public'), await board.messagesTo(follower)])
      expect(messages).toMatchObject([{ event: 'update', body: { id, sensitive: true } }])
    expect(peer.received()).toMatchObject([{ type: 'Create', object: { sensitive: true } }])
    const headers = { accept: 'application/activity+json' }
    const note = () => as(null).get(`/users/${author.username}/statuses/${id}`, { headers })
    expect((await note()).body).toMatchObject({ sensitive: true })
    await setState({ sensitizedAt: null })
    expect((await note()).body).toMatchObject({ sensitive: false })
  })
})
