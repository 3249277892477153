import { expect, it } from 'vitest'
import { Invalid } from '../../src/errors'
import { problemIn } from '../../src/errors/stored-words'

it('words that were stored are found again as the error they are of', () => {
  const gone = new Invalid('media_gone', { ids: '1, 2' })
  expect(problemIn(gone.message)).toEqual({ code: 'media_gone', values: { ids: '1, 2' } })
  const long = new Invalid('too_long', { field: 'rule_ids', max: 30 })
  expect(problemIn(long.message)).toEqual({ code: 'too_long', values: { field: 'Rule ids', max: '30' } })
  expect(problemIn('This server could not post it')).toBeNull()
})
