import type { Entity, WebSocketInterface } from 'megalodon'
import { afterEach, describe, expect, it } from 'vitest'
import { megalodonOf, posted } from '../support/megalodon'
import { aliceAndBob, newTag } from '../support/people'
import { ReceivedEvents } from '../support/received-events'

const open = new Set<WebSocketInterface>()
afterEach(() => {
  for (const socket of open) socket.stop()
  open.clear()
})

/** Waits until the client is connected; what its events carry is noted under Mastodon's names for them. */
async function lineOf(opening: Promise<WebSocketInterface>): Promise<ReceivedEvents> {
  const socket = await opening
  open.add(socket)
  const line = new ReceivedEvents()
  const note = (event: string) => (payload: object | string) =>
    line.note({
      stream: [],
      event,
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    })
  socket.on('update', (status: Entity.Status) => note('update')(status))
  socket.on('status_update', (status: Entity.Status) => note('status.update')(status))
  socket.on('notification', (notification: Entity.Notification) => note('notification')(notification))
  socket.on('conversation', (conversation: Entity.Conversation) => note('conversation')(conversation))
  socket.on('delete', (id: string) => note('delete')(id))
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', () => resolve())
    socket.on('error', reject)
  })
  return line
}

/** Alice follows Bob. */
async function fan() {
  const people = await aliceAndBob(megalodonOf)
  await people.asAlice.followAccount(people.bob.id)
  return people
}

describe('streaming with megalodon', () => {
  it('streams posts, edits and deletions of followed accounts', async () => {
    const { asAlice, asBob } = await fan()
    const line = await lineOf(asAlice.userStreaming())
    const { id } = posted(await asBob.postStatus('A heorn', { visibility: 'private' }))
    await line.about('update', id)
    await asBob.editStatus(id, { status: 'A heron' })
    const edited = await line.about('status.update', id)
    expect(edited.payload).toContain('A heron')
    await asBob.deleteStatus(id)
    await line.about('delete', id)
    expect(line.kindsOf(id)).toEqual(['update', 'status.update', 'delete'])
  })

  it('streams public posts, posts with a hashtag and posts of a list', async () => {
    const { bob, asAlice, asBob } = await fan()
    const tag = newTag('wren')
    const { data: list } = await asAlice.createList('Warblers')
    await asAlice.addAccountsToList(list.id, [bob.id])
    const lines = await Promise.all(
      [
        asAlice.publicStreaming(),
        asAlice.localStreaming(),
        asAlice.tagStreaming(tag),
        asAlice.listStreaming(list.id),
      ].map(lineOf),
    )
    const plain = posted(await asBob.postStatus('Tsiip', {}))
    const tagged = posted(await asBob.postStatus(`Tsiip #${tag}`, {}))
    await asBob.deleteStatus(tagged.id)
    for (const line of lines) await line.about('delete', tagged.id)
    expect(lines.map((line) => line.kindsOf(plain.id).length)).toEqual([1, 1, 0, 1])
    for (const line of lines) expect(line.kindsOf(tagged.id)).toEqual(['update', 'delete'])
  })

  it('streams direct posts and notifications', async () => {
    const { alice, bob, asAlice, asBob } = await fan()
    const [home, direct] = [await lineOf(asAlice.userStreaming()), await lineOf(asAlice.directStreaming())]
    const sent = posted(await asBob.postStatus(`${alice.acct} psst`, { visibility: 'direct' }))
    const { payload } = await direct.first('conversation', ({ event }) => event === 'conversation')
    expect(JSON.parse(String(payload))).toMatchObject({
      unread: true,
      accounts: [{ id: bob.id }],
      last_status: { id: sent.id },
    })
    const notice = await home.first('notification', ({ event }) => event === 'notification')
    expect(JSON.parse(String(notice.payload))).toMatchObject({
      type: 'mention',
      status: { id: sent.id },
      account: { id: bob.id },
    })
    posted(await asBob.postStatus(`${alice.acct} again`, { visibility: 'direct' }))
    await direct.until('the second conversation', () => direct.count('conversation') === 2)
    expect(direct.events.map(({ event }) => event)).toEqual(['conversation', 'conversation'])
  })
})
