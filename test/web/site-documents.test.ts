import { describe, expect, it } from 'vitest'
import { Browser } from '../support/browser'
import { expectCosts } from '../support/expect-costs'
import { freshName, given } from '../support/given'
import { moderate } from '../support/moderate'
import { all, readXml, textIn } from '../support/read-feed'
import { withSettings } from '../support/settings'
import { clock, context } from '../support/test-app'

const origin = 'https://fieldfare.test'
const open = (path: string, browser = new Browser()) => browser.get(path)

/** Rules of `robots.txt` for a crawler: those of the group that names it, or of the group for all. */
function rulesFor(text: string, crawler: string): readonly string[] {
  const groups = text.split('\n\n').map((group) => group.split('\n'))
  const named = (name: string) => groups.find((lines) => lines.includes(`User-agent: ${name}`))
  return (named(crawler) ?? named('*') ?? []).filter((line) => line.startsWith('Disallow'))
}

describe('robots.txt', () => {
  it('allows search engines to read pages, and no crawler that collects texts for models', async () => {
    const { status, html, headers } = await open('/robots.txt')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(rulesFor(html, 'GPTBot')).toEqual(['Disallow: /'])
    expect(rulesFor(html, 'Searchbot')).toContain('Disallow: /settings/')
    expect(rulesFor(html, 'Searchbot')).not.toContain('Disallow: /')
    expect(html).toContain(`\nSitemap: ${origin}/sitemap.xml\n`)
  })

  it('follows the operator’s choice about both', async () => {
    const html = await withSettings({ aiCrawlers: true, searchEngines: false }, async () => {
      expect((await open('/sitemap.xml')).status).toBe(404)
      return (await open('/robots.txt')).html
    })
    expect(html).not.toContain('GPTBot')
    expect(rulesFor(html, 'Searchbot')).toEqual(['Disallow: /'])
    expect(html).not.toContain('Sitemap')
  })
})

describe('sitemap.xml', () => {
  const listedIn = (html: string) => all(readXml(html), 'loc').map(({ text }) => text)
  const urlOf = (username: string) => `${origin}/@${username}`

  it('lists profiles that allow search engines, with the day of their latest post', async () => {
    const lastStatusAt = new Date('2026-03-04T12:00:00Z')
    const bold = await given.account({ discoverable: true, indexable: true, lastStatusAt })
    const hidden = [
      await given.account({ discoverable: true, indexable: false }),
      await given.account({ discoverable: false, indexable: true }),
      await given.account({ discoverable: true, indexable: true, silencedAt: clock.now() }),
      await given.remoteAccount({ discoverable: true, indexable: true, username: freshName() }),
    ]
    const suspended = await given.account({ discoverable: true, indexable: true })
    await moderate(suspended, 'suspend')
    const { status, html, headers, costs } = await open('/sitemap.xml')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
    const entry = all(readXml(html), 'url').find((url) => textIn(url, 'loc') === urlOf(bold.username))
    expect(entry && textIn(entry, 'lastmod')).toBe('2026-03-04')
    const listed = listedIn(html)
    for (const { username } of [...hidden, suspended]) expect(listed).not.toContain(urlOf(username))
    expect(listed).toEqual(expect.arrayContaining([`${origin}/`, `${origin}/about`, `${origin}/about/apps`]))
    expectCosts(costs, { trips: 1, rowsWritten: 0 })
  })

  it('names no account without a directory, and answers 404 where visitors read nothing', async () => {
    const bold = await given.account({ discoverable: true, indexable: true })
    const html = await withSettings(
      { profileDirectory: false },
      async () => (await open('/sitemap.xml')).html,
    )
    expect(listedIn(html)).toEqual([`${origin}/`, `${origin}/about`, `${origin}/about/apps`])
    const config = { ...context().config, requiresSignIn: true }
    expect((await open('/sitemap.xml', new Browser({ config }))).status).toBe(404)
    expect(listedIn((await open('/sitemap.xml')).html)).toContain(urlOf(bold.username))
  })
})

describe('security.txt', () => {
  it('names the contacts of the server and its expiry', async () => {
    const contact = await given.account()
    const patch = {
      contactEmail: 'security@fieldfare.test',
      contactUsername: contact.username,
      languages: ['en', 'de'],
    }
    const { status, html, headers } = await withSettings(patch, () => open('/.well-known/security.txt'))
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    const [expires = ''] = /(?<=^Expires: ).+$/m.exec(html) ?? []
    expect(html.split('\n')).toEqual([
      'Contact: mailto:security@fieldfare.test',
      `Contact: ${origin}/@${contact.username}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en, de',
      `Canonical: ${origin}/.well-known/security.txt`,
      '',
    ])
    const days = (new Date(expires).getTime() - clock.now().getTime()) / 86_400_000
    expect(days).toBeGreaterThan(80)
    expect(days).toBeLessThan(365)
  })

  it('answers 404 without a contact', async () => {
    expect((await open('/.well-known/security.txt')).status).toBe(404)
  })
})

it('the manifest names the server, icons, shortcuts and the share target, and every page links to it', async () => {
  const title = `Birds "${freshName()}" & more`
  const { html, headers } = await withSettings({ title }, () => open('/manifest.webmanifest'))
  expect(headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
  expect(JSON.parse(html)).toMatchObject({
    name: title,
    start_url: '/home',
    display: 'standalone',
    display_override: ['minimal-ui'],
    shortcuts: [
      { name: 'New post', url: '/publish' },
      { name: 'Notifications', url: '/notifications' },
      { name: 'Search', url: '/search' },
    ],
    icons: expect.arrayContaining([
      { src: expect.stringMatching(/^\/assets\/icon-512\.png\?v=/), sizes: '512x512', type: 'image/png' },
      {
        src: expect.stringMatching(/^\/assets\/icon-maskable-512\.png\?v=/),
        sizes: '512x512',
        type: 'image/png',
        purpose: 'maskable',
      },
    ]),
    share_target: {
      action: '/share',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: 'file[]', accept: ['image/*', 'video/*', 'audio/*'] }] },
    },
  })
  const page = await open('/about')
  expect(page.html).toContain('<link rel="manifest" href="/manifest.webmanifest"/>')
  expect(page.headers.get('content-security-policy')).toContain("manifest-src 'self'")
})

it('the shortcuts of the manifest are in the language of the browser, also where it comes from memory', async () => {
  const read = async (language: string) => {
    const headers = { 'accept-language': language }
    const { html, headers: answered } = await new Browser().get('/manifest.webmanifest', { headers })
    expect(answered.get('vary')).toContain('Accept-Language')
    return JSON.parse(html)
  }
  for (const [language, dir, name] of [
    ['de', 'ltr', 'Neuer Beitrag'],
    ['ar', 'rtl', 'منشور جديد'],
    ['de', 'ltr', 'Neuer Beitrag'],
  ] as const)
    expect(await read(language)).toMatchObject({ lang: language, dir, shortcuts: [{ name }, {}, {}] })
})

it('serves each of these documents from memory when it was requested before', async () => {
  await withSettings({ contactEmail: 'security@fieldfare.test' }, async () => {
    for (const path of [
      '/robots.txt',
      '/sitemap.xml',
      '/.well-known/security.txt',
      '/manifest.webmanifest',
    ]) {
      await open(path)
      expect((await open(path)).costs.trips, path).toBe(0)
    }
  })
})
