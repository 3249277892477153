import { describe, expect, it } from 'vitest'
import { detailsOf, type PageDetails } from '../../../src/lib/page/details'
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
  it('is empty without any', () => {
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
      oembedUrl: null,
      player: null,
    })
  })

  it('comes from OpenGraph, then Twitter cards, then JSON-LD, then HTML', () => {
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

  it('is one line of text, cut where it is long', () => {
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
  ])('names its author by JSON-LD: %s', (_, article, name, address) => {
    for (const value of [
      { '@type': ['NewsArticle'], ...article },
      [{ '@type': 'WebSite' }, { '@type': 'BlogPosting', ...article }],
      { '@graph': [{ '@type': 'Article', ...article }] },
    ])
      expect(details(data(value))).toMatchObject({ authorName: name, authorUrl: address })
  })

  it('passes over JSON-LD that is none', () => {
    expect(details('<script type="application/ld+json">{"@type":</script><title>A</title>').title).toBe('A')
    expect(details(data([null, 4, 'x', [{}]]) + data({ '@type': 'Article', headline: 'B' })).title).toBe('B')
  })

  it('has the time of publication, where that is a date', () => {
    const at = (text: string) =>
      details(meta('article:published_time', text)).publishedAt?.toISOString() ?? null
    expect(at('2026-02-03T04:05:06+01:00')).toBe('2026-02-03T03:05:06.000Z')
    expect(at('2026-02-03')).toBe('2026-02-03T00:00:00.000Z')
    for (const odd of ['yesterday', '1', '-5', '99999999999999', '2026-99-99', '1901-01-01'])
      expect(at(odd)).toBeNull()
  })

  it('names its language, where that is known', () => {
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
  ])('speaks for its own host alone: %s', (canonical, expected) => {
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
  ])('shows a picture that may be asked for: %s', (image, expected) => {
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
  ])('names an author in the fediverse: %s', (creator, expected) => {
    expect(details(`<meta name="fediverse:creator" content="${creator}">`).creator).toEqual(expected)
  })

  it('shows a player by https alone', () => {
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
