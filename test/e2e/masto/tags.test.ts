import { describe, expect, it } from 'vitest'
import { idsOf } from '../support/ids'
import { mastoAnonymous, mastoFailure, mastoOf } from '../support/masto'
import { aliceAndBob, newTag } from '../support/people'

describe('hashtags with masto', () => {
  it('say what they are and how they were used, with the casing they were first given', async () => {
    const { asAlice } = await aliceAndBob(mastoOf)
    const name = newTag('Siskin')
    expect(await mastoAnonymous().v1.tags.$select(name).fetch()).toMatchObject({ name })
    await asAlice.v1.statuses.create({ status: `Look, a #${name}` })
    const tag = await asAlice.v1.tags.$select(name.toLowerCase()).fetch()
    expect(tag).toMatchObject({ name, following: false, featuring: false, id: expect.any(String) })
    expect(tag.history).toHaveLength(7)
    expect(tag.history?.[0]).toEqual({ day: expect.any(String), uses: '1', accounts: '1' })
    expect(await mastoFailure(mastoAnonymous().v1.tags.$select('not a tag').fetch())).toMatchObject({
      statusCode: 404,
    })
  })

  it('that are followed bring posts of strangers home', async () => {
    const { asAlice, asBob } = await aliceAndBob(mastoOf)
    const [one, two] = [newTag('brambling'), newTag('linnet')]
    expect(await asAlice.v1.tags.$select(one).follow()).toMatchObject({ name: one, following: true })
    await asAlice.v1.tags.$select(two).follow()
    const { id } = await asBob.v1.statuses.create({ status: `#${one} at the feeder` })
    await asBob.v1.statuses.create({ status: `#${one} for friends`, visibility: 'private' })
    expect(idsOf(await asAlice.v1.timelines.home.list())).toEqual([id])

    const followed: string[] = []
    for await (const page of asAlice.v1.followedTags.list({ limit: 1 }))
      followed.push(...page.map(({ name }) => name))
    expect(followed).toEqual([two, one])
    expect(await asAlice.v1.tags.$select(one).unfollow()).toMatchObject({ following: false })
    const { id: unseen } = await asBob.v1.statuses.create({ status: `#${one} again` })
    expect(idsOf(await asAlice.v1.timelines.home.list())).not.toContain(unseen)
    expect((await asAlice.v1.followedTags.list()).map(({ name }) => name)).toEqual([two])
  })

  it('are featured on a profile, as chosen, and removed', async () => {
    const { alice, asAlice, asBob } = await aliceAndBob(mastoOf)
    const name = newTag('Nuthatch')
    const { id: posted } = await asAlice.v1.statuses.create({ status: `My #${name}` })
    expect((await asAlice.v1.featuredTags.suggestions.list()).map((tag) => tag.name)).toEqual([name])
    const featured = await asAlice.v1.featuredTags.create({ name: `#${name.toUpperCase()}` })
    expect(featured).toMatchObject({ name: name.toUpperCase(), url: expect.stringContaining(alice.username) })
    expect(Number(featured.statusesCount)).toBe(1)
    expect(featured.lastStatusAt).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(await asAlice.v1.featuredTags.suggestions.list()).toEqual([])
    expect(await asAlice.v1.featuredTags.create({ name: name.toLowerCase() })).toEqual(featured)
    expect(await asAlice.v1.featuredTags.list()).toEqual([featured])

    const profile = mastoAnonymous().v1.accounts.$select(alice.id)
    expect(await profile.featuredTags.list()).toEqual([featured])
    expect(idsOf(await profile.statuses.list({ tagged: name }))).toEqual([posted])
    expect(await asAlice.v1.tags.$select(name).fetch()).toMatchObject({ featuring: true })
    const foreign = asBob.v1.featuredTags.$select(featured.id).remove()
    expect(await mastoFailure(foreign)).toMatchObject({ statusCode: 404 })
    await asAlice.v1.featuredTags.$select(featured.id).remove()
    expect(await asAlice.v1.featuredTags.list()).toEqual([])
  })

  it('are featured by name as newer clients do', async () => {
    const { asAlice } = await aliceAndBob(mastoOf)
    const name = newTag('Treecreeper')
    expect(await asAlice.v1.tags.$select(name).feature()).toMatchObject({ name, featuring: true })
    expect((await asAlice.v1.featuredTags.list()).map((tag) => tag.name)).toEqual([name])
    expect(await asAlice.v1.tags.$select(name).unfeature()).toMatchObject({ featuring: false })
    expect(await asAlice.v1.featuredTags.list()).toEqual([])
  })
})
