import { createReadStream } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { megalodonFailure, megalodonOf, posted } from '../support/megalodon'
import { aliceAndBob, newPerson } from '../support/people'
import { mediaPath } from '../support/pictures'

describe('statuses with megalodon', () => {
  it('carry a picture whose description can be changed until it is posted', async () => {
    const client = megalodonOf(await newPerson())
    const file = createReadStream(mediaPath('turned.jpg'))
    const { data: made } = await client.uploadMedia(file, { description: 'Before', focus: '0,1' })
    const { data: changed } = await client.updateMedia(made.id, { description: 'After' })
    expect(changed).toMatchObject({ id: made.id, type: 'image', description: 'After' })
    expect((await client.getMedia(made.id)).data).toMatchObject({ id: made.id, description: 'After' })
    const status = posted(await client.postStatus('Snap', { media_ids: [made.id], sensitive: true }))
    expect(status).toMatchObject({ sensitive: true, media_attachments: [{ id: made.id }] })
    const served = await fetch(String(status.media_attachments[0]?.url))
    expect([served.status, (await served.arrayBuffer()).byteLength > 100]).toEqual([200, true])
  })

  it('carry film and sound', async () => {
    const client = megalodonOf(await newPerson())
    for (const [name, type] of [
      ['silent.mp4', 'gifv'],
      ['constant.mp3', 'audio'],
      ['sound.mp4', 'video'],
    ] as const) {
      const { data } = await client.uploadMedia(createReadStream(mediaPath(name)))
      expect([name, data.type]).toEqual([name, type])
      const status = posted(await client.postStatus('', { media_ids: [data.id] }))
      const part = await fetch(String(status.media_attachments[0]?.url), { headers: { Range: 'bytes=0-9' } })
      expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
    }
  })

  it('are answered and seen in their thread', async () => {
    const { alice, asAlice, asBob } = await aliceAndBob(megalodonOf)
    const first = posted(await asAlice.postStatus('Anyone?', { visibility: 'public' }))
    const reply = posted(await asBob.postStatus(`${alice.acct} here`, { in_reply_to_id: first.id }))
    const { data } = await asAlice.getStatusContext(first.id)
    expect(data.ancestors).toEqual([])
    expect(data.descendants.map(({ id }) => id)).toEqual([reply.id])
    expect((await asBob.getStatusSource(reply.id)).data).toMatchObject({ text: `${alice.acct} here` })
  })

  it('are favourited, reblogged, bookmarked, muted and pinned, and back', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(megalodonOf)
    const { id } = posted(await asAlice.postStatus('Rowan', {}))
    expect((await asBob.favouriteStatus(id)).data).toMatchObject({ favourited: true, favourites_count: 1 })
    expect((await asBob.reblogStatus(id)).data).toMatchObject({ reblogged: true, reblog: { id } })
    expect((await asBob.bookmarkStatus(id)).data).toMatchObject({ bookmarked: true })
    expect((await asAlice.getStatusFavouritedBy(id)).data.map((account) => account.id)).toEqual([bob.id])
    expect((await asAlice.getStatusRebloggedBy(id)).data.map((account) => account.id)).toEqual([bob.id])
    expect((await asBob.getFavourites({ limit: 5 })).data.map((status) => status.id)).toEqual([id])
    expect((await asBob.getBookmarks({ limit: 5 })).data.map((status) => status.id)).toEqual([id])
    expect((await asBob.unfavouriteStatus(id)).data).toMatchObject({ favourited: false })
    expect((await asBob.unreblogStatus(id)).data).toMatchObject({ reblogged: false })
    expect((await asBob.unbookmarkStatus(id)).data).toMatchObject({ bookmarked: false })

    expect((await asAlice.muteStatus(id)).data).toMatchObject({ muted: true })
    expect((await asAlice.unmuteStatus(id)).data).toMatchObject({ muted: false })
    expect((await asAlice.pinStatus(id)).data).toMatchObject({ pinned: true })
    const pinned = await asBob.getAccountStatuses(alice.id, { pinned: true, only_media: false })
    expect(pinned.data.map((status) => status.id)).toEqual([id])
    expect((await asAlice.unpinStatus(id)).data).toMatchObject({ pinned: false })
    expect(await megalodonFailure(asBob.pinStatus(id))).toMatchObject({
      status: 422,
      error: "Validation failed: Someone else's post cannot be pinned",
    })
  })

  it('carry a poll', async () => {
    const { asAlice, asBob } = await aliceAndBob(megalodonOf)
    const { poll } = posted(
      await asAlice.postStatus('Haw or sloe?', {
        poll: { options: ['Haw', 'Sloe'], expires_in: 600, hide_totals: true },
      }),
    )
    const id = String(poll?.id)
    const { data } = await asBob.votePoll(id, [1])
    expect(data).toMatchObject({ voted: true, votes_count: 1, multiple: false })
    expect(data.options.map((option) => option.votes_count)).toEqual([null, null])
    expect((await asAlice.getPoll(id)).data).toMatchObject({ votes_count: 1 })
    expect((await megalodonFailure(asBob.votePoll(id, [0]))).status).toBe(422)
  })

  it('are deleted for good', async () => {
    const { asAlice, asBob } = await aliceAndBob(megalodonOf)
    const { id } = posted(await asAlice.postStatus('Away', { spoiler_text: 'Gone' }))
    expect((await megalodonFailure(asBob.deleteStatus(id))).status).toBe(404)
    expect((await asAlice.deleteStatus(id)).data).toMatchObject({ id, spoiler_text: 'Gone' })
    expect(await megalodonFailure(asBob.getStatus(id))).toEqual({ status: 404, error: 'Record not found' })
  })

  it('that cannot be posted say why', async () => {
    const client = megalodonOf(await newPerson())
    expect(await megalodonFailure(client.postStatus('', {}))).toMatchObject({
      status: 422,
      error: expect.stringMatching(/^Validation failed: /),
    })
    const unknown = client.postStatus('To whom?', { in_reply_to_id: '1' })
    expect((await megalodonFailure(unknown)).status).toBe(404)
    expect((await megalodonFailure(megalodonOf(null).postStatus('Hm', {}))).status).toBe(401)
  })
})
