import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { deadLetters, invites, tags } from '../../../src/db/schema'
import { storeLetters } from '../../../src/domain/health/dead-letters'
import type { Permission } from '../../../src/domain/policy/permissions'
import { recordFailingHost } from '../../../src/domain/servers/reachability'
import { anonymous } from '../../support/as'
import { formsOf, textOf } from '../../support/browser'
import { freshName, given } from '../../support/given'
import { invite } from '../../support/given-invite'
import { givenRole } from '../../support/given-staff'
import { favouredStatus, linkedPage, trendsRefreshed, usedTag } from '../../support/given-trends'
import { signedIn } from '../../support/members'
import { clock, context } from '../../support/test-app'

const staff = async (...permissions: Permission[]) =>
  (await signedIn({ user: { roleId: await givenRole({ permissions }) } })).browser

describe('the page of trends', () => {
  it('allows and rejects a hashtag for trends', async () => {
    const browser = await staff('manageTaxonomies')
    const name = await usedTag(20)
    await trendsRefreshed()
    const { html } = await browser.get('/admin/trends')
    expect(textOf(html)).toContain(`#${name}`)
    const stored = () => context().db.select().from(tags).where(eq(tags.name, name)).get()
    for (const [trendable, notice] of [
      ['true', 'approved'],
      ['false', 'rejected'],
    ] as const) {
      const sent = await browser.fill('/admin/trends', { what: 'tag', key: name, trendable })
      expect([sent.status, sent.location]).toEqual([303, `/admin/trends?done=${notice}`])
      expect((await stored())?.trendable).toBe(trendable === 'true')
    }
  })

  it('reviews a page and a post, and all of their site and author', async () => {
    const browser = await staff('manageTaxonomies')
    const author = await given.account({ discoverable: true })
    const url = await linkedPage(20)
    const { host } = new URL(url)
    const post = String(await favouredStatus(30, { accountId: author.id }))
    await trendsRefreshed()
    for (const { kind, what, key, of, id } of [
      { kind: 'links', what: 'publisher', key: url, of: host, id: url },
      { kind: 'statuses', what: 'author', key: post, of: author.username, id: post },
    ] as const) {
      const isShown = async () => {
        const { body } = await anonymous.get(`/api/v1/trends/${kind}?limit=20`)
        const shown = z.array(z.object({ id: z.string().optional(), url: z.string() })).parse(body)
        return shown.some((one) => one.id === id || one.url === id)
      }
      const standing = async () => {
        const { html } = await browser.get('/admin/trends')
        const text = textOf(html)
        const about = what === 'author' ? `All posts of @${of}` : `All pages of ${of}`
        const after = text.slice(text.indexOf(about)).slice(about.length).trim()
        return /^(?:not reviewed|allowed|rejected)/.exec(after)?.[0]
      }
      const decide = async (fields: { readonly what: string; readonly key: string }, trendable: boolean) => {
        const { html } = await browser.get('/admin/trends')
        const form = { ...fields, trendable: String(trendable) }
        expect(formsOf(html, '/admin/trends')).toContainEqual(expect.objectContaining(form))
        const { status } = await browser.fill('/admin/trends', form)
        expect(status).toBe(303)
      }
      expect([await standing(), await isShown()]).toEqual(['not reviewed', false])
      await decide({ what, key: of }, true)
      expect([await standing(), await isShown()]).toEqual(['allowed', true])
      await decide({ what: what === 'author' ? 'status' : 'link', key }, false)
      expect([await standing(), await isShown()]).toEqual(['allowed', false])
      await decide({ what, key: of }, false)
      await decide({ what: what === 'author' ? 'status' : 'link', key }, true)
      expect([await standing(), await isShown()]).toEqual(['rejected', true])
    }
  })

  it.each([
    { what: 'tag', key: 'nothing-like-this', trendable: 'true' },
    { what: 'nonsense', key: 'x', trendable: 'true' },
  ])('the page of trends answers 404 for %j', async (fields) => {
    const browser = await staff('manageTaxonomies')
    const { html } = await browser.get('/settings/delete')
    const [, token = ''] = /name="csrf_token" value="([^"]+)"/.exec(html) ?? []
    expect((await browser.post('/admin/trends', { csrf_token: token, ...fields })).status).toBe(404)
  })
})

it('the page of invitations ends one, and all', async () => {
  const browser = await staff('manageInvites')
  const [alice, bob] = [await given.account(), await given.account()]
  const [one, other] = [await invite(alice), await invite(bob)]
  const { html } = await browser.get('/admin/invites')
  expect(textOf(html)).toContain(`@${alice.username}`)
  const usable = async (id: number) => {
    const row = await context().db.select().from(invites).where(eq(invites.id, id)).get()
    return row?.expiresAt == null || row.expiresAt > clock.now()
  }
  expect([await usable(one.id), await usable(other.id)]).toEqual([true, true])
  await browser.fill('/admin/invites', {}, { action: `/admin/invites/${one.id}/end` })
  expect([await usable(one.id), await usable(other.id)]).toEqual([false, true])
  const sent = await browser.confirm('/admin/invites', {}, { action: '/admin/invites/deactivate_all' })
  expect(sent.location).toBe('/admin/invites?done=allEnded')
  expect(await usable(other.id)).toBe(false)
})

describe('the page of operation', () => {
  it('shows the use of quotas, failing servers, and failed jobs', async () => {
    const browser = await staff('viewDevops')
    const host = `${freshName()}.example`
    const since = clock.now()
    await recordFailingHost(context(), host, {
      pending: 3,
      failures: 2,
      failingSince: since,
      lastSuccessAt: null,
      lastError: 'answers <500>',
      oldestAt: since,
      nextAt: since,
      unreachable: false,
    })
    const messageId = freshName()
    await storeLetters(context(), [{ messageId, kind: 'made-up', message: { secret: 'not shown' } }])
    const { html } = await browser.get('/admin/operation')
    const text = textOf(html)
    for (const shown of ['Rows written', host, '3 deliveries are waiting', 'answers <500>', 'made-up'])
      expect(text).toContain(shown)
    expect(text).not.toContain('not shown')
    const size = String.raw`[\d.]+ (?:byte|kB|MB|GB)`
    expect(text).toMatch(new RegExp(`Database in all ${size} of 500 MB`))
    expect(text).toMatch(new RegExp(`Media in all ${size} of 10 GB`))
    const letter = await context()
      .db.select()
      .from(deadLetters)
      .where(eq(deadLetters.messageId, messageId))
      .get()
    expect(html).not.toContain(`/${letter?.id}/retry`)
    const sent = await browser.confirm(
      '/admin/operation',
      {},
      { action: `/admin/operation/${letter?.id}/drop` },
    )
    expect(sent.location).toBe('/admin/operation?done=drop')
    expect(
      await context().db.select().from(deadLetters).where(eq(deadLetters.messageId, messageId)).get(),
    ).toBeUndefined()
  })
})

describe('services that the account lacks', () => {
  it.each(['/admin/operation', '/admin/dashboard'])(
    'names missing services at %s, with their effect and a document',
    async (path) => {
      const browser = await staff('viewDevops', 'viewDashboard')
      const whole = textOf((await browser.get(path)).html)
      expect(whole).not.toContain('Services that are not set up')
      const { config } = context()
      const missing = { config: { ...config, missingServices: ['images', 'email', 'queues'] as const } }
      const text = textOf((await browser.get(path, { overrides: missing })).html)
      for (const words of [
        'Services that are not set up',
        'without previews',
        'No e-mail is sent',
        'Jobs of one kind',
        'How to add them',
      ])
        expect(text).toContain(words)
    },
  )
})
