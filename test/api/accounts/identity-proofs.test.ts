import { expect, it } from 'vitest'
import { as } from '../../support/as'
import { given } from '../../support/given'

it('GET accounts/:id/identity_proofs → [] with Deprecation; unknown account → 404 [T-188]', async () => {
  const [alice, bob] = [await given.account(), await given.account()]
  const answer = await as(alice).get(`/api/v1/accounts/${bob.id}/identity_proofs`)
  expect(answer).toMatchObject({ status: 200, body: [] })
  expect(answer.headers.get('deprecation')).toBe('@1648598400')
  expect((await as(alice).get('/api/v1/accounts/1/identity_proofs')).status).toBe(404)
})
