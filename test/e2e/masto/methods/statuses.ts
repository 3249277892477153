import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { idsOf } from '../../support/ids'
import { mastoFailure } from '../../support/masto'
import { aliceAndBob, newPerson } from '../../support/people'
import { mediaFile } from '../../support/pictures'
import { type As, idsOnPages, type ResourceV1, type ResourceV2, type Uses } from './use'

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** Two people, and a status of the first. */
async function posted(as: As) {
  const people = await aliceAndBob(as)
  const { id } = await people.asAlice.v1.statuses.create({ status: 'Berries!' })
  return { ...people, id }
}

export const statuses: Uses<
  Extract<
    ResourceV1,
    'bookmarks' | 'conversations' | 'favourites' | 'media' | 'polls' | 'scheduledStatuses' | 'statuses'
  >
> = {
  async statuses(as) {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(as)
    const { v1, v2 } = asAlice
    const file = await mediaFile('rgb.png', 'image/png')
    const media = await v2.media.create({ file, description: 'A wern', skipPolling: true })
    const mediaIds = [media.id]
    const status = `Hello ${bob.acct}, see https://birds.example/a#b #Wren\n\n<b>no</b>`
    const first = await v1.statuses.create({ status, mediaIds, language: 'de', spoilerText: 'Bird' })
    expect(first).toMatchObject({
      spoilerText: 'Bird',
      language: 'de',
      editedAt: null,
      tags: [{ name: 'wren' }],
    })
    expect(first.mentions).toMatchObject([{ id: bob.id, acct: bob.username }])
    expect(first.content).toContain(`class="u-url mention">@<span>${bob.username}</span></a>`)
    expect(first.content).toContain('&lt;b&gt;no&lt;/b&gt;')
    const own = v1.statuses.$select(first.id)
    const edited = await own.update({
      status: 'A wren',
      spoilerText: '',
      mediaIds,
      mediaAttributes: [{ id: media.id, description: 'A wren', focus: '-1,1' }],
    })
    expect(edited).toMatchObject({
      content: '<p>A wren</p>',
      editedAt: expect.stringMatching(/Z$/),
      mediaAttachments: [{ id: media.id, description: 'A wren', meta: { focus: { x: -1, y: 1 } } }],
    })
    const seen = asBob.v1.statuses.$select(first.id)
    expect(await seen.history.list()).toMatchObject([
      { spoilerText: 'Bird', sensitive: true, createdAt: first.createdAt },
      { content: '<p>A wren</p>', spoilerText: '', sensitive: false, createdAt: edited.editedAt },
    ])
    expect(await own.source.fetch()).toEqual({ id: first.id, text: 'A wren', spoilerText: '' })
    expect(await own.card.fetch()).toEqual({})
    expect(idsOf(await v1.statuses.fetch({ id: [first.id, '1'] }))).toEqual([first.id])

    const reply = await asBob.v1.statuses.create({ status: `${alice.acct} sure?`, inReplyToId: first.id })
    expect(reply).toMatchObject({ inReplyToId: first.id, inReplyToAccountId: alice.id })
    const thread = await seen.context.fetch()
    expect([idsOf(thread.ancestors), idsOf(thread.descendants)]).toEqual([[], [reply.id]])
    expect((await seen.fetch()).repliesCount).toBe(1)

    expect(await seen.favourite()).toMatchObject({ favourited: true, favouritesCount: 1 })
    const reblog = await seen.reblog()
    expect(reblog).toMatchObject({ reblogged: true, account: { id: bob.id }, reblog: { id: first.id } })
    expect(await seen.bookmark()).toMatchObject({ bookmarked: true })
    expect(idsOf(await own.favouritedBy.list())).toEqual([bob.id])
    expect(idsOf(await own.rebloggedBy.list())).toEqual([bob.id])
    expect(await seen.unfavourite()).toMatchObject({ favourited: false })
    expect(await seen.unreblog()).toMatchObject({ reblogged: false })
    expect(await seen.unbookmark()).toMatchObject({ bookmarked: false })
    expect(await own.mute()).toMatchObject({ muted: true })
    expect(await own.unmute()).toMatchObject({ muted: false })
    expect(await own.pin()).toMatchObject({ pinned: true })
    expect(await own.unpin()).toMatchObject({ pinned: false })

    const quote = await asBob.v1.statuses.create({ status: 'This!', quotedStatusId: first.id })
    expect(quote.quote).toMatchObject({ state: 'accepted', quotedStatus: { id: first.id } })
    expect(await seen.fetch()).toMatchObject({ quotesCount: 1, quoteApproval: { automatic: ['public'] } })
    expect(idsOf(await own.quotes.list())).toEqual([quote.id])
    const untranslated = await mastoFailure(seen.translate({ lang: 'en' }))
    expect(untranslated).toMatchObject({ statusCode: 404, message: 'Record not found' })

    expect((await mastoFailure(seen.remove())).statusCode).toBe(404)
    expect(await own.remove()).toMatchObject({ id: first.id, text: 'A wren' })
    expect(await mastoFailure(seen.fetch())).toMatchObject({ statusCode: 404, message: 'Record not found' })
    expect(await mastoFailure(v1.statuses.create({ status: '' }))).toMatchObject({
      statusCode: 422,
      message: expect.stringMatching(/^Validation failed: /),
    })
    const key = { requestInit: { headers: new Headers({ 'Idempotency-Key': randomUUID() }) } }
    const again = () => v1.statuses.create({ status: 'Once' }, key)
    expect((await again()).id).toBe((await again()).id)
  },

  async bookmarks(as) {
    const { asBob, id } = await posted(as)
    await asBob.v1.statuses.$select(id).bookmark()
    expect(idsOf(await asBob.v1.bookmarks.list())).toEqual([id])
  },

  async favourites(as) {
    const { asAlice, asBob, id } = await posted(as)
    const { id: later } = await asAlice.v1.statuses.create({ status: 'Sloes!' })
    for (const one of [later, id]) await asBob.v1.statuses.$select(one).favourite()
    expect(await idsOnPages(asBob.v1.favourites.list({ limit: 1 }))).toEqual([id, later])
  },

  async conversations(as) {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(as)
    const sent = await asAlice.v1.statuses.create({ status: `${bob.acct} psst`, visibility: 'direct' })
    const [found, ...more] = await asBob.v1.conversations.list()
    expect(found).toMatchObject({ unread: true, accounts: [{ id: alice.id }], lastStatus: { id: sent.id } })
    expect(more).toEqual([])
    const one = asBob.v1.conversations.$select(String(found?.id))
    expect(await one.read()).toMatchObject({ unread: false })
    expect(await one.unread()).toMatchObject({ unread: true })
    await one.remove()
    expect(await asBob.v1.conversations.list()).toEqual([])
    await asAlice.v1.statuses.create({ status: `${bob.acct} you there?`, visibility: 'direct' })
    expect(await idsOnPages(asAlice.v1.conversations.list({ limit: 1 }))).toHaveLength(2)
  },

  async media(as) {
    const { media } = as(await newPerson()).v1
    const file = await mediaFile('turned.jpg', 'image/jpeg')
    const made = await media.create({ file, description: 'Before', focus: '0,1' })
    expect(made).toMatchObject({ type: 'image', description: 'Before', meta: { focus: { x: 0, y: 1 } } })
    const one = media.$select(made.id)
    expect(await one.update({ description: 'After' })).toMatchObject({ id: made.id, description: 'After' })
    expect(await one.fetch()).toMatchObject({ id: made.id, description: 'After' })
  },

  async polls(as) {
    const { asAlice, asBob } = await aliceAndBob(as)
    const asked = { options: ['Rowan', 'Haw', 'Rose'], expiresIn: 3600, multiple: true }
    const { poll } = await asAlice.v1.statuses.create({ status: 'Which?', poll: asked })
    expect(poll).toMatchObject({ multiple: true, expired: false, votesCount: 0, voted: true })
    const one = asBob.v1.polls.$select(String(poll?.id))
    const voted = await one.votes.create({ choices: [0, 2] })
    expect(voted).toMatchObject({ voted: true, ownVotes: [0, 2], votesCount: 2, votersCount: 1 })
    expect(voted.options.map(({ votesCount }) => votesCount)).toEqual([1, 0, 1])
    expect(await one.fetch()).toEqual(voted)
    expect((await mastoFailure(one.votes.create({ choices: [1] }))).statusCode).toBe(422)
  },

  async scheduledStatuses(as) {
    const { statuses: own, scheduledStatuses } = as(await newPerson()).v1
    const made = await own.create({ status: 'Wrens', visibility: 'unlisted', scheduledAt: inMinutes(60) })
    expect(made).toMatchObject({ params: { text: 'Wrens', visibility: 'unlisted' }, mediaAttachments: [] })
    expect(idsOf(await scheduledStatuses.list())).toEqual([made.id])
    const scheduledAt = inMinutes(120)
    const one = scheduledStatuses.$select(made.id)
    expect(await one.update({ scheduledAt })).toMatchObject({ id: made.id, scheduledAt })
    expect(await one.fetch()).toMatchObject({ scheduledAt })
    await one.remove()
    expect((await mastoFailure(one.fetch())).statusCode).toBe(404)
    const soon = own.create({ status: 'Soon', scheduledAt: inMinutes(1) })
    expect((await mastoFailure(soon)).statusCode).toBe(422)
  },
}

export const statusesV2: Uses<Extract<ResourceV2, 'media'>> = {
  async media(as) {
    const { v1, v2 } = as(await newPerson())
    const file = await mediaFile('rgb.png', 'image/png')
    // Unless told otherwise, the client waits until the picture has an address.
    const made = await v2.media.create({ file, description: 'A fieldfare', focus: '0.5,-0.25' })
    expect(made).toMatchObject({
      type: 'image',
      description: 'A fieldfare',
      meta: { focus: { x: 0.5, y: -0.25 } },
    })
    expect(made.blurhash).toMatch(/^.{6,}$/)
    const { mediaAttachments } = await v1.statuses.create({ status: 'Look!', mediaIds: [made.id] })
    expect(mediaAttachments).toMatchObject([{ id: made.id, description: 'A fieldfare' }])
    for (const url of [made.url, made.previewUrl]) {
      const served = await fetch(String(url))
      const type = expect.stringMatching(/^image\/(png|webp)$/)
      expect([served.status, served.headers.get('content-type')]).toEqual([200, type])
      expect((await served.arrayBuffer()).byteLength).toBeGreaterThan(100)
    }
  },
}
