import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { settingGroups } from '../../../src/web/pages/admin/setting-groups'
import { zipOf } from '../../support/zip'
import { withChromium } from '../support/browser'
import { MailServer } from '../support/mail-server'
import { runPeriodicTasks } from '../support/operator'
import { OtherServer } from '../support/other-server'
import { type Json, Panel } from '../support/panel'
import { routesOf } from '../support/panel-flows'
import { eventually, isSigned } from '../support/receiver'
import { translated } from '../support/translated'

const api = '/api/fieldfare/v1/admin'
const picture = readFileSync('test/data/media/rgb.png')

/** Preview of a page of another site, as it is stored. */
const article = {
  url: 'https://atlas.example/thrushes',
  title: 'An atlas of thrushes',
  description: '',
  type: 'link',
  authorName: '',
  authorUrl: '',
  providerName: 'The Atlas',
  providerUrl: '',
  html: '',
  width: 0,
  height: 0,
  blurhash: null,
  photo: null,
  image: null,
  imageDescription: '',
  language: 'en',
  publishedAt: null,
  creatorId: null,
}

withChromium('what a server is made of, in the panel', () => {
  let panel: Panel
  let other: OtherServer
  const mails = new MailServer('nobody@hedge.example')
  beforeAll(async () => {
    other = await OtherServer.open()
    panel = await Panel.open({
      FEDERATION_TEST_HOSTS: other.host,
      MAIL_FROM: 'post@hedge.example',
      SMTP_URL: `smtp://127.0.0.1:${await mails.listen()}`,
    })
  })
  afterAll(async () => {
    other?.close()
    mails.close()
    await panel?.close()
  })

  const settings = async (): Promise<Json> =>
    Object.fromEntries((await panel.list(`${api}/settings`)).map(({ name, value }) => [name, value]))

  it.each(settingGroups)('settings: $name', async ({ name, title }) => {
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      server: () => panel.page.getByLabel('Short description').fill('For birds'),
      'sign-up': () => panel.page.getByLabel('Who can sign up').selectOption({ label: 'With approval' }),
      visibility: () => panel.page.getByLabel('List of limited servers').selectOption({ label: 'Everyone' }),
      discovery: () => panel.page.getByLabel('Accounts before a page trends').fill('2'),
      storage: () => panel.page.getByLabel('Backups to keep').fill('3'),
    }
    const outcomes: Readonly<Record<string, object>> = {
      server: { shortDescription: 'For birds' },
      'sign-up': { registrations: 'approval' },
      visibility: { domainBlocksShownTo: 'all' },
      discovery: { trendMinimumAccounts: 2 },
      storage: { keepBackups: 3 },
    }
    expect(Object.keys(changes)).toContain(name)
    await panel.go('/admin/settings')
    const before = await settings()
    await changes[name]?.()
    expect(await panel.press('Save', `${api}/settings`, panel.region(translated('en', title)))).toBe(
      'The settings are saved.',
    )
    expect(await settings()).toEqual({ ...before, ...outcomes[name] })
  })

  it('keeps refused settings in the form, with the reason beside the field', async () => {
    await panel.go('/admin/settings')
    const field = panel.page.getByLabel('Backups to keep')
    await field.fill('0')
    await panel.refused('Save', panel.region('Storage, backups and alerts'))
    expect(await field.inputValue()).toBe('0')
    await panel.page.locator('.field').filter({ has: field }).locator('.error').waitFor()
  })

  it('previews, publishes, announces and withdraws terms', async () => {
    await panel.go('/admin/terms')
    await panel.unfold('Write a version')
    await panel.page.getByLabel('Text').fill('## Terms\n\nFeed the birds.')
    await panel.preview('Preview', `${api}/terms`)
    await panel.page.getByText('Feed the birds.').waitFor()
    expect(await panel.press('Publish', `${api}/terms`)).toBe('The terms are published.')
    expect(await panel.one('/api/v1/instance/terms_of_service')).toMatchObject({
      content: expect.stringContaining('Feed the birds.'),
    })
    expect(await panel.confirm('Notify members', `${api}/terms`)).toContain('Members are notified by e-mail')

    await panel.unfold('Write a version')
    await panel.page.getByLabel('Text').fill('## Terms\n\nFeed them twice.')
    await panel.page.getByLabel('In force from').fill('2031-05-01')
    await panel.preview('Preview', `${api}/terms`)
    await panel.press('Publish', `${api}/terms`)
    await panel.entry('2031-05-01').getByRole('link', { name: 'Use its text' }).click()
    expect(await panel.page.getByLabel('Text').inputValue()).toContain('Feed them twice.')
    // The owner of a fresh server has no e-mail address: the refusal says so, and nothing else happens.
    await panel.refused('Mail the notice to me', panel.entry('2031-05-01'))
    await panel.page.getByText('No mail can be sent to this account').waitFor()
    panel.write((database) => {
      database
        .prepare(
          "update users set email = 'owner@hedge.example', confirmed_at = created_at where account_id = (select id from accounts where username = 'owner' and domain is null)",
        )
        .run()
    })
    await panel.go('/admin/terms')
    await panel.press('Mail the notice to me', [mails, 'owner@hedge.example'], panel.entry('2031-05-01'))
    expect(mails.at('owner@hedge.example')[0]).toContain('2031')
    await panel.go('/admin/terms')
    expect(await panel.confirm('Delete', `${api}/terms`, panel.entry('2031-05-01'))).toBe(
      'The version is deleted. It never comes into force.',
    )
    expect(await panel.page.getByText('2031-05-01').count()).toBe(0)
  })

  it('adds, categorises, disables, renames by category and deletes emojis', async () => {
    const emojis = () => panel.list('/api/v1/custom_emojis')
    await panel.go('/admin/custom_emojis')
    const form = await panel.unfold('Add an emoji')
    await form
      .getByLabel('Picture')
      .setInputFiles({ name: 'robin.png', mimeType: 'image/png', buffer: picture })
    await form.getByLabel('Shortcode').fill('robin')
    await form.getByLabel('Category').fill('Birds')
    expect(await panel.press('Add emoji', '/api/v1/custom_emojis')).toMatch(/^The emoji can be used/)
    expect(await emojis()).toMatchObject([{ shortcode: 'robin', category: 'Birds' }])
    expect(await panel.press('Disable', '/api/v1/custom_emojis', panel.entry(':robin:'))).toBe(
      'The emoji is disabled.',
    )
    expect(await emojis()).toEqual([])
    expect(await panel.press('Enable', '/api/v1/custom_emojis', panel.entry(':robin:'))).toBe(
      'The emoji is enabled.',
    )
    await panel.entry(':robin:').getByRole('link').click()
    await panel.page.getByLabel('Category').fill('Small birds')
    expect(await panel.press('Save', '/api/v1/custom_emojis')).toBe('Saved.')
    expect(await emojis()).toMatchObject([{ category: 'Small birds' }])
    await panel.go('/admin/custom_emojis')
    const categories = await panel.unfold('Categories')
    await categories.getByLabel('Small birds').fill('Garden')
    expect(await panel.press('Rename', '/api/v1/custom_emojis')).toBe('The category has its new name.')
    expect(await emojis()).toMatchObject([{ category: 'Garden' }])
    expect(await panel.confirm('Delete', '/api/v1/custom_emojis', panel.entry(':robin:'))).toBe(
      'The emoji is deleted.',
    )
    expect(await emojis()).toEqual([])
  })

  it('imports emojis from an archive and from another server', async () => {
    const codes = async () =>
      (await panel.list('/api/v1/custom_emojis')).map(({ shortcode }) => shortcode).toSorted()
    await panel.go('/admin/custom_emojis')
    const form = await panel.unfold('Import an archive')
    const archive = zipOf([
      ['tit.png', picture],
      ['notes.txt', new Uint8Array([1])],
    ])
    await form
      .getByLabel('Zip archive')
      .setInputFiles({ name: 'b.zip', mimeType: 'application/zip', buffer: archive })
    await panel.press('Import emojis', '/api/v1/custom_emojis')
    await panel.page.getByText('1 picture is being added.').waitFor()
    await panel.page.getByText('not a PNG, GIF or WebP file').waitFor()
    await eventually(async () => expect(await codes()).toEqual(['tit']))
    await panel.go('/admin/custom_emojis?where=remote')
    await panel.page.getByRole('textbox', { name: 'Server' }).fill(other.host)
    await panel.page.getByRole('button', { name: 'Show its emojis' }).click()
    expect(await panel.press('Copy', '/api/v1/custom_emojis', panel.entry(':wren:'))).toBe(
      'The emoji was copied.',
    )
    await eventually(async () => expect(await codes()).toEqual(['tit', 'wren']))
  })

  it('creates, tests, signs, changes, stops and deletes webhooks', async () => {
    const hooks = () => panel.list(`${api}/webhooks`)
    await panel.go('/admin/webhooks')
    await panel.page.getByLabel('Address').fill(other.url('/hook'))
    await panel.page.getByLabel('Someone signs up (account.created)').check()
    await panel.press('Add a webhook', `${api}/webhooks`)
    const shownSecret = () => panel.page.locator('.code-to-copy').innerText()
    const first = await shownSecret()
    await panel.page.getByRole('main').getByRole('link', { name: 'Webhooks' }).click()
    await panel
      .entry(other.host)
      .getByRole('link', { name: other.url('/hook'), exact: true })
      .click()
    await panel.press('Send a test', [other, '/hook'])
    await panel.page.getByText('It answered 200.').waitFor()
    const [test] = other.at('/hook')
    expect(
      test !== undefined && isSigned({ ...test, bytes: Buffer.from(test.body), status: 200 }, first),
    ).toBe(true)
    await panel.page.getByRole('link', { name: 'Deliveries to a webhook' }).click()
    await panel.confirm('New secret', `${api}/webhooks`)
    const second = await shownSecret()
    expect(second).not.toBe(first)
    await panel.member('newcomer')
    await eventually(() => expect(other.at('/hook')).toHaveLength(2))
    const sent = other.at('/hook')[1]
    expect(
      sent !== undefined && isSigned({ ...sent, bytes: Buffer.from(sent.body), status: 200 }, second),
    ).toBe(true)
    await panel.go('/admin/webhooks')
    await panel
      .entry(other.host)
      .getByRole('link', { name: other.url('/hook'), exact: true })
      .click()
    await eventually(async () => {
      await panel.page.reload()
      expect(await panel.entry('account.created').innerText()).toMatch(/delivered.*200/s)
    })
    await panel.go('/admin/webhooks')
    await panel.entry(other.host).getByRole('link', { name: 'Change' }).click()
    await panel.page.getByLabel('Someone signs up (account.created)').uncheck()
    await panel.page.getByLabel('A report comes in (report.created)').check()
    expect(await panel.press('Save', `${api}/webhooks`)).toBe('Saved.')
    expect(await panel.press('Disable', `${api}/webhooks`, panel.entry(other.host))).toBe(
      'No events are delivered any more.',
    )
    expect(await hooks()).toMatchObject([{ enabled: false, events: ['report.created'] }])
    expect(await panel.press('Enable', `${api}/webhooks`, panel.entry(other.host))).toBe(
      'Events are delivered again.',
    )
    expect(await panel.confirm('Delete', `${api}/webhooks`, panel.entry(other.host))).toBe('Removed.')
    expect(await hooks()).toEqual([])
  })

  it('allows and rejects trends of each kind', async () => {
    const Status = z.object({ id: z.string() })
    const people = await Promise.all(
      ['ada', 'ben', 'cem', 'dot', 'eve', 'flo'].map((name) => panel.member(name)),
    )
    const posts: string[] = []
    for (const { call } of people) {
      await call('PATCH', '/api/v1/accounts/update_credentials', { discoverable: true })
      const status = '#migration has begun'
      posts.push(Status.parse(await call('POST', '/api/v1/statuses', { status, language: 'en' })).id)
    }
    for (const { call } of people.slice(1))
      for (const verb of ['reblog', 'favourite']) await call('POST', `/api/v1/statuses/${posts[0]}/${verb}`)
    await runPeriodicTasks(panel.instance.origin)
    // Previews are fetched by https alone, so no page of this machine can trend by being linked to.
    panel.write((database, id) => {
      const now = Date.now()
      const card = JSON.stringify(article)
      database
        .prepare(
          'insert into preview_cards (id, url, host, card, created_at, updated_at) values (?, ?, ?, ?, ?, ?)',
        )
        .run(id, article.url, 'atlas.example', card, now, now)
      database
        .prepare(
          `insert into trending_links (card_id, language, rank, peak, peak_at, day, history)
            values (?, 'en', ?, 20, ?, ?, '[[20, 20]]')`,
        )
        .run(id, now / 28_800_000 + 5, now, Math.floor(now / 86_400_000))
    })
    await panel.go('/admin/trends')
    for (const [heading, kind, hasAll] of [
      ['Hashtags', 'tags', false],
      ['Posts', 'statuses', true],
      ['Pages', 'links', true],
    ] as const) {
      const entry = panel.region(heading).locator('li').first()
      const decides = async (button: string, notice: string, shown: 0 | 1) => {
        expect(await panel.press(button, `/api/v1/trends/${kind}`, entry)).toBe(notice)
        await entry.getByText(shown === 1 ? 'shown' : 'not shown', { exact: true }).waitFor()
        await eventually(async () =>
          expect([button, kind, (await panel.list(`/api/v1/trends/${kind}`)).length]).toEqual([
            button,
            kind,
            shown,
          ]),
        )
      }
      // A decision about one counts more than that about all of its author or site.
      if (hasAll) {
        await decides('Allow all', 'Allowed. It can trend.', 1)
        await decides('Reject all', 'Rejected. It will not trend.', 0)
      }
      await decides('Allow', 'Allowed. It can trend.', 1)
      await decides('Reject', 'Rejected. It will not trend.', 0)
    }
  })

  it('creates and deletes a backup', async () => {
    await panel.go('/admin/backups')
    expect(await panel.press('Back up now', '/setup/backups/list')).toMatch(/^The backup runs/)
    const entry = panel.page.locator('ul.entries > li').first()
    await eventually(async () => {
      await panel.page.reload()
      expect(await entry.innerText()).toContain('complete')
    })
    expect(await panel.confirm('Delete', '/setup/backups/list', entry)).toBe('The backup is being deleted.')
    await eventually(async () => {
      await panel.page.reload()
      expect(await panel.page.locator('ul.entries > li').count()).toBe(0)
    })
  })

  it('retries or drops failed jobs', async () => {
    const letters = async () => (await panel.one(`${api}/dead_letters`))['count']
    const message = JSON.stringify({ kind: 'fetch-ancestors', statusId: 5, levels: 3 })
    panel.write((database, id) => {
      const add = database.prepare(
        'insert into dead_letters (id, message_id, kind, message) values (?, ?, ?, ?)',
      )
      for (const nth of [0, 1]) add.run(id + nth, `message ${nth}`, 'fetch-ancestors', message)
    })
    await panel.go('/admin/operation')
    const section = panel.region('Failed jobs')
    expect(await panel.press('Run again', `${api}/dead_letters`, section)).toBe('The job is being run again.')
    expect(await letters()).toBe(1)
    expect(await panel.confirm('Delete', `${api}/dead_letters`, section)).toBe('The job is deleted.')
    expect(await letters()).toBe(0)
  })

  it('changes the plan after a question, and back', async () => {
    const plan = () => panel.one(`${api}/usage`)
    await panel.go('/admin/plan')
    for (const [name, chosen] of [
      ['Change to Paid', 'paid'],
      ['Change to Free', 'free'],
    ] as const) {
      expect(await panel.confirm(name, `${api}/settings`)).toMatch(/^The plan is changed/)
      expect(await plan()).toMatchObject({ plan: chosen })
    }
  })

  it('shows the use of quotas', async () => {
    await panel.go('/admin/operation')
    await panel.page.getByRole('heading', { name: /Usage of the/ }).waitFor()
    expect(await panel.one(`${api}/usage`)).toHaveProperty('quotas')
  })

  it('logs no errors, and sent every form of these pages', () => {
    expect(panel.complaints).toEqual([])
    expect(routesOf('server').filter((route) => !panel.used.has(route))).toEqual([])
  })
})
