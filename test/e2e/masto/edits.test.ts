import { describe, expect, it } from 'vitest'
import { call } from '../support/http'
import { mastoFailure, mastoOf } from '../support/masto'
import { aliceAndBob, newPerson } from '../support/people'
import { mediaFile } from '../support/pictures'

describe('editing with masto', () => {
  it('changes text, warning and language, and keeps every version', async () => {
    const { asAlice, asBob } = await aliceAndBob(mastoOf)
    const before = await asAlice.v1.statuses.create({ status: 'A wern', spoilerText: 'Bird' })
    const status = asAlice.v1.statuses.$select(before.id)
    expect(before.editedAt).toBeNull()
    const after = await status.update({ status: 'A wren', spoilerText: '', language: 'de' })
    expect(after).toMatchObject({ id: before.id, spoilerText: '', language: 'de', content: '<p>A wren</p>' })
    expect(after.editedAt).toMatch(/Z$/)
    expect(await asBob.v1.statuses.$select(before.id).history.list()).toMatchObject([
      { content: '<p>A wern</p>', spoilerText: 'Bird', sensitive: true, createdAt: before.createdAt },
      { content: '<p>A wren</p>', spoilerText: '', sensitive: false, createdAt: after.editedAt },
    ])
    expect(await status.source.fetch()).toEqual({ id: before.id, text: 'A wren', spoilerText: '' })
  })

  it('changes description, focus and list of pictures', async () => {
    const client = mastoOf(await newPerson())
    const upload = async (description: string) =>
      client.v2.media.create({ file: await mediaFile('rgb.png', 'image/png'), description })
    const [first, second] = [await upload('A wern'), await upload('A nest')]
    const { id } = await client.v1.statuses.create({ status: 'Look', mediaIds: [first.id] })
    const after = await client.v1.statuses.$select(id).update({
      status: 'Look',
      mediaIds: [second.id, first.id],
      mediaAttributes: [{ id: first.id, description: 'A wren', focus: '-1,1' }],
    })
    expect(after.mediaAttachments).toMatchObject([
      { id: second.id, description: 'A nest' },
      { id: first.id, description: 'A wren', meta: { focus: { x: -1, y: 1 } } },
    ])
    const history = await client.v1.statuses.$select(id).history.list()
    expect(history.map((one) => one.mediaAttachments.map(({ description }) => description))).toEqual([
      ['A wern'],
      ['A nest', 'A wren'],
    ])
  })

  it('changes a poll, whose votes begin anew', async () => {
    const { asAlice, asBob } = await aliceAndBob(mastoOf)
    const options = ['Rowan', 'Haw']
    const { id, poll } = await asAlice.v1.statuses.create({
      status: 'Which?',
      poll: { options, expiresIn: 3600 },
    })
    await asBob.v1.polls.$select(String(poll?.id)).votes.create({ choices: [1] })
    const after = await asAlice.v1.statuses.$select(id).update({
      status: 'Which?',
      poll: { options: [...options, 'Rose'], expiresIn: 7200 },
    })
    expect(after.poll).toMatchObject({ votesCount: 0, options: [{}, {}, { title: 'Rose', votesCount: 0 }] })
    const history = await asAlice.v1.statuses.$select(id).history.list()
    expect(history).toMatchObject([
      { poll: { options: [{ title: 'Rowan' }, { title: 'Haw' }] } },
      { poll: { options: [{ title: 'Rowan' }, { title: 'Haw' }, { title: 'Rose' }] } },
    ])
  })

  it('notifies those who reblogged it, and is for its author alone', async () => {
    const { asAlice, asBob } = await aliceAndBob(mastoOf)
    const { id } = await asAlice.v1.statuses.create({ status: 'Once' })
    await asBob.v1.statuses.$select(id).reblog()
    const foreign = asBob.v1.statuses.$select(id).update({ status: 'Mine' })
    expect(await mastoFailure(foreign)).toMatchObject({ statusCode: 404, message: 'Record not found' })
    await asAlice.v1.statuses.$select(id).update({ status: 'Twice' })
    expect(await asBob.v1.notifications.list({ types: ['update'] })).toMatchObject([
      { type: 'update', status: { id, content: '<p>Twice</p>' } },
    ])
    const empty = asAlice.v1.statuses.$select(id).update({ status: '' })
    expect(await mastoFailure(empty)).toMatchObject({ statusCode: 422 })
  })
})

describe('quotes with masto', () => {
  it('show what they quote, are listed and notified', async () => {
    const { alice, asAlice, asBob } = await aliceAndBob(mastoOf)
    const { id } = await asAlice.v1.statuses.create({ status: 'Quote me', quoteApprovalPolicy: 'public' })
    const quote = await asBob.v1.statuses.create({ status: 'This!', quotedStatusId: id })
    expect(quote.quote).toMatchObject({ state: 'accepted', quotedStatus: { id, account: { id: alice.id } } })
    const seen = await asAlice.v1.statuses.$select(id).fetch()
    expect(seen).toMatchObject({ quotesCount: 1, quoteApproval: { automatic: ['public'] } })
    expect(await asAlice.v1.statuses.$select(id).quotes.list()).toMatchObject([{ id: quote.id }])
    expect(await asAlice.v1.notifications.list({ types: ['quote'] })).toMatchObject([
      { type: 'quote', status: { id: quote.id } },
    ])
    await asAlice.v1.statuses.$select(id).remove()
    const after = await asBob.v1.statuses.$select(quote.id).fetch()
    expect(after.quote).toMatchObject({ state: 'deleted', quotedStatus: null })
  })

  it('are refused where the author allows none', async () => {
    const { asAlice, asBob } = await aliceAndBob(mastoOf)
    const { id } = await asAlice.v1.statuses.create({ status: 'Mine', quoteApprovalPolicy: 'nobody' })
    const seen = await asBob.v1.statuses.$select(id).fetch()
    expect(seen.quoteApproval).toMatchObject({ automatic: [], manual: [], currentUser: 'denied' })
    const refused = asBob.v1.statuses.create({ status: 'This!', quotedStatusId: id })
    expect(await mastoFailure(refused)).toMatchObject({ statusCode: 404 })
    const own = await asAlice.v1.statuses.create({ status: 'As I said', quotedStatusId: id })
    expect(own.quote).toMatchObject({ state: 'accepted' })
  })

  it('can be revoked, and the quote policy can change', async () => {
    const { alice, asAlice, asBob } = await aliceAndBob(mastoOf)
    const { id } = await asAlice.v1.statuses.create({ status: 'Quote me' })
    const quote = await asBob.v1.statuses.create({ status: 'This!', quotedStatusId: id })
    await asAlice.v1.statuses.$select(id).update({ status: 'Quote me not' })
    expect(await asBob.v1.notifications.list({ types: ['quoted_update'] })).toMatchObject([
      { type: 'quoted_update', status: { id: quote.id } },
    ])
    // The client has no calls for these two.
    const path = `/api/v1/statuses/${id}`
    const revoked = await call(`${path}/quotes/${quote.id}/revoke`, { method: 'POST', as: alice })
    expect(await revoked.json()).toMatchObject({ id: quote.id, quote: { state: 'revoked' } })
    expect((await asBob.v1.statuses.$select(quote.id).fetch()).quote).toEqual({
      state: 'revoked',
      quotedStatus: null,
    })
    const body = new URLSearchParams({ quote_approval_policy: 'followers' })
    await call(`${path}/interaction_policy`, { method: 'PUT', as: alice, body })
    const seen = await asBob.v1.statuses.$select(id).fetch()
    expect(seen.quoteApproval).toMatchObject({ automatic: ['followers'], currentUser: 'denied' })
    expect(await asAlice.v1.statuses.$select(id).quotes.list()).toEqual([])
  })
})
