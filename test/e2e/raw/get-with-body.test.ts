import { request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { newAddress } from '../support/address'
import { newPerson, origin, type Person } from '../support/people'

/** As HTTP libraries send it whose GET may have a body; fetch allows none. */
function getWithBody(
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const length = String(Buffer.byteLength(body))
    const call = request(new URL(path, origin).href, {
      method: 'GET',
      headers: { 'CF-Connecting-IP': newAddress(), 'Content-Length': length, ...headers },
    })
    call.once('error', reject)
    call.once('response', async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      resolve(JSON.parse(Buffer.concat(chunks).toString()))
    })
    call.end(body)
  })
}

const json = { 'Content-Type': 'application/json' }

describe('the body of a GET', () => {
  let alice: Person
  let bob: Person
  beforeAll(async () => {
    ;[alice, bob] = await Promise.all([newPerson('alice'), newPerson('bob')])
  })

  it('names accounts like a query, where it is JSON and has a token', async () => {
    const headers = { ...json, Authorization: `Bearer ${alice.token}` }
    const found = await getWithBody(
      '/api/v1/accounts/relationships',
      JSON.stringify({ id: [bob.id] }),
      headers,
    )
    expect(found).toMatchObject([{ id: bob.id }])
  })

  it('the body of a GET is ignored without one, because an anonymous response is cached for all by its URL', async () => {
    const found = await getWithBody(
      `/api/v1/accounts?id[]=${bob.id}`,
      JSON.stringify({ id: [alice.id] }),
      json,
    )
    expect(found).toMatchObject([{ id: bob.id }])
  })
})
