import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import { guarded } from '../../src/db/guards'
import { rawResults } from '../../src/db/query'
import { hashToken, readAsCaller } from '../../src/domain/sessions/find'
import { floodLimits } from '../../src/ports/rate-limits'
import { as } from '../support/as'
import { checkEach } from '../support/check-each'
import { given } from '../support/given'
import { context, fetchApp } from '../support/test-app'
import { countingGate, freshAddress, realGate } from './support/gate'

const madeUp = () => crypto.randomUUID()
const from = (ip: string) => ({ 'cf-connecting-ip': ip })

describe('a client that invents a token for each request', () => {
  it.each([
    ['/api/v1/timelines/public', 200],
    ['/api/v1/timelines/home', 401],
  ])(
    'a client with invented tokens is refused at %s like any anonymous client after too many requests',
    async (path, status) => {
      const [overrides, headers] = [realGate(), from(freshAddress())]
      let answered = 0
      for (;;) {
        const answer = await as(madeUp()).get(path, { headers, overrides })
        if (answer.status === 429) break
        expect(answer.status).toBe(status)
        answered += 1
        // The platform counts anew with each minute of the machine, which may turn over once meanwhile.
        expect(answered).toBeLessThanOrEqual(2 * floodLimits.caller)
      }
      expect(answered).toBeGreaterThanOrEqual(floodLimits.caller)
    },
  )

  it('counts once against its address for each public response, whether the token is cached or not', async () => {
    const [ip, token] = [freshAddress(), madeUp()]
    const { overrides, counts } = countingGate({ caller: 2 })
    const statuses: number[] = []
    for (const _ of [1, 2, 3])
      statuses.push(
        (await as(token).get('/api/v1/timelines/public', { headers: from(ip), overrides })).status,
      )
    expect(statuses).toEqual([200, 200, 429])
    expect(counts.get(`caller ${ip}`)).toBe(3)
  })

  it('reads nothing for a public endpoint after too many requests from its address', async () => {
    const { overrides } = countingGate({ caller: 1 })
    const options = { headers: from(freshAddress()), overrides }
    await as(madeUp()).get('/api/v1/timelines/public', options)
    const answer = await as(madeUp()).get('/api/v1/timelines/public', options)
    expect([answer.status, answer.costs.trips, answer.costs.rowsRead]).toEqual([429, 1, 0])
  })

  it('does not lock out a valid token from the same address', async () => {
    const [alice, ip] = [await given.account(), freshAddress()]
    const { overrides, counts } = countingGate({ caller: 2 })
    const options = { headers: from(ip), overrides }
    for (const status of [401, 401, 429, 429])
      expect((await as(madeUp()).get('/api/v1/timelines/home', options)).status).toBe(status)
    expect((await as(alice).get('/api/v1/timelines/home', options)).status).toBe(200)
    expect(counts.get(`network ${ip}`)).toBe(5)
  })

  it('costs one look-up for each token, and none when it is repeated', async () => {
    const token = madeUp()
    for (const trips of [1, 0, 0]) {
      const answer = await as(token).get('/api/v1/timelines/home')
      expect([answer.status, answer.costs.trips]).toEqual([401, trips])
    }
  })

  it('the batch ends where the token is not found, and reads nothing', async () => {
    const ctx = context()
    const later = rawResults([ctx.db.run(sql`select ${guarded(sql`false`, 'later')}`)])
    const read = async (token: string) =>
      readAsCaller(ctx, { kind: 'token', hash: await hashToken(token) }, later)
    const { token } = await given.account()
    expect(await read(madeUp())).toBe('unknown')
    await expect(read(token)).rejects.toThrow()
  })

  it('reads nothing at endpoints that require a token', async () => {
    const name = ({ method, path }: (typeof endpoints)[number]) => `${method} ${path}`
    const closed = endpoints.filter(({ auth }) => auth.kind !== 'anyone')
    await checkEach(closed, { name, atOnce: 8 }, async ({ method, path }) => {
      const answer = await as(madeUp()).call(method, path.replaceAll(/:\w+/g, '1'))
      expect(answer.status).toBe(401)
      expect(answer.costs.rowsRead).toBeLessThanOrEqual(1)
      expect(answer.costs.trips).toBeLessThanOrEqual(1)
    })
  })

  it('counts at the streams as well', async () => {
    const { overrides, counts } = countingGate({ caller: 1 })
    const ip = freshAddress()
    const statuses: number[] = []
    for (const _ of [1, 2]) {
      const headers = { ...from(ip), Upgrade: 'websocket', 'Sec-WebSocket-Protocol': madeUp() }
      const request = new Request('https://fieldfare.test/api/v1/streaming', { headers })
      statuses.push((await fetchApp(request, overrides)).response.status)
    }
    expect(statuses).toEqual([401, 429])
    expect(counts.get(`caller ${ip}`)).toBe(2)
  })
})

describe('a valid token', () => {
  it('a valid token is counted separately beside its network, at every endpoint', async () => {
    const alice = await given.account()
    const { overrides, counts } = countingGate({ caller: 2 })
    const statuses: number[] = []
    const addresses = [freshAddress(), freshAddress(), freshAddress()]
    for (const ip of addresses)
      statuses.push((await as(alice).get('/api/v1/markers', { headers: from(ip), overrides })).status)
    expect(statuses).toEqual([200, 200, 429])
    for (const ip of addresses)
      expect([counts.get(`network ${ip}`), counts.get(`caller ${ip}`)]).toEqual([1, undefined])
  })

  it('a valid token reads nothing after too many requests', async () => {
    const alice = await given.account()
    const { overrides } = countingGate({ caller: 0 })
    const answer = await as(alice).get('/api/v1/timelines/home', { overrides })
    expect([answer.status, answer.costs.trips]).toEqual([429, 0])
  })
})
