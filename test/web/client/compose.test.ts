import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { ScheduledStatus } from '../../../src/contract/entities/status-details'
import { sessions } from '../../../src/db/schema'
import { instantOf } from '../../../src/web/pages/compose/local-time'
import { as } from '../../support/as'
import { Browser, hiddenFields } from '../../support/browser'
import { given } from '../../support/given'
import { storedUpload } from '../../support/given-upload'
import { mediaFile } from '../../support/media'
import { password, signedIn } from '../../support/members'
import { clock, context } from '../../support/test-app'

const path = '/publish'
const action = { action: path }

async function newest(
  member: Parameters<typeof as>[0] & { readonly id: number },
): Promise<Status | undefined> {
  const { body } = await as(member).get(`/api/v1/accounts/${member.id}/statuses`)
  return Status.array().parse(body)[0]
}

describe('the composer', () => {
  it('publishes a post with warning, audience and language, and leads to it', async () => {
    const { member, browser } = await signedIn()
    const fields = {
      press: 'post',
      status: 'Eine Amsel',
      spoiler_text: 'Vögel',
      visibility: 'unlisted',
      language: 'de',
    }
    const sent = await browser.fill(path, fields, action)
    const status = await newest(member)
    expect(status).toMatchObject({
      content: '<p>Eine Amsel</p>',
      spoiler_text: 'Vögel',
      visibility: 'unlisted',
      language: 'de',
    })
    expect([sent.status, sent.location]).toEqual([303, `/@${member.username}/${status?.id}?sent=1`])
  })

  it('publishes a form that is sent twice only once', async () => {
    const { member, browser } = await signedIn()
    const fields = { press: 'post', status: 'once', key: 'the same' }
    await browser.fill(path, fields, action)
    await browser.fill(path, fields, action)
    const { body } = await as(member).get(`/api/v1/accounts/${member.id}/statuses`)
    expect(body).toHaveLength(1)
  })

  it('keeps everything typed when a post is refused, and says why', async () => {
    const { member, browser } = await signedIn()
    const text = 'x'.repeat(9_000)
    const sent = await browser.fill(
      path,
      { press: 'post', status: text, spoiler_text: 'long', visibility: 'private' },
      action,
    )
    expect(sent.status).toBe(422)
    expect(sent.html).toContain(`${text}</textarea>`)
    expect(sent.html).toMatch(/value="long"/)
    expect(sent.html).toMatch(/value="private" checked/)
    expect(sent.html).toContain('role="alert"')
    expect(await newest(member)).toBeUndefined()
  })

  it('adds and removes a poll without losing the text, and publishes its choices', async () => {
    const { member, browser } = await signedIn()
    const shown = await browser.fill(path, { press: 'poll', status: 'Which bird?' }, action)
    expect(shown.html).toContain('name="choice_0"')
    expect(shown.html).toContain('Which bird?</textarea>')
    const poll = { has_poll: '1', choice_0: 'wren', choice_1: 'owl', poll_length: '3600', poll_multiple: '1' }
    await browser.fill(path, { press: 'post', status: 'Which bird?', ...poll }, action)
    const status = await newest(member)
    expect(status?.poll?.options.map(({ title }) => title)).toEqual(['wren', 'owl'])
    expect(status?.poll?.multiple).toBe(true)
  })

  it('replies to everybody in the conversation, to no wider an audience', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    const { body } = await as(author).post('/api/v1/statuses', {
      status: `@${member.username} a question`,
      visibility: 'direct',
      spoiler_text: 'private',
    })
    const { id } = Status.parse(body)
    const { html } = await browser.get(`${path}?reply_to=${id}`)
    expect(html).toContain(`@${author.username} </textarea>`)
    expect(html).toMatch(/value="direct" checked/)
    expect(html).toMatch(/name="spoiler_text" value="private"/)
    const fields = {
      press: 'post',
      status: `@${author.username} an answer`,
      reply_to: id,
      visibility: 'direct',
    }
    await browser.fill(`${path}?reply_to=${id}`, fields, action)
    expect(await newest(member)).toMatchObject({ in_reply_to_id: id, visibility: 'direct' })
  })

  it('edits an own post, and opens none of another account', async () => {
    const { member, browser } = await signedIn()
    const own = Status.parse((await as(member).post('/api/v1/statuses', { status: 'A wern' })).body)
    const { html } = await browser.get(`${path}?edit=${own.id}`)
    expect(html).toContain('A wern</textarea>')
    const sent = await browser.fill(
      `${path}?edit=${own.id}`,
      { press: 'post', status: 'A wren', edit: own.id },
      action,
    )
    expect(sent.location).toBe(`/@${member.username}/${own.id}`)
    expect(await newest(member)).toMatchObject({ id: own.id, content: '<p>A wren</p>' })
    const other = Status.parse(
      (await as(await given.account()).post('/api/v1/statuses', { status: 'not yours' })).body,
    )
    expect((await browser.get(`${path}?edit=${other.id}`)).status).toBe(404)
    const refused = await browser.fill(path, { press: 'post', status: 'mine now', edit: other.id }, action)
    expect(refused.status).toBe(404)
  })

  it('schedules a post for the time in the time zone of the member', async () => {
    const { member, browser } = await signedIn({ user: { timeZone: 'Europe/Stockholm' } })
    const day = new Date(clock.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
    const sent = await browser.fill(
      path,
      { press: 'post', status: 'later', scheduled_at: `${day}T12:00` },
      action,
    )
    expect(sent.location).toBe('/settings/scheduled')
    const { body } = await as(member).get('/api/v1/scheduled_statuses')
    const [scheduled] = ScheduledStatus.array().parse(body)
    expect(scheduled?.scheduled_at).toBe(instantOf(`${day}T12:00`, 'Europe/Stockholm')?.toISOString())
  })

  it('begins with what another app shares', async () => {
    const { browser } = await signedIn()
    const shared = new URLSearchParams({
      title: 'Waxwings',
      text: 'Seen by the station',
      url: 'https://birds.example/1',
    })
    const { location } = await browser.get(`/share?${shared}`)
    expect(location).toBe(`/publish?${shared}`)
    const { html } = await browser.get(location ?? '')
    expect(html).toMatch(/<textarea[^>]*>\n?Waxwings Seen by the station https:\/\/birds\.example\/1</)
  })

  it('refuses a form of another site, and leads visitors to sign-in', async () => {
    const { browser } = await signedIn()
    expect((await browser.post(path, { press: 'post', status: 'forged' })).status).toBe(422)
    expect((await new Browser().get(path)).location).toBe('/auth/sign_in?return_to=%2Fpublish')
  })
})

describe('the form of the composer', () => {
  it('contains no other form, also where it shows the post that is answered', async () => {
    const { browser } = await signedIn()
    const other = Status.parse(
      (await as(await given.account()).post('/api/v1/statuses', { status: 'Hello' })).body,
    )
    const { html } = await browser.get(`${path}?reply_to=${other.id}`)
    for (const form of html.split('</form>')) expect(form.split('<form').length).toBeLessThanOrEqual(2)
    expect(html.split('id="composer"')[1]).toContain('name="status"')
  })

  it('the form of the composer is kept while a member whose session ended signs in again', async () => {
    const { member, browser } = await signedIn()
    const { html } = await browser.get(path)
    await context().db.delete(sessions).where(eq(sessions.accountId, member.id))
    const fields = {
      ...hiddenFields(html, path),
      press: 'post',
      status: 'A long text',
      visibility: 'private',
    }
    const sent = await browser.post(path, fields)
    expect(sent.location).toBe('/auth/sign_in?return_to=%2Fpublish')
    await browser.signIn(member.username, password, path)
    const again = await browser.get(path)
    expect(again.html).toContain('A long text</textarea>')
    expect(again.html).toMatch(/value="private" checked/)
    expect(again.html).toContain('You were signed out before this was sent.')
    expect(await newest(member)).toBeUndefined()
  })

  it('attaches a chosen picture, and refuses a fifth file without losing the others', async () => {
    const { browser } = await signedIn()
    const file = new File([mediaFile('rgb.png')], 'wren.png', { type: 'image/png' })
    const shown = await browser.upload(path, { press: 'attach', status: 'A wren', 'file[]': file })
    expect(shown.status).toBe(200)
    const [, id] = /name="description_(\d+)"/.exec(shown.html) ?? []
    expect(shown.html).toContain('A wren</textarea>')
    const media_ids = Array(4).fill(id).join(',')
    const refused = await browser.upload(path, {
      press: 'attach',
      status: 'A wren',
      media_ids,
      'file[]': file,
    })
    expect(refused.status).toBe(422)
    expect(refused.html).toContain('A wren</textarea>')
    expect(refused.html).toContain(`name="description_${id}"`)
  })

  it('the composer asks a member who wants to be reminded before it posts a picture without description', async () => {
    const { member, browser } = await signedIn()
    await browser.fill('/settings/preferences', {
      visibility: 'public',
      quote_policy: 'public',
      expand_media: 'default',
      remind_descriptions: 'true',
    })
    const id = await storedUpload(member)
    const fields = { press: 'post', status: 'A wren', media_ids: id, [`description_${id}`]: '' }
    const asked = await browser.fill(path, fields, action)
    expect(asked.status).toBe(422)
    expect(asked.html).toContain('value="undescribed"')
    expect(asked.html).toContain('A wren</textarea>')
    expect(await newest(member)).toBeUndefined()
    const sent = await browser.fill(path, { ...fields, press: 'undescribed' }, action)
    expect(sent.status).toBe(303)
    expect((await newest(member))?.media_attachments).toMatchObject([{ id, description: null }])
  })

  it('the composer reminds of a picture without description in each post of a thread, and publishes none before', async () => {
    const { member, browser } = await signedIn()
    await browser.fill('/settings/preferences', {
      visibility: 'public',
      quote_policy: 'public',
      expand_media: 'default',
      remind_descriptions: 'true',
    })
    const [first, second] = [await storedUpload(member), await storedUpload(member)]
    const fields = {
      press: 'post',
      posts: '3',
      status: 'One',
      media_ids: first,
      [`description_${first}`]: 'A wren',
      status_2: 'Two',
      status_3: 'Three',
      media_ids_3: second,
      [`description_${second}_3`]: ' ',
    }
    const asked = await browser.fill(path, fields, action)
    expect([asked.status, asked.html.includes('value="undescribed"')]).toEqual([422, true])
    expect(asked.html).toContain('Three</textarea>')
    expect(await newest(member)).toBeUndefined()
    const described = { ...fields, [`description_${second}_3`]: 'An owl' }
    expect((await browser.fill(path, described, action)).html).not.toContain('value="undescribed"')
    expect(await newest(member)).toBeDefined()
  })

  it('the form of the composer makes one post of a described upload that is sent twice, and leads to it both times', async () => {
    const { member, browser } = await signedIn()
    const id = await storedUpload(member)
    const fields = {
      press: 'post',
      status: 'A wren',
      media_ids: id,
      [`description_${id}`]: 'A small bird',
      key: 'same',
    }
    const first = await browser.fill(path, fields, action)
    const second = await browser.fill(path, fields, action)
    const status = await newest(member)
    expect([first.location, second.location]).toEqual(
      Array(2).fill(`/@${member.username}/${status?.id}?sent=1`),
    )
    expect(status?.media_attachments).toMatchObject([{ id, description: 'A small bird' }])
  })
})

describe('a local time', () => {
  it.each([
    ['2026-12-24T18:30', 'Europe/Stockholm', '2026-12-24T17:30:00.000Z'],
    ['2026-07-01T00:00', 'America/New_York', '2026-07-01T04:00:00.000Z'],
    ['2026-07-01T00:00', 'Asia/Kathmandu', '2026-06-30T18:15:00.000Z'],
    ['2026-07-01T00:00', 'UTC', '2026-07-01T00:00:00.000Z'],
  ])('%s in %s is %s', (text, zone, instant) => {
    expect(instantOf(text, zone)?.toISOString()).toBe(instant)
  })

  it('a local time is none for other texts', () => {
    for (const text of ['', 'tomorrow', '2026-13-40T99:99']) expect(instantOf(text, 'UTC')).toBeNull()
  })
})
