import { describe, expect, it } from 'vitest'
import { countCharacters, countGraphemes } from '../../../src/contract/text/count'

describe('countCharacters', () => {
  it.each([
    ['', 0],
    ['hello', 5],
    ['a\nb', 3],
    ['a\r\nb', 3],
    ['héllo wörld', 11],
    ['e\u0301', 1],
    ['日本語', 3],
    ['👍🏽', 1],
    ['👨‍👩‍👧‍👦', 1],
    ['🇩🇪🇫🇷', 2],
    ['a👍b', 3],
    ['हिन्दी', 2],
    ['한국어', 3],
    ['https://a.test', 23],
    [`https://a.test/${'x'.repeat(200)}`, 23],
    ['see https://a.test/x.', 28],
    ['a.test/bare', 11],
    ['ftp://a.test', 12],
    ['@alice', 6],
    ['@alice@remote.example', 6],
    ['@alice@remote.example, hi', 10],
    ['#hashtag', 8],
    [`gemini://a.test/${'x'.repeat(200)}`, 23],
    ['ipfs://a.test gopher://b.test', 47],
    ['xmpp:user@a.test', 16],
    [`magnet:?dn=${'x'.repeat(40)}`, 51],
    ['https://a.test/x、次', 25],
    ['https://📙.la', 23],
    ['alice@remote.example', 20],
  ])('countCharacters counts %j as %i', (text, count) => {
    expect(countCharacters(text)).toBe(count)
  })
})

describe('countGraphemes', () => {
  it('agrees with the segmenter wherever simple and joined characters meet', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    const parts = [
      'a',
      'é',
      'e\u0301',
      '\r',
      '\n',
      '\u200d',
      '😀',
      '👍🏽',
      '🇩',
      '🇪',
      '©',
      '‼',
      '한',
      '\u11a8',
      'か',
      '\u3099',
    ]
    parts.push(
      '\uff9e',
      'न',
      '्',
      '\u0600',
      '\u0e33',
      '\ufe0f',
      '\u20e3',
      '1',
      '々',
      '。',
      '𝒳',
      '\ud800',
      'я',
      '\u0483',
      '\xad',
    )
    const words = parts.flatMap((first) =>
      parts.flatMap((second) => parts.map((third) => first + second + third)),
    )

    const wrong = words.filter((word) => countGraphemes(word) !== Array.from(segmenter.segment(word)).length)

    expect(wrong).toEqual([])
  })
})
