import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Notification } from '../../../src/contract/entities/notification'
import { Status } from '../../../src/contract/entities/status'
import { askForStream, openSource, type Source } from '../support/event-source'
import { mastoOf } from '../support/masto'
import { aliceAndBob, newPerson, newTag } from '../support/people'
import { mediaFile } from '../support/pictures'
import { entityOf } from '../support/received-events'

const open = new Set<Source>()
afterEach(async () => {
  await Promise.all([...open].map((line) => line.close()))
  open.clear()
})

async function source(path: string, person: { readonly token: string }) {
  const line = await openSource(path, person)
  open.add(line)
  return line
}

/** Opened before the other tests, which pass some of the 15 seconds until its first heartbeat. */
let idle: Source
beforeAll(async () => {
  idle = await openSource('user/notification', await newPerson('alice'))
})
afterAll(() => idle?.close())

describe('an event source', () => {
  it('sends the events of a status, with and without pictures', async () => {
    const alice = await newPerson('alice')
    const asAlice = mastoOf(alice)
    const tag = newTag('wren')
    const lines = await Promise.all(
      ['user', 'public', 'public/local', `hashtag?tag=${tag}`, `hashtag/local?tag=${tag.toUpperCase()}`].map(
        (path) => source(path, alice),
      ),
    )
    const pictures = await Promise.all(
      ['public?only_media=true', 'public/local?only_media=1'].map((path) => source(path, alice)),
    )
    const silent = await source('public/remote', alice)
    const one = await asAlice.v1.statuses.create({ status: `A heorn #${tag}` })
    for (const line of lines) {
      const received = await line.about('update', one.id)
      expect(entityOf(received, Status).id).toBe(one.id)
    }
    await asAlice.v1.statuses.$select(one.id).update({ status: `A heron #${tag}` })
    for (const line of lines) await line.about('status.update', one.id)
    await asAlice.v1.statuses.$select(one.id).remove()
    for (const line of lines) await line.about('delete', one.id)
    const { id: mediaId } = await asAlice.v2.media.create({ file: await mediaFile('gray.png', 'image/png') })
    const two = await asAlice.v1.statuses.create({ status: 'Look', mediaIds: [mediaId] })
    for (const line of pictures) {
      await line.about('update', two.id)
      expect(line.kindsOf(one.id)).toEqual([])
    }
    for (const line of lines) expect(line.kindsOf(one.id)).toEqual(['update', 'status.update', 'delete'])
    expect(silent.events).toEqual([])
  })

  it('sends lists, direct posts and notifications', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    await asAlice.v1.accounts.$select(bob.id).follow()
    const { id: list } = await asAlice.v1.lists.create({ title: 'Warblers' })
    await asAlice.v1.lists.$select(list).accounts.create({ accountIds: [bob.id] })
    const [listed, direct, notices] = await Promise.all(
      [`list?list=${list}`, 'direct', 'user/notification'].map((path) => source(path, alice)),
    )
    const { id } = await asBob.v1.statuses.create({ status: 'Tsiip' })
    await listed?.about('update', id)
    const sent = await asBob.v1.statuses.create({ status: `${alice.acct} psst`, visibility: 'direct' })
    const received = await direct?.first('conversation', ({ event }) => event === 'conversation')
    expect(received?.payload).toContain(`"id":"${sent.id}"`)
    const notice = await notices?.first('notification', ({ event }) => event === 'notification')
    expect(notice === undefined ? null : entityOf(notice, Notification)).toMatchObject({
      type: 'mention',
      status: { id: sent.id },
      account: { id: bob.id },
    })
    await asBob.v1.statuses.create({ status: `${alice.acct} again`, visibility: 'direct' })
    await notices?.until('the second notification', () => notices.count('notification') === 2)
    expect(notices?.events.map(({ event }) => event)).toEqual(['notification', 'notification'])
  })

  it.each([
    ['chirps', 400],
    ['user/chirps', 400],
    ['hashtag', 400],
    ['hashtag/local', 400],
    ['list', 400],
    ['list?list=1', 401],
  ])('an event source answers %s with %i', async (path, status) => {
    const alice = await newPerson('alice')
    const answer = await askForStream(path, alice)
    expect([answer.status, await answer.json()]).toEqual([status, { error: expect.any(String) }])
  })

  it('requires a token, and accepts it in the address too', async () => {
    const alice = await newPerson('alice')
    for (const options of [{}, { token: 'nobodys' }]) {
      const answer = await askForStream('user', options)
      expect([answer.status, await answer.json()]).toEqual([401, { error: expect.any(String) }])
    }
    const line = await openSource(`user?access_token=${alice.token}`)
    open.add(line)
    const { id } = await mastoOf(alice).v1.statuses.create({ status: 'By address' })
    await line.about('update', id)
  })

  it('sends a comment, and a heartbeat while nothing happens [T-650]', async () => {
    expect(idle.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(idle.headers.get('cache-control')).toBe('private, no-store')
    await idle.commented(':thump')
    expect(idle.comments.slice(0, 2)).toEqual([':)', ':thump'])
    expect(idle.events).toEqual([])
  })
})
