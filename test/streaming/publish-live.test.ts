import { describe, expect, it } from 'vitest'
import { as } from '../support/as'
import { freshName, given } from '../support/given'
import { givenFilter } from '../support/given-filter'
import { relation } from '../support/given-relationships'
import { listen } from '../support/streaming'
import { settled } from '../support/world'

describe('what is told arrives over sockets', () => {
  it('of followers, as they read it, and at all sockets of one person', async () => {
    const [author, follower] = [await given.account(), await given.account()]
    await relation.follow(follower, author)
    const sockets = [await listen(follower, { stream: 'user' }), await listen(follower, { stream: 'user' })]
    const { id } = await given.status({ by: author })
    await settled()
    const { body } = await as(follower).get(`/api/v1/statuses/${id}`)
    for (const socket of sockets) {
      const [frame, ...rest] = await socket.rest()
      expect(rest).toEqual([])
      expect(frame).toMatchObject({ stream: ['user'], event: 'update' })
      expect(JSON.parse(frame?.payload ?? '')).toEqual(body)
    }
    await as(author).delete(`/api/v1/statuses/${id}`)
    for (const socket of sockets)
      expect(await socket.rest()).toEqual([{ stream: ['user'], event: 'delete', payload: id }])
  })

  it('of all who listen to a hashtag, once for each stream it is on', async () => {
    const [author, reader] = [await given.account(), await given.account()]
    const tag = freshName('tag')
    const socket = await listen(reader, { stream: 'hashtag', tag })
    await socket.subscribe({ stream: 'public:local' })
    const { id } = await given.status({ by: author, text: `#${tag}` })
    await settled()
    const frames = await socket.rest()
    expect(frames.map(({ stream, event }) => [stream, event]).toSorted()).toEqual([
      [['hashtag', tag], 'update'],
      [['public:local'], 'update'],
    ])
    for (const { payload } of frames) expect(JSON.parse(payload ?? '')).toMatchObject({ id, filtered: [] })
  })

  it('of a filter with five new keywords: one event on each socket, and the filter holds at once', async () => {
    const [author, follower] = [await given.account(), await given.account()]
    await relation.follow(follower, author)
    const filter = await givenFilter(follower, { words: ['heron'] })
    const sockets = [await listen(follower, { stream: 'user' }), await listen(follower, { stream: 'user' })]
    await given.status({ by: author, text: 'A wren.' })
    await settled()
    const words = ['wren', 'robin', 'tit', 'jay', 'rook']
    await as(follower).put(`/api/v2/filters/${filter.id}`, {
      keywords_attributes: words.map((keyword) => ({ keyword })),
    })
    await given.status({ by: author, text: 'Another wren.' })
    await settled()
    for (const socket of sockets) {
      const [before, changed, after, ...rest] = await socket.rest()
      expect(rest).toEqual([])
      expect(changed).toEqual({ stream: ['user'], event: 'filters_changed' })
      expect(JSON.parse(before?.payload ?? '')).toMatchObject({ filtered: [] })
      expect(JSON.parse(after?.payload ?? '')).toMatchObject({ filtered: [{ keyword_matches: ['wren'] }] })
    }
  })
})
