import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { withChromium } from '../support/browser'
import { OtherServer } from '../support/other-server'
import { Panel } from '../support/panel'
import { routesOf } from '../support/panel-flows'
import { eventually } from '../support/receiver'

const api = '/api/fieldfare/v1/admin'
const limits = '/api/v1/admin/domain_blocks'

withChromium('other servers, in the panel', () => {
  let panel: Panel
  let other: OtherServer
  beforeAll(async () => {
    other = await OtherServer.open()
    panel = await Panel.open({ FEDERATION_TEST_HOSTS: other.host })
  })
  afterAll(async () => {
    other?.close()
    await panel?.close()
  })

  it('looks up a server, limits it with a preview, changes the limit and lifts it', async () => {
    await panel.go('/admin/instances')
    await panel.page.getByLabel('Domain begins with').fill('spam.example')
    await panel.page.getByRole('button', { name: 'Look up' }).click()
    await panel.page.getByRole('link', { name: 'Open spam.example anyway' }).waitFor()
    await panel.go('/admin/domain_blocks')
    await panel.page.getByLabel('Limit another server').fill('spam.example')
    await panel.preview('Continue', limits)
    await panel.page.getByText('A suspension hides 0 accounts').waitFor()
    expect(await panel.page.locator('input[type=radio]:checked').count()).toBe(0)
    await panel.page.getByRole('radio', { name: /^Limit/ }).check()
    await panel.page.getByLabel('Public reason').fill('Spam')
    expect(await panel.press('Apply the limit', limits)).toMatch(/^The limit is in force/)
    expect(await panel.list(limits)).toMatchObject([
      { domain: 'spam.example', severity: 'silence', public_comment: 'Spam' },
    ])
    await panel.page.getByRole('radio', { name: /^Suspend/ }).check()
    await panel.page.getByLabel('Block media from this server').check()
    await panel.confirm('Change the limit', limits)
    expect(await panel.list(limits)).toMatchObject([
      { severity: 'suspend', reject_media: true, public_comment: 'Spam' },
    ])
    expect(await panel.confirm('Lift the limit', limits)).toMatch(/^The limit is lifted/)
    expect(await panel.list(limits)).toEqual([])
  })

  it('checks the connection to a server, and shows where it fails', async () => {
    await panel.go(`/admin/instances/spam.example`)
    await panel.preview('Check the connection', limits)
    await panel.page.getByRole('heading', { name: 'Connection to spam.example' }).waitFor()
    expect(await panel.page.locator('main li').count()).toBeGreaterThan(2)
  })

  it('subscribes to a relay, leaves it, subscribes again and removes it', async () => {
    const follows = () => other.at('/inbox').map(({ body }) => Object(JSON.parse(body)).type)
    await panel.go('/admin/relays')
    await panel.page.getByLabel('Inbox of the relay').fill(other.url('/inbox'))
    expect(await panel.press('Subscribe', [other, '/inbox'])).toBe('Added.')
    await eventually(() => expect(follows()).toEqual(['Follow']))
    expect(await panel.press('Unsubscribe', [other, '/inbox'], panel.entry('/inbox'))).toBe('Unsubscribed.')
    await eventually(() => expect(follows()).toEqual(['Follow', 'Undo']))
    expect(await panel.press('Subscribe again', [other, '/inbox'], panel.entry('/inbox'))).toBe(
      'The subscription has been requested.',
    )
    await eventually(() => expect(follows()).toEqual(['Follow', 'Undo', 'Follow']))
    expect(await panel.confirm('Remove', [other, '/inbox'], panel.entry('/inbox'))).toBe('Removed.')
    await eventually(() => expect(follows()).toEqual(['Follow', 'Undo', 'Follow', 'Undo']))
    expect(await panel.list(`${api}/relays`)).toEqual([])
  })

  it('retries failing deliveries, and gives them up', async () => {
    const health = `${api}/delivery_health?failing=true` as const
    const waiting = async () =>
      z
        .object({ hosts: z.array(z.object({ host: z.string(), waiting: z.number() })) })
        .parse(await panel.one(health)).hosts
    // A single failure may be chance: several of them make a server count as failing.
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await panel.api('POST', `${api}/relays`, z.unknown(), { inbox_url: `https://down.example/${name}` })
    await eventually(async () => expect(await waiting()).toEqual([{ host: 'down.example', waiting: 5 }]))
    await panel.go('/admin/instances?show=failing')
    await panel.page.getByRole('link', { name: 'down.example' }).first().click()
    expect(await panel.press('Retry now', health)).toBe('The deliveries are being retried.')
    await eventually(async () => expect(await waiting()).toEqual([{ host: 'down.example', waiting: 5 }]))
    await panel.page.reload()
    expect(await panel.confirm('Give up deliveries', health)).toBe(
      'The waiting deliveries have been given up.',
    )
    await eventually(async () => expect((await waiting()).filter(({ waiting }) => waiting > 0)).toEqual([]))
  })

  it('restores follows that a suspension ended', async () => {
    panel.write((database, id) => {
      const columns = 'id, type, target, created_at, following_count'
      database
        .prepare(`insert into severance_events (${columns}) values (?, 'domain_block', 'lost.example', ?, 1)`)
        .run(id, Date.now())
    })
    await panel.go('/admin/severances')
    expect(await panel.press('Restore the follows', `${api}/severances`)).toMatch(
      /^The follows are being restored/,
    )
    await eventually(async () => {
      await panel.page.reload()
      await panel.entry('lost.example').getByText('restored', { exact: true }).waitFor({ timeout: 200 })
    })
  })

  it('subscribes to a blocklist, reviews it, fetches it again, unsubscribes and lifts its limits', async () => {
    const domains = async () => (await panel.list(limits)).map(({ domain }) => domain).toSorted()
    /** Opens the page of the list once it shows a domain. */
    const review = (domain: string) =>
      eventually(async () => {
        await panel.go('/admin/blocklists')
        await panel.entry('Bad birds').getByRole('link', { name: 'Bad birds', exact: true }).click()
        expect(await panel.page.getByRole('link', { name: domain }).count()).toBe(1)
      })
    other.list = '#domain,#severity,#public_comment\none.example,suspend,Spam\ntwo.example,silence,Noise\n'
    await panel.go('/admin/blocklists')
    await panel.page.getByLabel('Address of the list').fill(other.url('/list.csv'))
    await panel.page.getByLabel('Name').fill('Bad birds')
    expect(await panel.press('Subscribe to a list', `${api}/blocklists`)).toBe('Added.')
    await review('one.example')
    expect(await panel.confirm('Approve', limits, panel.entry('one.example'))).toMatch(/^Approved/)
    await eventually(async () => expect(await domains()).toEqual(['one.example']))
    await panel.preview('Review all changes', limits)
    await panel.page.getByText('1 new limit').waitFor()
    expect(await panel.confirm('Reject all', `${api}/blocklists`)).toMatch(/^Rejected/)
    expect(await domains()).toEqual(['one.example'])
    other.list += 'three.example,silence,Noise\n'
    await panel.go('/admin/blocklists')
    expect(await panel.press('Fetch now', `${api}/blocklists`, panel.entry('Bad birds'))).toMatch(
      /^The list is being fetched/,
    )
    await review('three.example')
    await panel.preview('Review all changes', limits)
    expect(await panel.confirm('Approve all', limits)).toMatch(/^Approved/)
    await eventually(async () => expect(await domains()).toContain('three.example'))
    await panel.go('/admin/blocklists')
    expect(await panel.confirm('Unsubscribe, lift its limits', limits, panel.entry('Bad birds'))).toBe(
      'Removed.',
    )
    await eventually(async () => expect(await domains()).toEqual([]))
    other.list = '#domain,#severity\nfour.example,silence\n'
    await eventually(async () => {
      await panel.go('/admin/blocklists')
      expect(await panel.page.getByText('Bad birds').count()).toBe(0)
    })
    await panel.page.getByLabel('Address of the list').fill(other.url('/list.csv'))
    await panel.page.getByLabel('Name').fill('Bad birds')
    await panel.press('Subscribe to a list', `${api}/blocklists`)
    await review('four.example')
    expect(await panel.press('Approve', limits, panel.entry('four.example'))).toMatch(/^Approved/)
    await eventually(async () => expect(await domains()).toEqual(['four.example']))
    await panel.go('/admin/blocklists')
    expect(
      await panel.press('Unsubscribe, keep its limits', `${api}/blocklists`, panel.entry('Bad birds')),
    ).toMatch(/^Unsubscribed/)
    expect(await domains()).toEqual(['four.example'])
  })

  it('exports and imports lists of limits as files, with a preview', async () => {
    await panel.go('/admin/domain_blocks')
    const form = await panel.unfold('Lists as files')
    const coming = panel.page.waitForEvent('download')
    await form.getByRole('link', { name: 'Export all limits' }).click()
    expect(await readFile(await (await coming).path(), 'utf8')).toContain('four.example')
    const buffer = Buffer.from('#domain,#severity\nfive.example,suspend\n')
    await form.getByLabel('Import a list').setInputFiles({ name: 'l.csv', mimeType: 'text/csv', buffer })
    await panel.preview('Preview the import', limits)
    await panel.page.getByText('1 new limit.').waitFor()
    await panel.press('Import', limits)
    await eventually(async () =>
      expect((await panel.list(limits)).map(({ domain }) => domain)).toContain('five.example'),
    )
  })

  it('logs no errors, and sent every form of these pages', () => {
    expect(panel.complaints).toEqual([])
    expect(routesOf('servers').filter((route) => !panel.used.has(route))).toEqual([])
  })
})
