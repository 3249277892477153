import { expect, inject } from 'vitest'
import { pushReader } from '../../../support/push-reader'
import { idsOf } from '../../support/ids'
import { mastoFailure } from '../../support/masto'
import { aliceAndBob, newPerson, newTag, origin } from '../../support/people'
import { mediaFile } from '../../support/pictures'
import { type As, idsOnPages, type ResourceV1, type ResourceV2, type Uses } from './use'

/** Two people, the first of whom follows the second and has a list of them. */
async function fan(as: As) {
  const people = await aliceAndBob(as)
  const { bob, asAlice } = people
  await asAlice.v1.accounts.$select(bob.id).follow()
  const list = await asAlice.v1.lists.create({ title: 'Warblers' })
  const asOwner = asAlice.v1.lists.$select(list.id)
  await asOwner.accounts.create({ accountIds: [bob.id] })
  return { ...people, list, asOwner }
}

/** Two people, the second of whom follows the first and did things to a status. */
async function applause(as: As) {
  const people = await aliceAndBob(as)
  const { alice, asAlice, asBob } = people
  const { id: statusId } = await asAlice.v1.statuses.create({ status: 'Hark' })
  await asBob.v1.accounts.$select(alice.id).follow()
  await asBob.v1.statuses.$select(statusId).favourite()
  return { ...people, statusId }
}

/** A private mention from a stranger, which is held back. */
async function whisper(as: As, to: { readonly acct: string }) {
  const { id } = await as(await newPerson('stranger')).v1.statuses.create({
    status: `${to.acct} psst`,
    visibility: 'direct',
  })
  return id
}

const kinds = (list: readonly { readonly type: string }[]) => list.map(({ type }) => type)

export const reading: Uses<
  Extract<
    ResourceV1,
    | 'collections'
    | 'featuredTags'
    | 'filters'
    | 'followedTags'
    | 'lists'
    | 'markers'
    | 'notifications'
    | 'push'
    | 'search'
    | 'tags'
    | 'timelines'
    | 'trends'
  >
> = {
  async collections(as) {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(as)
    const carol = await newPerson('carol')
    for (const client of [asBob, as(carol)])
      await client.v1.accounts.updateCredentials({ discoverable: true })
    const said = { name: 'Garden birds', description: 'They come & go', language: 'en', discoverable: true }
    const { collection } = await asAlice.v1.collections.create({ ...said, accountIds: [bob.id] })
    expect(collection).toMatchObject({
      accountId: alice.id,
      ...said,
      description: expect.stringContaining('They come &amp; go'),
      local: true,
      itemCount: 1,
      items: [{ accountId: bob.id, state: 'accepted' }],
      tag: null,
    })
    const one = asAlice.v1.collections.$select(collection.id)
    const seen = await as(null).v1.collections.$select(collection.id).fetch()
    expect(seen.collection).toEqual(collection)
    expect(idsOf(seen.accounts).toSorted()).toEqual([alice.id, bob.id].toSorted())
    const tagName = newTag('garden')
    const { collection: changed } = await one.update({ name: 'My birds', tagName })
    expect(changed).toMatchObject({ name: 'My birds', tag: { name: tagName } })
    const { collectionItem } = await one.items.create({ accountId: carol.id })
    expect(collectionItem).toMatchObject({ accountId: carol.id, state: 'accepted' })
    await one.items.$select(collectionItem.id).remove()
    const bobs = asBob.v1.collections.$select(collection.id)
    await bobs.items.$select(String(collection.items[0]?.id)).revoke()
    expect((await one.fetch()).collection).toMatchObject({ itemCount: 0, items: [] })
    expect(await mastoFailure(bobs.update({ name: 'Bobs' }))).toMatchObject({ statusCode: 403 })
    await one.remove()
    expect(await mastoFailure(one.fetch())).toMatchObject({ statusCode: 404 })
  },

  async featuredTags(as) {
    const alice = await newPerson('alice')
    const { featuredTags, statuses } = as(alice).v1
    const name = newTag('Nuthatch')
    await statuses.create({ status: `My #${name}` })
    expect((await featuredTags.suggestions.list()).map((tag) => tag.name)).toEqual([name])
    const featured = await featuredTags.create({ name: `#${name}` })
    expect(featured).toMatchObject({ name, url: expect.stringContaining(alice.username) })
    expect(Number(featured.statusesCount)).toBe(1)
    expect(featured.lastStatusAt).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(await featuredTags.list()).toEqual([featured])
    await featuredTags.$select(featured.id).remove()
    expect(await featuredTags.list()).toEqual([])
  },

  async filters(as) {
    const { filters } = as(await newPerson()).v1
    const made = await filters.create({ phrase: 'heron', context: ['home'], irreversible: true })
    expect(made).toMatchObject({ phrase: 'heron', context: ['home'], irreversible: true, wholeWord: false })
    const one = filters.$select(made.id)
    const changed = await one.update({ phrase: 'egret', context: ['home', 'thread'], wholeWord: true })
    expect(changed).toMatchObject({ phrase: 'egret', context: ['home', 'thread'], wholeWord: true })
    expect(await one.fetch()).toEqual(changed)
    expect(await filters.list()).toEqual([changed])
    await one.remove()
    expect(await filters.list()).toEqual([])
  },

  async followedTags(as) {
    const { tags, followedTags } = as(await newPerson()).v1
    const names = [newTag('brambling'), newTag('linnet')]
    for (const name of names) await tags.$select(name).follow()
    const followed: string[] = []
    for await (const page of followedTags.list({ limit: 1 })) followed.push(...page.map(({ name }) => name))
    expect(followed).toEqual(names.toReversed())
  },

  async lists(as) {
    const { bob, asAlice, asBob, list, asOwner } = await fan(as)
    expect(list).toEqual({ id: list.id, title: 'Warblers', repliesPolicy: 'list', exclusive: false })
    // The client's types leave out the policy for replies.
    const changes = { title: 'Shore', exclusive: true, repliesPolicy: 'followed' }
    const renamed = await asOwner.update(changes)
    expect(renamed).toEqual({ id: list.id, title: 'Shore', repliesPolicy: 'followed', exclusive: true })
    expect(await asOwner.fetch()).toEqual(renamed)
    expect(await asAlice.v1.lists.list()).toEqual([renamed])
    const carol = await newPerson('carol')
    await asAlice.v1.accounts.$select(carol.id).follow()
    await asOwner.accounts.create({ accountIds: [carol.id] })
    expect(await idsOnPages(asOwner.accounts.list({ limit: 1 }))).toEqual([carol.id, bob.id])
    await asOwner.accounts.remove({ accountIds: [carol.id] })
    expect(idsOf(await asOwner.accounts.list())).toEqual([bob.id])
    const foreign = asBob.v1.lists.$select(list.id)
    expect(await mastoFailure(foreign.fetch())).toMatchObject({
      statusCode: 404,
      message: 'Record not found',
    })
    await asOwner.remove()
    expect(await asAlice.v1.lists.list()).toEqual([])
  },

  async markers(as) {
    const { asAlice } = await applause(as)
    const [newest] = await asAlice.v1.notifications.list()
    const lastReadId = String(newest?.id)
    const marked = await asAlice.v1.markers.create({ notifications: { lastReadId } })
    expect(marked).toMatchObject({ notifications: { lastReadId, version: 1 } })
    expect(await asAlice.v1.markers.fetch({ timeline: ['home', 'notifications'] })).toEqual(marked)
  },

  async notifications(as) {
    const { alice, bob, asAlice, statusId } = await applause(as)
    const { notifications } = asAlice.v1
    const all = await notifications.list()
    expect(kinds(all)).toEqual(['favourite', 'follow'])
    expect(all[0]).toMatchObject({ account: { id: bob.id }, status: { id: statusId } })
    expect(kinds(await notifications.list({ types: ['follow'] }))).toEqual(['follow'])
    expect(kinds(await notifications.fetch({ excludeTypes: ['follow'] }))).toEqual(['favourite'])
    const up = notifications.list({ limit: 1, minId: '0' }).setDirection('prev')
    expect(await idsOnPages(up)).toEqual(idsOf(all).toReversed())
    expect(await notifications.unreadCount.fetch()).toEqual({ count: 2 })
    const one = notifications.$select(String(all[0]?.id))
    expect(await one.fetch()).toMatchObject({ type: 'favourite' })
    await one.dismiss()
    expect(await mastoFailure(one.fetch())).toMatchObject({ statusCode: 404 })
    await notifications.clear()
    expect(await notifications.list()).toEqual([])

    const { requests } = notifications
    const sent = await whisper(as, alice)
    const [request] = await requests.list()
    expect(request).toMatchObject({ lastStatus: { id: sent }, notificationsCount: '1' })
    const asked = requests.$select(String(request?.id))
    expect(await asked.fetch()).toMatchObject({ id: request?.id })
    await asked.accept()
    expect(await requests.merged.fetch()).toEqual({ merged: true })
    expect(await notifications.list()).toMatchObject([{ type: 'mention', status: { id: sent } }])
    await whisper(as, alice)
    const [next] = await requests.list()
    await requests.$select(String(next?.id)).dismiss()
    expect(await requests.list()).toEqual([])
    // The client sends no ids with these two.
    for (const several of [requests.accept, requests.dismiss]) await several()
  },

  async push(as) {
    const { subscription: own } = as(await newPerson()).v1.push
    const endpoint = `http://127.0.0.1:${inject('pushPort')}/masto`
    const subscription = { endpoint, keys: pushReader(true).keys }
    const data = { alerts: { mention: true, poll: true } }
    const created = await own.create({ subscription, data, policy: 'followed' })
    expect(created).toMatchObject({ endpoint, alerts: { mention: true, poll: true } })
    await own.update({ data: { alerts: { follow: true } } })
    expect((await own.fetch()).alerts).toEqual({ follow: true })
    await own.remove()
    expect(await mastoFailure(own.fetch())).toMatchObject({ statusCode: 404 })
  },

  async search(as) {
    // As in Mastodon since 3.0.
    const gone = as(await newPerson()).v1.search.list({ q: 'wren' })
    expect(await mastoFailure(gone)).toMatchObject({ statusCode: 404 })
  },

  async tags(as) {
    const { tags, statuses } = as(await newPerson()).v1
    const name = newTag('Siskin')
    await statuses.create({ status: `Look, a #${name}` })
    const one = tags.$select(name.toLowerCase())
    const tag = await one.fetch()
    expect(tag).toMatchObject({ name, following: false, featuring: false, id: expect.any(String) })
    expect(tag.history).toHaveLength(7)
    expect(tag.history?.[0]).toEqual({ day: expect.any(String), uses: '1', accounts: '1' })
    expect(await one.follow()).toMatchObject({ name, following: true })
    expect(await one.unfollow()).toMatchObject({ following: false })
    expect(await one.feature()).toMatchObject({ featuring: true })
    expect(await one.unfeature()).toMatchObject({ featuring: false })
    const wrong = tags.$select('not a tag').fetch()
    expect(await mastoFailure(wrong)).toMatchObject({ statusCode: 404 })
  },

  async timelines(as) {
    const { alice, asAlice, asBob, list } = await fan(as)
    const { timelines } = asAlice.v1
    const tag = newTag('larch')
    const file = await mediaFile('palette.png', 'image/png')
    const { id: mediaId } = await asBob.v2.media.create({ file, skipPolling: true })
    const pictured = await asBob.v1.statuses.create({ status: `#${tag}`, mediaIds: [mediaId] })
    const quiet = await asBob.v1.statuses.create({ status: `#${tag} for friends`, visibility: 'private' })
    const direct = await asBob.v1.statuses.create({ status: `${alice.acct} psst`, visibility: 'direct' })
    const followed = [quiet.id, pictured.id]
    expect(idsOf(await timelines.home.list())).toEqual([direct.id, ...followed])
    expect(await idsOnPages(timelines.list.$select(list.id).list({ limit: 1 }))).toEqual(followed)
    expect(idsOf(await timelines.public.list({ local: true, limit: 40 }))).toContain(pictured.id)
    expect(idsOf(await timelines.tag.$select(tag).list({ onlyMedia: true }))).toEqual([pictured.id])
    expect(idsOf(await timelines.direct.list())).toEqual([direct.id])
    const untrendy = timelines.link.list({ url: 'https://birds.example/' })
    expect(await mastoFailure(untrendy)).toMatchObject({ statusCode: 404 })
  },

  async trends(as) {
    // The statuses of the administration's tests are refused or waiting.
    const { trends } = as(null).v1
    for (const list of [trends.statuses, trends.links, trends.tags])
      expect(Array.isArray(await list.list({ limit: 20 }))).toBe(true)
  },
}

export const readingV2: Uses<Extract<ResourceV2, 'filters' | 'notifications' | 'search' | 'suggestions'>> = {
  async filters(as) {
    const { asAlice, asBob } = await aliceAndBob(as)
    const { filters } = asAlice.v2
    const made = await filters.create({
      title: 'Birds',
      context: ['home', 'thread'],
      expiresIn: 3600,
      keywordsAttributes: [{ keyword: 'heron' }, { keyword: 'coot', wholeWord: false }],
    })
    const [heron, coot] = made.keywords
    expect(made).toMatchObject({ title: 'Birds', context: ['home', 'thread'], filterAction: 'warn' })
    expect([heron, coot]).toMatchObject([
      { keyword: 'heron', wholeWord: true },
      { keyword: 'coot', wholeWord: false },
    ])
    const filter = filters.$select(made.id)
    const changed = await filter.update({
      title: 'Waders',
      filterAction: 'hide',
      keywordsAttributes: [
        { id: heron?.id ?? null, _destroy: true },
        { id: coot?.id ?? null, keyword: 'stilt' },
        { keyword: 'avocet' },
      ],
    })
    expect(changed).toMatchObject({ title: 'Waders', filterAction: 'hide' })
    expect(changed.keywords.map(({ keyword }) => keyword)).toEqual(['stilt', 'avocet'])
    expect(await filters.list()).toEqual([changed])
    const keyword = await filter.keywords.create({ keyword: 'heron' })
    const one = filters.keywords.$select(keyword.id)
    const next = { keyword: 'egret', wholeWord: false }
    expect(await one.update(next)).toEqual({ id: keyword.id, ...next })
    expect(await one.fetch()).toEqual({ id: keyword.id, ...next })
    expect(await filter.keywords.list()).toHaveLength(3)
    await one.remove()
    expect(await filter.keywords.list()).toHaveLength(2)
    const { id: statusId } = await asBob.v1.statuses.create({ status: 'Look' })
    const filtered = await filter.statuses.create({ statusId })
    expect(await filters.statuses.$select(filtered.id).fetch()).toEqual(filtered)
    expect(await filter.statuses.list()).toEqual([filtered])
    const seen = await asAlice.v1.statuses.$select(statusId).fetch()
    expect(seen.filtered).toMatchObject([{ filter: { id: made.id }, statusMatches: [statusId] }])
    await filters.statuses.$select(filtered.id).remove()
    expect(await filter.fetch()).toMatchObject({ statuses: [] })
    await filter.remove()
    expect(await filters.list()).toEqual([])
  },

  async notifications(as) {
    const { alice, bob, asAlice, asBob, statusId } = await applause(as)
    const fan = await newPerson('fan')
    await as(fan).v1.statuses.$select(statusId).favourite()
    const { notifications } = asAlice.v2
    const found = await notifications.list()
    expect(found.notificationGroups).toMatchObject([
      { type: 'favourite', notificationsCount: 2, statusId, sampleAccountIds: [fan.id, bob.id] },
      { type: 'follow', notificationsCount: 1, sampleAccountIds: [bob.id] },
    ])
    expect(idsOf(found.accounts).toSorted()).toEqual([bob.id, fan.id].toSorted())
    expect(idsOf(found.statuses)).toEqual([statusId])
    const apart = await notifications.list({ types: ['favourite'], groupedTypes: ['follow'] })
    expect(apart.notificationGroups.map((group) => group.notificationsCount)).toEqual([1, 1])
    expect(await notifications.unreadCount.fetch()).toEqual({ count: 2 })
    const one = notifications.$select(String(found.notificationGroups[0]?.groupKey))
    expect((await one.fetch()).notificationGroups).toMatchObject([{ notificationsCount: 2 }])
    expect(idsOf(await one.accounts.fetch())).toEqual([fan.id, bob.id])
    await one.dismiss()
    expect(kinds((await notifications.list()).notificationGroups)).toEqual(['follow'])

    const { policy } = notifications
    expect(await policy.fetch()).toMatchObject({ forPrivateMentions: 'filter', forNotFollowing: 'accept' })
    expect(await policy.update({ forNotFollowing: 'filter' })).toMatchObject({ forNotFollowing: 'filter' })
    await asBob.v1.statuses.create({ status: `${alice.acct} hello` })
    expect((await policy.fetch()).summary).toEqual({ pendingRequestsCount: 1, pendingNotificationsCount: 1 })
  },

  async search(as) {
    const { bob, asAlice } = await aliceAndBob(as)
    const word = newTag('wheatear')
    const { id } = await asAlice.v1.statuses.create({ status: `Zwei ${word} in den Dünen #${word}` })
    const found = await asAlice.v2.search.list({ q: word })
    expect(found).toMatchObject({ hashtags: [{ name: word }], statuses: [{ id }], accounts: [] })
    const people = await asAlice.v2.search.list({ q: bob.username, type: 'accounts' })
    expect(idsOf(people.accounts)).toEqual([bob.id])
    const page = await asAlice.v2.search.list({ q: `${word} from:me`, type: 'statuses', offset: 1 })
    expect(page.statuses).toEqual([])
    const byUrl = await asAlice.v2.search.list({ q: `${origin}/@${bob.username}`, resolve: true })
    expect(idsOf(byUrl.accounts)).toEqual([bob.id])
  },

  async suggestions(as) {
    const { asAlice, asBob } = await fan(as)
    const carol = await newPerson('carol')
    await as(carol).v1.accounts.updateCredentials({ discoverable: true })
    await asBob.v1.accounts.$select(carol.id).follow()
    const all = await asAlice.v2.suggestions.list({ limit: 80 })
    expect(all.find(({ account }) => account.id === carol.id)).toMatchObject({
      source: 'past_interactions',
      sources: ['friends_of_friends'],
    })
    expect(await mastoFailure(as(null).v2.suggestions.list())).toMatchObject({ statusCode: 401 })
  },
}
