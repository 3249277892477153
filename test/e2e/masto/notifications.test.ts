import { describe, expect, it } from 'vitest'
import { mastoFailure, mastoOf } from '../support/masto'
import { newPerson } from '../support/people'

/** Bob follows, mentions, favourites and reblogs Alice. */
async function noise() {
  const [alice, bob] = await Promise.all([newPerson('alice'), newPerson('bob')])
  const [asAlice, asBob] = [mastoOf(alice), mastoOf(bob)]
  const { id } = await asAlice.v1.statuses.create({ status: 'Hark' })
  await asBob.v1.accounts.$select(alice.id).follow()
  await asBob.v1.statuses.create({ status: `${alice.acct} I hear`, inReplyToId: id })
  await asBob.v1.statuses.$select(id).favourite()
  await asBob.v1.statuses.$select(id).reblog()
  return { alice, bob, asAlice, asBob, statusId: id }
}

const kinds = (list: readonly { readonly type: string }[]) => list.map(({ type }) => type)

describe('notifications with masto', () => {
  it('name actor and type, newest first, and can be narrowed', async () => {
    const { bob, asAlice, statusId } = await noise()
    const all = await asAlice.v1.notifications.list()
    expect(kinds(all)).toEqual(['reblog', 'favourite', 'mention', 'follow'])
    expect(all.map(({ account }) => account.id)).toEqual([bob.id, bob.id, bob.id, bob.id])
    expect(all[1]).toMatchObject({ status: { id: statusId } })
    expect(kinds(await asAlice.v1.notifications.list({ types: ['mention', 'follow'] }))).toEqual([
      'mention',
      'follow',
    ])
    expect(kinds(await asAlice.v1.notifications.list({ excludeTypes: ['reblog'] }))).toHaveLength(3)
    expect(kinds(await asAlice.v1.notifications.list({ accountId: bob.id, limit: 1 }))).toEqual(['reblog'])
  })

  it('are paged down and up, each once', async () => {
    const { asAlice } = await noise()
    const down: string[] = []
    for await (const page of asAlice.v1.notifications.list({ limit: 3 })) down.push(...kinds(page))
    expect(down).toEqual(['reblog', 'favourite', 'mention', 'follow'])
    const up: string[] = []
    for await (const page of asAlice.v1.notifications.list({ limit: 3, minId: '0' }).setDirection('prev'))
      up.push(...kinds(page).toReversed())
    expect(up).toEqual(['follow', 'mention', 'favourite', 'reblog'])
  })

  it('are read one by one, dismissed and cleared', async () => {
    const { asAlice } = await noise()
    const [newest] = await asAlice.v1.notifications.list()
    const one = asAlice.v1.notifications.$select(String(newest?.id))
    expect(await one.fetch()).toMatchObject({ type: 'reblog' })
    await one.dismiss()
    expect(await mastoFailure(one.fetch())).toMatchObject({ statusCode: 404 })
    expect(kinds(await asAlice.v1.notifications.list())).toHaveLength(3)
    await asAlice.v1.notifications.clear()
    expect(await asAlice.v1.notifications.list()).toEqual([])
  })

  it('are counted from the marker of what was read', async () => {
    const { asAlice } = await noise()
    expect(await asAlice.v1.notifications.unreadCount.fetch()).toEqual({ count: 4 })
    const [newest] = await asAlice.v1.notifications.list()
    const marked = await asAlice.v1.markers.create({ notifications: { lastReadId: String(newest?.id) } })
    expect(marked).toMatchObject({ notifications: { lastReadId: newest?.id, version: 1 } })
    expect(await asAlice.v1.markers.fetch({ timeline: ['home', 'notifications'] })).toEqual(marked)
    expect(await asAlice.v1.notifications.unreadCount.fetch()).toEqual({ count: 0 })
  })

  it('come for requests to follow and for polls that ended in a vote', async () => {
    const { alice, bob, asAlice, asBob } = await noise()
    await asBob.v1.accounts.$select(alice.id).unfollow()
    await asAlice.v1.accounts.updateCredentials({ locked: true })
    await asBob.v1.accounts.$select(alice.id).follow()
    const [request] = await asAlice.v1.notifications.list()
    expect(request).toMatchObject({ type: 'follow_request', account: { id: bob.id } })
  })

  it('of another person are none of my business', async () => {
    const { asAlice, asBob } = await noise()
    const [first] = await asAlice.v1.notifications.list()
    expect(await mastoFailure(asBob.v1.notifications.$select(String(first?.id)).fetch())).toMatchObject({
      statusCode: 404,
      message: 'Record not found',
    })
  })
})
