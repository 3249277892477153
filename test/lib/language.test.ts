import { describe, expect, it } from 'vitest'
import { knownLanguage, languages } from '../../src/lib/language'

describe('languages', () => {
  it('lists each code once, with both names', () => {
    expect(new Set(languages.map(({ code }) => code)).size).toBe(languages.length)
    expect(languages.filter(({ name, native }) => name === '' || native === '')).toEqual([])
  })

  it('the list of languages has all of ISO 639-1 and the longer codes Mastodon clients offer', () => {
    const codes = languages.map(({ code }) => code)

    expect(codes.filter((code) => code.length === 2)).toHaveLength(184)
    for (const code of 'ast chr ckb cnr csb gsw jbo kab ldn lfn moh nds pdc sco sma smj szl tok vai xal zba zgh'.split(
      ' ',
    )) {
      expect(codes).toContain(code)
    }
  })

  it('names a language in English and in itself', () => {
    expect(languages.find(({ code }) => code === 'de')).toEqual({
      code: 'de',
      name: 'German',
      native: 'Deutsch',
    })
  })
})

describe('knownLanguage', () => {
  it.each([
    ['en', 'en'],
    ['EN', 'en'],
    ['pt-BR', 'pt'],
    ['en_GB', 'en'],
    ['zh-TW', 'zh-TW'],
    ['zh_tw', 'zh-TW'],
    ['zh-Hant', 'zh'],
    ['ckb', 'ckb'],
    [' de ', 'de'],
  ])('knownLanguage reads %s as %s', (tag, code) => {
    expect(knownLanguage(tag)).toBe(code)
  })

  it.each(['', 'xx', 'english', '-', 'e', 'und', 'tlh-Latn'])('knownLanguage does not know %j', (tag) => {
    expect(knownLanguage(tag)).toBeNull()
  })
})
