import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { notifications } from '../../../src/db/schema'
import { as } from '../../support/as'
import { idsOf } from '../../support/body-ids'
import { fediverse } from '../../support/fediverse'
import type { NoteOptions } from '../../support/fediverse/activity-factory'
import { processActivity } from '../../support/fediverse/process-activity'
import { given, type TestAccount } from '../../support/given'
import { followed } from '../../support/given-remote'
import { withSettings } from '../../support/settings'
import { context } from '../../support/test-app'

type Peer = Awaited<ReturnType<typeof given.peer>>

/** Whether a mention by `peer` is held back from `reader`, with the setting on. */
async function isHeld(peer: Peer, reader: TestAccount, more: NoteOptions = {}, on = true) {
  await withSettings({ quarantineMentions: on }, async () => {
    const note = peer.note({ ...more, mentions: [fediverse.local(reader)] })
    await processActivity(peer, peer.create(note))
  })
  const { filtered, accountId } = notifications
  const rows = await context().db.select({ filtered }).from(notifications).where(eq(accountId, reader.id))
  return rows.map((row) => row.filtered)
}

describe('mentions by remote accounts that nobody here follows', () => {
  it('filters mentions of unfollowed remote accounts as requests where the setting demands it, until the member accepts', async () => {
    const [reader, peer] = [await given.account(), await given.peer()]
    expect(await isHeld(peer, reader)).toEqual([true])
    expect(idsOf(await as(reader).get('/api/v1/notifications'))).toEqual([])
    const requests = await as(reader).get('/api/v1/notifications/requests')
    expect(requests.body).toMatchObject([{ account: { id: String(peer.id) } }])
    await as(reader).post(`/api/v1/notifications/requests/${idsOf(requests)[0]}/accept`)
    expect(await isHeld(peer, reader)).toEqual([false, false])
  })

  it('delivers mentions of unfollowed remote accounts without the setting', async () => {
    expect(await isHeld(await given.peer(), await given.account(), {}, false)).toEqual([false])
  })

  it('delivers mentions where any member follows the sender', async () => {
    const [reader, peer] = [await given.account(), await given.peer()]
    await followed(await given.account(), peer)
    expect(await isHeld(peer, reader)).toEqual([false])
  })

  it('delivers mentions that reply to a local status mentioning the sender, and to no other', async () => {
    const [reader, asked, other] = [await given.account(), await given.peer(), await given.peer()]
    const status = await given.status({ by: reader, text: `@${asked.username}@${asked.host} hello` })
    const inReplyTo = `https://fieldfare.test/users/${reader.username}/statuses/${status.id}`
    expect(await isHeld(asked, reader, { inReplyTo })).toEqual([false])
    expect(await isHeld(other, reader, { inReplyTo })).toEqual([false, true])
  })
})

describe('mentions by members', () => {
  it('delivers mentions by members, also without followers', async () => {
    const [reader, writer] = [await given.account(), await given.account()]
    await withSettings({ quarantineMentions: true }, () =>
      given.status({ by: writer, text: `@${reader.username} hello` }),
    )
    expect(await as(reader).get('/api/v1/notifications')).toMatchObject({ body: [{ type: 'mention' }] })
  })
})
