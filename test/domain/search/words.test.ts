import { describe, expect, it } from 'vitest'
import { foldText, sequenceOf, tokensOf } from '../../../src/domain/search/words'

describe('foldText', () => {
  it.each([
    ['Émile ÀÖÜ ñ ç', 'emile aou n c'],
    ['Straße Æther œuvre Łódź Đỗ', 'strasse aether oeuvre lodz do'],
    ['İstanbul ısı', 'istanbul isi'],
    ['Ελλάς ΣΊΣΥΦΟΣ', 'ελλασ σισυφοσ'],
    ['Ёлка й', 'елка и'],
    ['ｆｕｌｌ ﬁt ①', 'full fit 1'],
    ['が ﾊﾟﾝ 한글', 'が パン 한글'],
    ['हिन्दी ไทย', 'हिन्दी ไทย'],
    ['می‌خواهم co\u00adoperate', 'میخواهم cooperate'],
  ])('%s', (text, folded) => expect(foldText(text)).toBe(folded))
})

describe('tokensOf', () => {
  it.each([
    ["Don't stop, C++ & foo_bar.", ['don', 't', 'stop', 'c', 'foo', 'bar']],
    ['', []],
    ['… 🪶 !?', []],
    ['東京都', ['東京', '京都', '都']],
    ['犬', ['犬']],
    ['東京towerの上', ['東京', '京', 'tower', 'の上', '上']],
    ['コーヒー', ['コー', 'ーヒ', 'ヒー', 'ー']],
    ['हिन्दी', ['हिन्दी']],
    ['𠮷野家', ['𠮷野', '野家', '家']],
  ])('%s', (text, tokens) => expect(tokensOf(text)).toEqual(tokens))

  it('cuts text that is not a word between characters', () => {
    expect(tokensOf('a'.repeat(5_000))).toEqual(['a'.repeat(64)])
    expect([...(tokensOf('𝕒'.repeat(100))[0] ?? '')]).toHaveLength(64)
    expect([...(tokensOf('𐐀'.repeat(100))[0] ?? '')]).toHaveLength(64)
  })

  it('returns no index operators for any input', () => {
    const hostile = [
      '"',
      'a"b',
      "x'y",
      'NEAR(a b)',
      'text : b',
      'a*',
      '^a',
      '{a}',
      'a\u0000b',
      '-a',
      '(',
      '\ud800',
      '\u{1f468}\u200d\u{1f469}',
    ]
    for (const text of hostile)
      for (const token of tokensOf(text)) expect(token).toMatch(/^[\p{L}\p{M}\p{N}]+$/u)
  })
})

describe('sequenceOf', () => {
  it.each([
    ['Wren', ['wren'], false],
    ['foo-bar', ['foo', 'bar'], false],
    ['東京都', ['東京', '京都'], false],
    ['都', ['都'], true],
    ['tower 都', ['tower', '都'], true],
    ['東京tower', ['東京', '京', 'tower'], false],
    ['tower東京', ['tower', '東京'], false],
  ])('%s', (text, tokens, isOpen) => expect(sequenceOf(text)).toEqual({ tokens, isOpen }))

  it('sequenceOf is null without words', () => {
    for (const text of ['', '"', '🪶', ' … ']) expect(sequenceOf(text)).toBeNull()
  })
})
