import { beforeAll, describe, expect, it } from 'vitest'
import { as } from '../support/as'
import { given, type TestAccount } from '../support/given'

/** Validation messages in the words of Rails, never in those of the validator. */

describe('an invalid value', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account()
  })

  it.each([
    [
      '/api/v1/lists',
      { title: 'Birds', replies_policy: 'all' },
      'Replies policy is not included in the list',
    ],
    ['/api/v1/lists', { title: ['Birds'] }, 'Title is invalid'],
    ['/api/v1/statuses', { status: 'x', poll: 'y' }, 'Poll is invalid'],
    ['/api/v1/statuses', { status: 'x', poll: { expires_in: 'soon' } }, 'Poll expires in is not a number'],
    ['/api/v2/filters', { title: 'x', expires_in: 'soon' }, 'Expires in is invalid'],
    ['/api/v2/filters', { expires_in: 1e30 }, 'Expires in must be less than or equal to 9007199254740991'],
  ])('an invalid value is refused by %s with a readable text', async (path, body, sentence) => {
    const answer = await as(alice).post(path, body)
    expect(answer).toMatchObject({ status: 422, body: { error: `Validation failed: ${sentence}` } })
  })

  it('an invalid value is named as missing where it was not sent at all', async () => {
    const answer = await as(alice).post('/api/v1/featured_tags', {})
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'Required parameter name is missing or blank' },
    })
  })
})
