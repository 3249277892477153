import { describe, expect, it } from 'vitest'
import { statusMentions, statusPins } from '../../../src/db/schema'
import { anonymous, as } from '../../support/as'
import { idNumbersOf } from '../../support/body-ids'
import { given, type TestAccount } from '../../support/given'
import { direct } from '../../support/given-direct'
import { relation } from '../../support/given-relationships'
import { storedPicture, storedQuote, storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

interface Named {
  readonly id: number
}

const path = ({ id }: Named, query = '') => `/api/v1/accounts/${id}/statuses${query}`
async function pin(owner: Named, statusId: number) {
  const { db, ids } = context()
  await db.insert(statusPins).values({ id: ids.next(), accountId: owner.id, statusId })
}

describe('GET /api/v1/accounts/:id/statuses', () => {
  it('newest first, in one round trip and few rows [T-220]', async () => {
    const bob = await given.account()
    const ids: number[] = []
    for (let made = 0; made < 21; made += 1) ids.push(await storedStatus({ accountId: bob.id }))
    const newestFirst = ids.toReversed()
    const answer = await as(bob).get(path(bob))
    expect(idNumbersOf(answer.body)).toEqual(newestFirst.slice(0, 20))
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(400)
    expect(answer.links.next).toBe(path(bob, `?max_id=${newestFirst[19]}`))
    const rest = await as(bob).get(answer.links.next ?? '')
    expect(idNumbersOf(rest.body)).toEqual([newestFirst[20]])
    expect(rest.links.next).toBeUndefined()
    expect(rest.links.prev).toBe(path(bob, `?min_id=${newestFirst[20]}`))
    const upwards = await as(bob).get(path(bob, `?limit=2&min_id=${ids[3]}`))
    expect(idNumbersOf(upwards.body)).toEqual([ids[5], ids[4]])
    const between = await as(bob).get(path(bob, `?limit=2&min_id=${ids[3]}&max_id=${ids[5]}`))
    expect(idNumbersOf(between.body)).toEqual([ids[4]])
    const since = await as(bob).get(path(bob, `?limit=2&since_id=${ids[3]}`))
    expect(idNumbersOf(since.body)).toEqual([ids[20], ids[19]])
  })

  it.each(['plain statuses', 'reblogs of statuses that quote others'])(
    'limit=40 returns 40 %s, and the next page the others',
    async (kind) => {
      const [bob, carol] = [await given.account(), await given.account()]
      const quotedId = await storedStatus({ accountId: carol.id })
      const made: number[] = []
      for (let count = 0; count < 45; count += 1) {
        const shared = kind === 'plain statuses' ? null : await storedStatus({ accountId: carol.id })
        if (shared !== null) await storedQuote({ statusId: shared, accountId: carol.id, quotedId })
        made.push(await storedStatus({ accountId: bob.id, reblogOfId: shared }))
      }
      const newestFirst = made.toReversed()
      for (const reader of [anonymous, as(carol)]) {
        const answer = await reader.get(path(bob, '?limit=40'))
        expect(idNumbersOf(answer.body)).toEqual(newestFirst.slice(0, 40))
        expect(answer.costs.rowsRead).toBeLessThanOrEqual(2_000)
        expect(answer.links.next).toBe(path(bob, `?limit=40&max_id=${newestFirst[39]}`))
        const rest = await reader.get(answer.links.next ?? '')
        expect(idNumbersOf(rest.body)).toEqual(newestFirst.slice(40))
      }
    },
  )

  it('limit=40 returns 40 also where others between them are hidden', async () => {
    const bob = await given.account()
    const shown: number[] = []
    for (let count = 0; count < 60; count += 1) {
      const isHidden = count % 3 === 0
      const id = await storedStatus({ accountId: bob.id, visibility: isHidden ? 'private' : 'public' })
      if (!isHidden) shown.push(id)
    }
    expect(idNumbersOf((await anonymous.get(path(bob, '?limit=40'))).body)).toEqual(shown.toReversed())
  })

  it('viewer-visible ones only [T-221]', async () => {
    const [bob, follower, stranger, named] = await people()
    await relation.follow(follower, bob)
    const open = await storedStatus({ accountId: bob.id })
    const unlisted = await storedStatus({ accountId: bob.id, visibility: 'unlisted' })
    const forFollowers = await storedStatus({ accountId: bob.id, visibility: 'private' })
    const direct = await storedStatus({ accountId: bob.id, visibility: 'direct' })
    await context().db.insert(statusMentions).values({ statusId: direct, accountId: named.id })
    expect(idNumbersOf((await anonymous.get(path(bob))).body)).toEqual([unlisted, open])
    expect(idNumbersOf((await as(stranger).get(path(bob))).body)).toEqual([unlisted, open])
    expect(idNumbersOf((await as(follower).get(path(bob))).body)).toEqual([forFollowers, unlisted, open])
    expect(idNumbersOf((await as(named).get(path(bob))).body)).toEqual([direct, unlisted, open])
    expect(idNumbersOf((await as(bob).get(path(bob))).body)).toEqual([direct, forFollowers, unlisted, open])
  })

  it('suspended account → []; pending account → 404 [T-222]', async () => {
    const gone = await given.account({ suspendedAt: clock.now() })
    await storedStatus({ accountId: gone.id })
    const pending = await given.account({ user: { confirmedAt: null } })
    expect(await anonymous.get(path(gone))).toMatchObject({ status: 200, body: [] })
    expect((await anonymous.get(path(pending))).status).toBe(404)
    expect((await anonymous.get(path({ id: 8 }))).status).toBe(404)
    expect((await anonymous.get('/api/v1/accounts/x/statuses')).status).toBe(404)
  })

  it('viewer blocked → [] [T-223]', async () => {
    const [bob, stranger] = await people()
    await storedStatus({ accountId: bob.id })
    await relation.block(bob, stranger)
    expect((await as(stranger).get(path(bob))).body).toEqual([])
    expect((await as(stranger).get(path(bob, '?pinned=true'))).body).toEqual([])
  })

  it('shows a muted or blocked profile to its visitor, but no reblogs of hidden accounts', async () => {
    const [bob, viewer, muted, blocking] = await people()
    await relation.mute(viewer, bob)
    await relation.mute(viewer, muted)
    await relation.block(blocking, viewer)
    const own = await storedStatus({ accountId: bob.id })
    const reblogs: number[] = []
    for (const author of [muted, blocking]) {
      const reblogOfId = await storedStatus({ accountId: author.id })
      reblogs.unshift(await storedStatus({ accountId: bob.id, reblogOfId }))
    }
    expect(idNumbersOf((await as(viewer).get(path(bob))).body)).toEqual([own])
    expect(idNumbersOf((await anonymous.get(path(bob))).body)).toEqual([...reblogs, own])
  })

  it('never shows a reblog of a status hidden from the viewer', async () => {
    const [bob, author, stranger] = await people()
    const secret = await storedStatus({ accountId: author.id, visibility: 'private' })
    await storedStatus({ accountId: bob.id, reblogOfId: secret })
    for (const query of ['', '?only_media=true', '?exclude_replies=true'])
      expect((await as(stranger).get(path(bob, query))).body).toEqual([])
  })

  it('only_media → with attachments only, no reblogs of media [T-224]', async () => {
    const [bob, author] = await people()
    await storedStatus({ accountId: bob.id })
    const picture = await storedStatus({ accountId: bob.id, attachments: [storedPicture] })
    const shared = await storedStatus({ accountId: author.id, attachments: [storedPicture] })
    await storedStatus({ accountId: bob.id, reblogOfId: shared })
    expect(idNumbersOf((await anonymous.get(path(bob, '?only_media=1'))).body)).toEqual([picture])
  })

  it('exclude_replies → no replies to others, self-replies stay [T-225]', async () => {
    const [bob, other] = await people()
    const theirs = await storedStatus({ accountId: other.id })
    const first = await storedStatus({ accountId: bob.id })
    await storedStatus({ accountId: bob.id, inReplyToId: theirs, inReplyToAccountId: other.id })
    const self = await storedStatus({ accountId: bob.id, inReplyToId: first, inReplyToAccountId: bob.id })
    const reblog = await storedStatus({ accountId: bob.id, reblogOfId: theirs })
    const { body } = await anonymous.get(path(bob, '?exclude_replies=true'))
    expect(idNumbersOf(body)).toEqual([reblog, self, first])
  })

  it('exclude_reblogs → no reblogs [T-226]', async () => {
    const [bob, other] = await people()
    const own = await storedStatus({ accountId: bob.id })
    await storedStatus({ accountId: bob.id, reblogOfId: await storedStatus({ accountId: other.id }) })
    expect(idNumbersOf((await anonymous.get(path(bob, '?exclude_reblogs=true'))).body)).toEqual([own])
  })

  it('exclude_direct → no direct ones, for the author and the recipients', async () => {
    const [bob, carol] = await people()
    const sent = await direct(bob, [carol])
    const open = await storedStatus({ accountId: bob.id })
    const followers = await storedStatus({ accountId: bob.id, visibility: 'private' })
    const seen = async (viewer: TestAccount, query: string) =>
      idNumbersOf((await as(viewer).get(path(bob, query))).body)
    expect(await seen(bob, '')).toEqual([followers, open, Number(sent.id)])
    expect(await seen(carol, '')).toEqual([open, Number(sent.id)])
    expect(await seen(bob, '?exclude_direct=true')).toEqual([followers, open])
    expect(await seen(carol, '?exclude_direct=1')).toEqual([open])
    expect(await seen(bob, '?exclude_direct=false&limit=1')).toEqual([followers])
  })

  it('tagged=x → with that hashtag only [T-227]', async () => {
    const [bob] = await people()
    await storedStatus({ accountId: bob.id, tags: ['otherbird'] })
    const heron = await storedStatus({ accountId: bob.id, tags: ['heron', 'accountbird'] })
    expect(idNumbersOf((await anonymous.get(path(bob, '?tagged=AccountBird'))).body)).toEqual([heron])
    expect((await anonymous.get(path(bob, '?tagged=neverused'))).body).toEqual([])
    expect((await anonymous.get(path(bob, '?tagged[]=a'))).status).toBe(422)
  })

  it('pinned=true → pinned ones in pin order; followers-only pins just for followers; Link keeps pinned=true [T-228]', async () => {
    const [bob, follower] = await people()
    await relation.follow(follower, bob)
    const late = await storedStatus({ accountId: bob.id })
    const secret = await storedStatus({ accountId: bob.id, visibility: 'private' })
    const early = await storedStatus({ accountId: bob.id })
    await storedStatus({ accountId: bob.id })
    for (const id of [early, secret, late]) await pin(bob, id)
    expect(idNumbersOf((await anonymous.get(path(bob, '?pinned=true'))).body)).toEqual([late, early])
    const all = await as(follower).get(path(bob, '?pinned=true'))
    expect(idNumbersOf(all.body)).toEqual([late, secret, early])
    expect(all.costs.trips).toBeLessThanOrEqual(1)
    const first = await as(follower).get(path(bob, '?pinned=true&limit=1'))
    expect(first.links.next).toContain('pinned=true')
    expect(idNumbersOf((await as(follower).get(first.links.next ?? '')).body)).toEqual([secret])
  })

  it('GET /api/v1/accounts/:id/statuses accepts unusual parameters', async () => {
    const [bob] = await people()
    const id = await storedStatus({ accountId: bob.id })
    const queries = ['?limit=-3', '?limit=1e9', '?max_id=zz', '?min_id=', '?tagged=', '?only_media=off']
    for (const query of queries)
      expect(idNumbersOf((await anonymous.get(path(bob, query))).body)).toEqual([id])
    expect((await anonymous.get(path(bob, '?limit=0'))).body).toEqual([])
    expect((await anonymous.get(path(bob, '?only_media[a]=1'))).status).toBe(422)
  })

  it('a token lacking read:statuses → 403', async () => {
    const scoped = await given.account({ scopes: 'read:accounts' })
    expect((await as(scoped).get(path(scoped))).status).toBe(403)
  })
})

async function people() {
  return [await given.account(), await given.account(), await given.account(), await given.account()] as const
}
