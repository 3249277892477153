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
  writtenCatalogue,
} from '../../scripts/lib/messages.mjs'

const sources = translatedSources().map((source) => ({ path: source.path, ...readSource(source) }))
const texts = [...new Set(sources.flatMap((source) => source.texts))]
const isRich = (text: string) => /<[a-z]/.test(text)

it('finds the texts to translate', () => {
  const text = `const a = <p title={t('One')}>{t.rich('<b>Two</b>', { b })}{on ? t('Three') : message('Four')}</p>`
  expect(readSource({ path: 'a.tsx', text }).texts.toSorted()).toEqual(['<b>Two</b>', 'Four', 'One', 'Three'])
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

it('translates no text that is put together', () => {
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

describe.each(languages)('the catalogue of %s', (language) => {
  const catalogue = readCatalogue(language)

  it('the catalogue has every text, and no other: run npm run messages', () => {
    expect(Object.keys(catalogue).toSorted()).toEqual(texts.toSorted())
  })

  it('the catalogue is sorted', () => {
    expect(readFileSync(`public/messages/${language}.json`, 'utf8')).toBe(writtenCatalogue(catalogue))
  })

  it('the catalogue has the values and elements of each text', () => {
    const different = Object.entries(catalogue).filter(
      ([text, translation]) =>
        placeholdersOf(text, isRich(text)).join() !== placeholdersOf(translation, isRich(text)).join(),
    )
    expect(different).toEqual([])
  })

  it('the catalogue has every plural form that numbers up to a thousand take', () => {
    const rules = new Intl.PluralRules(language)
    const forms = [...new Set(Array.from({ length: 1_001 }, (_, count) => rules.select(count)))]
    const lacks = (given: string[], form: string) =>
      !given.includes(form) && !(form === 'zero' && given.includes('=0'))
    const lacking = Object.entries(catalogue).filter(([text, translation]) =>
      pluralsOf(translation, isRich(text)).some((given) => forms.some((form) => lacks(given, form))),
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
