import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { ScheduledStatus } from '../../../src/contract/entities/status-details'
import { publishScheduled } from '../../../src/domain/statuses/scheduled/schedule'
import { as } from '../../support/as'
import { type Browser, hiddenFields } from '../../support/browser'
import { given } from '../../support/given'
import { storedUpload } from '../../support/given-upload'
import { signedIn } from '../../support/members'
import { clock, context } from '../../support/test-app'

const path = '/publish'
const action = { action: path }

type Member = Parameters<typeof as>[0] & { readonly id: number }

const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000)
/** The minute in UTC, as the field of the composer has it. */
const field = (at: Date) => at.toISOString().slice(0, 16)

async function schedule(member: Member, fields: object): Promise<string> {
  const { body } = await as(member).post('/api/v1/statuses', {
    scheduled_at: inDays(3).toISOString(),
    ...fields,
  })
  return ScheduledStatus.parse(body).id
}

async function scheduledOf(member: Member): Promise<readonly ScheduledStatus[]> {
  return ScheduledStatus.array().parse((await as(member).get('/api/v1/scheduled_statuses')).body)
}

async function postsOf(member: Member): Promise<readonly Status[]> {
  return Status.array().parse((await as(member).get(`/api/v1/accounts/${member.id}/statuses`)).body)
}

/** Opens a scheduled post in the composer, and sends it with these fields changed. */
const edit = (browser: Browser, id: string, fields: Readonly<Record<string, string>>) =>
  browser.fill(`${path}?scheduled=${id}`, { press: 'post', ...fields }, action)

describe('a scheduled post in the composer', () => {
  it('opens with all that was scheduled, from the list of scheduled posts', async () => {
    const { member, browser } = await signedIn({ user: { timeZone: 'UTC' } })
    const upload = await storedUpload(member)
    const id = await schedule(member, {
      status: 'Ringing morning',
      spoiler_text: 'cold',
      visibility: 'private',
      language: 'de',
      media_ids: [upload],
    })
    expect((await browser.get('/settings/scheduled')).html).toContain(`href="${path}?scheduled=${id}"`)
    const { html } = await browser.get(`${path}?scheduled=${id}`)
    expect(html).toContain('Ringing morning</textarea>')
    expect(html).toMatch(/name="spoiler_text" value="cold"/)
    expect(html).toMatch(/value="private" checked/)
    expect(html).toMatch(/value="de" selected/)
    expect(html).toContain(`value="${field(inDays(3))}"`)
    expect(hiddenFields(html, path)).toMatchObject({ scheduled: id, media_ids: upload })
  })

  it('changes text, warning, audience, time, files with their order and descriptions, and poll', async () => {
    const { member, browser } = await signedIn({ user: { timeZone: 'UTC' } })
    const [one, two, three] = [
      await storedUpload(member),
      await storedUpload(member),
      await storedUpload(member),
    ]
    const id = await schedule(member, { status: 'Before', media_ids: [one, two] })
    const sent = await edit(browser, id, {
      status: 'After',
      spoiler_text: 'birds',
      visibility: 'unlisted',
      scheduled_at: field(inDays(5)),
      media_ids: [three, two].join(','),
      [`description_${three}`]: 'A new one',
      [`description_${two}`]: 'The second',
    })
    expect(sent.location).toBe('/settings/scheduled')
    const [changed, ...others] = await scheduledOf(member)
    expect(others).toEqual([])
    expect(changed).toMatchObject({
      id,
      params: { text: 'After', spoiler_text: 'birds', visibility: 'unlisted' },
      media_attachments: [
        { id: three, description: 'A new one' },
        { id: two, description: 'The second' },
      ],
    })
    expect(field(new Date(changed?.scheduled_at ?? 0))).toBe(field(inDays(5)))
    // The file that was taken out is free for another post.
    expect((await as(member).post('/api/v1/statuses', { media_ids: [one] })).status).toBe(200)
    const poll = { has_poll: '1', choice_0: 'wren', choice_1: 'owl', poll_length: '3600', media_ids: '' }
    await edit(browser, id, { status: 'Which?', scheduled_at: field(inDays(5)), ...poll })
    expect((await scheduledOf(member))[0]?.params.poll?.options).toEqual(['wren', 'owl'])
  })

  it('is published with its changes at its time, and once', async () => {
    const { member, browser } = await signedIn({ user: { timeZone: 'UTC' } })
    const id = await schedule(member, { status: 'Before' })
    await edit(browser, id, { status: 'After', scheduled_at: field(inDays(1)) })
    clock.advance(2 * 86_400_000)
    await publishScheduled(context())
    await publishScheduled(context())
    expect((await postsOf(member)).map(({ content }) => content)).toEqual(['<p>After</p>'])
  })

  it.each([
    ['the button that posts now', { press: 'post_now' }],
    ['an empty time', { scheduled_at: '' }],
  ])('is published at once by %s, also where the form is sent twice', async (_, fields) => {
    const { member, browser } = await signedIn({ user: { timeZone: 'UTC' } })
    const upload = await storedUpload(member)
    const id = await schedule(member, { status: 'Later', media_ids: [upload] })
    const { html } = await browser.get(`${path}?scheduled=${id}`)
    const form = {
      ...hiddenFields(html, path),
      press: 'post',
      visibility: 'public',
      status: 'Now',
      [`description_${upload}`]: 'A wren',
      scheduled_at: field(inDays(3)),
      ...fields,
    }
    const answers = [await browser.post(path, form), await browser.post(path, form)]
    const posts = await postsOf(member)
    expect(posts).toMatchObject([{ content: '<p>Now</p>', media_attachments: [{ id: upload }] }])
    expect(answers.map(({ location }) => location)).toEqual(
      Array(2).fill(`/@${member.username}/${posts[0]?.id}?sent=1`),
    )
    expect(await scheduledOf(member)).toEqual([])
  })

  it('keeps what was typed where the post was published or deleted meanwhile', async () => {
    const { member, browser } = await signedIn({ user: { timeZone: 'UTC' } })
    const id = await schedule(member, { status: 'Before' })
    const { html } = await browser.get(`${path}?scheduled=${id}`)
    await as(member).delete(`/api/v1/scheduled_statuses/${id}`)
    const fields = { ...hiddenFields(html, path), visibility: 'private', status: 'A long text' }
    const sent = await browser.post(path, { ...fields, press: 'post', scheduled_at: field(inDays(3)) })
    expect(sent.status).toBe(422)
    expect(sent.html).toContain('This scheduled post was published or deleted meanwhile.')
    expect(sent.html).toContain('A long text</textarea>')
    expect(await postsOf(member)).toEqual([])
    expect((await browser.get(`${path}?scheduled=${id}`)).status).toBe(404)
  })

  it('keeps a refused change, and leaves the scheduled post as it is', async () => {
    const { member, browser } = await signedIn({ user: { timeZone: 'UTC' } })
    const id = await schedule(member, { status: 'Before' })
    for (const wrong of [
      { status: 'x'.repeat(6_000), scheduled_at: field(inDays(3)) },
      { status: 'Too soon', scheduled_at: field(new Date(clock.now().getTime() + 120_000)) },
    ]) {
      const sent = await edit(browser, id, wrong)
      expect(sent.status).toBe(422)
      expect(sent.html).toContain(`${wrong.status}</textarea>`)
    }
    expect(await scheduledOf(member)).toMatchObject([{ id, params: { text: 'Before' } }])
  })

  it('opens, changes and publishes none of another account', async () => {
    const { member, browser } = await signedIn()
    const other = await given.account()
    const id = await schedule(other, { status: 'Not yours' })
    expect((await browser.get(`${path}?scheduled=${id}`)).status).toBe(404)
    for (const press of ['post', 'post_now'])
      await browser.fill(
        path,
        { press, scheduled: id, status: 'Mine', scheduled_at: field(inDays(2)) },
        action,
      )
    expect(await scheduledOf(other)).toMatchObject([{ id, params: { text: 'Not yours' } }])
    expect([await postsOf(member), await postsOf(other)]).toEqual([[], []])
  })
})
