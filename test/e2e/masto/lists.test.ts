import { beforeAll, describe, expect, it } from 'vitest'
import { mastoOf } from '../support/masto'
import { newName, newPerson, type Person } from '../support/people'

describe('lists and hashtags with masto', () => {
  let owner: Person
  let author: Person
  const client = () => mastoOf(owner)

  beforeAll(async () => {
    owner = await newPerson('owner')
    author = await newPerson('author')
    await client().v1.accounts.$select(author.id).follow()
  })

  it('are made, changed, filled, read and removed', async () => {
    const made = await client().v1.lists.create({ title: 'Herons' })
    expect(made).toMatchObject({ title: 'Herons', repliesPolicy: 'list', exclusive: false })
    const list = client().v1.lists.$select(made.id)
    await list.accounts.create({ accountIds: [author.id] })
    expect((await list.accounts.list()).map(({ id }) => id)).toEqual([author.id])
    expect(await client().v1.accounts.$select(author.id).lists.list()).toEqual([made])
    const { id } = await mastoOf(author).v1.statuses.create({ status: 'A heron' })
    const feed = await client().v1.timelines.list.$select(made.id).list()
    expect(feed.map((status) => status.id)).toEqual([id])
    const changed = await list.update({ title: 'Egrets', exclusive: true })
    expect(await list.fetch()).toEqual(changed)
    await list.accounts.remove({ accountIds: [author.id] })
    expect(await list.accounts.list()).toEqual([])
    await list.remove()
    expect(await client().v1.lists.list()).toEqual([])
  })

  it('of a followed hashtag bring posts home, until it is followed no longer', async () => {
    const stranger = mastoOf(await newPerson('stranger'))
    const name = newName('Grebe').replaceAll('_', '')
    const tag = client().v1.tags.$select(name)
    expect(await tag.follow()).toMatchObject({ name, following: true, featuring: false })
    expect((await client().v1.followedTags.list()).map((followed) => followed.name)).toEqual([name])
    const { id } = await stranger.v1.statuses.create({ status: `Seen #${name.toLowerCase()}` })
    const home = await client().v1.timelines.home.list()
    expect(home.map((status) => status.id)).toContain(id)
    expect(await tag.unfollow()).toMatchObject({ following: false })
    expect(await tag.fetch()).toMatchObject({ name, following: false })
    expect(await client().v1.followedTags.list()).toEqual([])
  })
})
