import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { as, type TestResponse } from '../../support/as'
import { noteOf } from '../../support/documents'
import { given, type TestAccount } from '../../support/given'
import { storedUpload } from '../../support/given-upload'
import { clock } from '../../support/test-app'

const path = '/api/v1/statuses'
const parsed = (answer: TestResponse) => Status.parse(answer.body)
const uploads = async (by: TestAccount, count: number) => {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) ids.push(await storedUpload(by))
  return ids
}

describe('POST statuses with media_ids', () => {
  it('attaches own uploads in the given order, with or without text [T-498]', async () => {
    const alice = await given.account()
    const ids = (await uploads(alice, 4)).toReversed()
    const status = parsed(await as(alice).post(path, { media_ids: ids }))
    expect(status.content).toBe('')
    expect(status.media_attachments.map(({ id }) => id)).toEqual(ids)
  })

  it('accepts media as form fields as well', async () => {
    const alice = await given.account()
    const [first = '', second = ''] = await uploads(alice, 2)
    const form = new URLSearchParams([
      ['status', 'Two'] as [string, string],
      ['media_ids[]', second] as [string, string],
      ['media_ids[]', first] as [string, string],
    ])
    const status = parsed(await as(alice).post(path, form))
    expect(status.media_attachments.map(({ id }) => id)).toEqual([second, first])
  })

  it('shows the description of a file', async () => {
    const alice = await given.account()
    const id = await storedUpload(alice, {
      description: 'A wren',
      blurhash: 'LKO2',
      meta: { focus: { x: 0, y: 1 } },
    })
    const status = parsed(await as(alice).post(path, { media_ids: [id] }))
    expect(status.media_attachments).toMatchObject([
      { id, type: 'image', description: 'A wren', blurhash: 'LKO2', meta: { focus: { x: 0, y: 1 } } },
    ])
    expect(status.media_attachments[0]?.url).toMatch(/\/original\.png$/)
  })

  it('refuses descriptions that are too long together, and accepts four of 10,000 letters', async () => {
    const alice = await given.account()
    const described = (description: string) => storedUpload(alice, { description })
    const letters = 'a'.repeat(10_000)
    const four = await Promise.all([letters, letters, letters, letters].map(described))
    expect(parsed(await as(alice).post(path, { media_ids: four })).media_attachments).toHaveLength(4)
    const one = [await described('\u{1f426}'.repeat(10_000))]
    expect((await as(alice).post(path, { media_ids: one })).status).toBe(200)
    const more = [await described('\u{1f426}'.repeat(10_000)), await described('a')]
    const refusal = {
      status: 422,
      body: { error: 'Validation failed: The descriptions of the files are too long for one post' },
    }
    const scheduled_at = new Date(clock.now().getTime() + 86_400_000).toISOString()
    for (const draft of [{}, { scheduled_at }])
      expect(await as(alice).post(path, { ...draft, media_ids: more })).toMatchObject(refusal)

    const { id } = parsed(await as(alice).post(path, { media_ids: more.slice(1) }))
    const media_attributes = [{ id: more[1], description: '\u{1f426}'.repeat(10_000) }]
    const both = { media_ids: [more[1], await described('a')], media_attributes }
    expect(await as(alice).put(`${path}/${id}`, both)).toMatchObject(refusal)
    expect((await as(alice).get(`${path}/${id}`)).body).toMatchObject({
      media_attachments: [{ description: 'a' }],
    })
  })

  it('answers 422 to more than four files [T-499]', async () => {
    const alice = await given.account()
    expect((await as(alice).post(path, { media_ids: await uploads(alice, 5) })).status).toBe(422)
  })

  it('answers 422 to unknown, foreign or used files, and attaches none of the others [T-500]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const [own = '', used = ''] = await uploads(alice, 2)
    const [foreign = ''] = await uploads(bob, 1)
    await as(alice).post(path, { media_ids: [used] })
    for (const bad of ['1', 'abc', foreign, used])
      expect((await as(alice).post(path, { status: 'x', media_ids: [own, bad] })).status).toBe(422)
    expect((await as(alice).post(path, { media_ids: [own] })).status).toBe(200)
  })

  it('answers 422 to a video or a sound beside other files, and accepts it alone [T-501]', async () => {
    const alice = await given.account()
    const picture = await storedUpload(alice)
    for (const type of ['video', 'audio'] as const) {
      const [one, two] = [await storedUpload(alice, { type }), await storedUpload(alice, { type })]
      expect((await as(alice).post(path, { media_ids: [picture, one] })).status).toBe(422)
      expect((await as(alice).post(path, { media_ids: [one, two] })).status).toBe(422)
      expect((await as(alice).post(path, { media_ids: [one] })).status).toBe(200)
    }
  })

  it('attaches an upload to one of two concurrent statuses', async () => {
    const alice = await given.account()
    const id = await storedUpload(alice)
    const post = () => as(alice).post(path, { media_ids: [id] })
    const both = await Promise.all([post(), post()])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  })
})

describe('POST statuses with a poll', () => {
  const poll = { options: ['Wren', ' Owl '], expires_in: 300 }

  it('returns the poll, with the requested duration [T-502]', async () => {
    const alice = await given.account()
    const status = parsed(await as(alice).post(path, { status: 'Which?', poll }))
    expect(status.poll).toMatchObject({
      expired: false,
      multiple: false,
      votes_count: 0,
      voters_count: 0,
      voted: true,
      own_votes: [],
      options: [
        { title: 'Wren', votes_count: 0 },
        { title: 'Owl', votes_count: 0 },
      ],
    })
    const lasts = Date.parse(status.poll?.expires_at ?? '') - Date.parse(status.created_at)
    expect(lasts).toBe(300_000)
    const form = new URLSearchParams(
      'poll[options][]=a&poll[options][]=b&poll[expires_in]=600&poll[multiple]=true',
    )
    expect(parsed(await as(alice).post(path, form)).poll).toMatchObject({ multiple: true })
    expect((await as(alice).post(path, { poll: { ...poll, expires_in: 2_629_746 } })).status).toBe(200)
  })

  it('answers 422 to one option, five, a long or equal ones, or another duration [T-503]', async () => {
    const alice = await given.account()
    const bad = [
      { ...poll, options: ['one'] },
      { ...poll, options: ['one', ' '] },
      { ...poll, options: ['a', 'b', 'c', 'd', 'e'] },
      { ...poll, options: ['a', 'x'.repeat(51)] },
      { ...poll, options: ['a', 'a '] },
      { ...poll, expires_in: 299 },
      { ...poll, expires_in: 2_629_747 },
      { options: poll.options },
      { expires_in: 300 },
    ]
    for (const wrong of bad)
      expect((await as(alice).post(path, { status: 'x', poll: wrong })).status, JSON.stringify(wrong)).toBe(
        422,
      )
  })

  it('keeps files and a poll in one status, in the API and for other servers', async () => {
    const alice = await given.account()
    const media_ids = await uploads(alice, 2)
    const { id } = parsed(await as(alice).post(path, { poll, media_ids }))
    const expected = { media_attachments: media_ids.map((one) => ({ id: one })), poll: { multiple: false } }
    expect((await as(alice).get(`${path}/${id}`)).body).toMatchObject(expected)
    expect(await noteOf(alice, id)).toMatchObject({
      type: 'Question',
      oneOf: [{ name: 'Wren' }, { name: 'Owl' }],
      attachment: media_ids.map(() => ({ mediaType: 'image/png' })),
    })
  })

  it('shows no totals of a poll that hides them until it ends [T-504]', async () => {
    const alice = await given.account()
    const hiding = { ...poll, hide_totals: true }
    const status = parsed(await as(alice).post(path, { status: 'x', poll: hiding }))
    expect(status.poll?.options.map(({ votes_count }) => votes_count)).toEqual([null, null])
  })
})
