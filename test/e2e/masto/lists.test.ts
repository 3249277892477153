import { describe, expect, it } from 'vitest'
import { idsOf } from '../support/ids'
import { mastoFailure, mastoOf } from '../support/masto'
import { aliceAndBob, newPerson } from '../support/people'

/** Alice follows Bob and has him on a list. */
async function listOfBob(options: { readonly exclusive?: boolean; readonly repliesPolicy?: 'none' } = {}) {
  const people = await aliceAndBob(mastoOf)
  const { bob, asAlice } = people
  await asAlice.v1.accounts.$select(bob.id).follow()
  const list = await asAlice.v1.lists.create({ title: 'Warblers', ...options })
  await asAlice.v1.lists.$select(list.id).accounts.create({ accountIds: [bob.id] })
  return { ...people, list, timeline: asAlice.v1.timelines.list.$select(list.id) }
}

describe('lists with masto', () => {
  it('are made, renamed and removed', async () => {
    const { asAlice, asBob } = await aliceAndBob(mastoOf)
    const made = await asAlice.v1.lists.create({ title: 'Waders', exclusive: true })
    expect(made).toEqual({ id: made.id, title: 'Waders', repliesPolicy: 'list', exclusive: true })
    const one = asAlice.v1.lists.$select(made.id)
    const renamed = await one.update({ title: 'Shore', exclusive: false, ...{ repliesPolicy: 'followed' } })
    expect(renamed).toEqual({ id: made.id, title: 'Shore', repliesPolicy: 'followed', exclusive: false })
    expect(await one.fetch()).toEqual(renamed)
    expect(await asAlice.v1.lists.list()).toEqual([renamed])
    expect(await asBob.v1.lists.list()).toEqual([])
    const foreign = asBob.v1.lists.$select(made.id)
    for (const attempt of [foreign.fetch, () => foreign.update({ title: 'Mine' }), foreign.remove])
      expect(await mastoFailure(attempt())).toMatchObject({ statusCode: 404, message: 'Record not found' })
    await one.remove()
    expect(await asAlice.v1.lists.list()).toEqual([])
    expect(await mastoFailure(asAlice.v1.lists.create({ title: '' }))).toMatchObject({ statusCode: 422 })
  })

  it('hold accounts that are followed, page by page, and let them go', async () => {
    const { bob, asAlice, list } = await listOfBob()
    const { accounts } = asAlice.v1.lists.$select(list.id)
    const [carol, dora] = [await newPerson('carol'), await newPerson('dora')]
    expect(await mastoFailure(accounts.create({ accountIds: [carol.id] }))).toMatchObject({ statusCode: 422 })
    for (const { id } of [carol, dora]) await asAlice.v1.accounts.$select(id).follow()
    await accounts.create({ accountIds: [carol.id, dora.id] })
    const found: string[] = []
    for await (const page of accounts.list({ limit: 2 })) found.push(...idsOf(page))
    expect(found.toSorted()).toEqual([bob.id, carol.id, dora.id].toSorted())
    expect(idsOf(await asAlice.v1.accounts.$select(bob.id).lists.list())).toEqual([list.id])
    await accounts.remove({ accountIds: [carol.id] })
    await asAlice.v1.accounts.$select(dora.id).unfollow()
    expect(idsOf(await accounts.list())).toEqual([bob.id])
  })

  it('show what their accounts post and pass on, page by page', async () => {
    const { asBob, timeline } = await listOfBob()
    const asCarol = mastoOf(await newPerson('carol'))
    const far = await asCarol.v1.statuses.create({ status: 'Far away' })
    const shown = [(await asBob.v1.statuses.create({ status: 'For friends', visibility: 'private' })).id]
    shown.push((await asBob.v1.statuses.$select(far.id).reblog()).id)
    shown.push((await asBob.v1.statuses.create({ status: 'For all' })).id)
    const found: string[] = []
    for await (const page of timeline.list({ limit: 2 })) found.push(...idsOf(page))
    expect(found).toEqual(shown.toReversed())
    expect(await mastoFailure(asBob.v1.timelines.list.$select('1').list())).toMatchObject({ statusCode: 404 })
  })

  it('leave replies to others out where set so', async () => {
    const { alice, asAlice, asBob, timeline } = await listOfBob({ repliesPolicy: 'none' })
    const carol = await newPerson('carol')
    const { id: asked } = await mastoOf(carol).v1.statuses.create({ status: 'Anyone?' })
    await asBob.v1.statuses.create({ status: `${carol.acct} me`, inReplyToId: asked })
    const { id: mine } = await asAlice.v1.statuses.create({ status: 'And who else?' })
    const { id: toMe } = await asBob.v1.statuses.create({ status: `${alice.acct} me`, inReplyToId: mine })
    expect(idsOf(await timeline.list())).toEqual([toMe])
  })

  it('keep their posts out of home when they are exclusive', async () => {
    const { asAlice, asBob, list, timeline } = await listOfBob({ exclusive: true })
    const { id } = await asBob.v1.statuses.create({ status: 'Only there' })
    expect(idsOf(await timeline.list())).toEqual([id])
    expect(await asAlice.v1.timelines.home.list()).toEqual([])
    await asAlice.v1.lists.$select(list.id).update({ title: list.title, exclusive: false })
    expect(idsOf(await asAlice.v1.timelines.home.list())).toEqual([id])
  })
})
