import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { OEmbed } from '../../src/contract/entities/well-known'
import { accounts } from '../../src/db/schema'
import { anonymous, as } from '../support/as'
import { Browser, textOf } from '../support/browser'
import { given } from '../support/given'
import { relation } from '../support/given-relationships'
import { storedStatus } from '../support/given-stored'
import { clock, context } from '../support/test-app'

const origin = 'https://fieldfare.test'
const asked = (url: string, more = '') => anonymous.get(`/api/oembed?url=${encodeURIComponent(url)}${more}`)

describe('GET /api/oembed', () => {
  it('returns the embed of a public or unlisted local status [T-431]', async () => {
    const alice = await given.account({ displayName: 'Ada "<Thrush>"' })
    for (const visibility of ['public', 'unlisted'] as const) {
      const id = await storedStatus({ accountId: alice.id, visibility })
      const { status, body } = await asked(`${origin}/@${alice.username}/${id}`)
      expect(status).toBe(200)
      expect(body).toEqual({
        type: 'rich',
        version: '1.0',
        author_name: 'Ada "<Thrush>"',
        width: 400,
        height: null,
        author_url: `${origin}/@${alice.username}`,
        provider_name: 'fieldfare.test',
        provider_url: `${origin}/`,
        cache_age: 86_400,
        html:
          `<iframe src="${origin}/@${alice.username}/${id}/embed" title="A post by Ada &quot;&lt;Thrush&gt;&quot;" ` +
          'width="400" height="480" style="max-width: 100%; border: 0" loading="lazy" allowfullscreen="allowfullscreen"></iframe>',
      })
    }
  })

  it('GET /api/oembed finds it by the address of its page and by its id', async () => {
    const alice = await given.account()
    const id = await storedStatus({ accountId: alice.id })
    for (const path of [
      `/@${alice.username}/${id}`,
      `/@${alice.username.toUpperCase()}/${id}`,
      `/users/${alice.username}/statuses/${id}`,
    ])
      expect((await asked(origin + path)).status).toBe(200)
  })

  it('uses the requested width and height, and ignores invalid ones [T-432]', async () => {
    const alice = await given.account()
    const url = `${origin}/@${alice.username}/${await storedStatus({ accountId: alice.id })}`
    const size = async (query: string) => {
      const { width, height, html } = OEmbed.parse((await asked(url, query)).body)
      return [width, height, /width="(\d+)" height="(\d+)"/.exec(html)?.slice(1).join(' ')]
    }
    expect(await size('&maxwidth=320&maxheight=240&format=json')).toEqual([320, 240, '320 240'])
    for (const odd of ['&maxwidth=x&maxheight=-1', '&maxwidth=0&maxheight=', '&maxwidth=1e99'])
      expect(await size(odd)).toEqual([400, null, '400 480'])
  })

  it('GET /api/oembed is 404 for a status that is not public, for every viewer [T-433]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.follow(bob, alice)
    const page = async (row: object) =>
      `${origin}/@${alice.username}/${await storedStatus({ accountId: alice.id, ...row })}`
    const original = await storedStatus({ accountId: bob.id })
    const hidden = [
      await page({ visibility: 'private' }),
      await page({ visibility: 'direct' }),
      await page({ localOnly: true }),
      await page({ reblogOfId: original }),
    ]
    for (const url of hidden)
      for (const caller of [anonymous, as(alice), as(bob)]) {
        const answer = await caller.get(`/api/oembed?url=${encodeURIComponent(url)}`)
        expect([answer.status, answer.body], url).toEqual([404, { error: 'Record not found' }])
      }
  })

  it('finds nothing for remote and other addresses, and without a URL [T-434]', async () => {
    const [alice, bob, remote] = [await given.account(), await given.account(), await given.remoteAccount()]
    const id = await storedStatus({ accountId: alice.id })
    const foreign = await storedStatus({ accountId: remote.id, local: false })
    for (const url of [
      '',
      'x',
      `${origin}/`,
      `${origin}/@nobody_at_all`,
      `${origin}/@${remote.username}`,
      `${origin}/@${remote.username}@${remote.domain}`,
      `${origin}/@${alice.username}/1`,
      `${origin}/@${bob.username}/${id}`,
      `https://elsewhere.test/@${alice.username}/${id}`,
      `https://elsewhere.test/statuses/${foreign}`,
      `${origin}/@${remote.username}/${foreign}`,
      `${origin}/@${alice.username}/99999999999999999999`,
      'javascript:alert(1)',
    ])
      expect((await asked(url)).status, url).toBe(404)
    expect((await anonymous.get('/api/oembed')).status).toBe(404)
  })

  it('returns a profile with a link, name and picture, which its page names', async () => {
    const alice = await given.account({ displayName: 'Ada "<Thrush>"' })
    const url = `${origin}/@${alice.username}`
    for (const address of [url, `${origin}/users/${alice.username}`])
      expect(await asked(address)).toMatchObject({
        status: 200,
        body: {
          type: 'link',
          version: '1.0',
          title: `Ada "<Thrush>" (@${alice.username}@fieldfare.test)`,
          author_url: url,
          thumbnail_url: expect.stringMatching(/^https:/),
        },
        costs: { trips: 1 },
      })
    const { html } = await new Browser().get(`/@${alice.username}`)
    expect(html).toContain(`href="${origin}/api/oembed?url=${encodeURIComponent(url)}&amp;format=json"`)
  })

  it('finds nothing of suspended authors', async () => {
    const alice = await given.account()
    const url = `${origin}/@${alice.username}/${await storedStatus({ accountId: alice.id })}`
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, alice.id))
    for (const address of [url, `${origin}/@${alice.username}`])
      expect((await asked(address)).status).toBe(404)
    expect((await new Browser().get(`${url.slice(origin.length)}/embed`)).status).toBe(404)
  })

  it('GET /api/oembed is linked on the page of the status', async () => {
    const alice = await given.account()
    const path = `/@${alice.username}/${await storedStatus({ accountId: alice.id })}`
    const { html } = await new Browser().get(path)
    const href = /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(html)?.[1] ?? ''
    const answer = await anonymous.get(href.replaceAll('&amp;', '&').slice(origin.length))
    expect(answer.body).toMatchObject({ html: expect.stringContaining(`${origin}${path}/embed`) })
  })
})

describe('the embedded form of a status', () => {
  it('the embedded form of a status can be framed by any page, runs no script, and is the same for all', async () => {
    const alice = await given.account({ displayName: 'Ada' })
    const id = await storedStatus({ accountId: alice.id, content: '<p>The wren sings.</p>' })
    const page = await new Browser().get(`/@${alice.username}/${id}/embed`)
    expect(page.status).toBe(200)
    expect(textOf(page.html)).toContain('The wren sings.')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain('frame-ancestors *')
    for (const rule of ["default-src 'none'", "form-action 'self'", "base-uri 'none'"])
      expect(policy).toContain(rule)
    expect(page.html).not.toMatch(/<script|<form|<input/)
    expect(page.headers.get('cache-control')).toBe('public, max-age=60')
    expect(page.cookies).toEqual([])
    expect(page.costs.trips).toBeLessThanOrEqual(1)
    expect(page.html).toContain('<meta name="robots" content="noindex"/>')
    expect(page.html).toContain('<base target="_blank"/>')
  })

  it('the embedded form of a status is 404 for non-public statuses, anonymous visitors or not, and under other accounts', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const id = await storedStatus({ accountId: alice.id })
    const hidden = await Promise.all(
      (['private', 'direct'] as const).map((visibility) => storedStatus({ accountId: alice.id, visibility })),
    )
    const paths = [
      ...hidden.map((one) => `/@${alice.username}/${one}/embed`),
      `/@${bob.username}/${id}/embed`,
      `/@${alice.username}/1/embed`,
      `/@a@elsewhere.test/${id}/embed`,
    ]
    for (const path of paths) {
      const page = await new Browser().get(path)
      expect(page.status, path).toBe(404)
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
  })
})
