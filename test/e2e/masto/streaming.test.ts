import type { mastodon } from 'masto'
import { afterEach, describe, expect, it } from 'vitest'
import { MastoLine, mastoOf, mastoStreamingOf } from '../support/masto'
import { operate } from '../support/operator'
import { aliceAndBob, newPerson, newTag, type Person } from '../support/people'
import { mediaFile } from '../support/pictures'
import { repeatUntilReceived } from '../support/received-events'

const open = new Set<mastodon.streaming.Client>()
afterEach(() => {
  for (const client of open) client.close()
  open.clear()
})

/** A client that closes with the test. */
async function streaming(person: Person) {
  const client = await mastoStreamingOf(person)
  open.add(client)
  return client
}

/** Alice follows Bob and streams. */
async function fan() {
  const people = await aliceAndBob(mastoOf)
  await people.asAlice.v1.accounts.$select(people.bob.id).follow()
  return { ...people, live: await streaming(people.alice) }
}

describe('streaming with masto', () => {
  it('streams posts, edits and deletions of followed accounts', async () => {
    const { asBob, live } = await fan()
    const line = new MastoLine(live.user.subscribe())
    await repeatUntilReceived(line, () => asBob.v1.statuses.create({ status: 'Is this on?' }))
    const { id } = await asBob.v1.statuses.create({ status: 'A heorn', visibility: 'private' })
    await line.about('update', id)
    await asBob.v1.statuses.$select(id).update({ status: 'A heron' })
    await line.about('status.update', id)
    await asBob.v1.statuses.$select(id).remove()
    await line.about('delete', id)
    expect(line.kindsOf(id)).toEqual(['update', 'status.update', 'delete'])
  })

  it('streams several subscriptions over one socket, each to its own handler', async () => {
    const { asAlice, asBob, bob, live } = await fan()
    const tag = newTag('wren')
    const { id: list } = await asAlice.v1.lists.create({ title: 'Warblers' })
    await asAlice.v1.lists.$select(list).accounts.create({ accountIds: [bob.id] })
    const lines = [
      live.user.subscribe(),
      live.public.subscribe(),
      live.public.local.subscribe(),
      live.hashtag.subscribe({ tag }),
      live.hashtag.local.subscribe({ tag }),
      live.list.subscribe({ list }),
    ].map((subscription) => new MastoLine(subscription))
    const [remote, media] = [live.public.remote.subscribe(), live.public.media.subscribe()].map(
      (subscription) => new MastoLine(subscription),
    )
    for (const line of lines)
      await repeatUntilReceived(line, () => asBob.v1.statuses.create({ status: `Is this on? #${tag}` }))
    const { id } = await asBob.v1.statuses.create({ status: `A #${tag}` })
    for (const line of lines) await line.about('update', id)
    await asBob.v1.statuses.$select(id).remove()
    for (const line of lines) await line.about('delete', id)
    // A subscription gets the events of its stream only, whatever else comes over the socket.
    for (const line of lines) expect(line.kindsOf(id)).toEqual(['update', 'delete'])
    const file = await mediaFile('gray.png', 'image/png')
    const picture = await asBob.v2.media.create({ file, skipPolling: true })
    const pictured = await asBob.v1.statuses.create({ status: 'Look', mediaIds: [picture.id] })
    await media?.about('update', pictured.id)
    expect(media?.kindsOf(id)).toEqual([])
    expect(remote?.events).toEqual([])
  })

  it('streams direct posts and notifications', async () => {
    const { alice, asAlice, asBob, live } = await fan()
    const direct = new MastoLine(live.direct.subscribe())
    const notices = new MastoLine(live.user.notification.subscribe())
    const whisper = () => asBob.v1.statuses.create({ status: `${alice.acct} psst`, visibility: 'direct' })
    await repeatUntilReceived(direct, whisper)
    const { id: own } = await asAlice.v1.statuses.create({ status: 'Ta-da' })
    await repeatUntilReceived(notices, async () => {
      await asBob.v1.statuses.$select(own).favourite()
      await asBob.v1.statuses.$select(own).unfavourite()
    })
    const { id } = await whisper()
    const received = await direct.first('conversation', ({ payload }) => payload?.includes(id) === true)
    expect(received).toMatchObject({ event: 'conversation', stream: ['direct'] })
    const notice = await notices.first('mention', ({ payload }) => payload?.includes(id) === true)
    expect(notice).toMatchObject({ event: 'notification', stream: ['user:notification'] })
    expect(new Set(direct.events.map(({ event }) => event))).toEqual(new Set(['conversation']))
  })

  it('sends notifications_merged after filtered notifications are accepted', async () => {
    const { alice, asAlice, asBob } = await aliceAndBob(mastoOf)
    await asBob.v1.statuses.create({ status: `${alice.acct} psst`, visibility: 'direct' })
    const live = await streaming(alice)
    const line = new MastoLine(live.user.subscribe())
    await repeatUntilReceived(line, () => asAlice.v1.statuses.create({ status: 'Is this on?' }))
    const [request] = await asAlice.v1.notifications.requests.list()
    await asAlice.v1.notifications.requests.$select(String(request?.id)).accept()
    await line.first('merging', ({ event }) => event === 'notifications_merged')
    const { id } = await asAlice.v1.statuses.create({ status: 'Well' })
    await line.about('update', id)
    expect(line.count('notifications_merged')).toBe(1)
  })

  it('sends announcements, reactions to them, and their deletion', async () => {
    const alice = await newPerson('alice')
    const asAlice = mastoOf(alice)
    const live = await streaming(alice)
    const line = new MastoLine(live.user.subscribe())
    await repeatUntilReceived(line, () => asAlice.v1.statuses.create({ status: 'Is this on?' }))
    // As `npx fieldfare announcements` does it.
    const { id } = {
      id: '',
      ...Object(await operate('POST', '/api/fieldfare/v1/admin/announcements', { text: 'A feast' })),
    }
    await line.about('announcement', id)
    await asAlice.v1.announcements.$select(id).reactions.$select('🎉').update()
    const reaction = await line.first('reaction', ({ event, payload }) => {
      return event === 'announcement.reaction' && payload?.includes(id) === true
    })
    expect(JSON.parse(String(reaction.payload))).toEqual({ name: '🎉', count: 1, announcementId: id })
    await operate('DELETE', `/api/fieldfare/v1/admin/announcements/${id}`, {})
    const gone = await line.first('removal', ({ event, payload }) => {
      return event === 'announcement.delete' && payload === id
    })
    expect(gone.stream).toEqual(['user'])
  })

  it('reports a refusal as an error of the client', async () => {
    const live = await streaming(await newPerson('alice'))
    const line = new MastoLine(live.list.subscribe({ list: '1' }))
    await expect(line.ended).rejects.toThrow()
  })
})
