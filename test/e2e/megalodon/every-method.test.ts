import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { detector, type Entity, Mastodon, type MegalodonInterface } from 'megalodon'
import { describe, expect, inject, it } from 'vitest'
import * as z from 'zod'
import { pushReader } from '../../support/push-reader'
import { idsOf } from '../support/ids'
import { noting } from '../support/masto-methods'
import { megalodonFailure, megalodonOf, posted } from '../support/megalodon'
import { operate } from '../support/operator'
import { aliceAndBob, domain, newName, newPerson, newTag, origin } from '../support/people'
import { mediaPath } from '../support/pictures'

/** Methods called while signing in and streaming, which have tests of their own. */
const elsewhere = [
  'registerApp',
  'createApp',
  'generateAuthUrl',
  'verifyAppCredentials',
  'registerAccount',
  'fetchAccessToken',
  'refreshToken',
  'revokeToken',
  'userStreaming',
  'publicStreaming',
  'localStreaming',
  'tagStreaming',
  'listStreaming',
  'directStreaming',
]
/** Methods that ask no Mastodon server for anything, or that the interface for apps leaves out. */
const unasked = [
  'urlToAccounts',
  'cancel',
  'getAccountFavourites',
  'readNotifications',
  'createEmojiReaction',
  'deleteEmojiReaction',
  'getEmojiReactions',
  'getEmojiReaction',
]

const called = new Set<string>()
const as = (person: { readonly token: string } | null): MegalodonInterface =>
  noting(megalodonOf(person), called)

/** Data URL of a file: this client sends JSON, so pictures travel inside the text. */
async function dataUrl(name: string, type: string): Promise<string> {
  return `data:${type};base64,${await readFile(mediaPath(name), 'base64')}`
}

function scheduled({ data }: { readonly data: Entity.Status | Entity.ScheduledStatus }) {
  if ('params' in data) return data
  throw new Error('The status was posted instead of scheduled')
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const kinds = (list: readonly Entity.Notification[]) => list.map(({ type }) => type)

describe('megalodon', () => {
  it('reads and changes the own account', async () => {
    const client = as(await newPerson())
    const { data: before } = await client.verifyAccountCredentials()
    const { data: after } = await client.updateCredentials({
      display_name: 'Redwing',
      note: 'Winter guest',
      locked: true,
      bot: false,
      source: { privacy: 'private', language: 'sv' },
      fields_attributes: [{ name: 'From', value: 'Norrland' }],
      avatar: await dataUrl('rgb.png', 'image/png'),
      header: await dataUrl('upright.jpg', 'image/jpeg'),
    })
    expect(after).toMatchObject({
      display_name: 'Redwing',
      locked: true,
      fields: [{ name: 'From', value: 'Norrland' }],
      source: { privacy: 'private', language: 'sv', note: 'Winter guest' },
    })
    expect(after.avatar).not.toBe(before.avatar)
    expect(after.header).not.toBe(before.header)
    expect((await client.getPreferences()).data).toMatchObject({ 'posting:default:visibility': 'private' })
  })

  it('reads other accounts, follows, mutes and blocks them, and undoes it', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(as)
    const steps = [
      [await asAlice.followAccount(bob.id, { reblog: true }), { following: true, showing_reblogs: true }],
      [await asAlice.subscribeAccount(bob.id), { notifying: true }],
      [await asAlice.unsubscribeAccount(bob.id), { notifying: false }],
      [await asAlice.muteAccount(bob.id, false), { muting: true, muting_notifications: false }],
      [await asAlice.setAccountNote(bob.id, 'Hops'), { note: 'Hops' }],
      [await asAlice.pinAccount(bob.id), { endorsed: true }],
    ] as const
    for (const [{ data }, expected] of steps) expect(data).toMatchObject({ id: bob.id, ...expected })
    expect(idsOf((await asAlice.getMutes({ limit: 5 })).data)).toEqual([bob.id])
    expect(idsOf((await asAlice.getEndorsements()).data)).toEqual([bob.id])
    expect(idsOf((await asAlice.getAccountFollowing(alice.id)).data)).toEqual([bob.id])
    const followers = await as(null).getAccountFollowers(bob.id, { limit: 1, get_all: true })
    expect(idsOf(followers.data)).toEqual([alice.id])
    expect((await asAlice.getRelationships([bob.id])).data).toMatchObject([{ id: bob.id, note: 'Hops' }])
    expect((await asAlice.getIdentityProof(bob.id)).data).toEqual([])
    const undone = [
      [await asAlice.unmuteAccount(bob.id), { muting: false }],
      [await asAlice.unpinAccount(bob.id), { endorsed: false }],
      [await asAlice.unfollowAccount(bob.id), { following: false }],
      [await asAlice.blockAccount(bob.id), { blocking: true }],
    ] as const
    for (const [{ data }, expected] of undone) expect(data).toMatchObject({ id: bob.id, ...expected })
    expect(idsOf((await asAlice.getBlocks({ limit: 5 })).data)).toEqual([bob.id])
    expect((await asAlice.unblockAccount(bob.id)).data).toMatchObject({ blocking: false })
    expect((await asAlice.getRelationship(bob.id)).data).toMatchObject({ blocking: false })

    expect((await asAlice.lookupAccount(`${bob.username}@${domain}`)).data.id).toBe(bob.id)
    expect((await asAlice.getAccount(bob.id)).data.acct).toBe(bob.username)
    expect(idsOf((await asAlice.searchAccount(bob.username, { limit: 3, resolve: false })).data)).toEqual([
      bob.id,
    ])
    const missing = { status: 404, error: 'Record not found' }
    expect(await megalodonFailure(asAlice.getAccount('1'))).toEqual(missing)
    const far = `${newName('far').replace('_', '-')}.example`
    await asBob.blockDomain(far)
    expect((await asBob.getDomainBlocks({ limit: 5 })).data).toEqual([far])
    await asBob.unblockDomain(far)
    expect((await asBob.getDomainBlocks()).data).toEqual([])
    const { data: report } = await asAlice.report(bob.id, { comment: 'An advertisement' })
    expect(report).toMatchObject({ category: 'other', target_account: { id: bob.id } })
  })

  it('megalodon answers follow requests', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(as)
    const carol = await newPerson('carol')
    await asBob.updateCredentials({ locked: true })
    for (const client of [asAlice, as(carol)])
      expect((await client.followAccount(bob.id)).data).toMatchObject({ requested: true, following: false })
    expect((await asBob.getFollowRequests(10)).data.map(({ id }) => id)).toEqual([carol.id, alice.id])
    expect((await asBob.acceptFollowRequest(alice.id)).data).toMatchObject({ followed_by: true })
    expect((await asBob.rejectFollowRequest(carol.id)).data).toMatchObject({ followed_by: false })
  })

  it('posts, edits and deletes statuses with media and polls', async () => {
    const { alice, asAlice, asBob } = await aliceAndBob(as)
    const file = createReadStream(mediaPath('turned.jpg'))
    const { data: made } = await asAlice.uploadMedia(file, { description: 'Before', focus: '0,1' })
    const { data: changed } = await asAlice.updateMedia(made.id, { description: 'After' })
    expect(changed).toMatchObject({ id: made.id, type: 'image', description: 'After' })
    expect((await asAlice.getMedia(made.id)).data).toMatchObject({ id: made.id, description: 'After' })
    const { data: film } = await asAlice.uploadMedia(createReadStream(mediaPath('sound.mp4')))
    expect(film.type).toBe('video')
    const first = posted(await asAlice.postStatus('A wern', { media_ids: [made.id], sensitive: true }))
    expect(first).toMatchObject({ sensitive: true, media_attachments: [{ id: made.id }] })
    const { data: edited } = await asAlice.editStatus(first.id, { status: 'A wren', spoiler_text: 'Bird' })
    expect(edited).toMatchObject({ content: '<p>A wren</p>', spoiler_text: 'Bird' })
    expect(edited.edited_at).toMatch(/Z$/)
    const source = { id: first.id, text: 'A wren', spoiler_text: 'Bird' }
    expect((await asAlice.getStatusSource(first.id)).data).toEqual(source)
    const reply = posted(await asBob.postStatus(`${alice.acct} here`, { in_reply_to_id: first.id }))
    const { data: thread } = await asAlice.getStatusContext(first.id)
    expect([thread.ancestors, idsOf(thread.descendants)]).toEqual([[], [reply.id]])
    const { quote } = posted(await asBob.postStatus('This!', { quote_id: first.id }))
    expect(quote).toMatchObject({ state: 'accepted', quoted_status: { id: first.id } })

    const asked = { options: ['Haw', 'Sloe'], expires_in: 600, hide_totals: true }
    const { poll } = posted(await asAlice.postStatus('Haw or sloe?', { poll: asked }))
    const voted = (await asBob.votePoll(String(poll?.id), [1])).data
    expect(voted).toMatchObject({ voted: true, votes_count: 1, multiple: false })
    expect(voted.options.map((option) => option.votes_count)).toEqual([null, null])
    expect((await asAlice.getPoll(String(poll?.id))).data).toMatchObject({ votes_count: 1 })

    const waiting = scheduled(await asAlice.postStatus('Later', { scheduled_at: inHours(1) }))
    expect(waiting.params.text).toBe('Later')
    expect(idsOf((await asAlice.getScheduledStatuses()).data)).toEqual([waiting.id])
    const { data: moved } = await asAlice.scheduleStatus(waiting.id, inHours(2))
    expect((await asAlice.getScheduledStatus(waiting.id)).data.scheduled_at).toBe(moved.scheduled_at)
    await asAlice.cancelScheduledStatus(waiting.id)
    expect((await megalodonFailure(asAlice.getScheduledStatus(waiting.id))).status).toBe(404)

    expect((await asAlice.deleteStatus(first.id)).data).toMatchObject({ id: first.id, spoiler_text: 'Bird' })
    const missing = { status: 404, error: 'Record not found' }
    expect(await megalodonFailure(asBob.getStatus(first.id))).toEqual(missing)
    expect(await megalodonFailure(asAlice.postStatus('', {}))).toMatchObject({
      status: 422,
      error: expect.stringMatching(/^Validation failed: /),
    })
  })

  it('interacts with statuses, and undoes it', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(as)
    const { id } = posted(await asAlice.postStatus('Rowan', {}))
    expect((await asBob.favouriteStatus(id)).data).toMatchObject({ favourited: true, favourites_count: 1 })
    expect((await asBob.reblogStatus(id)).data).toMatchObject({ reblogged: true, reblog: { id } })
    expect((await asBob.bookmarkStatus(id)).data).toMatchObject({ bookmarked: true })
    expect(idsOf((await asAlice.getStatusFavouritedBy(id)).data)).toEqual([bob.id])
    expect(idsOf((await asAlice.getStatusRebloggedBy(id)).data)).toEqual([bob.id])
    expect(idsOf((await asBob.getFavourites({ limit: 5 })).data)).toEqual([id])
    expect(idsOf((await asBob.getBookmarks({ limit: 5 })).data)).toEqual([id])
    expect((await asBob.unfavouriteStatus(id)).data).toMatchObject({ favourited: false })
    expect((await asBob.unreblogStatus(id)).data).toMatchObject({ reblogged: false })
    expect((await asBob.unbookmarkStatus(id)).data).toMatchObject({ bookmarked: false })
    expect((await asAlice.muteStatus(id)).data).toMatchObject({ muted: true })
    expect((await asAlice.unmuteStatus(id)).data).toMatchObject({ muted: false })
    expect((await asAlice.pinStatus(id)).data).toMatchObject({ pinned: true })
    const pinned = await asBob.getAccountStatuses(alice.id, { pinned: true, only_media: false })
    expect(idsOf(pinned.data)).toEqual([id])
    expect((await asAlice.unpinStatus(id)).data).toMatchObject({ pinned: false })
  })

  it('reads timelines, lists and conversations', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(as)
    await asAlice.followAccount(bob.id)
    const { data: list } = await asAlice.createList('Herons')
    const renamed = (await asAlice.updateList(list.id, 'Egrets')).data
    expect(renamed).toMatchObject({ id: list.id, title: 'Egrets' })
    expect((await asAlice.getList(list.id)).data).toEqual(renamed)
    expect((await asAlice.getLists()).data).toEqual([renamed])
    await asAlice.addAccountsToList(list.id, [bob.id])
    expect(idsOf((await asAlice.getAccountsInList(list.id)).data)).toEqual([bob.id])
    expect(idsOf((await asAlice.getAccountLists(bob.id)).data)).toEqual([list.id])

    const tag = newTag('egret')
    const { id } = posted(await asBob.postStatus(`An #${tag}`, {}))
    for (const timeline of [
      asAlice.getHomeTimeline({ limit: 10 }),
      asAlice.getListTimeline(list.id),
      as(null).getTagTimeline(tag),
    ])
      expect(idsOf((await timeline).data)).toEqual([id])
    for (const timeline of [
      as(null).getPublicTimeline({ limit: 40 }),
      asAlice.getLocalTimeline({ limit: 40 }),
    ])
      expect(idsOf((await timeline).data)).toContain(id)
    await asAlice.deleteAccountsFromList(list.id, [bob.id])
    await asAlice.deleteList(list.id)
    expect((await asAlice.getLists()).data).toEqual([])

    const sent = posted(await asAlice.postStatus(`${bob.acct} psst`, { visibility: 'direct' }))
    const { data: conversations } = await asBob.getConversationTimeline({ limit: 5 })
    const conversation = { unread: true, accounts: [{ id: alice.id }], last_status: { id: sent.id } }
    expect(conversations).toMatchObject([conversation])
    const conversationId = String(conversations[0]?.id)
    const read = { id: conversationId, unread: false }
    expect((await asBob.readConversation(conversationId)).data).toMatchObject(read)
    await asBob.deleteConversation(conversationId)
    expect((await asBob.getConversationTimeline()).data).toEqual([])
  })

  it('reads notifications and markers, and subscribes to pushes', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(as)
    const { id } = posted(await asAlice.postStatus('Listen', {}))
    await asBob.followAccount(alice.id)
    await asBob.favouriteStatus(id)
    const { data: all } = await asAlice.getNotifications({ limit: 10 })
    expect(kinds(all)).toEqual(['favourite', 'follow'])
    expect(all[0]).toMatchObject({ account: { id: bob.id }, status: { id } })
    expect(kinds((await asAlice.getNotifications({ exclude_types: ['follow'] })).data)).toEqual(['favourite'])
    const newest = String(all[0]?.id)
    const marked = { notifications: { last_read_id: newest, version: 1 } }
    const { data: marker } = await asAlice.saveMarkers({ notifications: { last_read_id: newest } })
    expect(marker).toMatchObject(marked)
    expect((await asAlice.getMarkers(['notifications'])).data).toMatchObject(marked)
    expect((await asAlice.getNotification(newest)).data).toMatchObject({ type: 'favourite' })
    await asAlice.dismissNotification(newest)
    expect((await megalodonFailure(asAlice.getNotification(newest))).status).toBe(404)
    await asAlice.dismissNotifications()
    expect((await asAlice.getNotifications()).data).toEqual([])

    const endpoint = `http://127.0.0.1:${inject('pushPort')}/megalodon`
    const subscription = { endpoint, keys: pushReader(false).keys }
    const { data } = await asAlice.subscribePushNotification(subscription, { alerts: { mention: true } })
    expect(data).toMatchObject({ endpoint, alerts: { mention: true } })
    await asAlice.updatePushSubscription({ alerts: { follow: true } })
    expect((await asAlice.getPushSubscription()).data).toMatchObject({ alerts: { follow: true } })
    await asAlice.deletePushSubscription()
    expect((await megalodonFailure(asAlice.getPushSubscription())).status).toBe(404)
  })

  it('filters, follows hashtags and features them', async () => {
    const asAlice = as(await newPerson('alice'))
    // The filters of before 4.0, with a single phrase each.
    const { data: made } = await asAlice.createFilter('heron', ['home'], { irreversible: true })
    expect(made).toMatchObject({ phrase: 'heron', context: ['home'], irreversible: true, whole_word: false })
    const more = { irreversible: false, whole_word: true, expires_in: '3600' }
    const { data: changed } = await asAlice.updateFilter(made.id, 'egret', ['home', 'thread'], more)
    expect(changed).toMatchObject({ id: made.id, phrase: 'egret', irreversible: false, whole_word: true })
    expect((await asAlice.getFilter(made.id)).data).toEqual(changed)
    expect((await asAlice.getFilters()).data).toEqual([changed])
    await asAlice.deleteFilter(made.id)
    expect((await asAlice.getFilters()).data).toEqual([])

    const name = newTag('Nuthatch')
    expect((await asAlice.followTag(name)).data).toMatchObject({ name, following: true })
    expect((await asAlice.getTag(name)).data).toMatchObject({ name, following: true })
    expect((await asAlice.getFollowedTags()).data.map((tag) => tag.name)).toEqual([name])
    expect((await asAlice.unfollowTag(name)).data).toMatchObject({ following: false })
    posted(await asAlice.postStatus(`My #${name}`, {}))
    expect((await asAlice.getSuggestedTags()).data.map((tag) => tag.name)).toEqual([name])
    const { data: featured } = await asAlice.createFeaturedTag(name)
    expect(featured).toMatchObject({ name, last_status_at: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
    expect((await asAlice.getFeaturedTags()).data).toEqual([featured])
    await asAlice.deleteFeaturedTag(featured.id)
    expect((await asAlice.getFeaturedTags()).data).toEqual([])
  })

  it('searches, and discovers accounts and trends', async () => {
    const { bob, asAlice, asBob } = await aliceAndBob(as)
    const carol = await newPerson('carol')
    await as(carol).updateCredentials({ discoverable: true })
    posted(await as(carol).postStatus('Here I am', {}))
    await asAlice.followAccount(bob.id)
    await asBob.followAccount(carol.id)
    expect(idsOf((await asAlice.getSuggestions(80)).data)).toContain(carol.id)
    const directory = await asAlice.getInstanceDirectory({ limit: 80, order: 'active', local: true })
    expect(idsOf(directory.data)).toContain(carol.id)
    expect((await as(null).getInstanceTrends(10)).data.length).toBeLessThanOrEqual(10)
    const word = newTag('dipper')
    const { id } = posted(await asAlice.postStatus(`${word} 東京の鳥`, { visibility: 'private' }))
    for (const [client, found] of [[asAlice, [id]] as const, [asBob, []] as const]) {
      const { data } = await client.search(`${word} 東京`, { type: 'statuses', limit: 5 })
      expect(idsOf(data.statuses)).toEqual(found)
    }
  })

  it('reads about the instance and its announcements', async () => {
    expect(await detector(origin)).toBe('mastodon')
    const client = as(null)
    const { data } = await client.getInstance()
    expect(data).toMatchObject({
      uri: domain,
      title: 'The Hedge',
      version: expect.stringMatching(/^4\.6\.5\+fieldfare-\d/),
      registrations: true,
      approval_required: false,
      urls: { streaming_api: expect.stringMatching(/^wss?:\/\//) },
      configuration: {
        statuses: { max_characters: 500, max_media_attachments: 4, characters_reserved_per_url: 23 },
        polls: { max_options: 4, max_characters_per_option: 50 },
      },
    })
    expect(data.rules?.map(({ text }) => text)).toEqual(['Be kind to small birds', 'No cats'])
    expect(String(await client.streamingURL())).toMatch(/^wss?:\/\//)
    expect(Array.isArray((await client.getInstanceCustomEmojis()).data)).toBe(true)
    expect((await client.getInstancePeers()).data).toEqual([])
    const { data: weeks } = await client.getInstanceActivity()
    expect(weeks).toHaveLength(12)

    const asAlice = as(await newPerson('alice'))
    const made = await operate('POST', '/api/fieldfare/v1/admin/announcements', {
      text: 'The feeder is full again',
    })
    const { id } = z.object({ id: z.string() }).parse(made)
    const read = async () => (await asAlice.getInstanceAnnouncements()).data.find((one) => one.id === id)
    expect(await read()).toMatchObject({ content: expect.stringContaining('feeder'), read: false })
    await asAlice.addReactionToAnnouncement(id, '🌰')
    expect((await read())?.reactions).toMatchObject([{ name: '🌰', count: 1, me: true }])
    await asAlice.removeReactionFromAnnouncement(id, '🌰')
    await asAlice.dismissInstanceAnnouncement(id)
    expect(await read()).toMatchObject({ read: true, reactions: [] })
    await operate('DELETE', `/api/fieldfare/v1/admin/announcements/${id}`, {})
  })

  it('megalodon calls every method', () => {
    const names = Object.getOwnPropertyNames(Mastodon.prototype).filter((name) => name !== 'constructor')
    expect(names.length).toBeGreaterThan(100)
    const own = [...called].filter((path) => !path.includes('.'))
    expect([...new Set([...own, ...elsewhere, ...unasked])].toSorted()).toEqual(names.toSorted())
  })
})
