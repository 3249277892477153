import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Status } from '../../../src/contract/entities/status'
import { StatusEdit } from '../../../src/contract/entities/status-details'
import { statuses } from '../../../src/db/schema'
import { closePolls } from '../../../src/domain/polls/close'
import type { FederatedEvent } from '../../../src/messages/events'
import { anonymous, as, type TestResponse } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedUpload } from '../../support/given-upload'
import { mediaFile } from '../../support/media'
import { openStreamSocket } from '../../support/streaming'
import { clock, context } from '../../support/test-app'

const path = '/api/v1/statuses'
const parsed = (answer: TestResponse) => Status.parse(answer.body)

async function post(by: TestAccount, fields: Record<string, unknown>) {
  const status = parsed(await as(by).post(path, fields))
  clock.advance(60_000)
  return status
}

const edit = (by: TestAccount, id: string, fields: Record<string, unknown>, options = {}) =>
  as(by).put(`${path}/${id}`, fields, options)

const dataUrl = (name: Parameters<typeof mediaFile>[0]) =>
  `data:application/octet-stream;base64,${btoa(String.fromCharCode(...mediaFile(name)))}`

async function historyOf(by: TestAccount, id: string) {
  return z.array(StatusEdit).parse((await as(by).get(`${path}/${id}/history`)).body)
}

async function noticesOf(person: TestAccount, type: string) {
  return (await as(person).get(`/api/v1/notifications?types[]=${type}`)).body
}

describe('PUT statuses/:id', () => {
  it('edit by the author → edited_at set, history grows, new content [T-530]', async () => {
    const alice = await given.account()
    const [old, fresh] = [freshName('tag'), freshName('tag')]
    const { id } = await post(alice, { status: `first #${old}`, spoiler_text: 'eggs' })
    const told: FederatedEvent[] = []
    const delivery = { federate: async (event: FederatedEvent) => void told.push(event) }
    const answer = await edit(
      alice,
      id,
      { status: `second #${fresh}`, spoiler_text: '', sensitive: false, language: 'fr' },
      { overrides: { delivery } },
    )
    expect(answer.body).toMatchObject({
      id,
      edited_at: clock.now().toISOString(),
      spoiler_text: '',
      sensitive: false,
      language: 'fr',
      content: expect.stringContaining('second'),
      tags: [{ name: fresh }],
    })
    expect(told).toEqual([{ kind: 'status.updated', accountId: alice.id, statusId: Number(id) }])
    expect(await historyOf(alice, id)).toMatchObject([
      { content: expect.stringContaining('first'), spoiler_text: 'eggs', sensitive: true },
      { content: expect.stringContaining('second'), spoiler_text: '', sensitive: false },
    ])
    expect((await as(alice).get(`${path}/${id}/source`)).body).toMatchObject({ text: `second #${fresh}` })
    const tagged = (name: string) => anonymous.get(`/api/v1/timelines/tag/${name}`)
    expect([(await tagged(old)).body, (await tagged(fresh)).body]).toMatchObject([[], [{ id }]])
    expect(answer.costs.trips).toBeLessThanOrEqual(5)
  })

  it('notifies accounts that reblogged it, mentioned ones, and the newly mentioned', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const [carol, dora] = [await given.account(), await given.account()]
    const { id } = await post(alice, { status: `@${carol.username} look` })
    await as(bob).post(`${path}/${id}/reblog`)
    await edit(alice, id, { status: `@${carol.username} and @${dora.username} look there` })
    expect(await noticesOf(bob, 'update')).toMatchObject([{ status: { id } }])
    expect(await noticesOf(carol, 'update')).toMatchObject([{ status: { id } }])
    expect(await noticesOf(dora, 'mention')).toMatchObject([{ status: { id } }])
    expect(await noticesOf(dora, 'update')).toEqual([])
  })

  it('unchanged content → no new edit [T-531]', async () => {
    const alice = await given.account()
    const { id } = await post(alice, { status: 'the same' })
    const told: FederatedEvent[] = []
    const delivery = { federate: async (event: FederatedEvent) => void told.push(event) }
    const answer = await edit(alice, id, { status: 'the same' }, { overrides: { delivery } })
    expect(answer.body).toMatchObject({ edited_at: null })
    expect(await historyOf(alice, id)).toHaveLength(1)
    expect(told).toEqual([])
  })

  it('PUT statuses/:id keeps its quote, in every version', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id: quoted } = await given.status({ by: bob })
    const body = { status: 'so true', quoted_status_id: String(quoted) }
    const { id } = Status.parse((await as(alice).post(path, body)).body)
    await as(alice).put(`${path}/${id}`, { status: 'how true' })
    const quote = { state: 'accepted', quoted_status: { id: String(quoted) } }
    expect(await historyOf(alice, id)).toMatchObject([
      { content: expect.stringContaining('so true'), quote },
      { content: expect.stringContaining('how true'), quote },
    ])
  })

  it('removing the warning → not sensitive any more, unless that is sent too', async () => {
    const alice = await given.account()
    const warned = await post(alice, { status: 'eggs', spoiler_text: 'food' })
    const kept = await post(alice, { status: 'nest', spoiler_text: 'food' })
    const marked = await post(alice, { status: 'owl', sensitive: true })
    for (const [{ id }, fields, sensitive] of [
      [warned, { spoiler_text: 'still food' }, true],
      [warned, { spoiler_text: '' }, false],
      [kept, { spoiler_text: '', sensitive: true }, true],
      [marked, { status: 'an owl', spoiler_text: '' }, true],
    ] as const)
      expect((await edit(alice, id, fields)).body).toMatchObject({ sensitive })
  })

  it('media_attributes → descriptions and focus of attached media change [T-532]', async () => {
    const alice = await given.account()
    const media = await storedUpload(alice, { description: 'A wren' })
    const { id } = await post(alice, { status: 'look', media_ids: [media] })
    const answer = await edit(alice, id, {
      media_attributes: [{ id: media, description: 'A heron', focus: '0.5,-0.5' }],
    })
    expect(answer.body).toMatchObject({
      media_attachments: [{ id: media, description: 'A heron', meta: { focus: { x: 0.5, y: -0.5 } } }],
    })
    expect(await historyOf(alice, id)).toMatchObject([
      { media_attachments: [{ description: 'A wren' }] },
      { media_attachments: [{ description: 'A heron' }] },
    ])
    const bad = [{ id: media, description: 'x'.repeat(10_001) }]
    expect((await edit(alice, id, { media_attributes: bad })).status).toBe(422)
  })

  it('a thumbnail for a video → a new preview, in earlier versions too, and the old file is deleted', async () => {
    const alice = await given.account()
    const { files } = context()
    const previewKey = `attachments/${freshName('film')}/small.png`
    await files.put(previewKey, new Uint8Array([1]), 'image/png')
    const film = await storedUpload(alice, { type: 'video', mime: 'video/mp4', previewKey })
    const picture = await storedUpload(alice)
    const { id } = await post(alice, { status: 'look', media_ids: [film] })
    const thumbnail = dataUrl('upright.jpg')
    const answer = await edit(alice, id, {
      media_attributes: [
        { id: film, thumbnail },
        { id: picture, thumbnail },
      ],
    })
    const [shown] = parsed(answer).media_attachments
    expect(shown).toMatchObject({ meta: { small: { size: '60x40' } }, blurhash: expect.any(String) })
    const preview_url = shown?.preview_url ?? ''
    expect(preview_url).not.toContain(previewKey)
    expect(await files.head(new URL(preview_url).pathname.replace('/media/', ''))).not.toBeNull()
    expect(await files.head(previewKey)).toBeNull()
    const before = { media_attachments: [{ preview_url }] }
    expect(await historyOf(alice, id)).toMatchObject([before, before])
    const { body } = await as(alice).get(`/api/v1/media/${picture}`)
    expect(body).toMatchObject({ preview_url: expect.stringContaining('/small.png') })
  })

  it('media_attributes for an added file → that file’s description', async () => {
    const alice = await given.account()
    const media = await storedUpload(alice)
    const { id } = await post(alice, { status: 'look' })
    const media_attributes = [{ id: media, description: 'A heron', focus: '0.5,0' }]
    const answer = await edit(alice, id, { status: 'look', media_ids: [media], media_attributes })
    expect(answer.body).toMatchObject({ media_attachments: [{ id: media, description: 'A heron' }] })
  })

  it('an invalid thumbnail → 422, and no file of it stays', async () => {
    const alice = await given.account()
    const film = await storedUpload(alice, { type: 'video', mime: 'video/mp4' })
    const { id } = await post(alice, { status: 'look', media_ids: [film] })
    const kept: string[] = []
    const files = { ...context().files, put: async (key: string) => void kept.push(key) }
    const wrong = { media_attributes: [{ id: film, thumbnail: dataUrl('constant.mp3') }] }
    expect((await edit(alice, id, wrong, { overrides: { files } })).status).toBe(422)
    const long = { status: 'x'.repeat(501), media_attributes: [{ id: film, thumbnail: dataUrl('rgb.png') }] }
    expect((await edit(alice, id, long, { overrides: { files } })).status).toBe(422)
    expect(kept).toEqual([])
  })

  it('attaches and detaches files, keeping detached ones for the history', async () => {
    const alice = await given.account()
    const [first, second] = [await storedUpload(alice), await storedUpload(alice)]
    const { id } = await post(alice, { status: 'look', media_ids: [first] })
    const swapped = await edit(alice, id, { status: 'look', media_ids: [second] })
    expect(swapped.body).toMatchObject({ media_attachments: [{ id: second }] })
    expect((await edit(alice, id, { status: 'look' })).body).toMatchObject({ media_attachments: [] })
    expect(await historyOf(alice, id)).toMatchObject([
      { media_attachments: [{ id: first }] },
      { media_attachments: [{ id: second }] },
      { media_attachments: [] },
    ])
    const back = await edit(alice, id, { status: 'look', media_ids: [first, second] })
    expect(back.body).toMatchObject({ media_attachments: [{ id: first }, { id: second }] })
    const bob = await given.account()
    const foreign = await storedUpload(bob)
    expect((await edit(alice, id, { status: 'look', media_ids: [foreign] })).status).toBe(422)
  })

  it('changing poll options → votes reset; the same poll keeps them [T-533]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const poll = { options: ['wren', 'owl'], expires_in: 3_600 }
    const made = await post(alice, { status: 'which?', poll })
    await as(bob).post(`/api/v1/polls/${made.poll?.id}/votes`, { choices: [1] })
    const same = parsed(await edit(alice, made.id, { status: 'which one?', poll }))
    expect(same.poll).toMatchObject({ votes_count: 1, options: [{ votes_count: 0 }, { votes_count: 1 }] })
    const other = { ...poll, options: ['wren', 'heron'] }
    const changed = parsed(await edit(alice, made.id, { status: 'which one?', poll: other }))
    expect(changed.poll).toMatchObject({ votes_count: 0, options: [{ title: 'wren' }, { title: 'heron' }] })
    expect((await historyOf(alice, made.id)).at(-1)).toMatchObject({
      poll: { options: [{ title: 'wren' }, { title: 'heron' }] },
    })
    expect(parsed(await edit(alice, made.id, { status: 'no poll' })).poll).toBeNull()
  })

  it('a poll is added to files and files to a poll, and an edit of the text keeps both', async () => {
    const alice = await given.account()
    const poll = { options: ['wren', 'owl'], expires_in: 3_600 }
    const media_ids = [await storedUpload(alice)]
    const both = { media_attachments: [{ id: media_ids[0] }], poll: { options: [{}, {}] } }
    const pictured = await post(alice, { status: 'which?', media_ids })
    expect((await edit(alice, pictured.id, { status: 'which?', media_ids, poll })).body).toMatchObject(both)
    expect((await edit(alice, pictured.id, { status: 'which one?', media_ids, poll })).body).toMatchObject(
      both,
    )
    expect(await historyOf(alice, pictured.id)).toMatchObject([
      { media_attachments: [{}] },
      { media_attachments: [{}], poll: { options: [{}, {}] } },
      { media_attachments: [{}], poll: { options: [{}, {}] } },
    ])
    const asked = await post(alice, { status: 'which?', poll })
    const more = [await storedUpload(alice)]
    const answer = await edit(alice, asked.id, { status: 'which?', poll, media_ids: more })
    expect(answer.body).toMatchObject({ media_attachments: [{ id: more[0] }], poll: { options: [{}, {}] } })
  })

  it('the same poll → another end without an edit, which reopens an ended one', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const poll = { options: ['a', 'b'], expires_in: 300 }
    const made = await post(alice, { status: 'which?', poll })
    await as(bob).post(`/api/v1/polls/${made.poll?.id}/votes`, { choices: [0] })
    clock.advance(300_000)
    for (let run = 0; run < 5; run += 1) await closePolls(context())
    const answer = parsed(
      await edit(alice, made.id, { status: 'which?', poll: { ...poll, expires_in: 600 } }),
    )
    expect(answer).toMatchObject({
      edited_at: null,
      poll: {
        expired: false,
        votes_count: 1,
        expires_at: new Date(clock.now().getTime() + 600_000).toISOString(),
      },
    })
    const eve = await given.account()
    expect((await as(eve).post(`/api/v1/polls/${made.poll?.id}/votes`, { choices: [1] })).status).toBe(200)
    expect(await historyOf(alice, made.id)).toHaveLength(1)
  })

  it('only quote_approval_policy → policy changes; omitted → stays [T-534]', async () => {
    const alice = await given.account()
    const { id } = await post(alice, { status: 'quote me not' })
    const answer = parsed(await edit(alice, id, { quote_approval_policy: 'nobody' }))
    expect(answer).toMatchObject({ edited_at: null, quote_approval: { automatic: [] } })
    const after = parsed(await edit(alice, id, { status: 'quote me never' }))
    expect(after.quote_approval.automatic).toEqual([])
  })

  it('someone else’s, a reblog, nothing, too much → 404 or 422, and nothing changes [T-535]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await post(alice, { status: 'mine' })
    const reblog = parsed(await as(alice).post(`${path}/${id}/reblog`))
    expect((await edit(bob, id, { status: 'mine now' })).status).toBe(404)
    expect((await edit(alice, '1', { status: 'x' })).status).toBe(404)
    expect((await edit(alice, reblog.id, { status: 'x' })).status).toBe(422)
    expect((await edit(alice, id, { status: ' ' })).status).toBe(422)
    expect((await edit(alice, id, { status: 'x'.repeat(501) })).status).toBe(422)
    expect(await historyOf(alice, id)).toMatchObject([{ content: '<p>mine</p>' }])
  })

  it('PUT statuses/:id accepts PATCH alike', async () => {
    const alice = await given.account()
    const { id } = await post(alice, { status: 'before' })
    const answer = await as(alice).patch(`${path}/${id}`, { status: 'after' })
    expect(answer.body).toMatchObject({ content: '<p>after</p>' })
  })

  it('changes the visibility for no viewer', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await post(alice, { status: `@${bob.username} secret`, visibility: 'direct' })
    await edit(alice, id, { status: 'still secret' })
    expect((await as(bob).get(`${path}/${id}`)).status).toBe(200)
    expect((await anonymous.get(`${path}/${id}/history`)).status).toBe(404)
    expect((await as(await given.account()).get(`${path}/${id}/history`)).status).toBe(404)
  })
})

describe('GET statuses/:id/history', () => {
  it('unedited → one entry with the current state [T-536]', async () => {
    const alice = await given.account()
    const { id, content, created_at } = await post(alice, { status: 'once' })
    expect((await anonymous.get(`${path}/${id}/history`)).body).toMatchObject([{ content, created_at }])
  })
})

describe('accounts added to a limited post by an edit', () => {
  it.each(['direct', 'private'])(
    'accounts added to a limited post by an edit read a %s status from that version on, wherever it is shown',
    async (visibility) => {
      const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
      const { id } = await post(alice, { status: `@${bob.username} about-carol`, visibility })
      await edit(alice, id, { status: `@${bob.username} still-about-carol` })
      clock.advance(60_000)
      const socket = await openStreamSocket(carol, { stream: 'user' })

      await edit(alice, id, { status: `@${bob.username} @${carol.username} hello-carol` })
      clock.advance(60_000)
      await edit(alice, id, { status: `@${bob.username} @${carol.username} hello-again` })

      const said = async (by: TestAccount) =>
        (await historyOf(by, id)).map(({ content }) => /[\w-]+(?=<\/p>)/.exec(content)?.[0])
      expect(await said(carol)).toEqual(['hello-carol', 'hello-again'])
      const all = ['about-carol', 'still-about-carol', 'hello-carol', 'hello-again']
      expect([await said(alice), await said(bob)]).toEqual([all, all])
      for (const where of [
        'notifications',
        'conversations',
        'timelines/home',
        `statuses/${id}`,
        `statuses/${id}/context`,
      ])
        expect(JSON.stringify((await as(carol).get(`/api/v1/${where}`)).body), where).not.toContain(
          'about-carol',
        )
      const frames = JSON.stringify(await socket.rest())
      expect(frames).toContain('hello-again')
      expect(frames).not.toContain('about-carol')
      socket.close()
    },
  )

  it('accounts added to a limited post by an edit read all of it where they follow the author of a followers-only post, or where it is public', async () => {
    const [alice, carol] = [await given.account(), await given.account()]
    await relation.follow(carol, alice)
    for (const visibility of ['private', 'unlisted', 'public']) {
      const { id } = await post(alice, { status: 'first', visibility })
      await edit(alice, id, { status: `@${carol.username} second` })
      expect(await historyOf(carol, id)).toHaveLength(2)
    }
  })

  it('accounts added to a limited post by an edit read a remote status from that version on as well', async () => {
    const [bob, carol, peer] = [await given.account(), await given.account(), await given.peer()]
    const [named, added] = [fediverse.local(bob), fediverse.local(carol)]
    const note = peer.note({ visibility: 'direct', mentions: [named], content: '<p>about-carol</p>' })
    await peer.send(peer.create(note))
    clock.advance(60_000)
    const later = peer.note({ visibility: 'direct', mentions: [named, added], content: '<p>hello-carol</p>' })
    const edited = { ...later, id: note.id, published: note['published'], updated: clock.now().toISOString() }
    await peer.send(peer.update(edited))

    const [row] = await context().db.select().from(statuses).where(eq(statuses.uri, note.id))
    const id = String(row?.id)
    expect((await historyOf(carol, id)).map(({ content }) => content)).toEqual(['<p>hello-carol</p>'])
    expect(await historyOf(bob, id)).toHaveLength(2)
  })

  it('accounts added to a limited post by an edit read only the latest version where they see it without being mentioned', async () => {
    const [bob, carol, peer] = [await given.account(), await given.account(), await given.peer()]
    const [named, silent] = [fediverse.local(bob), fediverse.local(carol)]
    const note = peer.note({ visibility: 'direct', mentions: [named], content: '<p>about-carol</p>' })
    await peer.send(peer.create(note))
    clock.advance(60_000)
    const updated = clock.now().toISOString()
    const edited = { ...note, content: '<p>hm</p>', to: [named.uri, silent.uri], updated }
    await peer.send(peer.update(edited))
    const [row] = await context().db.select().from(statuses).where(eq(statuses.uri, note.id))
    expect((await historyOf(carol, String(row?.id))).map(({ content }) => content)).toEqual(['<p>hm</p>'])
  })
})
