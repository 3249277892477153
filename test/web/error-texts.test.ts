import { expect, it } from 'vitest'
import german from '../../public/messages/de.json'
import english from '../../public/messages/en.json'
import { problem } from '../../src/errors/sentences'
import { createTranslate } from '../../src/lib/translate'
import { describeProblems, errorText, isAbout, storedErrorText } from '../../src/web/error-texts'

const inEnglish = createTranslate<never>('en', english)
const inGerman = createTranslate<never>('de', german)
const tooLong = problem('too_long', { field: 'display_name', max: 30 })

it('an error of a form names its field by the label', () => {
  expect(errorText(inEnglish, problem('invalid_network', { field: 'ip' }))).toBe(
    'IP address or network is not valid.',
  )
  expect(errorText(inGerman, tooLong)).toMatch(/^Anzeigename: .*\b30\b/)
})

it('an error that only apps meet stays in the words of the API', () => {
  expect(errorText(inGerman, problem('no_account'))).toBe('The account could not be found')
})

it('a program gets codes, fields, and sentences that leave the name of the field to it', () => {
  const problems = [
    tooLong,
    problem('entry_unknown_account', { field: 'featuredAccounts', entry: '2' }),
    problem('not_to_be_featured', { field: 'account_ids' }),
    problem('owner_exists'),
  ]
  expect(describeProblems(inEnglish, problems)).toEqual([
    {
      code: 'too_long',
      field: 'display_name',
      sentence: '{field} is too long (maximum is 30 characters).',
    },
    { code: 'entry_unknown_account', field: 'featuredAccounts', sentence: '{field} (2) is not known.' },
    {
      code: 'not_to_be_featured',
      field: 'account_ids',
      sentence: '{field} does not want to be featured in collections',
    },
    { code: 'owner_exists', field: null, sentence: 'This instance has an owner already' },
  ])
})

it('the limit in an error about an entry of a list is that of the entry, not its place in the list', () => {
  const found = problem('entry_too_long', { field: 'featuredAccounts', entry: '2', max: 50 })
  expect(errorText(inEnglish, found)).toContain('(maximum is 50 characters)')
})

it('an error of a post that could not be published is told in the language of its author', () => {
  const stored = 'Validation failed: Text character limit of 500 exceeded'
  expect(storedErrorText(inGerman, stored)).toMatch(/^Text: .*\b500\b/)
  expect(storedErrorText(inGerman, 'This server could not post it')).toBe('This server could not post it')
})

it('errors of a form say whether they name a field', () => {
  expect(isAbout({ form: [tooLong] }, 'display_name')).toBe(true)
  expect(isAbout({ form: 'problem.wrongNamePassword' }, 'display_name')).toBe(false)
})
