import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { call } from '../support/http'
import { idsOf } from '../support/ids'
import { mastoAnonymous, mastoFailure, mastoOf } from '../support/masto'
import { operate, runPeriodicTasks } from '../support/operator'
import { aliceAndBob, newPerson, newTag, type Person } from '../support/people'

/** A discoverable person. */
async function findable(name: string): Promise<Person> {
  const person = await newPerson(name)
  await mastoOf(person).v1.accounts.updateCredentials({ discoverable: true })
  return person
}

/** Alice follows Bob, who follows Carol; Carol wants to be found. */
async function chain() {
  const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
  const carol = await findable('carol')
  await asAlice.v1.accounts.$select(bob.id).follow()
  await asBob.v1.accounts.$select(carol.id).follow()
  return { alice, bob, carol, asAlice, asBob, asCarol: mastoOf(carol) }
}

describe('suggestions and the directory with masto', () => {
  it('are suggested with a reason, until they are waved away', async () => {
    const { carol, asAlice } = await chain()
    const mine = async () =>
      (await asAlice.v2.suggestions.list({ limit: 80 })).find(({ account }) => account.id === carol.id)
    expect(await mine()).toMatchObject({ source: 'past_interactions', sources: ['friends_of_friends'] })
    expect(idsOf(await asAlice.v1.suggestions.list({ limit: 80 }))).toContain(carol.id)
    await asAlice.v1.suggestions.$select(carol.id).remove(carol.id)
    expect(await mine()).toBeUndefined()
    expect(await mastoFailure(mastoAnonymous().v2.suggestions.list())).toMatchObject({ statusCode: 401 })
  })

  it('are known to be followed by those I follow', async () => {
    const { alice, bob, carol } = await chain()
    // The client would send ?0=…&1=… where everybody else sends id[].
    const path = `/api/v1/accounts/familiar_followers?id[]=${carol.id}&id[]=${bob.id}`
    const answer = await call(path, { as: alice })
    const Familiar = z.array(z.object({ id: z.string(), accounts: z.array(z.object({ id: z.string() })) }))
    expect(Familiar.parse(await answer.json())).toEqual([
      { id: carol.id, accounts: [{ id: bob.id }] },
      { id: bob.id, accounts: [] },
    ])
  })

  it('are in the directory, newest or latest to post first', async () => {
    const [early, late] = [await findable('early'), await findable('late')]
    const hidden = await newPerson('hidden')
    await mastoOf(hidden).v1.accounts.updateCredentials({ discoverable: false })
    for (const person of [late, hidden, early]) await mastoOf(person).v1.statuses.create({ status: 'Here' })
    const listed = async (order: 'active' | 'new') =>
      idsOf(await mastoAnonymous().v1.directory.list({ order, local: true, limit: 80 })).filter((id) =>
        [early, late, hidden].some((person) => person.id === id),
      )
    expect(await listed('new')).toEqual([late.id, early.id])
    expect(await listed('active')).toEqual([early.id, late.id])
    const far = await mastoAnonymous().v1.directory.list({ offset: 4_000 })
    expect(far).toEqual([])
  })
})

describe('trends with masto', () => {
  it('is what many use and like, once the operator agrees', async () => {
    const author = await findable('star')
    const name = newTag('Waxwing')
    const { id } = await mastoOf(author).v1.statuses.create({ status: `A flock! #${name}`, language: 'en' })
    for (let nth = 0; nth < 6; nth += 1) {
      const fan = mastoOf(await newPerson('fan'))
      await fan.v1.statuses.$select(id).favourite()
      await fan.v1.statuses.create({ status: `Here too #${name}` })
    }
    await operate('PUT', 'settings', { trendMinimumAccounts: 5 })
    await runPeriodicTasks()
    const trends = mastoAnonymous().v1.trends
    expect((await trends.tags.list({ limit: 20 })).map((tag) => tag.name)).not.toContain(name)
    await operate('POST', 'trends/review', { what: 'tag', key: name, trendable: true })
    await operate('POST', 'trends/review', { what: 'status', key: id, trendable: true })

    const tag = (await trends.tags.list({ limit: 20 })).find((one) => one.name === name)
    expect(tag?.history).toHaveLength(7)
    expect(tag?.history?.[0]).toMatchObject({ uses: '7', accounts: '7' })
    expect(idsOf(await trends.statuses.list({ limit: 40 }))).toContain(id)
    const pages: string[] = []
    for await (const page of trends.statuses.list({ limit: 1 })) pages.push(...idsOf(page))
    expect(pages.filter((one) => one === id)).toEqual([id])
  })
})

describe('announcements with masto', () => {
  it('are read, reacted to and dismissed', async () => {
    const { alice, asAlice, asBob } = await aliceAndBob(mastoOf)
    const text = `Counting on Sunday, ${alice.acct}. See #${newTag('count')}`
    const { id } = z.object({ id: z.string() }).parse(await operate('POST', 'announcements/add', { text }))
    const read = async (client: typeof asAlice) =>
      (await client.v1.announcements.list()).find((one) => one.id === id)
    expect(await read(asAlice)).toMatchObject({
      content: expect.stringContaining('Counting on Sunday'),
      allDay: false,
      read: false,
      mentions: [{ id: alice.id }],
      tags: [{ name: expect.any(String) }],
      statuses: [],
      emojis: [],
      reactions: [],
    })
    const one = asAlice.v1.announcements.$select(id)
    await one.reactions.$select('🐦').update()
    await asBob.v1.announcements.$select(id).reactions.$select('🐦').update()
    expect((await read(asAlice))?.reactions).toMatchObject([{ name: '🐦', count: 2, me: true }])
    await one.reactions.$select('🐦').remove()
    expect((await read(asAlice))?.reactions).toMatchObject([{ name: '🐦', count: 1, me: false }])
    expect(await mastoFailure(one.reactions.$select('bird').update())).toMatchObject({ statusCode: 422 })
    await one.dismiss()
    expect([await read(asAlice), await read(asBob)]).toMatchObject([{ read: true }, { read: false }])
    await operate('POST', 'announcements/remove', { id })
    expect(await read(asBob)).toBeUndefined()
    expect(await mastoFailure(one.dismiss())).toMatchObject({ statusCode: 404 })
  })
})
