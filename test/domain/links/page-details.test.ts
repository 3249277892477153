import { describe, expect, it } from 'vitest'
import { detailsOf, type PageDetails } from '../../../src/domain/links/page-details'
import { HeadReader } from '../../../src/lib/page/head'

const url = 'https://site.test/a/b?c=d#e'

function details(head: string, place: { readonly url?: string } = {}): PageDetails {
  const reader = new HeadReader('text/html; charset=utf-8')
  reader.write(new TextEncoder().encode(head))
  return detailsOf(reader.finish(), { url, ownDomains: ['fieldfare.test'], ...place })
}

const meta = (name: string, content: string) => `<meta property="${name}" content="${content}">`
const data = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`

describe('metadata of a page', () => {
  it('metadata of a page is empty without metadata', () => {
    expect(details('')).toEqual({
      canonicalUrl: url,
      title: '',
      description: '',
      siteName: '',
      authorName: '',
      authorUrl: '',
      imageUrl: null,
      imageDescription: '',
      language: null,
      publishedAt: null,
      creator: null,
      oembed: null,
      player: null,
    })
  })

  it('prefers OpenGraph, then Twitter cards, then JSON-LD, then HTML', () => {
    const html = '<title>html</title><meta name="description" content="html d">'
    const article = data({
      '@type': 'Article',
      headline: 'ld',
      description: 'ld d',
      publisher: { name: 'Pub' },
    })
    const twitter = meta('twitter:title', 'tw') + meta('twitter:description', 'tw d')
    const graph = meta('og:title', 'og') + meta('og:description', 'og d')
    const said = (head: string) => {
      const { title, description } = details(head)
      return [title, description]
    }
    expect(said(html)).toEqual(['html', 'html d'])
    expect(said(html + article)).toEqual(['ld', 'ld d'])
    expect(said(html + article + twitter)).toEqual(['tw', 'tw d'])
    expect(said(html + article + twitter + graph)).toEqual(['og', 'og d'])
    expect(details(article).siteName).toBe('Pub')
  })

  it.each(['NewsArticle', 'WebPage'])('prefers JSON-LD of a %s, like Mastodon', (type) => {
    const head =
      meta('og:title', 'og') +
      meta('og:description', 'og d') +
      meta('og:site_name', 'og s') +
      meta('og:locale', 'fr') +
      meta('article:published_time', '2001-01-01') +
      meta('og:image', '/og.png')
    const article = {
      '@type': type,
      headline: 'ld',
      name: 'ld name',
      description: 'ld d',
      publisher: [{ name: 'ld s' }],
      inLanguage: [{ '@type': 'Language', name: 'German', alternateName: 'de' }],
      datePublished: '2026-02-03',
      image: '/ld.png',
    }
    for (const page of [`${head}</head><body><p>${data(article)}`, data({ '@graph': [article] }) + head])
      expect(details(page)).toMatchObject({
        title: 'ld',
        description: 'ld d',
        siteName: 'ld s',
        language: 'de',
        publishedAt: new Date('2026-02-03'),
        imageUrl: 'https://site.test/og.png',
      })
    expect(details(head + data({ '@type': type, name: 'A site' }))).toMatchObject({
      title: 'og',
      description: 'og d',
      language: 'fr',
    })
  })

  it.each([
    ['an address', '/i.png'],
    ['a list of addresses', ['/i.png', '/j.png']],
    ['an object', { '@type': 'ImageObject', url: '/i.png' }],
    ['a list of objects', [{ contentUrl: '/i.png' }, { url: '/j.png' }]],
  ])('uses the picture of its JSON-LD where OpenGraph has none: %s', (_, image) => {
    expect(details(data({ '@type': 'Article', image })).imageUrl).toBe('https://site.test/i.png')
    const ours = meta('og:image', '/og.png') + data({ '@type': 'NewsArticle', image })
    expect(details(ours).imageUrl).toBe('https://site.test/og.png')
    expect(details(data({ '@type': 'Article', image: 'javascript:alert(1)' })).imageUrl).toBeNull()
  })

  it.each([
    ['comments with CDATA', '\n/* <![CDATA[ */\n', '\n/* ]]> */\n'],
    ['line comments with CDATA', '//<![CDATA[\n', '\n//]]>'],
    ['CDATA', '<![CDATA[', ']]>'],
    ['a comment', '<!--\n', '\n-->'],
    ['one line', '/*<![CDATA[*/', '/*]]>*/'],
  ])('reads JSON-LD wrapped in %s', (_, before, after) => {
    const json = JSON.stringify({ '@type': 'NewsArticle', headline: 'A wren // sings' })
    const script = `<script type="application/ld+json">${before}${json}${after}</script>`
    expect(details(`</head><body>${script}`).title).toBe('A wren // sings')
  })

  it('reads JSON-LD escaped as HTML, whole or in its texts', () => {
    const whole = '{&quot;@type&quot;:&quot;NewsArticle&quot;,&quot;headline&quot;:&quot;Wren&quot;}'
    expect(details(`<script type="application/ld+json">${whole}</script>`).title).toBe('Wren')
    const text = data({
      '@type': 'NewsArticle',
      headline: 'Wren &amp; &quot;tit&quot;',
      description: 'a &lt;b&gt;',
    })
    expect(details(text)).toMatchObject({ title: 'Wren & "tit"', description: 'a <b>' })
  })

  it('uses the first node that Mastodon reads, behind invalid and other ones', () => {
    const broken = '<script type="application/ld+json">{"@type":"NewsArticle","headline":"x",}</script>'
    const parts = [
      { '@type': 'Organization', name: 'Org' },
      { '@type': 'NewsArticle', headline: 'News' },
    ]
    expect(details(broken + parts.map(data).join('') + meta('og:title', 'og')).title).toBe('News')
  })

  it('metadata of a page survives hostile JSON-LD', () => {
    const script = (text: string) => `<title>A</title><script type="application/ld+json">${text}</script>`
    const hostile = [
      '['.repeat(130_000),
      `${'{"@graph":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      `[${'{"@type":"Article"},'.repeat(6_000)}1]`,
      `/*${'\n'.repeat(120_000)}`,
      '/*'.repeat(60_000),
      `{"@type":"NewsArticle","headline":{"a":[1]},"author":[[["x"]]],"publisher":7,"image":[null],"inLanguage":[[]]}`,
      '{"__proto__":{"@type":"NewsArticle"},"@type":{"constructor":1}}',
    ]
    for (const text of hostile) expect(details(script(text)).title).toBe('A')
  })

  it('texts are one line, cut where they are long', () => {
    const { title, description } = details(
      `${meta('og:title', `&lt;script&gt;alert(1)&lt;/script&gt;\n\t wren \u0000\u0007`)}${meta('og:description', '🐦'.repeat(3_000))}`,
    )
    expect(title).toBe('<script>alert(1)</script> wren')
    expect([...description]).toHaveLength(1_000)
    expect(description.endsWith('🐦…')).toBe(true)
  })

  it.each([
    [
      'a list of authors',
      { author: [{ name: 'Ann', url: '/ann' }, { name: 'Bob' }] },
      'Ann',
      'https://site.test/ann',
    ],
    ['a name', { author: 'Ann' }, 'Ann', ''],
    ['a list of names', { author: ['Ann', 'Bob'] }, 'Ann', ''],
    ['a list in the name', { author: { name: ['Ann', 'Bob'] } }, 'Ann', ''],
    ['numbers', { author: { name: 4, url: 5 } }, '', ''],
    ['a script', { author: { name: 'Ann', url: 'javascript:alert(1)' } }, 'Ann', ''],
  ])('reads the author from JSON-LD: %s', (_, article, name, address) => {
    for (const value of [
      { '@type': ['NewsArticle'], ...article },
      [{ '@type': 'WebSite' }, { '@type': 'BlogPosting', ...article }],
      { '@graph': [{ '@type': 'Article', ...article }] },
    ])
      expect(details(data(value))).toMatchObject({ authorName: name, authorUrl: address })
  })

  it('metadata of a page ignores invalid JSON-LD', () => {
    expect(details('<script type="application/ld+json">{"@type":</script><title>A</title>').title).toBe('A')
    expect(details(data([null, 4, 'x', [{}]]) + data({ '@type': 'Article', headline: 'B' })).title).toBe('B')
  })

  it('reads the time of publication, where that is a date', () => {
    const at = (text: string) =>
      details(meta('article:published_time', text)).publishedAt?.toISOString() ?? null
    expect(at('2026-02-03T04:05:06+01:00')).toBe('2026-02-03T03:05:06.000Z')
    expect(at('2026-02-03')).toBe('2026-02-03T00:00:00.000Z')
    for (const odd of ['yesterday', '1', '-5', '99999999999999', '2026-99-99', '1901-01-01'])
      expect(at(odd)).toBeNull()
  })

  it('reads the language, where that is known', () => {
    expect(details('<html lang="pt-BR">').language).toBe('pt')
    expect(details(`<html lang="pt">${meta('og:locale', 'de_AT')}`).language).toBe('de')
    expect(details('<html lang="xx-klingon">').language).toBeNull()
  })

  it.each([
    ['/x', 'https://site.test/x'],
    ['https://site.test/x#y', 'https://site.test/x'],
    ['https://other.test/x', url],
    ['http://site.test:8080/', url],
    ['javascript:alert(1)', url],
    ['https://user:secret@site.test/', url],
    ['http://[', url],
  ])('accepts metadata for its own host only: %s', (canonical, expected) => {
    expect(details(`<link rel="canonical" href="${canonical}">`).canonicalUrl).toBe(expected)
    expect(details(meta('og:url', canonical)).canonicalUrl).toBe(expected)
  })

  it.each([
    ['/i.png', 'https://site.test/i.png'],
    ['http://cdn.test/i.png', 'https://cdn.test/i.png'],
    ['data:image/png;base64,AAAA', null],
    ['javascript:alert(1)', null],
    ['https://user:secret@cdn.test/', null],
    [`https://cdn.test/${'i'.repeat(3_000)}`, null],
  ])('shows a picture at an allowed address: %s', (image, expected) => {
    expect(details(meta('og:image', image)).imageUrl).toBe(expected)
  })

  it.each([
    ['@ann@site.test', { username: 'ann', domain: 'site.test' }],
    ['ann@Site.test', { username: 'ann', domain: 'site.test' }],
    ['@ann@fieldfare.test', { username: 'ann', domain: null }],
    ['@ann', null],
    ['ann', null],
    ['@ann@site.test and others', null],
    ['https://site.test/@ann', null],
  ])('reads a fediverse author: %s', (creator, expected) => {
    expect(details(`<meta name="fediverse:creator" content="${creator}">`).creator).toEqual(expected)
  })

  it('shows a player by https only', () => {
    const player = (src: string) =>
      details(
        meta('twitter:player', src) +
          meta('twitter:player:width', '640') +
          meta('twitter:player:height', '-1'),
      ).player
    expect(player('https://play.test/1')).toEqual({ src: 'https://play.test/1', width: 640, height: 0 })
    for (const bad of ['http://play.test/1', 'javascript:alert(1)', 'data:text/html,x'])
      expect(player(bad)).toBeNull()
  })
})
