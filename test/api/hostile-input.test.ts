import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import type { Endpoint } from '../../src/api/endpoint'
import { allScopes } from '../../src/domain/sessions/scopes'
import { as } from '../support/as'
import { given, type TestAccount } from '../support/given'

/** Hostile input to every endpoint: the answer is never a 5xx. */

const name = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`
const json = { headers: { 'Content-Type': 'application/json' } }
const writing = endpoints.filter(({ method }) => method !== 'GET')

const ids = ['0', '-1', '1.5', 'abc', '99999999999999999999', '%00', "1' OR 1=1", '９']
const queries = [
  'limit=-5&max_id=abc&since_id=&min_id=99999999999999999999',
  'limit=1e9&id[]=x&id[]=-1&types[]=nothing&offset=-1',
  'a[b][c][d]=1&a[]=2&a=3&__proto__[x]=1&constructor=1',
  `q=${'x'.repeat(3000)}&acct=${'@'.repeat(50)}`,
]
const bodies: readonly string[] = [
  '{',
  '[]',
  'null',
  '"text"',
  '{"status":{"a":1},"media_ids":{"0":[]},"id":[[[]]],"source":"x","poll":[],"fields_attributes":7}',
  '{"status":null,"visibility":42,"account_id":true,"duration":"soon","reblogs":[1]}',
  `{"status":"${'\u0000\ud800'}","comment":"${'💥'.repeat(2000)}","expires_in":1e308}`,
]

describe('hostile input', () => {
  let person: TestAccount
  beforeAll(async () => {
    person = await given.account({ scopes: allScopes.join(' ') })
  })

  for (const endpoint of endpoints)
    it(`in path and query never breaks ${name(endpoint)}`, async () => {
      for (const [index, id] of ids.entries()) {
        const path = endpoint.path.replaceAll(/:\w+/g, encodeURIComponent(id))
        const query = queries[index % queries.length]
        const answer = await as(person).call(endpoint.method, `${path}?${query}`)
        expect(answer.status, `${path}?${query}`).toBeLessThan(500)
      }
    })

  for (const endpoint of writing)
    it(`in the body never breaks ${name(endpoint)}`, async () => {
      for (const body of bodies) {
        const path = endpoint.path.replaceAll(/:\w+/g, '1')
        const answer = await as(person).call(endpoint.method, path, body, json)
        expect(answer.status, body.slice(0, 60)).toBeLessThan(500)
      }
    })
})
