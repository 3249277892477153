import { env } from 'cloudflare:workers'
import { execute } from '../../../src/db/query'
import { Changes, commit } from '../../../src/domain/core/changes'
import { withheldKey } from '../../../src/domain/media/pictures'
import { ownStatus } from '../../../src/domain/statuses/find'
import { withdrawStatus } from '../../../src/domain/statuses/remove-in-parts'
import type { JobKind } from '../../../src/messages/jobs'
import { as } from '../as'
import { runCourierAlarms } from '../courier'
import { fediverse } from '../fediverse'
import { freshName, given } from '../given'
import { givenEmoji } from '../given-emoji'
import { cardIn, freshHost, page } from '../given-page'
import { relation } from '../given-relationships'
import { storedPicture, storedStatus } from '../given-stored'
import { storedUpload } from '../given-upload'
import { mediaFile } from '../media'
import { storedRow } from '../stored-row'
import { clock, context, settleLateWork } from '../test-app'
import { zipOf } from '../zip'
import { hasFile, type Scenario, stored } from './scenario'

const notificationsOf = (account: number, type: string) => () =>
  stored('select count(*) from notifications where account_id = ? and type = ?', account, type)

/** Jobs about statuses, their files and emojis, and what follows from them. */
export const jobsOfStatuses = {
  'notify-voters': async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const pollId = await storedRow('polls', {
      account_id: alice.id,
      status_id: await storedStatus({ accountId: alice.id }),
      options: '["Wren","Robin"]',
      tallies: '[1,0]',
      closed_at: clock.now().getTime(),
    })
    await storedRow('poll_votes', { poll_id: pollId, account_id: bob.id, choice: 0 })
    return {
      message: { kind: 'notify-voters', pollId, after: 0 },
      seen: notificationsOf(bob.id, 'poll'),
      before: 0,
      after: 1,
    }
  },
  'notify-of-edit': async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const statusId = await storedStatus({ accountId: alice.id, editedAt: clock.now() })
    const editedAt = await stored('select edited_at from statuses where id = ?', statusId)
    await storedStatus({ accountId: bob.id, reblogOfId: statusId })
    const after = { accountId: 0, quoteId: 0 }
    return {
      message: { kind: 'notify-of-edit', statusId, editedAt, since: editedAt, after },
      seen: notificationsOf(bob.id, 'update'),
      before: 0,
      after: 1,
    }
  },
  'continue-announcement-removal': async () => {
    const [alice, now] = [await given.account(), clock.now().getTime()]
    const text = { text: 'Soup', content: '<p>Soup</p>' }
    const id = await storedRow('announcements', { ...text, created_at: now, updated_at: now })
    await storedRow('announcement_mutes', { account_id: alice.id, announcement_id: id })
    return {
      message: { kind: 'continue-announcement-removal', announcementId: id },
      seen: () => stored('select count(*) from announcements where id = ?', id),
      before: 1,
      after: 0,
    }
  },
  // Formerly the first part of `continue-removal`.
  'federate-removal': async () => {
    const { alice, sent } = await followedFromAfar()
    const statusId = await storedStatus({ accountId: alice.id })
    const ctx = context()
    const own = await execute(ctx.db, ownStatus(ctx, alice.id, statusId))
    if (own === null) throw new Error('nothing to remove')
    const changes = new Changes()
    withdrawStatus(ctx, changes, own, null)
    await commit(ctx, changes)
    const event = {
      kind: 'status.deleted',
      accountId: alice.id,
      statusId,
      visibility: 'public',
      concernedIds: [],
    }
    return {
      message: { kind: 'continue-removal', statusId, announcement: { eventId: ctx.ids.next(), event } },
      seen: async () => [
        await stored('select count(*) from statuses where id = ?', statusId),
        await sent('Delete'),
      ],
      before: [1, 0],
      after: [0, 1],
    }
  },
  'continue-delivery': async () => {
    const { alice, sent } = await followedFromAfar()
    const event = { kind: 'account.updated', accountId: alice.id }
    return {
      message: { kind: 'continue-delivery', eventId: context().ids.next(), event, after: '' },
      seen: () => sent('Update'),
      before: 0,
      after: 1,
    }
  },
  'deliver-part': async () => {
    const { alice, peer, sent } = await followedFromAfar()
    const event = { kind: 'account.updated', accountId: alice.id }
    const part = { inboxes: [peer.sharedInbox], digests: null }
    return {
      message: { kind: 'deliver-part', eventId: context().ids.next(), event, ...part },
      seen: () => sent('Update'),
      before: 0,
      after: 1,
    }
  },
  'settle-uploads': async () => {
    const [alice, key] = [await given.account(), await storedFile()]
    const released = await storedStatus({ accountId: alice.id })
    await storedUpload(alice, { fileKey: key, previewKey: null, releasedFrom: released })
    return {
      message: { kind: 'settle-uploads', statusId: released, after: 0 },
      seen: async () => [await hasFile(key), await hasFile(withheldKey(key))],
      before: [true, false],
      after: [false, true],
    }
  },
  'settle-files': async () => {
    const [alice, key] = [await given.account({ suspendedAt: clock.now() }), await storedFile()]
    await storedStatus({ accountId: alice.id, attachments: [{ ...storedPicture, file: { key } }] })
    return {
      message: { kind: 'settle-files', accountId: alice.id, after: 0 },
      seen: async () => [await hasFile(key), await hasFile(withheldKey(key))],
      before: [true, false],
      after: [false, true],
    }
  },
  'delete-files': async () => {
    const key = await storedFile()
    return {
      message: { kind: 'delete-files', keys: [key] },
      seen: () => hasFile(key),
      before: true,
      after: false,
    }
  },
  'retire-files': async () => {
    const key = await storedFile()
    return {
      message: { kind: 'retire-files', keys: [key] },
      seen: () => hasFile(key),
      before: true,
      after: false,
    }
  },
  'run-effects': async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.followRequest(bob, alice)
    const id = await storedRow('outbox', {
      event: JSON.stringify({ kind: 'account.unlocked', accountId: alice.id }),
      not_before: clock.now().getTime(),
    })
    return {
      message: { kind: 'run-effects', entryIds: [id] },
      seen: async () => [
        await stored('select count(*) from outbox where id = ?', id),
        await stored('select count(*) from follows where account_id = ?', bob.id),
      ],
      before: [1, 0],
      after: [0, 1],
    }
  },
  'run-task': async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.mute(alice, bob, { expiresAt: new Date(clock.now().getTime() - 1) })
    return {
      message: { kind: 'run-task', task: 'expire-mutes', partsLeft: 2 },
      seen: () => stored('select count(*) from mutes where account_id = ?', alice.id),
      before: 1,
      after: 0,
    }
  },
  'rebuild-cached-list': async () => {
    const key = 'kept.networks.00000'
    await storedRow('settings', { key, value: '[]', updated_at: clock.now().getTime() })
    return {
      // Short lists are not cached.
      message: { kind: 'rebuild-cached-list', list: 'networks' },
      seen: () => stored('select count(*) from settings where key = ?', key),
      before: 1,
      after: 0,
    }
  },
  'refresh-emoji': async () => {
    const { shortcode } = await givenEmoji()
    await settleLateWork()
    const alice = await given.account({ displayName: `Alice :${shortcode}:` })
    await storedRow('emoji_uses', { shortcode, kind: 'account', subject_id: alice.id })
    return {
      message: { kind: 'refresh-emoji', shortcode, after: null },
      seen: () => stored(`select emojis ->> '$[0].shortcode' from accounts where id = ?`, alice.id),
      before: null,
      after: shortcode,
    }
  },
  'import-emojis': async () => {
    const [shortcode, key] = [freshName('imported'), freshName('imports/')]
    await env.MEDIA.put(key, zipOf([[`${shortcode}.png`, mediaFile('rgba.png')]]))
    return {
      message: { kind: 'import-emojis', key, category: null, from: 0 },
      seen: () => stored('select count(*) from custom_emojis where shortcode = ?', shortcode),
      before: 0,
      after: 1,
    }
  },
  'fetch-link-preview': async () => {
    const [alice, url] = [await given.account(), `https://${freshHost()}/wren`]
    page(url, '<meta property="og:title" content="The wren">')
    const { id } = await given.status({ by: alice, text: `Look: ${url}` })
    return {
      message: { kind: 'fetch-link-preview', statusId: Number(id), delaySeconds: 1 },
      seen: async () => cardIn((await as(alice).get(`/api/v1/statuses/${id}`)).body) !== null,
      before: false,
      after: true,
    }
  },
  'deliver-webhook': async () => {
    const [alice, url, now] = [await given.account(), `https://${freshHost()}/hook`, clock.now().getTime()]
    fediverse.network.respond(url, () => new Response('ok'))
    const events = '["account.created"]'
    const webhook = await storedRow('webhooks', { url, events, created_at: now, updated_at: now })
    const deliveryId = await storedRow('webhook_deliveries', {
      webhook_id: webhook,
      event: 'account.created',
      object_id: alice.id,
      occurred_at: now,
      next_attempt_at: now,
    })
    return {
      message: { kind: 'deliver-webhook', deliveryId },
      seen: () => stored('select state from webhook_deliveries where id = ?', deliveryId),
      before: 'pending',
      after: 'delivered',
    }
  },
} satisfies Partial<Record<JobKind, Scenario>>

async function storedFile(): Promise<string> {
  const key = freshName('media/file')
  await env.MEDIA.put(key, mediaFile('rgba.png'))
  return key
}

/** A member with a follower on another server, and the number of activities of a type that this server got. */
async function followedFromAfar() {
  const [alice, peer] = [await given.account(), await given.peer()]
  await peer.send(peer.follow(fediverse.local(alice)))
  const sent = async (type: string) => {
    await settleLateWork()
    await runCourierAlarms()
    return peer.received().filter((activity) => activity.type === type).length
  }
  return { alice, peer, sent }
}
