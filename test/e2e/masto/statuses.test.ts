import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { OEmbed } from '../../../src/contract/entities/oembed'
import { mastoAnonymous, mastoFailure, mastoOf } from '../support/masto'
import { aliceAndBob, newPerson, origin } from '../support/people'
import { mediaFile } from '../support/pictures'

describe('statuses with masto', () => {
  it('are posted with a picture that is described, sized and served', async () => {
    const client = mastoOf(await newPerson())
    const attachment = await client.v2.media.create({
      file: await mediaFile('rgb.png', 'image/png'),
      description: 'A fieldfare',
      focus: '0.5,-0.25',
    })
    expect(attachment).toMatchObject({ type: 'image', description: 'A fieldfare' })
    expect(attachment.blurhash).toMatch(/^.{6,}$/)
    expect(attachment.meta?.focus).toEqual({ x: 0.5, y: -0.25 })

    const posted = await client.v1.statuses.create({ status: 'Look!', mediaIds: [attachment.id] })
    expect(posted.mediaAttachments).toMatchObject([{ id: attachment.id, description: 'A fieldfare' }])
    for (const url of [attachment.url, attachment.previewUrl]) {
      const served = await fetch(String(url))
      expect([served.status, served.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^image\/(png|webp)$/),
      ])
      expect((await served.arrayBuffer()).byteLength).toBeGreaterThan(100)
    }
  })

  it('are answered, and a thread shows what came before and after', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const first = await asAlice.v1.statuses.create({ status: 'Who is in the hedge?' })
    const reply = await asBob.v1.statuses.create({
      status: `${alice.acct} a wren`,
      inReplyToId: first.id,
      visibility: 'unlisted',
    })
    const last = await asAlice.v1.statuses.create({ status: `${bob.acct} sure?`, inReplyToId: reply.id })

    expect(reply).toMatchObject({ inReplyToId: first.id, inReplyToAccountId: alice.id })
    expect(reply.mentions).toMatchObject([{ id: alice.id, acct: alice.username }])
    const thread = await mastoAnonymous().v1.statuses.$select(reply.id).context.fetch()
    expect(thread.ancestors.map(({ id }) => id)).toEqual([first.id])
    expect(thread.descendants.map(({ id }) => id)).toEqual([last.id])
    expect((await asBob.v1.statuses.$select(first.id).fetch()).repliesCount).toBe(1)
  })

  it('are embedded in other pages, by oEmbed', async () => {
    const client = mastoOf(await newPerson())
    const { url } = await client.v1.statuses.create({ status: 'Frame me' })
    const told = await fetch(`${origin}/api/oembed?url=${encodeURIComponent(String(url))}`)
    const framed = await fetch(/src="([^"]+)"/.exec(OEmbed.parse(await told.json()).html)?.[1] ?? '')
    expect(framed.status).toBe(200)
    expect(await framed.text()).toContain('Frame me')
  })

  it('are favourited, reblogged and bookmarked, and all of it undone', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const { id } = await asAlice.v1.statuses.create({ status: 'Berries!' })
    const status = asBob.v1.statuses.$select(id)

    expect(await status.favourite()).toMatchObject({ favourited: true, favouritesCount: 1 })
    const reblog = await status.reblog()
    expect(reblog).toMatchObject({ reblogged: true, account: { id: bob.id } })
    expect(reblog.reblog).toMatchObject({ id, account: { id: alice.id }, reblogsCount: 1 })
    expect(await status.bookmark()).toMatchObject({ bookmarked: true })
    const seen = asAlice.v1.statuses.$select(id)
    expect((await seen.favouritedBy.list()).map((account) => account.id)).toEqual([bob.id])
    expect((await seen.rebloggedBy.list()).map((account) => account.id)).toEqual([bob.id])
    expect((await asBob.v1.favourites.list()).map((one) => one.id)).toEqual([id])
    expect((await asBob.v1.bookmarks.list()).map((one) => one.id)).toEqual([id])

    await status.unfavourite()
    await status.unreblog()
    expect(await status.unbookmark()).toMatchObject({ bookmarked: false })
    expect(await status.fetch()).toMatchObject({
      favourited: false,
      reblogged: false,
      favouritesCount: 0,
      reblogsCount: 0,
    })
  })

  it('are pinned to the profile and unpinned', async () => {
    const alice = await newPerson()
    const client = mastoOf(alice)
    const { id } = await client.v1.statuses.create({ status: 'First of all' })
    await client.v1.statuses.create({ status: 'Something else' })
    expect(await client.v1.statuses.$select(id).pin()).toMatchObject({ pinned: true })
    const pinned = () => mastoAnonymous().v1.accounts.$select(alice.id).statuses.list({ pinned: true })
    expect((await pinned()).map((status) => status.id)).toEqual([id])
    expect(await client.v1.statuses.$select(id).unpin()).toMatchObject({ pinned: false })
    expect(await pinned()).toEqual([])
  })

  it('of a muted conversation notify nobody', async () => {
    const { alice, asAlice, asBob } = await aliceAndBob(mastoOf)
    const { id } = await asAlice.v1.statuses.create({ status: 'Quiet now' })
    expect(await asAlice.v1.statuses.$select(id).mute()).toMatchObject({ muted: true })
    await asBob.v1.statuses.create({ status: `${alice.acct} loud`, inReplyToId: id })
    expect(await asAlice.v1.notifications.list()).toEqual([])
    expect(await asAlice.v1.statuses.$select(id).unmute()).toMatchObject({ muted: false })
    await asBob.v1.statuses.create({ status: `${alice.acct} again`, inReplyToId: id })
    expect(await asAlice.v1.notifications.list()).toMatchObject([{ type: 'mention' }])
  })

  it('come back as text when they are deleted, for another try', async () => {
    const client = mastoOf(await newPerson())
    const media = await client.v2.media.create({
      file: await mediaFile('upright.jpg', 'image/jpeg'),
      skipPolling: true,
    })
    const { id } = await client.v1.statuses.create({
      status: 'Tpyo #birds',
      spoilerText: 'Oops',
      mediaIds: [media.id],
    })
    const gone = await client.v1.statuses.$select(id).remove()
    expect(gone).toMatchObject({ text: 'Tpyo #birds', spoilerText: 'Oops' })
    expect(await mastoFailure(client.v1.statuses.$select(id).fetch())).toMatchObject({
      statusCode: 404,
      message: 'Record not found',
    })
    const again = await client.v1.statuses.create({ status: 'Typo #birds', mediaIds: [media.id] })
    expect(again.mediaAttachments.map((one) => one.id)).toEqual([media.id])
    expect(again.tags).toMatchObject([{ name: 'birds' }])
  })

  it('carry a poll that others vote in once', async () => {
    const { asAlice, asBob } = await aliceAndBob(mastoOf)
    const { poll } = await asAlice.v1.statuses.create({
      status: 'Which?',
      poll: { options: ['Rowan', 'Haw', 'Rose'], expiresIn: 3600, multiple: true },
    })
    const id = String(poll?.id)
    expect(poll).toMatchObject({ multiple: true, expired: false, votesCount: 0, voted: true })

    const voted = await asBob.v1.polls.$select(id).votes.create({ choices: [0, 2] })
    expect(voted).toMatchObject({ voted: true, ownVotes: [0, 2], votesCount: 2, votersCount: 1 })
    expect(voted.options.map((option) => option.votesCount)).toEqual([1, 0, 1])
    const twice = await mastoFailure(asBob.v1.polls.$select(id).votes.create({ choices: [1] }))
    expect(twice.statusCode).toBe(422)
    const own = await mastoFailure(asAlice.v1.polls.$select(id).votes.create({ choices: [1] }))
    expect(own.statusCode).toBe(422)
  })

  it('with the same idempotency key are one', async () => {
    const alice = await newPerson()
    const client = mastoOf(alice)
    const key = { requestInit: { headers: new Headers({ 'Idempotency-Key': randomUUID() }) } }
    const [first, second] = [
      await client.v1.statuses.create({ status: 'Once' }, key),
      await client.v1.statuses.create({ status: 'Once' }, key),
    ]
    expect(second.id).toBe(first.id)
    expect(await client.v1.accounts.$select(alice.id).statuses.list()).toHaveLength(1)
  })

  it('for followers or for one are hidden from all others', async () => {
    const { bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const carol = mastoOf(await newPerson('carol'))
    const quiet = await asAlice.v1.statuses.create({ status: 'Followers only', visibility: 'private' })
    const direct = await asAlice.v1.statuses.create({ status: `${bob.acct} psst`, visibility: 'direct' })
    expect((await asBob.v1.statuses.$select(direct.id).fetch()).visibility).toBe('direct')
    for (const id of [quiet.id, direct.id])
      for (const client of [carol, mastoAnonymous()]) {
        const refused = { statusCode: 404, message: 'Record not found' }
        expect(await mastoFailure(client.v1.statuses.$select(id).fetch())).toMatchObject(refused)
      }
  })

  it('that break the rules are refused with a reason', async () => {
    const client = mastoOf(await newPerson())
    const refused = [
      client.v1.statuses.create({ status: 'x'.repeat(501) }),
      client.v1.statuses.create({ status: '' }),
      client.v1.statuses.create({ status: 'Poll', poll: { options: ['one'], expiresIn: 3600 } }),
      client.v1.statuses.create({ mediaIds: ['1'] }),
    ]
    for (const failure of await Promise.all(refused.map(mastoFailure))) {
      expect(failure.statusCode).toBe(422)
      expect(failure.message).toMatch(/^Validation failed: |^Media 1 not found or already attached/)
    }
  })

  it('become markup that a timeline can show', async () => {
    const { alice, asBob } = await aliceAndBob(mastoOf)
    const { content, language } = await asBob.v1.statuses.create({
      status: `Hello ${alice.acct}, see https://birds.example/a#b #Wren\n\n<b>no</b>`,
      language: 'de',
    })
    expect(language).toBe('de')
    expect(content).toContain(`class="u-url mention">@<span>${alice.username}</span></a>`)
    expect(content).toContain('rel="tag">#<span>Wren</span></a>')
    expect(content).toContain('<span class="invisible">https://</span>')
    expect(content).toContain('&lt;b&gt;no&lt;/b&gt;')
  })
})
