import { expect, it } from 'vitest'
import { sourceFiles } from './source'

/** Pronouns, wh-words, auxiliaries and indefinites: a docstring that begins with one does not name its subject. */
const vague = new Set(
  `it they he she we you this that these those what whatever who whoever whom whomever whose which where wherever when
  whenever how why is are was were be does do did has have had may might can could must should will would shall somebody
  someone anybody anyone nobody everybody everyone one some all both none nothing something everything its their his her
  our ours theirs such`.split(/\s+/),
)

/** Share of docstrings that may begin so. */
const tolerated = 0.03

/** The first words of the docstrings of a text. */
function docstrings(text: string): readonly string[] {
  return [...text.matchAll(/\/\*\*\s*(?:\n\s*\*\s*)?([^\n]*)/g)].map((match) => match[1] ?? '')
}

function isVague(docstring: string): boolean {
  const [word = ''] = /[A-Za-z’']+/.exec(docstring.replace(/^[`'"“(]+/, '')) ?? []
  return vague.has(word.toLowerCase()) || /^the same\b/i.test(docstring)
}

/** Lines that are nothing but the spread of a literal: written so to save lines. */
function literalSpreads(text: string): readonly string[] {
  return [...text.matchAll(/^\s*\.\.\.(?:\{[^{}\n]*\}|\[[^[\]\n]*\]),?$/gm)].map(([line]) => line.trim())
}

it('docstrings of src begin with a verb of the field or the noun they define', () => {
  const found = sourceFiles('src').flatMap(({ path, text }) =>
    docstrings(text).map((docstring) => ({ path, docstring })),
  )
  const breaking = found.filter(({ docstring }) => isVague(docstring))
  expect(found.length).toBeGreaterThan(1_000)
  expect(breaking.length / found.length, JSON.stringify(breaking.slice(0, 20))).toBeLessThan(tolerated)
})

it('literals list their properties one a line, without spreads that only save lines', () => {
  const files = [...sourceFiles('src'), ...sourceFiles('test')]
  const breaking = files.flatMap(({ path, text }) => literalSpreads(text).map((line) => `${path}: ${line}`))
  expect(breaking).toEqual([])
})

it('these two rules see what breaks them', () => {
  expect(docstrings('/** Whom it tells. */\n/**\n * Deletes rows.\n */').map(isVague)).toEqual([true, false])
  expect(literalSpreads('  ...{ a, b: 1 },\n  ...rest,\n  ...(c ? { c } : {}),')).toEqual(['...{ a, b: 1 },'])
})
