import { createReadStream } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { megalodonFailure, megalodonOf, posted } from '../support/megalodon'
import { aliceAndBob, newPerson } from '../support/people'
import { mediaPath } from '../support/pictures'

describe('editing with megalodon', () => {
  it('changes text, warning and files', async () => {
    const client = megalodonOf(await newPerson())
    const { data: media } = await client.uploadMedia(createReadStream(mediaPath('rgb.png')))
    const { id } = posted(await client.postStatus('A wern', { media_ids: [media.id] }))
    const { data: after } = await client.editStatus(id, {
      status: 'A wren',
      spoiler_text: 'Bird',
      sensitive: true,
      media_ids: [],
    })
    expect(after).toMatchObject({ id, content: '<p>A wren</p>', spoiler_text: 'Bird', media_attachments: [] })
    expect(after.edited_at).toMatch(/Z$/)
    expect((await client.getStatusSource(id)).data).toEqual({ id, text: 'A wren', spoiler_text: 'Bird' })
  })

  it('puts a poll under it, and another in its place', async () => {
    const { asAlice, asBob } = await aliceAndBob(megalodonOf)
    const { id } = posted(await asAlice.postStatus('Which?', {}))
    const first = await asAlice.editStatus(id, {
      status: 'Which?',
      poll: { options: ['Haw', 'Sloe'], expires_in: 600 },
    })
    const before = String(first.data.poll?.id)
    await asBob.votePoll(before, [0])
    const second = await asAlice.editStatus(id, {
      status: 'Which?',
      poll: { options: ['Haw', 'Rose'], expires_in: 600, multiple: true },
    })
    expect(second.data.poll).toMatchObject({ votes_count: 0, multiple: true })
    expect(second.data.poll?.options.map(({ title }) => title)).toEqual(['Haw', 'Rose'])
  })

  it('is for its author alone', async () => {
    const { asAlice, asBob } = await aliceAndBob(megalodonOf)
    const { id } = posted(await asAlice.postStatus('Mine', {}))
    expect(await megalodonFailure(asBob.editStatus(id, { status: 'Yours' }))).toMatchObject({ status: 404 })
  })
})

describe('quotes with megalodon', () => {
  it('show what they quote', async () => {
    const { alice, asAlice, asBob } = await aliceAndBob(megalodonOf)
    const { id } = posted(await asAlice.postStatus('Quote me', {}))
    const { quote } = posted(await asBob.postStatus('This!', { quote_id: id }))
    expect(quote).toMatchObject({ state: 'accepted', quoted_status: { id, account: { id: alice.id } } })
  })
})
