import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import type { Endpoint } from '../../src/api/endpoint'
import { as } from '../support/as'
import { checkEach } from '../support/check-each'
import { call } from '../support/every-endpoint'
import { given, type TestAccount } from '../support/given'
import { revokedToken } from '../support/revoked-token'

/** Rails answers a path with a slash or `.json` at its end as it answers the bare one; clients count on it. */
const spellings = [
  ['a slash', '/'],
  ['.json', '.json'],
  ['.json and a slash', '.json/'],
] as const

const name = ({ method, path }: Endpoint) => `${method} ${path}`

describe.each(spellings)('with %s at its end', (_what, end) => {
  let alice: TestAccount
  let revoked: string
  beforeAll(async () => {
    alice = await given.account()
    revoked = await revokedToken()
  })

  it('finds every endpoint', async () => {
    await checkEach(endpoints, { name, atOnce: 8 }, async (endpoint) => {
      const path = endpoint.path.replaceAll(/:\w+/g, '1')
      const { status, body } = await call(revoked, endpoint, path + end)
      expect({ status, body }).toMatchObject({ status: 401, body: { error: 'The access token is invalid' } })
    })
  })

  it('answers every readable path alike', async () => {
    const read = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes(':'))
    await checkEach(read, { name }, async (endpoint) => {
      const [bare, other] = [
        await call(alice, endpoint, endpoint.path),
        await call(alice, endpoint, endpoint.path + end),
      ]
      expect([other.status, other.body]).toEqual([bare.status, bare.body])
    })
  })
})

it('links of a page work with any spelling of its path', async () => {
  const alice = await given.account()
  for (const text of ['one', 'two', 'three']) await given.status({ by: alice, text })
  for (const [, end] of spellings) {
    const first = await as(alice).get(`/api/v1/accounts/${alice.id}/statuses${end}?limit=1`)
    const second = await as(alice).get(first.links.next ?? '')
    expect([second.status, second.body]).toEqual([200, [expect.objectContaining({ id: expect.any(String) })]])
    expect(second.body).not.toEqual(first.body)
  }
})
