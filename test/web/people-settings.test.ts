import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../support/as'
import { hiddenFields, textOf } from '../support/browser'
import { given } from '../support/given'
import { subscribedDevice } from '../support/given-push'
import { relation } from '../support/given-relationships'
import { signedIn } from '../support/members'

const Named = z.array(z.object({ id: z.string(), name: z.string().optional() }))
const Titled = z.array(z.looseObject({ id: z.string(), title: z.string() }))
const Filters = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    context: z.array(z.string()),
    filter_action: z.string(),
    expires_at: z.string().nullable(),
    keywords: z.array(z.object({ id: z.string(), keyword: z.string(), whole_word: z.boolean() })),
  }),
)

describe('the page of filters', () => {
  const path = '/settings/filters'
  const words = { sent: 'true', title: 'Elections', keywords: 'vote\nballot box\n\nvote', whole_word: 'true' }
  const places = { 'in-home': 'true', 'in-thread': 'true' }
  const own = async (member: Parameters<typeof as>[0]) =>
    Filters.parse((await as(member).get('/api/v2/filters')).body)

  it('adds a filter with its keywords, for apps to read', async () => {
    const { member, browser } = await signedIn()
    const done = await browser.fill(path, { ...words, ...places, filter_action: 'hide', expires_in: '' })
    expect([done.status, done.location]).toEqual([303, `${path}?done=added`])
    expect(await own(member)).toMatchObject([
      {
        title: 'Elections',
        context: ['home', 'thread'],
        filter_action: 'hide',
        expires_at: null,
        keywords: [
          { keyword: 'vote', whole_word: true },
          { keyword: 'ballot box', whole_word: true },
        ],
      },
    ])
    expect(textOf((await browser.get(path)).html)).toContain('Elections')
  })

  it('changes a filter, keeps the ids of unchanged keywords, and deletes it', async () => {
    const { member, browser } = await signedIn()
    await browser.fill(path, { ...words, ...places, filter_action: 'warn', expires_in: '3600' })
    const [before] = await own(member)
    const at = `${path}?id=${before?.id}`
    const action = `${path}/${before?.id}`
    expect((await browser.get(at)).html).toContain('vote\nballot box')
    const changed = {
      ...words,
      title: 'Votes',
      keywords: 'vote\npoll',
      'in-public': 'true',
      expires_in: 'keep',
    }
    const done = await browser.fill(at, { ...changed, filter_action: 'blur' }, { action })
    expect(done.location).toBe(`${path}?done=saved`)
    const [after] = await own(member)
    expect(after).toMatchObject({ title: 'Votes', context: ['public'], filter_action: 'blur' })
    expect(after?.expires_at).toBe(before?.expires_at)
    expect(after?.keywords.map(({ keyword }) => keyword)).toEqual(['vote', 'poll'])
    expect(after?.keywords[0]?.id).toBe(before?.keywords[0]?.id)
    await browser.fill(at, {}, { action: `${action}/delete` })
    expect(await own(member)).toEqual([])
  })

  it('keeps typed values and names the field when something is missing', async () => {
    const { member, browser } = await signedIn()
    const page = await browser.fill(path, {
      ...words,
      title: ' ',
      filter_action: 'hide',
      expires_in: '86400',
    })
    expect(page.status).toBe(422)
    expect(page.html).toContain('href="#field-title"')
    expect(page.html).toContain('href="#field-contexts"')
    expect(page.html).toContain('ballot box')
    expect(page.html).toMatch(/value="hide"[^>]* checked/)
    expect(page.html).toContain('<option value="86400" selected')
    expect(await own(member)).toEqual([])
  })

  it('shows the filter to its owner only', async () => {
    const { member, browser } = await signedIn()
    await browser.fill(path, { ...words, ...places, filter_action: 'warn', expires_in: '' })
    const [filter] = await own(member)
    const { browser: other } = await signedIn()
    expect((await other.get(`${path}?id=${filter?.id}`)).status).toBe(404)
    const token = hiddenFields((await other.get(path)).html, path)
    for (const form of ['', '/delete'])
      expect(
        (await other.post(`${path}/${filter?.id}${form}`, { ...token, ...words, ...places })).status,
      ).toBe(404)
    expect(await own(member)).toHaveLength(1)
  })
})

describe('the page of followed hashtags', () => {
  const path = '/settings/followed_tags'
  const own = async (member: Parameters<typeof as>[0]) =>
    Named.parse((await as(member).get('/api/v1/followed_tags')).body).map(({ name }) => name)

  it('follows and unfollows hashtags', async () => {
    const { member, browser } = await signedIn()
    await browser.fill(path, { name: '#BirdWatching' })
    await browser.fill(path, { name: 'owls' })
    expect(await own(member)).toEqual(['owls', 'BirdWatching'])
    const done = await browser.fill(path, { name: 'owls' }, { action: `${path}/unfollow` })
    expect(done.location).toBe(`${path}?done=unfollowed`)
    expect(await own(member)).toEqual(['BirdWatching'])
  })

  it('refuses an invalid hashtag, and keeps it in the form', async () => {
    const { browser } = await signedIn()
    const page = await browser.fill(path, { name: 'no tag!' })
    expect(page.status).toBe(422)
    expect(page.html).toContain('value="no tag!"')
    expect(page.html).toContain('href="#field-name"')
  })
})

describe('the page of lists', () => {
  const path = '/settings/lists'
  const own = async (member: Parameters<typeof as>[0]) =>
    Titled.parse((await as(member).get('/api/v1/lists')).body)

  it('creates, changes and deletes a list', async () => {
    const { member, browser } = await signedIn()
    const made = await browser.fill(path, { title: 'Bird people', replies_policy: 'none', exclusive: 'true' })
    expect(await own(member)).toMatchObject([
      { title: 'Bird people', replies_policy: 'none', exclusive: true },
    ])
    const [list] = await own(member)
    expect(made.location).toBe(`${path}?id=${list?.id}&done=added`)
    const at = `${path}?id=${list?.id}`
    const action = `${path}/${list?.id}`
    await browser.fill(at, { title: 'Owl people', replies_policy: 'followed' }, { action })
    expect(await own(member)).toMatchObject([
      { title: 'Owl people', replies_policy: 'followed', exclusive: false },
    ])
    await browser.fill(at, {}, { action: `${action}/delete` })
    expect(await own(member)).toEqual([])
  })

  it('adds followed accounts and removes them', async () => {
    const { member, browser } = await signedIn()
    const friend = await given.account()
    const stranger = await given.account()
    await relation.follow(member, friend)
    await browser.fill(path, { title: 'Friends', replies_policy: 'list' })
    const [list] = await own(member)
    const at = `${path}?id=${list?.id}`
    const members = async () =>
      Named.parse((await as(member).get(`/api/v1/lists/${list?.id}/accounts`)).body).map(({ id }) => id)
    const action = `${path}/${list?.id}/members`
    await browser.fill(at, { handle: `@${friend.username}` }, { action })
    expect(await members()).toEqual([String(friend.id)])
    const refused = await browser.fill(at, { handle: stranger.username }, { action })
    expect(refused.status).toBe(422)
    expect(refused.html).toContain(`value="${stranger.username}"`)
    const unknown = await browser.fill(at, { handle: 'nobody.at.all' }, { action })
    expect(unknown.html).toContain('href="#field-handle"')
    await browser.fill(at, { account: String(friend.id) }, { action: `${action}/remove` })
    expect(await members()).toEqual([])
  })

  it('shows the list to its owner only', async () => {
    const { member, browser } = await signedIn()
    await browser.fill(path, { title: 'Secret', replies_policy: 'list' })
    const [list] = await own(member)
    const { browser: other } = await signedIn()
    expect((await other.get(`${path}?id=${list?.id}`)).status).toBe(404)
    const token = hiddenFields((await other.get(path)).html, path)
    for (const form of ['', '/delete', '/members/remove'])
      expect((await other.post(`${path}/${list?.id}${form}`, { ...token, title: 'Mine' })).status).toBe(404)
    expect(await own(member)).toMatchObject([{ title: 'Secret' }])
  })
})

describe('the page of blocks', () => {
  const path = '/settings/blocks'
  const ids = async (member: Parameters<typeof as>[0], list: string) =>
    Named.parse((await as(member).get(`/api/v1/${list}`)).body).map(({ id }) => id)

  it('lists blocked and muted accounts, and unblocks and unmutes them', async () => {
    const { member, browser } = await signedIn()
    const [blocked, muted] = [await given.account(), await given.remoteAccount()]
    await as(member).post(`/api/v1/accounts/${blocked.id}/block`)
    await as(member).post(`/api/v1/accounts/${muted.id}/mute`, { duration: 3_600 })
    const text = textOf((await browser.get(path)).html)
    expect(text).toContain(`@${blocked.username}`)
    expect(text).toMatch(new RegExp(`@${muted.username}.*until`))
    await browser.fill(path, {}, { action: `${path}/accounts/${blocked.id}/unblock` })
    await browser.fill(path, {}, { action: `${path}/accounts/${muted.id}/unmute` })
    expect([await ids(member, 'blocks'), await ids(member, 'mutes')]).toEqual([[], []])
  })

  it('blocks and unblocks servers', async () => {
    const { member, browser } = await signedIn()
    const domains = async () => (await as(member).get('/api/v1/domain_blocks')).body
    const done = await browser.fill(
      path,
      { domain: 'https://Spam.Example/about' },
      { action: `${path}/domains` },
    )
    expect(done.location).toBe(`${path}?done=domain-blocked`)
    expect(await domains()).toEqual(['spam.example'])
    const refused = await browser.fill(path, { domain: 'no domain' }, { action: `${path}/domains` })
    expect(refused.status).toBe(422)
    expect(refused.html).toContain('value="no domain"')
    await browser.fill(path, { domain: 'spam.example' }, { action: `${path}/domains/unblock` })
    expect(await domains()).toEqual([])
  })
})

describe('the page of the notification policy', () => {
  const path = '/settings/notification_policy'

  it('saves the policy', async () => {
    const { member, browser } = await signedIn()
    const chosen = {
      not_following: 'filter',
      new_accounts: 'drop',
      bots: 'accept',
      private_mentions: 'accept',
    }
    await browser.fill(path, { ...chosen, limited_accounts: 'made up' })
    expect((await as(member).get('/api/v2/notifications/policy')).body).toMatchObject({
      for_not_following: 'filter',
      for_new_accounts: 'drop',
      for_bots: 'accept',
      for_private_mentions: 'accept',
      for_limited_accounts: 'filter',
    })
    expect((await browser.get(path)).html).toContain('<option value="drop" selected')
  })

  it('accepts or deletes filtered notifications', async () => {
    const { member, browser } = await signedIn()
    await browser.fill(path, { not_following: 'filter' })
    const [one, two] = [await given.account(), await given.account()]
    for (const sender of [one, two])
      await as(sender).post('/api/v1/statuses', { status: `Hello @${member.username}` })
    const requests = async () =>
      z
        .array(z.object({ id: z.string(), account: z.object({ id: z.string() }) }))
        .parse((await as(member).get('/api/v1/notifications/requests')).body)
    const held = await requests()
    const of = (id: number) => held.find(({ account }) => account.id === String(id))?.id
    expect(textOf((await browser.get(path)).html)).toContain('1 notification')
    await browser.fill(path, {}, { action: `${path}/requests/${of(one.id)}/accept` })
    await browser.fill(path, {}, { action: `${path}/requests/${of(two.id)}/dismiss` })
    expect(await requests()).toEqual([])
    expect((await as(member).get('/api/v1/notifications')).body).toMatchObject([
      { account: { id: String(one.id) } },
    ])
  })
})

describe('the page of featured hashtags', () => {
  const path = '/settings/featured_tags'

  it('adds and removes featured hashtags', async () => {
    const { member, browser } = await signedIn()
    const own = async () => Named.parse((await as(member).get('/api/v1/featured_tags')).body)
    await browser.fill(path, { name: '#Owls' })
    expect(await own()).toMatchObject([{ name: 'Owls' }])
    const refused = await browser.fill(path, { name: 'no tag!' })
    expect([refused.status, refused.html.includes('value="no tag!"')]).toEqual([422, true])
    const [tag] = await own()
    await browser.fill(path, {}, { action: `${path}/${tag?.id}/remove` })
    expect(await own()).toEqual([])
  })
})

describe('the page of language and time', () => {
  const path = '/settings/preferences/appearance'

  it('saves language and time zone, and refuses unknown ones', async () => {
    const { browser } = await signedIn()
    const done = await browser.fill(path, { locale: 'de', time_zone: 'Europe/Berlin' })
    expect(done.location).toBe(`${path}?done=saved&changed=locale%2Ctime_zone`)
    const { html } = await browser.get(path)
    expect(html).toContain('<option value="de" selected')
    expect(html).toContain('<option value="Europe/Berlin" selected')
    for (const wrong of [
      { locale: 'tlh', time_zone: '' },
      { locale: 'de', time_zone: 'Mars/Base' },
    ])
      expect((await browser.fill(path, wrong)).status).toBe(422)
    expect((await browser.get(path)).html).toContain('<option value="Europe/Berlin" selected')
  })

  it('uses the language of the browser where none is chosen', async () => {
    const { browser } = await signedIn({ user: { locale: 'de' } })
    await browser.fill(path, { locale: '', time_zone: '' })
    const { html } = await browser.get(path, { headers: { 'accept-language': 'fr' } })
    expect(html).toContain('<html lang="fr"')
    expect(html).toContain('<option value="" selected')
  })
})

describe('the page of apps and devices', () => {
  const path = '/oauth/authorized_applications'

  it('lists push devices without their addresses, and ends their subscriptions', async () => {
    const { member, browser } = await signedIn()
    const device = await subscribedDevice(member)
    const { html } = await browser.get(path)
    expect(textOf(html)).toContain(`through ${new URL(device.subscription.endpoint).host} since`)
    expect(html).not.toContain(device.subscription.endpoint)
    const action = /action="(\/settings\/push\/\d+\/remove)"/.exec(html)?.[1] ?? ''
    const { browser: other } = await signedIn()
    await other.post(action, hiddenFields((await other.get('/auth/edit')).html, '/auth/sign_out'))
    expect((await as(member).get('/api/v1/push/subscription')).status).toBe(200)
    await browser.fill(path, {}, { action })
    expect((await as(member).get('/api/v1/push/subscription')).status).toBe(404)
  })
})

describe('the first steps', () => {
  const path = '/start'

  it('save name and profile text, follow suggested accounts, and show the address with its QR code', async () => {
    const { member, browser } = await signedIn()
    const friend = await given.account()
    const { html } = await browser.get(path)
    expect(html).toContain('class="qr-code"')
    expect(html).toContain('fieldfare.test</code>')
    const at = '/settings/first-steps'
    const token = hiddenFields(html, `${at}/profile`)
    const done = await browser.post(`${at}/profile`, { ...token, display_name: 'Ada', note: 'Birds' })
    expect(done.location).toBe(`${path}?done=profile&at=profile`)
    const own = z.looseObject({ display_name: z.string() })
    expect(own.parse((await as(member).get('/api/v1/profile')).body)).toMatchObject({
      display_name: 'Ada',
      note: 'Birds',
    })
    await browser.post(`${at}/follow/${friend.id}`, token)
    expect((await as(member).get(`/api/v1/accounts/relationships?id[]=${friend.id}`)).body).toMatchObject([
      { following: true },
    ])
    const refused = await browser.post(`${at}/profile`, {
      ...token,
      display_name: 'n'.repeat(41),
      note: 'Owls',
    })
    expect([refused.status, refused.html.includes('Owls')]).toEqual([422, true])
  })

  it('the first steps keep typed profile values when an account is followed', async () => {
    const { member, browser } = await signedIn()
    const friend = await given.account()
    const token = hiddenFields((await browser.get(path)).html, '/settings/first-steps/profile')
    const typed = { display_name: 'Ada <3', note: 'Not saved yet', avatar: new File([], '') }
    const action = `/settings/first-steps/follow/${friend.id}`
    const sent = await browser.upload(path, { ...token, ...typed }, { action })
    expect((await as(member).get(`/api/v1/accounts/relationships?id[]=${friend.id}`)).body).toMatchObject([
      { following: true },
    ])
    const { html } = await browser.get(sent.location ?? '')
    expect(html).toContain('value="Ada &lt;3"')
    expect(html).toContain('Not saved yet</textarea>')
    const [, people = ''] = html.split('id="people"')
    expect(people).toContain('You follow one more account.')
    expect(html).not.toContain('note danger')
    // Once: the next visit shows what is saved.
    expect((await browser.get(path)).html).not.toContain('Not saved yet')
  })

  it('the first steps show nothing to an account that is not confirmed yet', async () => {
    const { browser } = await signedIn({ user: { confirmedAt: null } })
    const { status, html } = await browser.get(path)
    expect([status, html.includes('method="post"')]).toEqual([200, false])
  })
})
