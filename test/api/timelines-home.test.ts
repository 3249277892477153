import { describe, expect, it } from 'vitest'
import { as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { freshName, given, type TestAccount } from '../support/given'
import { relation } from '../support/given-relationships'
import { followed } from '../support/given-remote'
import { settleLateWork } from '../support/test-app'

const posted = (answer: { readonly body: unknown }) => String(Object(answer.body).id)

async function homeOf(who: TestAccount): Promise<readonly string[]> {
  await settleLateWork()
  return idsOf(await as(who).get('/api/v1/timelines/home'))
}

describe('statuses that enter the home feed', () => {
  it('inserts posts of a followed hashtag, local and remote, and when an edit adds it, and none after unfollowing [T-598]', async () => {
    const [reader, author, other] = [await given.account(), await given.account(), await given.account()]
    const tag = freshName('Tag')
    const peer = await given.peer()
    await followed(other, peer)
    const before = await given.status({ by: author, text: `#${tag}` })
    await as(reader).post(`/api/v1/tags/${tag}/follow`)
    expect(await homeOf(reader)).toEqual([before.id])
    const plain = await given.status({ by: author, text: 'no sign of it' })
    await given.status({ by: author, text: `#${tag}`, visibility: 'unlisted' })
    await peer.send(peer.create(peer.note({ hashtags: [tag.toUpperCase()] })))
    expect(await homeOf(reader)).toHaveLength(2)
    await as(author).put(`/api/v1/statuses/${plain.id}`, { status: `#${tag.toLowerCase()}` })
    expect(await homeOf(reader)).toEqual(expect.arrayContaining([plain.id, before.id]))
    expect(await homeOf(reader)).toHaveLength(3)
    await as(reader).post(`/api/v1/tags/${tag}/unfollow`)
    expect(await homeOf(reader)).toEqual([])
  })

  it('inserts no reblog of an account whose reblogs are off, nor posts in other languages, until the follow allows them [T-599]', async () => {
    const [reader, author] = [await given.account(), await given.account()]
    const shared = await given.status({ by: await given.account() })
    const follow = (options: Readonly<Record<string, unknown>>) =>
      as(reader).post(`/api/v1/accounts/${author.id}/follow`, options)
    const asked = await follow({ reblogs: false, notify: true, languages: ['de'] })
    expect(asked.body).toMatchObject({ showing_reblogs: false, notifying: true, languages: ['de'] })
    await as(author).post(`/api/v1/statuses/${shared.id}/reblog`)
    const german = posted(await as(author).post('/api/v1/statuses', { status: 'Eine Amsel', language: 'de' }))
    const blackbird = posted(
      await as(author).post('/api/v1/statuses', { status: 'A blackbird', language: 'en' }),
    )
    expect(await homeOf(reader)).toEqual([german])
    const notified = await as(reader).get('/api/v1/notifications?types[]=status')
    expect(notified.body).toMatchObject([{ type: 'status', status: { id: german } }])
    await as(author).post(`/api/v1/statuses/${shared.id}/unreblog`)
    await follow({ reblogs: true, notify: false, languages: [] })
    const reblog = posted(await as(author).post(`/api/v1/statuses/${shared.id}/reblog`))
    const english = posted(await as(author).post('/api/v1/statuses', { status: 'A wren', language: 'en' }))
    expect(await homeOf(reader)).toEqual([english, reblog, blackbird, german])
    expect((await as(reader).get('/api/v1/notifications?types[]=status')).body).toHaveLength(1)
  })

  it('inserts a status once, however many accounts reblog it, and publishes each reblog in its own list', async () => {
    const reader = await given.account()
    const sharers = await given.accounts(3)
    for (const sharer of sharers) await relation.follow(reader, sharer)
    const original = await given.status({ by: await given.account() })
    for (const sharer of sharers) await as(sharer).post(`/api/v1/statuses/${original.id}/reblog`)
    expect(await homeOf(reader)).toHaveLength(1)
    expect((await as(reader).get(`/api/v1/statuses/${original.id}/reblogged_by`)).body).toHaveLength(3)
  })
})

describe('costs of feeds', () => {
  it('a post with a followed hashtag writes one row more for each follower of it', async () => {
    const author = await given.account()
    const tag = freshName('tag')
    const post = async () => (await as(author).post('/api/v1/statuses', { status: `#${tag}` })).costs
    await post()
    const alone = await post()
    const readers = await given.accounts(6)
    for (const reader of readers) await as(reader).post(`/api/v1/tags/${tag}/follow`)
    await settleLateWork()
    const followedBySome = await post()
    expect(followedBySome.trips).toBeLessThanOrEqual(4)
    expect(followedBySome.rowsWritten - alone.rowsWritten).toBeLessThanOrEqual(readers.length)
    // Two of them tell whether the feed is full, so that its oldest entry makes room. Six more, whoever follows, note which
    // status those saw who want one a day.
    expect(followedBySome.rowsRead - alone.rowsRead).toBeLessThanOrEqual(4 * readers.length + 6)
  })

  it('a reblog of a shown status writes nothing into the homes, and reads a page of each', async () => {
    const [author, first, second] = [await given.account(), await given.account(), await given.account()]
    const readers = await given.accounts(5)
    for (const reader of readers) for (const sharer of [first, second]) await relation.follow(reader, sharer)
    const reblog = async (by: TestAccount, id: string) =>
      (await as(by).post(`/api/v1/statuses/${id}/reblog`)).costs
    const { id } = await given.status({ by: author })
    const [shown, folded] = [await reblog(first, id), await reblog(second, id)]
    expect(shown.rowsWritten - folded.rowsWritten).toBe(readers.length)
    expect(folded.rowsRead - shown.rowsRead).toBeLessThanOrEqual(42 * readers.length)
    for (const { trips } of [shown, folded]) expect(trips).toBeLessThanOrEqual(4)
  })
})
