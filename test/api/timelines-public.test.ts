import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountDomainBlocks, accounts, blocks, follows, mutes } from '../../src/db/schema'
import { anonymous, as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { given } from '../support/given'
import { storedPicture, storedStatus } from '../support/given-stored'
import { clock, context } from '../support/test-app'

const hour = 3_600_000

/** Statuses of the public timeline from `first` on, as `viewer` sees it. */
async function publicSince(viewer: Parameters<typeof as>[0], first: number, query = '') {
  return idsOf(await as(viewer).get(`/api/v1/timelines/public?since_id=${first - 1}&limit=40${query}`))
}

describe('GET timelines/public', () => {
  it('shows public statuses of all known servers, but no replies, no reblogs, nothing less than public [T-612]', async () => {
    const alice = await given.account()
    const bob = await given.account()
    const remote = await given.remoteAccount()
    const first = await storedStatus({ accountId: bob.id })
    const thread = await storedStatus({
      accountId: bob.id,
      inReplyToId: first,
      inReplyToAccountId: bob.id,
    })
    const far = await storedStatus({ accountId: remote.id, local: false })
    await storedStatus({ accountId: alice.id, inReplyToId: first, inReplyToAccountId: bob.id })
    await storedStatus({ accountId: alice.id, reblogOfId: first })
    for (const visibility of ['unlisted', 'private', 'direct'] as const)
      await storedStatus({ accountId: alice.id, visibility })
    const shown = [far, thread, first].map(String)
    expect(await publicSince(null, first)).toEqual(shown)
    expect(await publicSince(bob, first)).toEqual(shown)
  })

  it('local=true shows local ones, remote=true remote ones, and with both local wins [T-613]', async () => {
    const alice = await given.account()
    const remote = await given.remoteAccount()
    const near = await storedStatus({ accountId: alice.id })
    const far = await storedStatus({ accountId: remote.id, local: false })
    expect(await publicSince(null, near, '&local=true')).toEqual([String(near)])
    expect(await publicSince(null, near, '&remote=1')).toEqual([String(far)])
    expect(await publicSince(null, near, '&local=true&remote=true')).toEqual([String(near)])
    expect(await publicSince(null, near, '&local=false&remote=0')).toEqual([String(far), String(near)])
  })

  it('only_media filters by attachments [T-614]', async () => {
    const alice = await given.account()
    const plain = await storedStatus({ accountId: alice.id })
    const picture = await storedStatus({ accountId: alice.id, attachments: [storedPicture] })
    expect(await publicSince(null, plain, '&only_media=true')).toEqual([String(picture)])
    expect(await publicSince(null, plain, '&only_media=true&local=true')).toEqual([String(picture)])
  })

  it('applies the viewer’s blocks, mutes until they end, and domain blocks [T-615]', async () => {
    const viewer = await given.account()
    const [blocked, muted, once, friend] = [
      await given.account(),
      await given.account(),
      await given.account(),
      await given.account(),
    ]
    const far = await given.remoteAccount({ domain: 'shunned.test' })
    const now = clock.now()
    const { db, ids } = context()
    const pair = (target: { id: number }) => ({
      id: ids.next(),
      accountId: viewer.id,
      targetAccountId: target.id,
      createdAt: now,
    })
    await db.insert(blocks).values(pair(blocked))
    await db.insert(mutes).values([pair(muted), { ...pair(once), expiresAt: new Date(now.getTime() - 1) }])
    await db.insert(accountDomainBlocks).values({ accountId: viewer.id, domain: far.domain, id: 1 })
    const first = await storedStatus({ accountId: friend.id })
    const hidden = [
      await storedStatus({ accountId: blocked.id }),
      await storedStatus({ accountId: muted.id }),
      await storedStatus({ accountId: far.id, local: false }),
    ]
    const after = await storedStatus({ accountId: once.id })
    expect(await publicSince(viewer, first)).toEqual([after, first].map(String))
    expect(await publicSince(null, first)).toEqual(
      [first, ...hidden, after].sort((a, b) => b - a).map(String),
    )
  })

  it('leaves out an author who blocks the viewer', async () => {
    const [viewer, author] = [await given.account(), await given.account()]
    const { db, ids } = context()
    await db.insert(blocks).values({
      id: ids.next(),
      accountId: author.id,
      targetAccountId: viewer.id,
      createdAt: clock.now(),
    })
    const status = await storedStatus({ accountId: author.id })
    expect(await publicSince(viewer, status)).toEqual([])
    expect(await publicSince(null, status)).toEqual([String(status)])
  })

  it('leaves out silenced authors for all but their followers, and suspended ones for all [T-616]', async () => {
    const [stranger, follower] = [await given.account(), await given.account()]
    const silenced = await given.account({ silencedAt: clock.now() })
    const suspended = await given.account({ suspendedAt: clock.now() })
    const { db, ids } = context()
    await db.insert(follows).values(
      [silenced, suspended].map((target) => ({
        id: ids.next(),
        accountId: follower.id,
        targetAccountId: target.id,
        createdAt: clock.now(),
      })),
    )
    const quiet = await storedStatus({ accountId: silenced.id })
    await storedStatus({ accountId: suspended.id })
    expect(await publicSince(null, quiet)).toEqual([])
    expect(await publicSince(stranger, quiet)).toEqual([])
    expect(await publicSince(follower, quiet)).toEqual([String(quiet)])
    expect(await publicSince(silenced, quiet)).toEqual([String(quiet)])
    await db.update(accounts).set({ silencedAt: null }).where(eq(accounts.id, silenced.id))
    expect(await publicSince(null, quiet)).toEqual([String(quiet)])
  })

  it('GET timelines/public is cached for anonymous viewers, not for a user', async () => {
    const alice = await given.account()
    const open = await anonymous.get('/api/v1/timelines/public')
    const own = await as(alice).get('/api/v1/timelines/public')
    expect(open.headers.get('Cache-Control')).toBe('public, max-age=15')
    expect(open.headers.get('Vary')).toContain('Authorization')
    expect(own.headers.get('Cache-Control')).toBe('private, no-store')
  })

  it('GET timelines/public is refused with a token that lacks the scope', async () => {
    const alice = await given.account({ scopes: 'read:accounts' })
    expect((await as(alice).get('/api/v1/timelines/public')).status).toBe(403)
  })

  it.each(['Bearer unknown', 'Bearer', 'Bearer ', 'Basic YTpi', 'nonsense'])(
    'GET timelines/public is the anonymous view, uncached, for the Authorization "%s"',
    async (authorization) => {
      await given.status({ by: await given.account() })
      const open = await anonymous.get('/api/v1/timelines/public')
      const answer = await anonymous.get('/api/v1/timelines/public', { headers: { authorization } })
      expect([answer.status, answer.body]).toEqual([200, open.body])
      expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
    },
  )

  it('applies a mute that has not ended', async () => {
    const [viewer, noisy] = [await given.account(), await given.account()]
    const { db, ids } = context()
    const expiresAt = new Date(clock.now().getTime() + hour)
    await db.insert(mutes).values({
      id: ids.next(),
      accountId: viewer.id,
      targetAccountId: noisy.id,
      expiresAt,
      createdAt: clock.now(),
    })
    const status = await storedStatus({ accountId: noisy.id })
    expect(await publicSince(viewer, status)).toEqual([])
    clock.advance(hour)
    expect(await publicSince(viewer, status)).toEqual([String(status)])
  })

  it('a page among hidden posts ends early, and the next one continues there', async () => {
    const [viewer, author] = [await given.account(), await given.remoteAccount()]
    const first = await storedStatus({ accountId: author.id, local: false })
    // Public ones by an author whom the viewer muted cost most.
    const muted = await given.remoteAccount()
    const { db, ids } = context()
    await db.insert(mutes).values({
      id: ids.next(),
      accountId: viewer.id,
      targetAccountId: muted.id,
      createdAt: clock.now(),
    })
    for (const [accountId, visibility] of [
      [author.id, 'unlisted'],
      [muted.id, 'public'],
    ] as const)
      await db.run(sql`insert into statuses (id, account_id, uri, local, visibility, conversation_id, created_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 700)
        select (select max(id) from statuses) + i, ${accountId}, 'https://many.test/' || ${visibility} || i, 0, ${visibility},
          1, 1 from n`)
    for (const query of ['limit=20', 'limit=40&remote=true', 'limit=40&only_media=true']) {
      let page = await as(viewer).get(`/api/v1/timelines/public?${query}`)
      let pages = 1
      const isBusy = () => idsOf(page).length === 0 && pages < 10
      while (isBusy()) {
        expect(page.costs.rowsRead).toBeLessThanOrEqual(1_600)
        page = await as(viewer).get(page.links['next'] ?? '')
        pages += 1
      }
      if (!query.includes('media')) expect(idsOf(page)[0]).toBe(String(first))
      // 1,400 posts are more than three pages go through.
      expect(pages).toBeGreaterThan(3)
    }
  })
})
