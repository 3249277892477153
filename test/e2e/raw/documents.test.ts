import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { call } from '../support/http'
import { mastoOf } from '../support/masto'
import { aliceAndBob, newPerson, origin } from '../support/people'

async function read(path: string, as?: { readonly token: string }): Promise<unknown> {
  const headers = as === undefined ? {} : { Authorization: `Bearer ${as.token}` }
  const answer = await call(path, { headers })
  expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
    path,
    200,
    expect.stringMatching(/^application\/json/),
  ])
  return answer.json()
}

const Terms = z.object({ effective_date: z.iso.date() })

describe('documents for clients other than apps', () => {
  it('serves documents of the instance: rules, privacy, current terms and those of a day', async () => {
    expect(await read('/api/v1/instance/rules')).toMatchObject([
      { text: 'Be kind to small birds' },
      { text: 'No cats' },
    ])
    expect(await read('/api/v1/instance/privacy_policy')).toMatchObject({
      content: expect.stringContaining('<h2'),
    })
    const terms = await read('/api/v1/instance/terms_of_service')
    expect(terms).toMatchObject({ effective: true, content: expect.stringContaining('Be here as long') })
    const { effective_date: day } = Terms.parse(terms)
    expect(await read(`/api/v1/instance/terms_of_service/${day}`)).toEqual(terms)
    expect(await read('/api/v1/peers/search?q=no')).toEqual([])
  })

  it('serves documents of a post: its oEmbed document, and the embedded frame', async () => {
    const { alice, asAlice, asBob } = await aliceAndBob(mastoOf)
    const { url, id } = await asAlice.v1.statuses.create({ status: 'Framed' })
    const found = await read(`/api/oembed?maxwidth=320&url=${encodeURIComponent(String(url))}`)
    expect(found).toMatchObject({ type: 'rich', version: '1.0', width: 320, author_name: 'alice' })
    const frame = /src="([^"]+)"/.exec(z.object({ html: z.string() }).parse(found).html)?.[1]
    expect(frame).toBe(`${origin}/@${alice.username}/${id}/embed`)
    const page = await fetch(String(frame))
    expect([page.status, page.headers.get('x-frame-options')]).toEqual([200, null])
    expect(await page.text()).toContain('Framed')
    const quiet = await asBob.v1.statuses.create({ status: 'Not framed', visibility: 'private' })
    const refused = await call(`/api/oembed?url=${encodeURIComponent(String(quiet.url))}`)
    expect([refused.status, await refused.json()]).toEqual([404, { error: 'Record not found' }])
  })

  it('serves documents of an account: whether its address is confirmed, and the effects of blocking a domain', async () => {
    const alice = await newPerson('alice')
    expect(await read('/api/v1/emails/check_confirmation', alice)).toBe(true)
    expect(await read('/api/v1/domain_blocks/preview?domain=far.example', alice)).toEqual({
      following_count: 0,
      followers_count: 0,
    })
    const none = await call('/api/v1_alpha/async_refreshes/nothing', { as: alice })
    expect([none.status, await none.json()]).toEqual([404, { error: 'Record not found' }])
  })

  it('serves documents of the host: robots.txt, and a favicon for clients that request no other', async () => {
    const robots = await fetch(`${origin}/robots.txt`)
    expect([robots.status, robots.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/plain/),
    ])
    expect(await robots.text()).toMatch(/^User-agent: \*\n(Disallow: \/\S+\n)+/m)
    const icon = await fetch(`${origin}/favicon.ico`)
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)])
    expect([...new Uint8Array(await icon.arrayBuffer()).slice(0, 4)]).toEqual([0, 0, 1, 0])
    expect(robots.headers.get('cache-control')).toBe('public, max-age=3600')
    expect(icon.headers.get('cache-control')).toBe('public, max-age=86400')
  })

  it('other documents are missing where Mastodon has none, and empty without contents', async () => {
    const alice = await newPerson('alice')
    expect((await call('/api/v1/search?q=alice', { as: alice })).status).toBe(404)
    const campaigns = await call('/api/v1/donation_campaigns?platform=web', { as: alice })
    expect([campaigns.status, await campaigns.text()]).toEqual([204, ''])
  })
})
