import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import { Status } from '../../src/contract/entities/status'
import { endorsements, favourites } from '../../src/db/schema'
import { as } from '../support/as'
import { call, everyReadPath, pathsOf, readAll, type Targets } from '../support/every-endpoint'
import { freshName, given, type TestAccount } from '../support/given'
import { storedCollection } from '../support/given-collection'
import { storedList } from '../support/given-list'
import { relation } from '../support/given-relationships'
import { storedStatus } from '../support/given-stored'
import { clock, context } from '../support/test-app'

/** People nobody may know of yet, asked for through everything there is, by those they have to do with. */

const notYet = {
  'has not confirmed the address': { confirmedAt: null },
  'waits for approval': { approved: false },
}

describe.each(Object.entries(notYet))('an account that %s', (_, user) => {
  let ghost: TestAccount
  let viewer: TestAccount
  let targets: Targets
  beforeAll(async () => {
    viewer = await given.account()
    ghost = await given.account({ username: `${freshName('ghost')}x`, discoverable: true, user })
    const { id } = await given.status({ by: viewer })
    const { db, ids } = context()
    for (const relate of [relation.follow, relation.block, relation.mute, relation.followRequest]) {
      await relate(ghost, viewer)
      await relate(viewer, ghost)
    }
    const endorsement = {
      id: ids.next(),
      accountId: viewer.id,
      targetAccountId: ghost.id,
      createdAt: clock.now(),
    }
    await db.insert(endorsements).values(endorsement)
    await db.insert(favourites).values({ id: ids.next(), accountId: ghost.id, statusId: Number(id) })
    await storedStatus({ accountId: ghost.id, reblogOfId: Number(id) })
    const kept = await storedCollection({ by: viewer, of: [ghost] })
    const own = await storedCollection({ by: ghost, of: [viewer], name: `Of ${ghost.username}` })
    targets = {
      collections: [kept.id, own.id],
      statuses: [id],
      accounts: [ghost.id, viewer.id],
      polls: [1],
      media: [1],
      notifications: [1],
      scheduled: [1],
      lists: [await storedList({ of: viewer, members: [ghost, viewer] })],
      tag: 'birds',
      words: [ghost.username, ghost.username.slice(0, 6)],
    }
  })

  it('no response names the account', async () => {
    const naming: string[] = []
    for (const caller of [viewer, null])
      await readAll(caller, everyReadPath(targets, caller), (path, answer) => {
        if (JSON.stringify(answer.body).includes(ghost.username)) naming.push(path)
        if ((answer.headers.get('link') ?? '').includes(ghost.username)) naming.push(`${path} (Link)`)
      })
    expect(naming).toEqual([])
  })

  it('every endpoint treats the account like an id that never existed', async () => {
    const differing: string[] = []
    for (const endpoint of endpoints.filter(({ path }) => /\/accounts\/:id/.test(path))) {
      const [there, none] = await Promise.all(
        [ghost.id, 7].map(async (id) => {
          const [path] = pathsOf(endpoint.path, { ...targets, accounts: [id] })
          return call(viewer, endpoint, path ?? '', {})
        }),
      )
      expect(there?.status, endpoint.path).toBe(endpoint.auth.kind === 'staff' ? 403 : 404)
      if (JSON.stringify(there?.body) !== JSON.stringify(none?.body)) differing.push(endpoint.path)
    }
    expect(differing).toEqual([])
  })

  it('the hidden account reads only public data [T-363]', async () => {
    const newcomer = await given.account({ user })
    const own = ['/api/v1/apps/verify_credentials', '/api/v1/emails/check_confirmation']
    const placeOf = (path: string) => path.replace(/\?.*/, '')
    const read = everyReadPath(targets, newcomer).filter(
      (path) => path.startsWith('/api/') && !own.includes(placeOf(path)),
    )
    // Permission to read a place does not depend on the query: the last of each is asked, with what the place requires.
    for (const path of new Map(read.map((one) => [placeOf(one), one])).values()) {
      const [mine, anyones] = [await as(newcomer).get(path), await as(null).get(path)]
      // Endpoints without a scope answer strangers that the person is missing, not the token.
      const needsPerson = /\/(announcements|donation_campaigns|identity_proofs)$/.test(path)
      const isRefused = anyones.status === 401 || needsPerson
      expect(mine.status, path).toBe(isRefused ? 403 : anyones.status)
    }
  })
})

describe('counts of hidden replies and reblogs', () => {
  it('counts of hidden replies and reblogs exclude private and direct replies, and name no private reblogger', async () => {
    const [author, other] = [await given.account(), await given.account()]
    const parent = await given.status({ by: author })
    for (const visibility of ['private', 'direct'] as const)
      await given.status({ by: other, visibility, inReplyTo: parent, text: `@${author.username}` })
    const reblog = await as(other).post(`/api/v1/statuses/${parent.id}/reblog`, { visibility: 'private' })
    expect(reblog.status).toBe(200)
    const path = `/api/v1/statuses/${parent.id}`
    expect(Status.parse((await as(author).get(path)).body).replies_count).toBe(0)
    expect((await as(author).get(`${path}/reblogged_by`)).body).toEqual([])
    const stranger = await given.account()
    const { id } = Status.parse(reblog.body)
    for (const asked of ['', '/context', '/source', '/favourited_by', '/reblogged_by'])
      expect((await as(stranger).get(`/api/v1/statuses/${id}${asked}`)).status, asked).toBe(404)
    for (const interaction of ['favourite', 'reblog', 'bookmark', 'mute'])
      expect((await as(stranger).post(`/api/v1/statuses/${id}/${interaction}`)).status, interaction).toBe(404)
  })
})
