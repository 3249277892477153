import { beforeAll, describe, expect, it } from 'vitest'
import { megalodonOf } from '../support/megalodon'
import { newName, newPerson, type Person } from '../support/people'

describe('lists and hashtags with megalodon', () => {
  let owner: Person
  let author: Person
  const client = () => megalodonOf(owner)

  beforeAll(async () => {
    owner = await newPerson('owner')
    author = await newPerson('author')
    await client().followAccount(author.id)
  })

  it('are made, renamed, filled, read and removed', async () => {
    const { data: made } = await client().createList('Herons')
    expect((await client().updateList(made.id, 'Egrets')).data).toMatchObject({
      id: made.id,
      title: 'Egrets',
    })
    expect((await client().getList(made.id)).data.title).toBe('Egrets')
    await client().addAccountsToList(made.id, [author.id])
    const members = await client().getAccountsInList(made.id)
    expect(members.data.map(({ id }) => id)).toEqual([author.id])
    expect((await client().getAccountLists(author.id)).data.map(({ id }) => id)).toEqual([made.id])
    const posted = await megalodonOf(author).postStatus('An egret')
    const { data: feed } = await client().getListTimeline(made.id)
    expect(feed.map(({ id }) => id)).toEqual([posted.data.id])
    await client().deleteAccountsFromList(made.id, [author.id])
    expect((await client().getAccountsInList(made.id)).data).toEqual([])
    await client().deleteList(made.id)
    expect((await client().getLists()).data).toEqual([])
  })

  it('are followed and followed no longer', async () => {
    const name = newName('Grebe').replaceAll('_', '')
    expect((await client().followTag(name)).data).toMatchObject({ name, following: true })
    expect((await client().getTag(name)).data).toMatchObject({ name, following: true })
    expect((await client().getFollowedTags()).data.map((tag) => tag.name)).toEqual([name])
    expect((await client().unfollowTag(name)).data).toMatchObject({ following: false })
  })
})
