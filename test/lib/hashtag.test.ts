import { describe, expect, it } from 'vitest'
import { isValidHashtag, normaliseHashtag } from '../../src/lib/hashtag'

describe('normaliseHashtag', () => {
  it.each([
    ['Crème', 'creme'],
    ['ＦＯＯ', 'foo'],
    ['FooBar', 'foobar'],
    ['ÀÉÎÕÜŸ', 'aeiouy'],
    ['Łódź', 'lodz'],
    ['Đorđe', 'dorde'],
    ['Smørrebrød', 'smorrebrod'],
    ['İstanbul', 'istanbul'],
    ['Cre\u0300me', 'creme'],
    ['ﬁnal', 'final'],
    ['がぎぐ', 'がぎぐ'],
    ['ｶﾞ', 'ガ'],
    ['Й', 'й'],
    ['Ёлка', 'ёлка'],
    ['Ελλάδα', 'ελλάδα'],
    ['हिन्दी', 'हिन्दी'],
    ['ไทยคือ็', 'ไทยคือ็'],
    ['中文', '中文'],
    ['한국어', '한국어'],
    ['العربية', 'العربية'],
    ['مي\u200cخواهم', 'مي\u200cخواهم'],
    ['a·b_c・d', 'a·b_c・d'],
    ['foo-bar!', 'foobar'],
    ['Straße', 'straße'],
  ])('makes %s %s', (typed, name) => {
    expect(normaliseHashtag(typed)).toBe(name)
  })

  it('changes nothing the second time', () => {
    for (const typed of ['Crème', 'İ', 'ŉŀ', 'Đ', 'ｶﾞ']) {
      const name = normaliseHashtag(typed)
      expect(normaliseHashtag(name)).toBe(name)
    }
  })
})

describe('isValidHashtag', () => {
  it.each([
    'a',
    'foo',
    'foo2',
    '2foo',
    'foo_bar',
    '_foo',
    'foo_',
    'a·b',
    'カタ・カナ',
    'Crème',
    '日本',
    '2024_05',
    'हिन्दी',
  ])('takes %s', (name) => {
    expect(isValidHashtag(name)).toBe(true)
  })

  it.each(['', '#foo', '2024', '_', '___', 'foo bar', 'foo-bar', '·foo', 'foo·', 'a!', '😀', '1_', '/a'])(
    'does not take %j',
    (name) => {
      expect(isValidHashtag(name)).toBe(false)
    },
  )

  it('decides about a hostile name in linear time', () => {
    // Read once for each character, it would take minutes.
    expect(isValidHashtag(`a${'·'.repeat(2_000_000)}!`)).toBe(false)
  })
})
