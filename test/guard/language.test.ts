import { describe, expect, it } from 'vitest'
import { languages, readCatalogue } from '../../scripts/lib/messages.mjs'
import { documents } from './documents'
import { sourceFiles } from './source'

/** Pronouns, wh-words, auxiliaries and indefinites: a comment that begins with one does not name its subject. */
const vague = new Set(
  `it they he she we you this that these those what whatever who whoever whom whomever whose which where wherever when
  whenever how why is are was were be does do did has have had may might can could must should will would shall somebody
  someone anybody anyone nobody everybody everyone one some all both none nothing something everything its their his her
  our ours theirs such`.split(/\s+/),
)

/** Words that name no subject by themselves, but do before a noun: "each delivery", "another server". */
const determiners = new Set(['other', 'another', 'each', 'either'])
const notNouns = new Set(
  `of to is are has have was were in on by with that which who may can must should will would does gets and or`.split(
    ' ',
  ),
)

/** First lines of the docstrings of a text. */
function docstrings(text: string): readonly string[] {
  return [...text.matchAll(/\/\*\*\s*(?:\n\s*\*\s*)?([^\n]*)/g)].map((match) => match[1] ?? '')
}

/** First lines of the line comments of a text: of several in a row the first, and those behind code. */
function lineComments(text: string): readonly string[] {
  const blocks = text.replaceAll(/^(\s*\/\/.*)(?:\n\s*\/\/.*)+$/gm, '$1')
  return [...blocks.matchAll(/(?:^|[\s;,{(])\/\/ (.*)$/gm)].map((match) => match[1] ?? '')
}

function isVague(comment: string): boolean {
  const [, first = '', gap = '', second = ''] =
    /^[`'"“(]*([A-Za-z’'-]+)([^A-Za-z]*)([A-Za-z]*)/.exec(comment) ?? []
  const word = first.toLowerCase()
  if (determiners.has(word)) return gap.trim() !== '' || second === '' || notNouns.has(second)
  return vague.has(word) || word === 'others' || /^the same\b/i.test(comment)
}

/** Lines that are nothing but the spread of a literal: written so to save lines. */
function literalSpreads(text: string): readonly string[] {
  return [...text.matchAll(/^\s*\.\.\.(?:\{[^{}\n]*\}|\[[^[\]\n]*\]),?$/gm)].map(([line]) => line.trim())
}

/** Titles of tests in a text, those of tables included. */
function testTitles(text: string): readonly string[] {
  const titles = /\bit(?:\.each\b.*?\)|\.\w+)?\(\s*(['"`])((?:\\.|(?!\1).)+)\1/gs
  return [...text.matchAll(titles)].map(([, , title = '']) => title)
}

/** Words that continue a sentence of the surrounding `describe`: a title says by itself what the product does. */
const continuing = new Set(
  `that which who whom whose where of by to at in for from with without and or but nor than`.split(' '),
)

function isFragment(title: string): boolean {
  return continuing.has(/^\w+/.exec(title)?.[0] ?? '')
}

/** Examples for the rules below. */
const ownFile = 'test/guard/language.test.ts'

it.each(['src', 'test', 'scripts'] as const)(
  'comments of %s begin with a verb or the noun they define',
  (folder) => {
    const files = sourceFiles(folder).filter(({ path }) => path !== ownFile)
    for (const kind of [docstrings, lineComments]) {
      const found = files.flatMap(({ path, text }) => kind(text).map((comment) => ({ path, comment })))
      expect(found.length).toBeGreaterThan(50)
      expect(found.filter(({ comment }) => isVague(comment))).toEqual([])
    }
  },
)

it('titles of tests are sentences, not continuations of the title around them', () => {
  const files = sourceFiles('test').filter(({ path }) => path !== ownFile)
  const titles = files.flatMap(({ path, text }) => testTitles(text).map((title) => ({ path, title })))
  expect(titles.length).toBeGreaterThan(4_500)
  expect(titles.filter(({ title }) => isFragment(title))).toEqual([])
})

it('literals list their properties one a line, without spreads that only save lines', () => {
  const files = [...sourceFiles('src'), ...sourceFiles('test'), ...sourceFiles('scripts')]
  const breaking = files.flatMap(({ path, text }) => literalSpreads(text).map((line) => `${path}: ${line}`))
  expect(breaking).toEqual([])
})

/** Words for a disabled account that would be a second name of the same state, by language. */
const secondNames: Readonly<Record<string, RegExp>> = {
  en: /\b(?:un)?(?:freez|froze)/i,
  de: /(?:ein|auf)(?:ge)?(?:frier|fror)/i,
  fr: /(?<!\p{L})(?:dé)?g[eè]l(?:er?|é)(?:e?s?)(?!\p{L})/iu,
  es: /congel/i,
  ja: /凍結/u,
  ar: /تجميد|مجم[ّ]?د/u,
}

function hasSecondName(language: string, text: string): boolean {
  const names = secondNames[language]
  if (names === undefined) throw new Error(`No words are known in ${language}`)
  return names.test(text)
}

describe('an account whose owner cannot sign in is disabled, by one word', () => {
  it('code, tests, commands and documents say disabled', () => {
    const files = [
      ...sourceFiles('src'),
      ...sourceFiles('test').filter(({ path }) => path !== ownFile),
      ...sourceFiles('scripts'),
      ...documents(),
    ]
    // A method of the language has the word in its name.
    const named = files.filter(({ text }) => hasSecondName('en', text.replaceAll('Object.freeze(', '')))
    expect(named.map(({ path }) => path)).toEqual([])
  })

  it.each(languages)('the catalogue of %s says disabled', (language) => {
    const entries = Object.entries(readCatalogue(language))
    expect(entries.filter(([, translation]) => hasSecondName(language, translation))).toEqual([])
  })

  it.each([
    ['en', ['Freeze', 'frozen', 'unfrozen', 'froze']],
    ['de', ['Einfrieren', 'eingefroren', 'auffrieren']],
    ['fr', ['Geler', 'gelé', 'Gelés', 'gèle', 'dégelée']],
    ['es', ['Congelar', 'descongelada']],
    ['ja', ['凍結中']],
    ['ar', ['تجميد', 'مجمّدة']],
  ] as const)('sees the other words of %s', (language, words) => {
    expect(words.filter((word) => !hasSecondName(language, word))).toEqual([])
  })
})

describe('the rules of comments and literals', () => {
  it('the rules of comments and literals see a docstring without a subject', () => {
    expect(docstrings('/** Whom it tells. */\n/**\n * Deletes rows.\n */').map(isVague)).toEqual([
      true,
      false,
    ])
  })

  it('the rules of comments and literals see the first line of line comments, also behind code, but no address', () => {
    const text = [
      '// It tells',
      '// whom.',
      "const a = 'https://a.test' // Each of them.",
      'b()',
      '  // Deletes rows.',
    ]
    expect(lineComments(text.join('\n'))).toEqual(['It tells', 'Each of them.', 'Deletes rows.'])
  })

  it.each([
    ['Each of them quotes it.', true],
    ['Each delivery is tried again.', false],
    ['Another may come.', true],
    ['Another server.', false],
    ['Others may not see it.', true],
    ['The same again.', true],
    ['One-click unsubscription.', false],
  ])('the rules of comments and literals take "%s" for vague: %s', (comment, expected) => {
    expect(isVague(comment)).toBe(expected)
  })

  it('the rules of comments and literals see titles that continue another, also in tables', () => {
    const text = [
      `it('that waits is accepted', () => {})`,
      `it.each([['a', () => b('of c')]])(\n  'of %s is accepted',\n  () => {})`,
      `it('accepts a quote of its author', () => {})`,
    ].join('\n')
    expect(testTitles(text).map(isFragment)).toEqual([true, true, false])
  })

  it('the rules of comments and literals see spreads of literals', () => {
    expect(literalSpreads('  ...{ a, b: 1 },\n  ...rest,\n  ...(c ? { c } : {}),')).toEqual([
      '...{ a, b: 1 },',
    ])
  })
})
