import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Status } from '../../src/contract/entities/status'
import { ScheduledStatus } from '../../src/contract/entities/status-details'
import { pruneUnattachedMedia } from '../../src/domain/media/expire'
import { anonymous, as, type TestResponse } from '../support/as'
import { idsOf } from '../support/body-ids'
import { given, type TestAccount } from '../support/given'
import { scheduledStatus } from '../support/given-scheduled'
import { storedUpload } from '../support/given-upload'
import { clock, context } from '../support/test-app'

const minute = 60_000
const day = 86_400_000
const path = '/api/v1/scheduled_statuses'
const missing = { status: 404, body: { error: 'Record not found' } }

const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds)
const parsed = (answer: TestResponse) => ScheduledStatus.parse(answer.body)
const tooSoon = {
  status: 422,
  body: { error: 'Validation failed: Scheduled at The scheduled date must be in the future' },
}

function schedule(who: TestAccount, body: object = {}, headers: Record<string, string> = {}) {
  const scheduled_at = later(day).toISOString()
  return as(who).post('/api/v1/statuses', { status: 'Tomorrow', scheduled_at, ...body }, { headers })
}

const statusesOf = async (who: TestAccount) => idsOf(await as(who).get(`/api/v1/accounts/${who.id}/statuses`))
const waitingOf = async (who: TestAccount) => idsOf(await as(who).get(path))

describe('POST statuses with scheduled_at', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account()
  })

  it('returns the scheduled status, and posts nothing yet [T-466]', async () => {
    const at = later(day)
    const answer = await schedule(alice, {
      status: 'Tomorrow #wren',
      spoiler_text: 'Birds',
      visibility: 'unlisted',
      sensitive: true,
      language: 'de',
      quote_approval_policy: 'nobody',
      scheduled_at: at.toISOString(),
      poll: { options: ['Wren', 'Owl'], expires_in: 600, multiple: true },
    })
    expect(parsed(answer)).toEqual({
      id: parsed(answer).id,
      scheduled_at: at.toISOString(),
      params: {
        text: 'Tomorrow #wren',
        spoiler_text: 'Birds',
        visibility: 'unlisted',
        sensitive: true,
        language: 'de',
        quote_approval_policy: 'nobody',
        quoted_status_id: null,
        poll: { options: ['Wren', 'Owl'], expires_in: 600, multiple: true, hide_totals: false },
        media_ids: null,
        in_reply_to_id: null,
        idempotency: null,
        scheduled_at: null,
        application_id: expect.any(String),
        with_rate_limit: false,
      },
      media_attachments: [],
    })
    expect(answer.costs.trips).toBeLessThanOrEqual(4)
    expect(await statusesOf(alice)).toEqual([])
  })

  it('shows the default visibility of a status without one', async () => {
    const bob = await given.account()
    const shownBy = async () => ScheduledStatus.array().parse((await as(bob).get(path)).body)
    const made = parsed(await schedule(bob))
    expect(made.params.visibility).toBe('public')
    await as(bob).patch('/api/v1/accounts/update_credentials', { source: { privacy: 'private' } })
    expect((await shownBy()).map(({ params }) => params.visibility)).toEqual(['private'])
    expect(parsed(await as(bob).get(`${path}/${made.id}`)).params.visibility).toBe('private')
    const moved = await as(bob).put(`${path}/${made.id}`, { scheduled_at: later(2 * day).toISOString() })
    expect(parsed(moved).params.visibility).toBe('private')
  })

  it('accepts five minutes ahead, and nothing sooner [T-467]', async () => {
    const near = { scheduled_at: later(5 * minute - 1).toISOString() }
    expect(await schedule(alice, near)).toMatchObject(tooSoon)
    const enough = { scheduled_at: later(5 * minute).toISOString() }
    expect(parsed(await schedule(alice, enough)).scheduled_at).toBe(enough.scheduled_at)
  })

  it('a time in the past posts at once [T-468]', async () => {
    const bob = await given.account()
    const answer = await schedule(bob, { scheduled_at: later(-minute).toISOString() })
    expect(await statusesOf(bob)).toEqual([Status.parse(answer.body).id])
  })

  it('refuses statuses that could not be posted either', async () => {
    const hidden = await given.status({ by: await given.account(), visibility: 'private' })
    const refused = [
      [{ status: '' }, 422, "Validation failed: Text can't be blank"],
      [
        { poll: { options: ['one'], expires_in: 600 } },
        422,
        'Validation failed: Choices must have more than one item',
      ],
      [{ in_reply_to_id: hidden.id }, 404, 'The post you are trying to reply to does not appear to exist.'],
      [{ quoted_status_id: hidden.id }, 404, 'The post you are trying to quote does not appear to exist.'],
      [{ media_ids: ['1'] }, 422, 'Media 1 not found or already attached to another post'],
      [{ scheduled_at: 'tomorrow' }, 422, 'Validation failed: Scheduled at is not a valid date and time'],
    ] as const
    for (const [body, status, error] of refused)
      expect(await schedule(alice, body), JSON.stringify(body)).toMatchObject({ status, body: { error } })
  })

  it('checks the mentions of the text against allowed_mentions', async () => {
    const bob = await given.account()
    const answer = await schedule(alice, { status: `@${bob.username} hello`, allowed_mentions: [] })
    expect(answer).toMatchObject({ status: 422, body: { unexpected_accounts: [{ id: String(bob.id) }] } })
  })

  it('refuses a 26th on one day, and a 301st in all [T-469]', async () => {
    const carol = await given.account()
    const at = later(3 * day)
    for (let count = 0; count < 25; count += 1) await scheduledStatus(carol, { at })
    expect(await schedule(carol, { scheduled_at: at.toISOString() })).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: You have exceeded the limit of 25 scheduled posts for today' },
    })
    expect((await schedule(carol)).status).toBe(200)
    for (let count = 26; count < 300; count += 1)
      await scheduledStatus(carol, { at: later((10 + count) * day) })
    expect(await schedule(carol)).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: You have exceeded the limit of 300 scheduled posts' },
    })
  })
})

describe('an Idempotency-Key', () => {
  it('an Idempotency-Key creates one scheduled status for a repeated request, in sequence or at once', async () => {
    const alice = await given.account()
    const key = { 'Idempotency-Key': 'one' }
    const all = await Promise.all([schedule(alice, {}, key), schedule(alice, {}, key)])
    const ids = [...all, await schedule(alice, { status: 'Changed' }, key)].map((answer) => parsed(answer).id)
    expect(new Set(ids).size).toBe(1)
    expect(await waitingOf(alice)).toEqual([ids[0]])
    clock.advance(60 * minute)
    expect(parsed(await schedule(alice, {}, key)).id).not.toBe(ids[0])
  })

  it('counts for scheduled and posted statuses together', async () => {
    const alice = await given.account()
    const first = parsed(await schedule(alice, {}, { 'Idempotency-Key': 'one' }))
    const atOnce = { status: 'Now' }
    const again = await as(alice).post('/api/v1/statuses', atOnce, { headers: { 'Idempotency-Key': 'one' } })
    expect(parsed(again).id).toBe(first.id)
    const posted = await as(alice).post('/api/v1/statuses', atOnce, { headers: { 'Idempotency-Key': 'two' } })
    const repeated = await schedule(alice, {}, { 'Idempotency-Key': 'two' })
    expect(Status.parse(repeated.body).id).toBe(Status.parse(posted.body).id)
  })
})

describe('uploads of a scheduled status', () => {
  it('uploads of a scheduled status are shown with it, in order, and can be used nowhere else', async () => {
    const alice = await given.account()
    const [one, two] = [await storedUpload(alice), await storedUpload(alice)]
    const media_ids = [two, one]
    const made = parsed(await schedule(alice, { media_ids }))
    expect(made.params.media_ids).toEqual(media_ids)
    expect(made.media_attachments.map(({ id }) => id)).toEqual(media_ids)
    const used = {
      status: 422,
      body: { error: `Media ${one} not found or already attached to another post` },
    }
    expect(await as(alice).post('/api/v1/statuses', { media_ids: [one] })).toMatchObject(used)
    expect(await schedule(alice, { media_ids: [one] })).toMatchObject(used)
    expect(await as(alice).get(`/api/v1/media/${one}`)).toMatchObject(missing)
    expect(await as(alice).put(`/api/v1/media/${one}`, { description: 'x' })).toMatchObject(missing)
    expect((await as(alice).delete(`/api/v1/media/${one}`)).status).toBe(422)
  })

  it('uploads of a scheduled status are claimed by one of two requests at once', async () => {
    const alice = await given.account()
    const media_ids = [await storedUpload(alice)]
    const both = await Promise.all([schedule(alice, { media_ids }), schedule(alice, { media_ids })])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })

  it('uploads of a scheduled status are kept when unattached media are pruned, and are free again when it is cancelled', async () => {
    const alice = await given.account()
    const upload = await storedUpload(alice)
    const { id } = parsed(await schedule(alice, { media_ids: [upload] }))
    clock.advance(3 * day)
    for (let run = 0; run < 5; run += 1) await pruneUnattachedMedia(context())
    expect(parsed(await as(alice).get(`${path}/${id}`)).media_attachments).toHaveLength(1)
    await as(alice).delete(`${path}/${id}`)
    await pruneUnattachedMedia(context())
    expect((await as(alice).post('/api/v1/statuses', { media_ids: [upload] })).status).toBe(200)
  })
})

describe('GET scheduled_statuses', () => {
  it('lists the own ones only, newest first, by pages [T-470]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    expect(await as(alice).get(path)).toMatchObject({ status: 200, body: [] })
    const ids = [await scheduledStatus(alice), await scheduledStatus(alice), await scheduledStatus(alice)]
    await scheduledStatus(bob)
    expect(await waitingOf(alice)).toEqual(ids.toReversed())
    const first = await as(alice).get(`${path}?limit=2`)
    expect(idsOf(first)).toEqual([ids[2], ids[1]])
    expect(first.links).toEqual({
      next: `${path}?limit=2&max_id=${ids[1]}`,
      prev: `${path}?limit=2&min_id=${ids[2]}`,
    })
    expect(idsOf(await as(alice).get(first.links.next ?? ''))).toEqual([ids[0]])
    expect(idsOf(await as(alice).get(`${path}?min_id=${ids[0]}&limit=1`))).toEqual([ids[1]])
  })

  it('GET scheduled_statuses requires a user token [T-471]', async () => {
    expect((await anonymous.get(path)).status).toBe(401)
    expect((await as(await given.token({ scopes: 'read' })).get(path)).status).toBe(422)
  })

  it('does not show another account’s', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const id = await scheduledStatus(alice)
    expect(parsed(await as(alice).get(`${path}/${id}`)).params.text).toBe('Later')
    expect(await as(bob).get(`${path}/${id}`)).toMatchObject(missing)
  })
})

describe('PUT scheduled_statuses/:id', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account()
  })

  it('PUT scheduled_statuses/:id changes its time [T-472]', async () => {
    const id = await scheduledStatus(alice)
    const scheduled_at = later(2 * day).toISOString()
    expect(parsed(await as(alice).put(`${path}/${id}`, { scheduled_at })).scheduled_at).toBe(scheduled_at)
    expect(parsed(await as(alice).patch(`${path}/${id}`, {})).scheduled_at).toBe(scheduled_at)
  })

  it('refuses a time less than five minutes ahead [T-473]', async () => {
    const id = await scheduledStatus(alice)
    for (const milliseconds of [5 * minute - 1, 0, -day])
      expect(
        await as(alice).put(`${path}/${id}`, { scheduled_at: later(milliseconds).toISOString() }),
      ).toMatchObject(tooSoon)
  })

  it('answers 404 for another account’s or a missing one, with any time [T-474]', async () => {
    const bob = await given.account()
    const id = await scheduledStatus(alice)
    for (const body of [
      {},
      { scheduled_at: later(day).toISOString() },
      { scheduled_at: later(0).toISOString() },
    ])
      for (const one of [id, '1', 'abc'])
        expect(await as(bob).put(`${path}/${one}`, body)).toMatchObject(missing)
  })

  it('counts for its new day, without itself', async () => {
    const carol = await given.account()
    const at = later(4 * day)
    const ids: string[] = []
    for (let count = 0; count < 25; count += 1) ids.push(await scheduledStatus(carol, { at }))
    const other = await scheduledStatus(carol)
    const scheduled_at = at.toISOString()
    expect((await as(carol).put(`${path}/${other}`, { scheduled_at })).status).toBe(422)
    expect((await as(carol).put(`${path}/${ids[0]}`, { scheduled_at })).status).toBe(200)
  })
})

describe('DELETE scheduled_statuses/:id', () => {
  it('DELETE scheduled_statuses/:id cancels it [T-475]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const id = await scheduledStatus(alice)
    expect(await as(bob).delete(`${path}/${id}`)).toMatchObject(missing)
    expect(await as(alice).delete(`${path}/${id}`)).toMatchObject({ status: 200, body: {} })
    expect(await as(alice).delete(`${path}/${id}`)).toMatchObject(missing)
    expect(z.array(z.unknown()).parse((await as(alice).get(path)).body)).toEqual([])
  })
})
