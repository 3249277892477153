import { beforeAll, describe, expect, it } from 'vitest'
import { Context } from '../../../src/contract/entities/status-details'
import { anonymous, as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { clock } from '../../support/test-app'

const path = (id: string | number) => `/api/v1/statuses/${id}/context`

async function threadAs(viewer: TestAccount | null, id: string | number) {
  const answer = await as(viewer).get(path(id))
  const { ancestors, descendants } = Context.parse(answer.body)
  return {
    costs: answer.costs,
    ancestors: ancestors.map((status) => status.id),
    descendants: descendants.map((status) => status.id),
  }
}

describe('GET statuses/:id/context', () => {
  it('GET statuses/:id/context has ancestors oldest first and descendants in the order of the thread [T-495]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const root = await given.status({ by: alice })
    const middle = await given.status({ by: bob, inReplyTo: root })
    const here = await given.status({ by: alice, inReplyTo: middle })
    const first = await given.status({ by: bob, inReplyTo: here })
    const second = await given.status({ by: bob, inReplyTo: here })
    const underFirst = await given.status({ by: alice, inReplyTo: first })
    const underSecond = await given.status({ by: alice, inReplyTo: second })
    const deepest = await given.status({ by: bob, inReplyTo: underFirst })
    await given.status({ by: bob, inReplyTo: root })
    for (const viewer of [null, alice])
      expect(await threadAs(viewer, here.id)).toMatchObject({
        ancestors: [root.id, middle.id],
        descendants: [first.id, underFirst.id, deepest.id, second.id, underSecond.id],
      })
  })

  it('GET statuses/:id/context is empty on both sides for a status without a thread', async () => {
    const { id } = await given.status({ by: await given.account() })
    expect((await anonymous.get(path(id))).body).toEqual({ ancestors: [], descendants: [] })
  })

  describe('of a long thread', () => {
    const chain: number[] = []
    let author: TestAccount
    beforeAll(async () => {
      author = await given.account()
      for (let index = 0; index < 70; index += 1) {
        const inReplyToId = chain.at(-1)
        const reply = inReplyToId === undefined ? {} : { inReplyToId, inReplyToAccountId: author.id }
        chain.push(await storedStatus({ accountId: author.id, ...reply }))
      }
    })

    it('shows 40 ancestors, and 20 levels to anonymous visitors and applications, 60 to members [T-496]', async () => {
      const app = await given.token({ scopes: 'read' })
      const [first, last] = [chain[0] ?? 0, chain[69] ?? 0]
      const ids = chain.map(String)
      expect((await threadAs(null, last)).ancestors).toEqual(ids.slice(29, 69))
      expect((await threadAs(null, first)).descendants).toEqual(ids.slice(1, 21))
      const byApp = Context.parse((await as(app).get(path(last))).body)
      expect(byApp.ancestors).toHaveLength(40)
      expect((await threadAs(author, last)).ancestors).toEqual(ids.slice(29, 69))
      expect((await threadAs(author, first)).descendants).toEqual(ids.slice(1, 61))
    })
  })

  describe('of a status with many replies', () => {
    let author: TestAccount
    let root = 0
    const answers: string[] = []
    beforeAll(async () => {
      author = await given.account()
      root = await storedStatus({ accountId: author.id })
      for (let index = 0; index < 60; index += 1) {
        const reply = { inReplyToId: root, inReplyToAccountId: author.id }
        answers.push(String(await storedStatus({ accountId: author.id, ...reply })))
      }
    })

    it('costs one round trip and at most 1,200 rows for 60 statuses', async () => {
      const reader = await given.account()
      const { costs, descendants } = await threadAs(reader, root)
      expect(descendants).toEqual(answers)
      expect(costs.trips).toBeLessThanOrEqual(1)
      expect(costs.rowsRead).toBeLessThanOrEqual(1_200)
    })

    it('shows the first 60 replies, to anonymous visitors and members alike [T-497]', async () => {
      const reply = { inReplyToId: root, inReplyToAccountId: author.id }
      await storedStatus({ accountId: author.id, ...reply })
      expect((await threadAs(null, root)).descendants).toEqual(answers)
      expect((await threadAs(author, root)).descendants).toEqual(answers)
    })
  })

  it('leaves out statuses the viewer may not see, and no others', async () => {
    const [alice, bob, eve] = [await given.account(), await given.account(), await given.account()]
    const root = await given.status({ by: alice })
    const hidden = await given.status({ by: bob, inReplyTo: root, visibility: 'private' })
    const below = await given.status({ by: bob, inReplyTo: hidden })
    expect(await threadAs(eve, root.id)).toMatchObject({ descendants: [below.id] })
    expect(await threadAs(eve, below.id)).toMatchObject({ ancestors: [root.id] })
    expect(await threadAs(bob, root.id)).toMatchObject({ descendants: [hidden.id, below.id] })
  })

  it('leaves out accounts the viewer blocks or mutes, that block the viewer, and limited ones', async () => {
    const [alice, reader] = [await given.account(), await given.account()]
    const [blocked, muted, blocking] = [await given.account(), await given.account(), await given.account()]
    const silenced = await given.account({ silencedAt: clock.now() })
    await relation.block(reader, blocked)
    await relation.mute(reader, muted)
    await relation.block(blocking, reader)
    const root = await given.status({ by: alice })
    for (const by of [blocked, muted, blocking, silenced]) await given.status({ by, inReplyTo: root })
    const kept = await given.status({ by: alice, inReplyTo: root })
    expect(await threadAs(reader, root.id)).toMatchObject({ descendants: [kept.id] })
    expect((await threadAs(null, root.id)).descendants).toHaveLength(4)
  })

  it('shows limited accounts to each other', async () => {
    const [limited, other] = [
      await given.account({ silencedAt: clock.now() }),
      await given.account({ silencedAt: clock.now() }),
    ]
    const root = await given.status({ by: await given.account() })
    const answer = await given.status({ by: limited, inReplyTo: root })
    expect((await threadAs(other, root.id)).descendants).toEqual([answer.id])
    expect((await threadAs(await given.account(), root.id)).descendants).toEqual([])
  })

  it('shows the thread of a blocked account when requested by id', async () => {
    const [reader, blocked] = [await given.account(), await given.account()]
    await relation.block(reader, blocked)
    const { id } = await given.status({ by: blocked })
    expect((await as(reader).get(path(id))).status).toBe(200)
  })
})
