import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { megalodonFailure, megalodonOf, posted } from '../support/megalodon'
import { operate } from '../support/operator'
import { aliceAndBob, newPerson, newTag } from '../support/people'

describe('discovery with megalodon', () => {
  it('suggests accounts and lists discoverable ones', async () => {
    const { bob, asAlice, asBob } = await aliceAndBob(megalodonOf)
    const carol = await newPerson('carol')
    await megalodonOf(carol).updateCredentials({ discoverable: true })
    posted(await megalodonOf(carol).postStatus('Here I am', {}))
    await asAlice.followAccount(bob.id)
    await asBob.followAccount(carol.id)
    expect((await asAlice.getSuggestions(80)).data.map(({ id }) => id)).toContain(carol.id)
    const { data } = await asAlice.getInstanceDirectory({ limit: 80, order: 'active', local: true })
    expect(data.map(({ id }) => id)).toContain(carol.id)
    expect((await asAlice.getInstanceDirectory({ offset: 4_000 })).data).toEqual([])
  })

  it('lists trends under their old name', async () => {
    const { data } = await megalodonOf(null).getInstanceTrends(10)
    expect(data.length).toBeLessThanOrEqual(10)
  })

  it('features hashtags and suggests those in use', async () => {
    const { asAlice, asBob } = await aliceAndBob(megalodonOf)
    const name = newTag('Nuthatch')
    posted(await asAlice.postStatus(`My #${name}`, {}))
    expect((await asAlice.getSuggestedTags()).data.map((tag) => tag.name)).toEqual([name])
    const { data: featured } = await asAlice.createFeaturedTag(name)
    expect(featured).toMatchObject({ name, last_status_at: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
    expect((await asAlice.getFeaturedTags()).data).toEqual([featured])
    expect(await megalodonFailure(asBob.deleteFeaturedTag(featured.id))).toMatchObject({ status: 404 })
    await asAlice.deleteFeaturedTag(featured.id)
    expect((await asAlice.getFeaturedTags()).data).toEqual([])
  })

  it('reads announcements, reacts to them and puts them away', async () => {
    const asAlice = megalodonOf(await newPerson('alice'))
    const made = await operate('POST', 'announcements/add', { text: 'The feeder is full again' })
    const { id } = z.object({ id: z.string() }).parse(made)
    const read = async () => (await asAlice.getInstanceAnnouncements()).data.find((one) => one.id === id)
    expect(await read()).toMatchObject({ content: expect.stringContaining('feeder'), read: false })
    await asAlice.addReactionToAnnouncement(id, '🌰')
    expect((await read())?.reactions).toMatchObject([{ name: '🌰', count: 1, me: true }])
    await asAlice.removeReactionFromAnnouncement(id, '🌰')
    await asAlice.dismissInstanceAnnouncement(id)
    expect(await read()).toMatchObject({ read: true, reactions: [] })
    await operate('POST', 'announcements/remove', { id })
    expect(await read()).toBeUndefined()
  })
})
