import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { customEmojis, emojiReactions, notifications, statuses } from '../../../src/db/schema'
import { purgeAccount } from '../../../src/domain/cleanup/purge-account'
import { anonymous, as, type TestResponse } from '../../support/as'
import { expectCosts } from '../../support/expect-costs'
import { processActivity } from '../../support/fediverse/process-activity'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { clock, context } from '../../support/test-app'

const missing = { status: 404, body: { error: 'Record not found' } }
const react = (who: TestAccount, id: string, name: string) =>
  as(who).post(`/api/v1/statuses/${id}/react/${encodeURIComponent(name)}`)
const unreact = (who: TestAccount, id: string, name: string) =>
  as(who).post(`/api/v1/statuses/${id}/unreact/${encodeURIComponent(name)}`)
const reactionsIn = (answer: TestResponse) => Status.parse(answer.body).reactions
const seenBy = async (who: TestAccount, id: string) =>
  reactionsIn(await as(who).get(`/api/v1/statuses/${id}`))

async function people() {
  const [alice, bob] = [await given.account(), await given.account()]
  return { alice, bob, ...(await given.status({ by: alice })) }
}

async function localEmoji(more: Partial<typeof customEmojis.$inferInsert> = {}): Promise<string> {
  const { db, ids } = context()
  const shortcode = freshName('wren')
  await db
    .insert(customEmojis)
    .values({ id: ids.next(), shortcode, image: { key: 'emojis/w.png' }, createdAt: clock.now(), ...more })
  return shortcode
}

/** As many different emojis as asked for. */
const faces = (count: number) => Array.from({ length: count }, (_, n) => String.fromCodePoint(0x1f600 + n))

async function noticesOf(who: TestAccount) {
  const rows = await context().db.select().from(notifications).where(eq(notifications.accountId, who.id))
  return rows.map(({ type, fromAccountId }) => ({ type, from: fromAccountId }))
}

describe('POST react', () => {
  it('counts each kind once for each account, in the order the kinds first appeared', async () => {
    const { alice, bob, id } = await people()
    await react(bob, id, '🎉')
    await react(alice, id, '❤')
    await react(alice, id, '🎉')
    const again = await react(alice, id, '🎉')
    expect(reactionsIn(again)).toEqual([
      { name: '🎉', count: 2, me: true },
      { name: '❤️', count: 1, me: true },
    ])
    expect(await seenBy(bob, id)).toEqual([
      { name: '🎉', count: 2, me: true },
      { name: '❤️', count: 1, me: false },
    ])
    expect(reactionsIn(await anonymous.get(`/api/v1/statuses/${id}`))).toEqual([
      { name: '🎉', count: 2 },
      { name: '❤️', count: 1 },
    ])
  })

  it('keeps statuses without reactions as documented', async () => {
    const { bob, id } = await people()
    expect((await as(bob).get(`/api/v1/statuses/${id}`)).body).not.toHaveProperty('reactions')
    await react(bob, id, '🎉')
    expect((await unreact(bob, id, '🎉')).body).not.toHaveProperty('reactions')
  })

  it('accepts a custom emoji of this server, with or without colons', async () => {
    const { alice, bob, id } = await people()
    const shortcode = await localEmoji({ still: { key: 'emojis/still.png' } })
    await react(bob, id, shortcode)
    const answer = await react(alice, id, `:${shortcode}:`)
    const media = 'https://fieldfare.test/media/emojis'
    expect(reactionsIn(answer)).toEqual([
      { name: shortcode, count: 2, me: true, url: `${media}/w.png`, static_url: `${media}/still.png` },
    ])
  })

  it('POST react refuses an unknown emoji', async () => {
    const { bob, id } = await people()
    const off = await localEmoji({ disabled: true })
    const theirs = await localEmoji({ domain: 'elsewhere.test' })
    const names = ['a', 'no emoji', '🎉🎉', ':nosuch:', off, theirs, `${theirs}@elsewhere.test`, '../../etc']
    for (const name of [...names, '<b>', '%00', "'); drop table", 'x'.repeat(300), '\u202e🎉'])
      expect(await react(bob, id, name), name).toMatchObject({ status: 422 })
    expect(await seenBy(bob, id)).toBeUndefined()
  })

  it('accepts another server’s emoji that is already on the status, and only there', async () => {
    const { bob, id, alice } = await people()
    const peer = await given.peer()
    const tag = [{ type: 'Emoji', name: ':owl:', icon: { type: 'Image', url: `https://${peer.host}/o.png` } }]
    const address = `https://fieldfare.test/users/${alice.username}/statuses/${id}`
    await processActivity(peer, peer.emojiReact(address, ':owl:', { tag }))
    const name = `owl@${peer.host}`
    expect(reactionsIn(await react(bob, id, name))).toMatchObject([{ name, count: 2, me: true }])
    const other = await given.status({ by: alice })
    expect(await react(bob, other.id, name)).toMatchObject({ status: 422 })
  })

  it('allows one account eight kinds, and all together fifty', async () => {
    const { alice, bob, id } = await people()
    for (const face of faces(8)) expect((await react(bob, id, face)).status).toBe(200)
    expect(await react(bob, id, '🎉')).toMatchObject({ status: 422 })
    expect((await react(bob, id, '😀')).status).toBe(200)
    const kinds = faces(50).map((name) => ({ name, count: 1 }))
    await context()
      .db.update(statuses)
      .set({ reactions: kinds })
      .where(eq(statuses.id, Number(id)))
    expect(await react(alice, id, '🎉')).toMatchObject({ status: 422 })
    expect((await react(alice, id, '😀')).status).toBe(200)
  })

  it('counts two concurrent requests as one', async () => {
    const { bob, id } = await people()
    const both = await Promise.all([react(bob, id, '🎉'), react(bob, id, '🎉')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await seenBy(bob, id)).toEqual([{ name: '🎉', count: 1, me: true }])
    await Promise.all([unreact(bob, id, '🎉'), unreact(bob, id, '🎉')])
    expect(await seenBy(bob, id)).toBeUndefined()
  })

  it('a reaction to a reblog is stored at the reblogged status, and shown on both', async () => {
    const { bob, id } = await people()
    const shared = Status.parse((await as(bob).post(`/api/v1/statuses/${id}/reblog`)).body)
    const answer = Status.parse((await react(bob, shared.id, '🎉')).body)
    expect(answer.reblog).toMatchObject({ id, reactions: [{ name: '🎉', count: 1, me: true }] })
    expect(answer.reactions).toEqual([{ name: '🎉', count: 1, me: true }])
  })

  it('notifies the author once, like a favourite, until the last reaction is removed', async () => {
    const { alice, bob, id } = await people()
    await react(bob, id, '🎉')
    await react(bob, id, '🔥')
    await react(alice, id, '🔥')
    expect(await noticesOf(alice)).toEqual([{ type: 'favourite', from: bob.id }])
    await unreact(bob, id, '🎉')
    expect(await noticesOf(alice)).toHaveLength(1)
    await unreact(bob, id, '🔥')
    expect(await noticesOf(alice)).toEqual([])
  })
})

describe('reactions to a hidden status', () => {
  it('accepts no reactions, and removing none reveals nothing', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    for (const visibility of ['private', 'direct'] as const) {
      const { id } = await given.status({ by: alice, visibility })
      await react(alice, id, '🎉')
      expect(await react(bob, id, '🎉')).toMatchObject(missing)
      expect(await unreact(bob, id, '🎉')).toMatchObject(missing)
    }
    const { id } = await given.status({ by: alice })
    await relation.block(alice, bob)
    expect(await react(bob, id, '🎉')).toMatchObject(missing)
    const peer = await given.peer()
    for (const options of [
      { visibility: 'private' },
      { visibility: 'direct' },
      { localOnly: true },
    ] as const) {
      const hidden = await given.status({ by: alice, ...options })
      const address = `https://fieldfare.test/users/${alice.username}/statuses/${hidden.id}`
      expect((await processActivity(peer, peer.emojiReact(address, '🎉'))).kind).toBe('ignored')
      expect(await seenBy(alice, hidden.id)).toBeUndefined()
    }
  })

  it('returns a blank status to an account that removes a reaction after the author hid it', async () => {
    const { alice, bob, id } = await people()
    await react(bob, id, '🎉')
    await react(alice, id, '🔥')
    await relation.block(alice, bob)
    const answer = await unreact(bob, id, '🎉')
    expect(answer).toMatchObject({ status: 200, body: { id, content: '' } })
    expect(reactionsIn(answer)).toBeUndefined()
    expect(await seenBy(alice, id)).toEqual([{ name: '🔥', count: 1, me: true }])
  })
})

describe('the endpoints of Pleroma', () => {
  it('the endpoints of Pleroma work alike', async () => {
    const { bob, id } = await people()
    const path = `/api/v1/pleroma/statuses/${id}/reactions/${encodeURIComponent('🎉')}`
    expect(reactionsIn(await as(bob).put(path))).toEqual([{ name: '🎉', count: 1, me: true }])
    expect(reactionsIn(await as(bob).delete(path))).toBeUndefined()
  })
})

describe('accounts that reacted', () => {
  it('lists accounts by emoji, without accounts hidden from the reader', async () => {
    const { alice, bob, id } = await people()
    const carol = await given.account()
    await react(bob, id, '🎉')
    await react(carol, id, '🎉')
    await react(carol, id, '🔥')
    const list = async (who: TestAccount) => {
      const { body } = await as(who).get(`/api/v1/pleroma/statuses/${id}/reactions`)
      return (body as { name: string; count: number; me: boolean; accounts: { id: string }[] }[]).map(
        ({ name, count, me, accounts }) => [name, count, me, accounts.map((account) => Number(account.id))],
      )
    }
    expect(await list(alice)).toEqual([
      ['🎉', 2, false, [bob.id, carol.id].toSorted((one, other) => one - other)],
      ['🔥', 1, false, [carol.id]],
    ])
    await relation.block(bob, carol)
    expect(await list(bob)).toEqual([
      ['🎉', 2, true, [bob.id]],
      ['🔥', 1, false, []],
    ])
    const other = await given.status({ by: alice })
    expect((await anonymous.get(`/api/v1/pleroma/statuses/${other.id}/reactions`)).body).toEqual([])
  })
})

describe('reactions of deleted accounts', () => {
  it('reactions are deleted with their account, and others stay', async () => {
    const { alice, bob, id } = await people()
    await react(bob, id, '🎉')
    await react(bob, id, '🔥')
    await react(alice, id, '🔥')
    await purgeAccount(context(), bob.id)
    expect(await seenBy(alice, id)).toEqual([{ name: '🔥', count: 1, me: true }])
    const rows = await context().db.select().from(emojiReactions).where(eq(emojiReactions.accountId, bob.id))
    expect(rows).toEqual([])
  })
})

describe('costs of reactions', () => {
  it('costs four round trips to react and to undo, and one to read a page full of them', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.follow(bob, alice)
    for (let n = 0; n < 20; n += 1) {
      const { id } = await given.status({ by: alice })
      for (const face of faces(3)) await react(bob, id, face)
    }
    const { id } = await given.status({ by: alice })
    const made = await react(bob, id, '🎉')
    expect(made.costs.trips).toBeLessThanOrEqual(4)
    expect(made.costs.rowsWritten).toBeLessThanOrEqual(12)
    const undone = await unreact(bob, id, '🎉')
    expect(undone.costs.trips).toBeLessThanOrEqual(4)
    const home = await as(bob).get('/api/v1/timelines/home?limit=20')
    expect(home.body).toHaveLength(20)
    expectCosts(home.costs, { trips: 1, rowsWritten: 0 })
    expect(home.costs.rowsRead).toBeLessThanOrEqual(400)
  })
})
