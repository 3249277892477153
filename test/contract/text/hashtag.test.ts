import { describe, expect, it } from 'vitest'
import { isValidHashtag, normaliseHashtag } from '../../../src/contract/text/hashtag'

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
    ['ශ්\u200dරී', 'ශ්\u200dරී'],
    ['क्\u200dष', 'क्\u200dष'],
    ['क्\u200cष', 'क्\u200cष'],
    ['অবন্\u200d', 'অবন্\u200d'],
    ['বাংলাদেশ\u200d', 'বাংলাদেশ'],
    ['\u200dfo\u200do\u200d', 'foo'],
    ['\u200cfo\u200c\u200do\u200c', 'fo\u200co'],
    ['a·b_c・d', 'a·b_c・d'],
    ['foo-bar!', 'foobar'],
    ['Straße', 'straße'],
  ])('normaliseHashtag makes %s %s', (typed, name) => {
    expect(normaliseHashtag(typed)).toBe(name)
  })

  it('changes nothing the second time', () => {
    for (const typed of [
      'Crème',
      'İ',
      'ŉŀ',
      'Đ',
      'ｶﾞ',
      '\u200d\u200ca',
      'ᄀ\u200dᅡ',
      'e\u0301\u200d',
      'क्\u200c\u200d\u200cष\u200d\u200c',
    ]) {
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
    'ශ්\u200dරී',
    'বাংলাদেশ\u200d',
    'क्\u200cष',
  ])('isValidHashtag accepts %s', (name) => {
    expect(isValidHashtag(name)).toBe(true)
  })

  it.each([
    '\u200d',
    '\u200dfoo',
    '1\u200d2',
    'foo\u200d\u200d',
    'foo·\u200d',
    '',
    '#foo',
    '2024',
    '_',
    '___',
    'foo bar',
    'foo-bar',
    '·foo',
    'foo·',
    'a!',
    '😀',
    '1_',
    '/a',
  ])('isValidHashtag refuses %j', (name) => {
    expect(isValidHashtag(name)).toBe(false)
  })

  it('checks a hostile name in linear time', () => {
    // Read once for each character, it would take minutes.
    for (const joiner of ['·', '\u200c', '\u200d'])
      expect(isValidHashtag(`a${joiner.repeat(2_000_000)}!`)).toBe(false)
    expect(normaliseHashtag(`a${'\u200c'.repeat(1_000_000)}b`)).toBe('a\u200cb')
    expect(normaliseHashtag(`a${'\u200d\u200c'.repeat(500_000)}`)).toBe('a')
  })
})
