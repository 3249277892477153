import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCatalogue } from '../../scripts/lib/messages.mjs'
import { refusalsOfPages } from '../../scripts/lib/refusals.mjs'
import { createTranslate } from '../../src/lib/translate'
import { auditFieldText, formFieldText } from '../../src/web/field-texts'
import { predicates } from '../../src/web/problem-patterns'
import { isSentence, problemText, sentences } from '../../src/web/problem-texts'

const refusals = refusalsOfPages()

/** Refusals of OAuth that are sent to the app, which shows none of them. */
const sentToApps: ReadonlySet<string> = new Set(['The person declined.'])

/** A refusal with examples filled in; null for one that is put together from others. */
function exampleOf(text: string): string | null {
  const english = text.replace(/^Validation failed: /, '')
  if (sentToApps.has(english) || /^(?:[A-Z][a-z ]*)?(?:\{\} ?)+$/.test(english)) return null
  const example = english.replace(/^\{\} (?=is too long|is not included)/, 'Title ')
  return example.replace(/^Name \{\} /, 'Name bird.example ').replaceAll('{}', '7')
}

it('follows the calls of pages to what refuses', () => {
  expect([...refusals.keys()]).toEqual(
    expect.arrayContaining([
      "Title can't be blank",
      'Name is too short (minimum is {} characters)',
      'The report has been resolved already',
      'This form has expired. Go back, reload the page and try again.',
    ]),
  )
  expect(refusals.size).toBeGreaterThan(200)
})

describe.each(['de', 'fr', 'es', 'ja', 'ar'] as const)('in the language %s', (language) => {
  const t = createTranslate(language, readCatalogue(language))

  it('every refusal that a form can show has a text', () => {
    const missing = [...refusals].flatMap(([text, path]) => {
      const english = exampleOf(text)
      return english === null || problemText(t, english) !== english ? [] : [`${path}: ${english}`]
    })
    expect(missing).toEqual([])
  })

  it('fields have names in texts about them', () => {
    const english = problemText(t, "Title can't be blank.")
    expect(english).toBe(t('{field}: required.', { field: t('Title') }))
  })
})

it('pages say the label of a field, in English too', () => {
  const t = createTranslate<never>('en', {})
  expect(problemText(t, 'Ip is not a valid network.')).toBe('IP address or network is not a valid network.')
  expect(problemText(t, "Status ids can't be blank")).toBe("Posts can't be blank")
  expect(problemText(t, 'This appeal has been decided already')).toBe('This appeal has been decided already')
})

it('every field that a refusal of a form begins with has a label', () => {
  const begins = predicates.map(
    ({ pattern }) => new RegExp(`^([A-Z][a-z]*(?: [a-z]+)*?) ${pattern.source}\\.?$`),
  )
  const unlabelled = [...refusals.keys()].flatMap((text) => {
    const english = exampleOf(text)
    // Whole sentences have texts of their own, whatever they begin with.
    if (english === null || sentences.has(english) || isSentence(english)) return []
    const name = begins.flatMap((pattern) => pattern.exec(english)?.[1] ?? [])[0]
    return name === undefined || formFieldText(name) !== null ? [] : [`${name}: ${english}`]
  })
  expect(unlabelled).toEqual([])
})

it('every field that acts of the domain write into the audit log has a label', () => {
  const names = readdirSync('src/domain', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(`src/domain/${name}`, 'utf8'))
    .filter((text) => text.includes('recordAudit') && !text.includes('export function recordAudit('))
    .flatMap((text) =>
      [...text.matchAll(/\b(?:before|after): \{ ([^{}.]*?) \}/g)].map(([, inside = '']) => inside),
    )
    .flatMap((inside) => inside.split(',').map((part) => part.split(':')[0]?.trim() ?? ''))
    .filter((name) => /^[a-z]\w*$/.test(name))
  expect(names.length).toBeGreaterThan(20)
  expect([...new Set(names)].filter((name) => auditFieldText(name) === null)).toEqual([])
})

it('the sentences that pages translate are those that the source refuses with', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('web/problem-'))
    .map((name) => readFileSync(`src/${name}`, 'utf8').replaceAll("\\'", "'"))
    .join('\n')
  expect([...sentences].filter((text) => !sources.includes(text))).toEqual([])
})
