import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { follows, instances } from '../../../src/db/schema'
import { fetchList } from '../../../src/domain/moderation/blocklists/fetch'
import { subscribeToList } from '../../../src/domain/moderation/blocklists/subscribe'
import { continueRestoring } from '../../../src/domain/moderation/restore-follows'
import { operator, type Permission } from '../../../src/domain/policy/permissions'
import { recordFailingHost } from '../../../src/domain/servers/reachability'
import { as } from '../../support/as'
import { type Browser, textOf } from '../../support/browser'
import { fakeQueue } from '../../support/fake-queue'
import { fediverse } from '../../support/fediverse'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { givenRole, givenStaff } from '../../support/given-staff'
import { signedIn } from '../../support/members'
import { clock, context, settleLateWork } from '../../support/test-app'

const browserWith = async (...permissions: Permission[]) =>
  (await signedIn({ user: { roleId: await givenRole({ permissions }) } })).browser

let browser: Browser
/** Of moderators, with and without the permission to limit servers. */
let owner: Browser
let withoutFederation: Browser
let moderator: TestAccount
beforeAll(async () => {
  browser = await browserWith('manageFederation')
  owner = await browserWith('administrator')
  withoutFederation = await browserWith('manageUsers', 'manageReports')
  moderator = await givenStaff({ permissions: ['manageFederation'] })
})

const freshDomain = () => `${freshName('server')}.test`
const path = '/admin/instances'

/** A known server with one account, which a member follows. */
async function givenServer() {
  const domain = freshDomain()
  await context().db.insert(instances).values({ domain, createdAt: clock.now() })
  const [alice, there] = [await given.account(), await given.remoteAccount({ domain })]
  await relation.follow(alice, there)
  return { domain, alice, there }
}

async function limitsByApi(): Promise<ReadonlyMap<string, string>> {
  const { body } = await as(moderator).get('/api/v1/admin/domain_blocks?limit=390')
  const listed = z.array(z.looseObject({ domain: z.string(), severity: z.string() })).parse(body)
  return new Map(listed.map(({ domain, severity }) => [domain, severity]))
}

const isFollowing = async (from: TestAccount, to: { readonly id: number }) =>
  (
    await context()
      .db.select()
      .from(follows)
      .where(and(eq(follows.accountId, from.id), eq(follows.targetAccountId, to.id)))
  ).length === 1

/** Texts of the cells of each row of the tables of a page. */
const rowsOf = (html: string) =>
  [...html.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    row.split(/<\/t[hd]>/).map((cell) => textOf(cell).trim()),
  )

describe('the pages of servers', () => {
  it('the pages of servers list known servers with their numbers, and offer to add an unknown one', async () => {
    const { domain } = await givenServer()
    const { html, costs } = await browser.get(`${path}?q=${domain.slice(0, -3).toUpperCase()}`)
    expect(textOf(html)).toContain(`${domain}`)
    const row = rowsOf(html).find((cells) => cells[0] === domain)
    expect(row?.slice(3, 6)).toEqual(['1', '1', '0'])
    expect(costs.trips).toBeLessThanOrEqual(3)
    const unknown = freshDomain()
    expect((await browser.get(`${path}?q=${unknown}`)).html).toContain(`href="${path}/${unknown}"`)
    expect((await browser.get(`${path}?q=<b>`)).html).not.toContain('<b>')
  })

  it('the pages of servers show the effects of a suspension, suspend, lift, and restore the follows', async () => {
    const { domain, alice, there } = await givenServer()
    const page = await browser.get(`${path}/${domain}`)
    expect(page.costs.trips).toBeLessThanOrEqual(3)
    expect(textOf(page.html)).toContain(
      'A suspension hides 1 account, and ends 1 follow by members and 0 follows of members.',
    )
    const sent = await browser.confirm(
      `${path}/${domain}`,
      { severity: 'suspend', public_comment: 'Adverts <all> day' },
      { action: `${path}/${domain}/limit` },
    )
    expect(sent.location).toBe(`${path}/${domain}?done=limited&at=limit`)
    await settleLateWork()
    expect((await limitsByApi()).get(domain)).toBe('suspend')
    expect(await isFollowing(alice, there)).toBe(false)
    const listed = await browser.get('/admin/domain_blocks')
    expect(textOf(listed.html)).toContain(`${domain} suspended`)
    expect(listed.html).not.toContain('<all>')

    const early = await browser.get('/admin/severances')
    const [, id = ''] = new RegExp(`${domain}[^]*?/admin/severances/(\\d+)/restore`).exec(early.html) ?? []
    const restore = () => browser.fill('/admin/severances', {}, { action: `/admin/severances/${id}/restore` })
    const refused = await restore()
    expect(refused.status).toBe(422)
    expect(textOf(refused.html)).toContain('lift that before its follows are restored')

    const lifted = await browser.confirm(`${path}/${domain}`, {}, { action: `${path}/${domain}/lift` })
    expect(lifted.location).toBe(`${path}/${domain}?done=lifted&at=limit`)
    expect((await limitsByApi()).has(domain)).toBe(false)
    expect((await restore()).location).toBe('/admin/severances?done=restored')
    await continueRestoring(fakeQueue().ctx, { kind: 'restore-follows', eventId: Number(id), after: null })
    const { body } = await as(moderator).get('/api/fieldfare/v1/admin/severances')
    expect(body).toMatchObject([{ domain, restored_count: 1 }])
    expect(textOf((await browser.get('/admin/severances')).html)).toContain('1 follow is there again.')
  })

  it('the pages of servers link the form for a limit from accounts, reports, servers and limits', async () => {
    const { domain, there } = await givenServer()
    const link = `href="${path}/${domain}#limit"`
    const { body } = await as(await given.account()).post('/api/v1/reports', { account_id: there.id })
    const { id } = z.object({ id: z.string() }).parse(body)
    for (const from of [`/admin/accounts/${there.id}`, `/admin/reports/${id}`, `${path}?q=${domain}`])
      expect([from, (await owner.get(from)).html.includes(link)]).toEqual([from, true])
    const list = '/admin/domain_blocks'
    const open = (typed: string) => owner.fill(list, { domain: typed }, { action: `${list}/open` })
    expect((await open(` ${domain.toUpperCase()} `)).location).toBe(`${path}/${domain}#limit`)
    const refused = await open('https://<b>')
    expect([refused.status, refused.location]).toEqual([422, null])
    expect(refused.html).toContain('value="https://&lt;b&gt;"')
    const { html } = await owner.get(`${path}/${domain}`)
    expect(html).toContain('id="limit"')
  })

  it('the pages of servers offer no limit on the page of an account to staff without the permission', async () => {
    const { there } = await givenServer()
    const { html } = await withoutFederation.get(`/admin/accounts/${there.id}`)
    expect(html).toContain(there.username)
    expect(html).not.toContain('#limit')
  })

  it('the pages of servers show an active limit in its card', async () => {
    const domain = freshDomain()
    const action = `${path}/${domain}/limit`
    const sent = await browser.fill(`${path}/${domain}`, { severity: 'silence' }, { action })
    const { html } = await browser.get(sent.location ?? '')
    const [, card = ''] = html.split('<h2 id="limit">')
    expect(card).toContain('The limit is in force.')
    expect(html.split('note success')).toHaveLength(2)
  })

  it('the pages of servers change a limit, and keep typed values where it is refused', async () => {
    const domain = freshDomain()
    const action = `${path}/${domain}/limit`
    await browser.fill(`${path}/${domain}`, { severity: 'silence' }, { action })
    expect((await limitsByApi()).get(domain)).toBe('silence')
    await browser.confirm(`${path}/${domain}`, { severity: 'noop', reject_media: 'true' }, { action })
    expect((await limitsByApi()).get(domain)).toBe('noop')
    const { status, html } = await browser.fill(
      `${path}/${domain}`,
      { severity: 'nonsense', public_comment: 'As I typed it' },
      { action },
    )
    expect(status).toBe(422)
    expect(html).toContain('value="As I typed it"')
    expect((await browser.get(`${path}/no%20domain`)).status).toBe(404)
  })

  it('the pages of servers show failing deliveries, and stop them', async () => {
    const domain = freshDomain()
    const since = clock.now()
    await recordFailingHost(context(), domain, {
      pending: 3,
      failures: 7,
      failingSince: since,
      lastSuccessAt: null,
      lastError: 'http <503>',
      oldestAt: since,
      nextAt: since,
      unreachable: true,
    })
    const list = await browser.get(`${path}?show=failing`)
    expect(textOf(list.html)).toContain(`${domain} given up`)
    const { html } = await browser.get(`${path}/${domain}`)
    expect(textOf(html)).toContain('http <503>')
    const act = (verb: string) =>
      browser.fill(`${path}/${domain}`, {}, { action: `${path}/${domain}/${verb}` })
    expect((await act('retry')).location).toBe(`${path}/${domain}?done=retried&at=deliveries`)
    expect(textOf((await act('drop')).html)).toContain('3 deliveries are lost')
    const dropped = await browser.confirm(`${path}/${domain}`, {}, { action: `${path}/${domain}/drop` })
    expect(dropped.location).toBe(`${path}/${domain}?done=dropped&at=deliveries`)
  })

  it('the pages of servers check the connection to a server', async () => {
    const { status, html } = await browser.fill(
      `${path}/silent.test`,
      {},
      { action: `${path}/silent.test/check` },
    )
    expect(status).toBe(200)
    expect(textOf(html)).toContain('Software failing')
  })
})

describe('limits as files', () => {
  const heading = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate'

  it('exports limits, and imports them after a preview that changes nothing', async () => {
    const [known, added] = [freshDomain(), freshDomain()]
    const action = `${path}/${known}/limit`
    await browser.fill(`${path}/${known}`, { severity: 'silence' }, { action })
    const exported = await browser.get('/admin/domain_blocks/export')
    expect(exported.headers.get('content-disposition')).toContain('.csv')
    expect(exported.html).toContain(`${known},silence`)
    const csv = [heading, `${known},suspend,,,,`, `${added},suspend,,,,`].join('\n')
    const preview = await browser.upload(
      '/admin/domain_blocks',
      { list: new File([csv], 'list.csv') },
      { action: '/admin/domain_blocks/preview' },
    )
    expect(preview.status).toBe(200)
    expect(textOf(preview.html)).toContain('1 new limit.')
    expect(textOf(preview.html)).toContain(`${known} is limited here, suspended in the list`)
    expect((await limitsByApi()).has(added)).toBe(false)
    const token = /name="csrf_token" value="([^"]+)"/.exec(preview.html)?.[1] ?? ''
    const imported = await browser.post('/admin/domain_blocks/import', { csrf_token: token, csv })
    expect(imported.location).toBe('/admin/domain_blocks?done=imported')
  })

  it('refuses an import without limits', async () => {
    const { status, html } = await browser.upload(
      '/admin/domain_blocks',
      { list: new File([''], 'list.csv') },
      { action: '/admin/domain_blocks/preview' },
    )
    expect(status).toBe(422)
    expect(textOf(html)).toContain("List can't be blank")
  })
})

describe('the page of a blocklist', () => {
  it('shows proposals of the list, and applies one change or all', async () => {
    const url = `https://${freshName('lists')}.test/list.csv`
    const domains = [freshDomain(), freshDomain(), freshDomain()]
    const csv = ['#domain,#severity', ...domains.map((domain) => `${domain},suspend`)].join('\n')
    fediverse.network.respond(url, () => new Response(csv, { headers: { 'content-type': 'text/csv' } }))
    const { id } = await subscribeToList(context(), operator, { url, title: 'Of <friends>' })
    await fetchList(context(), id)
    expect(textOf((await browser.get('/admin/blocklists')).html)).toContain('changes to review')
    const page = await browser.get(`/admin/blocklists/${id}`)
    expect(page.costs.trips).toBeLessThanOrEqual(3)
    for (const domain of domains) expect(page.html).toContain(domain)
    expect(page.html).not.toContain('<friends>')
    const [, change = ''] = /name="change" value="(\d+)"/.exec(page.html) ?? []
    const act = (verb: string, fields: Readonly<Record<string, string>>) =>
      browser.post(`/admin/blocklists/${id}/${verb}`, {
        csrf_token: /name="csrf_token" value="([^"]+)"/.exec(page.html)?.[1] ?? '',
        ...fields,
      })
    expect((await act('reject', { change })).location).toBe(`/admin/blocklists/${id}?done=rejected`)
    const review = await act('review', {})
    expect(textOf(review.html)).toContain('2 new limits')
    expect((await act('reject', { change })).status).toBe(409)
    const [, suspended = ''] =
      /name="change" value="(\d+)"/.exec((await browser.get(`/admin/blocklists/${id}`)).html) ?? []
    const asked = textOf((await act('approve', { change: suspended })).html)
    expect(asked).toMatch(/Suspend server\S+\? .*Accounts known here 0/)
    expect(asked).not.toContain('approved')
    expect((await act('approve', {})).location).toBeNull()
    expect((await act('approve', { confirmed: 'true' })).location).toBe(
      `/admin/blocklists/${id}?done=approved`,
    )
    const { body } = await as(moderator).get(`/api/fieldfare/v1/admin/blocklists/${id}/changes`)
    expect(body).toEqual([])
  })
})
