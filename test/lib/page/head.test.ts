import { describe, expect, it } from 'vitest'
import { HeadReader, type PageHead } from '../../../src/lib/page/head'

function bytesOf(text: string | readonly number[]): Uint8Array {
  return typeof text === 'string' ? new TextEncoder().encode(text) : new Uint8Array(text)
}

/** Each character as the byte of its number. */
function latin(text: string): Uint8Array {
  return Uint8Array.from([...text].map((character) => character.codePointAt(0) ?? 0))
}

function read(page: string | Uint8Array, { type = 'text/html', piece = 4_096 } = {}): PageHead {
  const reader = new HeadReader(type)
  const bytes = typeof page === 'string' ? bytesOf(page) : page
  for (let at = 0; at < bytes.byteLength; at += piece) if (reader.write(bytes.subarray(at, at + piece))) break
  return reader.finish()
}

describe('the head of a page', () => {
  it('reads metadata by name and property, in any case, the first with content wins', () => {
    const head = read(
      '<html lang="de-AT"><head><title> A <b>wren &amp; more</title><META Property="OG:Title" content="One">' +
        '<meta name=og:title content=Two><meta property="og:description" content=" ">' +
        '<meta name="og:description" content="Words"><meta name="keywords" content="no">' +
        '<link rel="shortlink canonical" href="/wren"><link rel=alternate type="application/json+oembed" href=/oembed>' +
        '</head><body><meta property="og:image" content="/late.png">',
    )
    expect(head).toMatchObject({
      title: ' A <b>wren & more',
      language: 'de-AT',
      canonical: '/wren',
      oembed: { url: '/oembed', format: 'json' },
    })
    expect(Object.fromEntries(head.meta)).toEqual({ 'og:title': 'One', 'og:description': 'Words' })
  })

  it('reads the same in any pieces', () => {
    const page = `<title>Zaunkönig ${'é'.repeat(2_000)}</title><meta name="description" content="Übers Jahr">`
    const whole = read(page)
    expect(whole.meta.get('description')).toBe('Übers Jahr')
    for (const piece of [1, 7, 1_024]) expect(read(page, { piece })).toEqual(whole)
  })

  it('prefers an oEmbed document in JSON to one in XML', () => {
    const link = (type: string, href: string) => `<link rel="alternate" type="${type}" href="${href}">`
    const xml = link('text/xml+oembed', '/xml')
    expect(read(xml).oembed).toEqual({ url: '/xml', format: 'xml' })
    expect(read(xml + link('application/json+oembed', '/json')).oembed).toEqual({
      url: '/json',
      format: 'json',
    })
    for (const odd of ['text/xml', 'application/rss+xml', 'xml+oembed', ''])
      expect(read(link(odd, '/x')).oembed).toBeNull()
  })

  it('ends at its end tag: behind it, only JSON-LD is read', () => {
    const news = '<script type="application/ld+json">{"@type":"NewsArticle"}</script>'
    const head = read(
      '<head><title>One</title></head><title>Two</title><meta property="og:title" content="Three">' +
        `<link rel="canonical" href="/four"><body><svg><title>Five</title></svg>${news}`,
    )
    expect(head).toMatchObject({ title: 'One', canonical: '', data: ['{"@type":"NewsArticle"}'] })
    expect([...head.meta.keys()]).toEqual([])
  })

  it('stops reading once the JSON-LD that describes the page was read', () => {
    const news = '<script type="application/ld+json">{"@type":"NewsArticle"}</script>'
    const other = '<script type="application/ld+json">{"@type":"Organization"}</script>'
    const ends = (page: string) => new HeadReader('text/html').write(bytesOf(`${page}${' '.repeat(32_768)}`))
    expect(ends(`<head><title>A</title>${news}</head>`)).toBe(true)
    expect(ends(`<head><title>A</title>${news}<body>`)).toBe(true)
    expect(ends(`<head><title>A</title></head><body><p>${news}`)).toBe(true)
    expect(ends(`<head><title>A</title></head><body>${other.repeat(5)}`)).toBe(true)
    expect(ends(`<head>${news}<title>A</title>`)).toBe(false)
    expect(ends(`<head><title>A</title>${other}</head><body>`)).toBe(false)
  })

  it('reads JSON-LD of the body in any pieces', () => {
    const data = (text: string) => `<SCRIPT id=x async Type='application/ld+json' >${text}</Script >`
    const page =
      `<head><title>A</title></head><body class="a>b">${'<p>é</p>'.repeat(3_000)}${data('{"a":"</p>"}')}` +
      `<style>${data('1')}</style>${'<!-- -->'.repeat(3_000)}${data('{"b":2}')}<script>x</script>${data('{')}`
    for (const piece of [1, 7, 1_024, 1_000_000])
      expect(read(page, { piece }).data).toEqual(['{"a":"</p>"}', '{"b":2}', '{'])
  })

  it.each([
    ['an open comment', '<!--'],
    ['an open script', '<script type="application/ld+json">'],
    ['scripts without the end of their tags', '<script type="application/ld+json" '],
    ['scripts of one letter', '<script type="application/ld+json">1'],
    ['brackets', '<'],
    ['ends', '</script>'],
    ['spaces in a tag', '<script '],
  ])('reads a body of a megabyte of %s quickly', (_, unit) => {
    const head = read(`<head><title>A</title></head><body>${unit.repeat(1_000_000 / unit.length)}`, {
      piece: 1_024,
    })
    expect(head).toMatchObject({ title: 'A', data: [] })
  })

  it('ignores JSON-LD in comments and in scripts of another type', () => {
    const data = '<script type="application/ld+json">{"@type":"NewsArticle"}</script>'
    const page = `<body><!-- ${data} --><script>var a = '${data.replace('</script>', '')}'</script><textarea>${data}</textarea>`
    expect(read(page).data).toEqual([])
  })

  it('does not end at text in a script', () => {
    const head = read('<head><script>var a = "</head><body>"</script><title>After</title></head>')
    expect(head.title).toBe('After')
  })

  it('keeps JSON-LD parts separate, limited in number and size', () => {
    const data = '<script type="application/ld+json">{"a":"<b>"}</script>'
    expect(read(data.repeat(3)).data).toEqual(Array.from({ length: 3 }, () => '{"a":"<b>"}'))
    expect(read(data.repeat(50)).data).toHaveLength(5)
    const long = read(`<script type="application/ld+json">${'x'.repeat(400_000)}</script>`)
    expect(long.data.join('')).toHaveLength(131_072)
  })

  it('limits the number and size of titles and metas', () => {
    const metas = Array.from({ length: 10_000 }, (_, index) => `<meta name="og:title" content="${index}">`)
    const head = read(
      `<head><title>${'t'.repeat(50_000)}</title>${metas.join('')}<meta name=author content=${'a'.repeat(20_000)}>`,
    )
    expect(head.title).toHaveLength(2_000)
    expect([...head.meta.keys()]).toEqual(['og:title', 'author'])
    expect(head.meta.get('og:title')).toBe('0')
    expect(head.meta.get('author')).toHaveLength(8_192)
  })

  it('stops at endless nesting, quickly [T-672]', () => {
    const reader = new HeadReader('text/html')
    expect(
      reader.write(bytesOf(`<title>Deep</title>${'<i>'.repeat(200_000)}${'</b>'.repeat(200_000)}`)),
    ).toBe(true)
    expect(reader.finish().title).toBe('Deep')
  })
})

describe('the encoding of a page', () => {
  const title = (text: string) => `<title>${text}</title>`
  const shiftJis = Uint8Array.from([
    ...latin('<title>'),
    0x83,
    0x65,
    0x83,
    0x58,
    0x83,
    0x67,
    ...latin('</title>'),
  ])

  it.each([
    ['as its server says', latin(title('Fr\xfchling')), 'text/html; charset=ISO-8859-1', 'Frühling'],
    ['in quotes', latin(title('Fr\xfchling')), 'text/html; charset="latin1"', 'Frühling'],
    ['as its server says, of Japanese', shiftJis, 'text/html; charset=Shift_JIS', 'テスト'],
    ['as the page says', latin(`<meta charset=windows-1251>${title('\xcf\xf2')}`), 'text/html', 'Пт'],
    [
      'as the page says at length',
      latin(`<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">${title('\xb1')}`),
      'text/html',
      'ą',
    ],
    [
      'by its mark, whatever is said',
      Uint8Array.from([0xef, 0xbb, 0xbf, ...bytesOf(title('ü'))]),
      'text/html; charset=latin1',
      'ü',
    ],
    ['of UTF-8 where nothing is said', bytesOf(title('日本')), 'text/html', '日本'],
    [
      'of UTF-8 in spite of one broken byte',
      Uint8Array.from([...bytesOf('<meta name="x" content="'), 0xfc, ...bytesOf(`">${title('日本')}`)]),
      'text/html',
      '日本',
    ],
    [
      'as the page says, behind long scripts',
      latin(`<script>${'x'.repeat(5_000)}</script><meta charset=windows-1251>${title('\xcf\xf2')}`),
      'text/html',
      'Пт',
    ],
    ['of Windows-1252 where it cannot be UTF-8', latin(title('Fr\xfchling')), 'text/html', 'Frühling'],
    ['where what is said is nothing known', bytesOf(title('ü')), 'text/html; charset=klingon', 'ü'],
    [
      'where the page claims what it cannot be',
      bytesOf(`<meta charset="utf-16">${title('ü')}`),
      'text/html',
      'ü',
    ],
  ])('detects the encoding %s', (_, page, type, expected) => {
    expect(read(page, { type }).title).toBe(expected)
  })

  it('detects UTF-16 by its byte order mark', () => {
    const text = `\ufeff${title('Wrén')}`
    const units = new Uint16Array([...text].map((character) => character.codePointAt(0) ?? 0))
    expect(read(new Uint8Array(units.buffer)).title).toBe('Wrén')
  })
})
