import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { revokedTokens } from '../../src/db/schema'
import { pruneExpired } from '../../src/domain/sessions/expire'
import { hashToken } from '../../src/domain/sessions/find'
import { anonymous, as } from '../support/as'
import { given } from '../support/given'
import { type Client, exchange, givenCode, registerClient, tokenIn } from '../support/oauth'
import { clock, context } from '../support/test-app'

async function userToken(client: Client): Promise<string> {
  const alice = await given.account()
  return tokenIn((await exchange(client, await givenCode(client, alice.id))).body)
}

const credentials = (client: Client) => ({ client_id: client.clientId, client_secret: client.clientSecret })
const works = async (token: string) => (await as(token).get('/api/v1/timelines/home')).status === 200

describe('POST /oauth/revoke', () => {
  it('revokes the token of the client, also when repeated [T-688]', async () => {
    const client = await registerClient()
    const token = await userToken(client)
    const first = await anonymous.post('/oauth/revoke', { ...credentials(client), token })
    const second = await anonymous.post('/oauth/revoke', { ...credentials(client), token })
    expect(first).toMatchObject({ status: 200, body: {} })
    expect(second).toMatchObject({ status: 200, body: {} })
    expect(await works(token)).toBe(false)
  })

  it('public endpoints refuse the revoked token, which is deleted after ninety days', async () => {
    const client = await registerClient()
    const token = await userToken(client)
    await anonymous.post('/oauth/revoke', { ...credentials(client), token })
    const ask = async () => (await as(token).get('/api/v1/timelines/public')).status
    const { db } = context()
    const held = eq(revokedTokens.tokenHash, await hashToken(token))
    const aged = async (days: number) => {
      const revokedAt = new Date(clock.now().getTime() - days * 86_400_000)
      await db.update(revokedTokens).set({ revokedAt }).where(held)
      await pruneExpired(context())
      return (await db.select().from(revokedTokens).where(held)).length
    }
    expect([await ask(), await aged(89), await ask(), await aged(90)]).toEqual([401, 1, 401, 0])
    clock.advance(3_600_000)
    expect(await ask()).toBe(200)
  })

  it('accepts a token that never existed', async () => {
    const client = await registerClient()
    const answer = await anonymous.post('/oauth/revoke', { ...credentials(client), token: 'never' })
    expect(answer).toMatchObject({ status: 200, body: {} })
  })

  it('keeps the token of another client [T-689]', async () => {
    const [client, other] = [await registerClient(), await registerClient()]
    const token = await userToken(client)
    const answer = await anonymous.post('/oauth/revoke', { ...credentials(other), token })
    expect(answer).toMatchObject({ status: 403, body: { error: 'unauthorized_client' } })
    expect(await works(token)).toBe(true)
  })

  it('accepts a public client with its id, and only for its own tokens', async () => {
    const [client, other] = [await registerClient(), await registerClient()]
    const token = await userToken(client)
    const wrong = await anonymous.post('/oauth/revoke', { client_id: other.clientId, token })
    const none = await anonymous.post('/oauth/revoke', { token })
    expect([wrong.status, none.status]).toEqual([403, 403])
    expect((await anonymous.post('/oauth/revoke', { client_id: client.clientId, token })).status).toBe(200)
    expect(await works(token)).toBe(false)
  })

  it('refuses a wrong secret, and requires the token', async () => {
    const client = await registerClient()
    const token = await userToken(client)
    const wrong = await anonymous.post('/oauth/revoke', {
      ...credentials(client),
      client_secret: 'wrong',
      token,
    })
    const missing = await anonymous.post('/oauth/revoke', credentials(client))
    expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(missing).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(await works(token)).toBe(true)
  })

  it('costs three round trips at most', async () => {
    const client = await registerClient()
    const token = await userToken(client)
    const answer = await anonymous.post('/oauth/revoke', { ...credentials(client), token })
    expect(answer.costs.trips).toBeLessThanOrEqual(3)
  })
})
