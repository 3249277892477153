import { expect, it } from 'vitest'
import { Invalid, InvalidFields } from '../../src/errors'
import { fieldErrors, formErrors, requestErrors } from '../../src/errors/codes'
import { fieldErrorsOfApps, formErrorsOfApps, requestErrorsOfApps } from '../../src/errors/codes-of-apps'
import { englishOf, problem } from '../../src/errors/sentences'

const groups = [
  fieldErrors,
  formErrors,
  requestErrors,
  fieldErrorsOfApps,
  formErrorsOfApps,
  requestErrorsOfApps,
]

it('an error of a field says its name as Mastodon does', () => {
  const { message } = new Invalid('too_long', { field: 'display_name', max: 30 })
  expect(message).toBe('Validation failed: Display name is too long (maximum is 30 characters)')
})

it('an error of a request has no prefix', () => {
  expect(new Invalid('too_many_files', { max: 4 }).message).toBe('Cannot attach more than 4 files')
})

it('several problems are one sentence', () => {
  const problems = [problem('blank', { field: 'title' }), problem('not_chosen', { field: 'contexts' })]
  expect(englishOf(problems)).toBe("Validation failed: Title can't be blank, Contexts has to be chosen")
})

it('problems by field have the codes of Mastodon', () => {
  const { extra } = new InvalidFields([
    problem('taken', { field: 'email' }),
    problem('invalid', { field: 'email' }),
  ])
  expect(extra).toEqual({
    details: {
      email: [
        { error: 'ERR_TAKEN', description: 'has already been taken' },
        { error: 'ERR_INVALID', description: 'is invalid' },
      ],
    },
  })
})

it('no two groups of errors share a code', () => {
  const codes = groups.flatMap((group) => Object.keys(group))
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
})
