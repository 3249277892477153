import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  allSources,
  languages,
  placeholdersOf,
  pluralsOf,
  readCatalogue,
  readSource,
  translatedSources,
  usedKeys,
  writtenCatalogue,
} from '../../scripts/lib/messages.mjs'

const sources = translatedSources().map((source) => ({ path: source.path, ...readSource(source) }))
const english = readCatalogue('en')
const isRich = (text: string) => /<[a-z]/.test(text)

it('finds the keys that source files name', () => {
  const text = `const a = <p title={t('one')}>{t.rich('two.three', { b })}{on ? t('four') : other}</p>`
  const keys = ['one', 'two', 'two.three', 'three', 'four', 'five']
  expect(usedKeys(keys, [{ path: 'a.tsx', text }])).toEqual(['one', 'two.three', 'four'])
})

it('every English text is shown by a page, mail or push message: run npm run messages -- --prune', () => {
  const used = new Set(usedKeys(Object.keys(english), allSources()))
  expect(Object.keys(english).filter((key) => !used.has(key))).toEqual([])
})

it('keys are words in camel case behind dots', () => {
  const named = /^[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)+$/
  expect(Object.keys(english).filter((key) => !named.test(key))).toEqual([])
})

it('finds words that no translation reaches', () => {
  const posts = ['{`', '$', '{count} posts`}'].join('')
  const text = `const a = <p title='Bare'>Words <b>{on ? 'Yes' : other}</b> ${posts}</p>`
  expect(
    readSource({ path: 'a.tsx', text })
      .bare.map((words) => words.trim())
      .toSorted(),
  ).toEqual(['Bare', 'Words', 'Yes', 'posts'])
})

it('translates no key that is put together', () => {
  expect(sources.filter(({ dynamic }) => dynamic.length > 0).map(({ path }) => path)).toEqual([])
})

it('leaves no words of pages without translation', () => {
  const bare = sources.filter((source) => source.bare.length > 0)
  expect(bare.map(({ path, bare: words }) => `${path}: ${words.join(' | ')}`)).toEqual([])
})

it('translates the subject of each mail', () => {
  const raw = allSources().filter(({ text }) => /\bsubject: ['"`][A-Z$]/.test(text))
  expect(raw.map(({ path }) => path)).toEqual([])
})

describe.each(['en', ...languages])('the catalogue of %s', (language) => {
  const catalogue = readCatalogue(language)

  it('the catalogue has no text that English lacks: run npm run messages -- --prune', () => {
    expect(Object.keys(catalogue).filter((key) => !Object.hasOwn(english, key))).toEqual([])
  })

  it('the catalogue is sorted', () => {
    expect(readFileSync(`public/messages/${language}.json`, 'utf8')).toBe(writtenCatalogue(catalogue))
  })

  it('the catalogue has the values and elements of each text', () => {
    const different = Object.entries(catalogue).filter(
      ([key, translation]) =>
        placeholdersOf(english[key] ?? '', isRich(english[key] ?? '')).join() !==
        placeholdersOf(translation, isRich(translation)).join(),
    )
    expect(different).toEqual([])
  })

  it('the catalogue has every plural form that numbers up to a thousand take', () => {
    const rules = new Intl.PluralRules(language)
    const forms = [...new Set(Array.from({ length: 1_001 }, (_, count) => rules.select(count)))]
    const lacks = (given: string[], form: string) =>
      !given.includes(form) && !(form === 'zero' && given.includes('=0'))
    const lacking = Object.values(catalogue).filter((translation) =>
      pluralsOf(translation, isRich(translation)).some((given) => forms.some((form) => lacks(given, form))),
    )
    expect(lacking).toEqual([])
  })
})

it('French has no-break spaces where a line must not end', () => {
  const spaces = / (?:[;?!»%]|:(?!:)|Mo\b|Ko\b)|« /u
  expect(Object.values(readCatalogue('fr')).filter((text) => spaces.test(text))).toEqual([])
})

it('Japanese has one spelling, full-width colons and no spaces beside its own letters', () => {
  const letter = String.raw`[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}、。：]`
  const mixed = new RegExp(
    `ブラウザー|だれ|[\\p{L}}>]: ?(?:$|[{<])|${letter} [<A-Za-z]|[}>A-Za-z] ${letter}`,
    'u',
  )
  expect(Object.values(readCatalogue('ja')).filter((text) => mixed.test(text))).toEqual([])
})

it('Arabic has its own comma, semicolon and question mark', () => {
  const latin = /\p{Script=Arabic}\s?[,;?]/u
  const bare = (text: string) => text.replaceAll(/\w+, (?:plural|select|number),?/g, '')
  expect(Object.values(readCatalogue('ar')).filter((text) => latin.test(bare(text)))).toEqual([])
})
