import { expect, it } from 'vitest'
import { execute } from '../../src/db/query'
import { subscribersOfEvent } from '../../src/domain/streams/find-audience'
import type { LiveEvent } from '../../src/messages/live'
import { publish } from '../../src/streaming/publish'
import { addSubscriber, FakeStreams } from '../support/fake-streams'
import { given } from '../support/given'
import { announced, removeAnnounced } from '../support/given-announcement'
import { direct } from '../support/given-direct'
import { recordingDb, scannedTables } from '../support/recording-db'
import { context } from '../support/test-app'

const streams = new FakeStreams()

it('scans no table, for any event', async () => {
  const [author, named] = [await given.account(), await given.account()]
  for (const person of [author, named])
    await addSubscriber(person, 'user', 'user:notification', 'direct', 'list:1')
  const { id } = await direct(author, [named])
  const announcementId = Number(await announced('We will be away at noon.'))
  const statusId = Number(id)
  const everything: readonly LiveEvent[] = [
    { kind: 'status.posted', statusId },
    { kind: 'status.edited', statusId },
    { kind: 'status.removed', statusId },
    { kind: 'notifications.made', ids: [1, 2] },
    { kind: 'messages.encrypted', ids: [1, 2] },
    { kind: 'announcement.published', announcementId },
    { kind: 'announcement.reacted', announcementId, name: '🐦' },
  ]
  const { db, asked } = recordingDb()
  const ctx = { ...context(), db }
  const audience = ['user', 'direct'].flatMap((channel) =>
    [author, named].map((person) => ({ accountId: person.id, channel })),
  )
  for (const news of everything) await execute(db, subscribersOfEvent(ctx, news))
  await publish(
    ctx,
    streams.objects,
    everything.map((news) => ({ news, audience })),
  )
  await removeAnnounced(String(announcementId))
  expect((await streams.messagesTo(named)).map(({ event }) => event)).toContain('conversation')
  expect(asked.length).toBeGreaterThan(12)
  const scanned = await Promise.all(asked.map(scannedTables))
  expect([...new Set(scanned.flat())]).toEqual([])
})
