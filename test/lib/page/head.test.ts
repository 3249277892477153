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
  it('is read by name and property, whatever their case, the first with content winning', () => {
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
      oembed: '/oembed',
    })
    expect(Object.fromEntries(head.meta)).toEqual({ 'og:title': 'One', 'og:description': 'Words' })
  })

  it('is the same in whatever pieces it comes', () => {
    const page = `<title>Zaunkönig ${'é'.repeat(2_000)}</title><meta name="description" content="Übers Jahr">`
    const whole = read(page)
    expect(whole.meta.get('description')).toBe('Übers Jahr')
    for (const piece of [1, 7, 1_024]) expect(read(page, { piece })).toEqual(whole)
  })

  it('ends at its end tag, and nothing after is asked for', () => {
    const reader = new HeadReader('text/html')
    expect(
      reader.write(bytesOf(`<head><title>One</title></head><title>Two</title>${' '.repeat(1_024)}`)),
    ).toBe(true)
    expect(reader.write(bytesOf('<title>Three</title>'))).toBe(true)
    expect(reader.finish().title).toBe('One')
  })

  it('is not ended by text in a script', () => {
    const head = read('<head><script>var a = "</head><body>"</script><title>After</title></head>')
    expect(head.title).toBe('After')
  })

  it('keeps JSON-LD apart, so many parts of so many characters', () => {
    const data = '<script type="application/ld+json">{"a":"<b>"}</script>'
    expect(read(data.repeat(3)).data).toEqual(Array.from({ length: 3 }, () => '{"a":"<b>"}'))
    expect(read(data.repeat(50)).data).toHaveLength(5)
    const long = read(`<script type="application/ld+json">${'x'.repeat(400_000)}</script>`)
    expect(long.data.join('')).toHaveLength(131_072)
  })

  it('takes no more than it can hold of titles and metas', () => {
    const metas = Array.from({ length: 10_000 }, (_, index) => `<meta name="og:title" content="${index}">`)
    const head = read(
      `<head><title>${'t'.repeat(50_000)}</title>${metas.join('')}<meta name=author content=${'a'.repeat(20_000)}>`,
    )
    expect(head.title).toHaveLength(2_000)
    expect([...head.meta.keys()]).toEqual(['og:title', 'author'])
    expect(head.meta.get('og:title')).toBe('0')
    expect(head.meta.get('author')).toHaveLength(8_192)
  })

  it('gives up where elements nest without end, in no time [T-672]', () => {
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
  ])('is taken %s', (_, page, type, expected) => {
    expect(read(page, { type }).title).toBe(expected)
  })

  it('is UTF-16 by its byte order mark', () => {
    const text = `\ufeff${title('Wrén')}`
    const units = new Uint16Array([...text].map((character) => character.codePointAt(0) ?? 0))
    expect(read(new Uint8Array(units.buffer)).title).toBe('Wrén')
  })
})
