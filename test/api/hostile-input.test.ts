import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import type { Endpoint } from '../../src/api/endpoint'
import { allScopes } from '../../src/domain/sessions/scopes'
import { as } from '../support/as'
import { checkEach } from '../support/check-each'
import { takesOnlyIds } from '../support/every-endpoint'
import { given, type TestAccount } from '../support/given'
import { givenOwner } from '../support/given-staff'

/** Hostile input to every endpoint: the answer is never a 5xx. */

const json = { headers: { 'Content-Type': 'application/json' } }
const writing = endpoints.filter(({ method }) => method !== 'GET')

/** Texts in the place of an id, a name or a date. */
const texts = ['0', '-1', '1.5', 'abc', '99999999999999999999', '%00', "1' OR 1=1", '９']
/** Texts in the place of an id alone: what is none, in any form, is read as the same id. Paths without one take each query once. */
const ids = ['0', 'abc', '99999999999999999999', '９']
const queries = [
  'limit=-5&max_id=abc&since_id=&min_id=99999999999999999999',
  'limit=1e9&id[]=x&id[]=-1&types[]=nothing&offset=-1',
  'a[b][c][d]=1&a[]=2&a=3&__proto__[x]=1&constructor=1',
  `q=${'x'.repeat(3000)}&acct=${'@'.repeat(50)}`,
]
/** Refused before an endpoint has its input, as `lib/params.ts` reads every body. */
const noInput: readonly string[] = ['{', '[]', '"text"']
const bodies: readonly string[] = [
  'null',
  '{"status":{"a":1},"media_ids":{"0":[]},"id":[[[]]],"source":"x","poll":[],"fields_attributes":7}',
  '{"status":null,"visibility":42,"account_id":true,"duration":"soon","reblogs":[1]}',
  `{"status":"${'\u0000\ud800'}","comment":"${'💥'.repeat(2000)}","expires_in":1e308}`,
]

/** Writing endpoints: the first of each method, kind of caller and kind of body. */
const firstOfKinds = [
  ...Map.groupBy(writing, ({ method, auth, takesFiles }) => `${method} ${auth.kind} ${takesFiles}`).values(),
].flatMap(([first]) => first ?? [])

describe('hostile input', () => {
  let person: TestAccount
  let owner: TestAccount
  beforeAll(async () => {
    person = await given.account({ scopes: allScopes.join(' ') })
    owner = await givenOwner()
  })
  // Callers without permission are refused before their input is read.
  const callerOf = ({ auth }: Pick<Endpoint, 'auth'>) => (auth.kind === 'staff' ? owner : person)

  it('hostile input in path and query never breaks an endpoint', async () => {
    const cases = endpoints.flatMap((endpoint) =>
      (takesOnlyIds(endpoint) ? ids : texts).map((id, index) => ({
        method: endpoint.method,
        auth: endpoint.auth,
        path: `${endpoint.path.replaceAll(/:\w+/g, encodeURIComponent(id))}?${queries[index % queries.length]}`,
      })),
    )
    const name = ({ method, path }: (typeof cases)[number]) => `${method} ${path}`
    await checkEach(cases, { name }, async ({ method, path, auth }) => {
      expect((await as(callerOf({ auth })).call(method, path)).status).toBeLessThan(500)
    })
  })

  it('hostile input in the body never breaks an endpoint', async () => {
    const cases = writing.flatMap((endpoint) =>
      [...(firstOfKinds.includes(endpoint) ? noInput : []), ...bodies].map((body) => ({
        method: endpoint.method,
        auth: endpoint.auth,
        path: endpoint.path.replaceAll(/:\w+/g, '1'),
        body,
      })),
    )
    const name = ({ method, path, body }: (typeof cases)[number]) => `${method} ${path} ${body.slice(0, 60)}`
    await checkEach(cases, { name }, async ({ method, path, auth, body }) => {
      expect((await as(callerOf({ auth })).call(method, path, body, json)).status).toBeLessThan(500)
    })
  })
})
