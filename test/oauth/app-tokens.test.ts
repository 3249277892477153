import { eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accessTokens } from '../../src/db/schema'
import { hashToken } from '../../src/domain/sessions/find'
import { allScopes } from '../../src/domain/sessions/scopes'
import { unseal } from '../../src/lib/sealing'
import { instanceSecrets } from '../../src/lib/secrets'
import { tasks } from '../../src/tasks'
import { as } from '../support/as'
import { expectCosts } from '../support/expect-costs'
import { given } from '../support/given'
import {
  askForToken,
  type Client,
  givenDerivedToken,
  givenOldTokens,
  registerClient,
  tokenIn,
} from '../support/oauth'
import { clock, context } from '../support/test-app'

const day = 86_400_000
const start = clock.now()
// The clock is shared with the files that run after this one.
afterEach(() => clock.set(start))

const ask = (client: Client, scope = 'read') =>
  askForToken(client, { grant_type: 'client_credentials', scope })
const verify = (token: string) => as(token).get('/api/v1/apps/verify_credentials')
const works = async (token: string) => (await verify(token)).status === 200
const secondsIn = (body: unknown) => z.object({ expires_in: z.int() }).parse(body).expires_in

const rowsOf = (client: Client) =>
  context().db.select().from(accessTokens).where(eq(accessTokens.applicationId, client.id))

async function sweep(): Promise<void> {
  const task = tasks.find(({ name }) => name === 'prune-expired')
  await task?.run(context())
}

describe('the token of an application by itself', () => {
  it('an app token is found by its scopes, whatever the number of tokens of the application', async () => {
    const client = await registerClient({ scopes: 'read write' })
    await givenOldTokens(client, 60, { scopes: 'write read', createdAt: clock.now() })
    const first = await ask(client, 'read write')
    const again = await ask(client, 'write read')
    expect(tokenIn(again.body)).toBe(tokenIn(first.body))
    expect((await rowsOf(client)).filter(({ scopes }) => scopes === 'read write')).toHaveLength(1)
    expectCosts(again.costs, { trips: 2, rowsWritten: 0 })
  })

  it('an app token is returned for the secret of the application, and for no secret of the server', async () => {
    const client = await registerClient()
    const token = tokenIn((await ask(client)).body)
    const [row] = await rowsOf(client)
    expect(row).toMatchObject({ tokenHash: await hashToken(token), derived: false })
    const opened = (secret: string) =>
      unseal(
        instanceSecrets(secret),
        { kind: 'access token', owner: row?.id ?? 0 },
        row?.sealedForApplication ?? '',
      )
    expect(new TextDecoder().decode(await opened(client.clientSecret))).toBe(token)
    await expect(opened(context().config.secrets.current.text)).rejects.toThrow('not configured')
  })

  it('an app token is replaced where it is from before tokens were random, and continues to work', async () => {
    const client = await registerClient()
    const old = await givenDerivedToken({ applicationId: client.id, scopes: 'read' })
    const token = tokenIn((await ask(client)).body)
    expect(token).not.toBe(old)
    expect([await works(old), await works(token)]).toEqual([true, true])
    expect(tokenIn((await ask(client)).body)).toBe(token)
  })

  it('an app token is one, also for many concurrent requests', async () => {
    const client = await registerClient()
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(client)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => tokenIn(body))).size).toBe(1)
    expect(await rowsOf(client)).toHaveLength(1)
  })

  it('replaces the one longest unused beyond twenty', async () => {
    const client = await registerClient({ scopes: 'read write' })
    const scopes = allScopes.filter((scope) => scope.startsWith('read:') || scope.startsWith('write:'))
    const tokens: string[] = []
    for (const scope of scopes.slice(0, 20)) {
      clock.advance(1_000)
      tokens.push(tokenIn((await ask(client, scope)).body))
    }
    const [oldest = '', second = ''] = tokens
    clock.advance(2 * day)
    expect(await works(oldest)).toBe(true)
    tokens.push(tokenIn((await ask(client, scopes[20])).body))
    expect(await rowsOf(client)).toHaveLength(20)
    expect([await works(oldest), await works(second), await works(tokens[20] ?? '')]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('the next token clears what an older version left', async () => {
    const client = await registerClient({ scopes: 'read write' })
    await givenOldTokens(client, 120, { scopes: 'write read', createdAt: clock.now() })
    await ask(client, 'read')
    expect(await rowsOf(client)).toHaveLength(20)
  })

  it('an app token has a lifetime, and is refused after thirty days without use', async () => {
    const client = await registerClient()
    const answer = await ask(client)
    const token = tokenIn(answer.body)
    expect(secondsIn(answer.body)).toBe(30 * 86_400)
    clock.advance(30 * day)
    expect(await verify(token)).toMatchObject({ status: 401, body: { error: 'The access token is invalid' } })
    const next = await ask(client)
    expect(tokenIn(next.body)).not.toBe(token)
    expect(await works(tokenIn(next.body))).toBe(true)
  })

  it('an app token is extended with every use, and when requested again', async () => {
    const client = await registerClient()
    const token = tokenIn((await ask(client)).body)
    clock.advance(20 * day)
    expect(await works(token)).toBe(true)
    clock.advance(20 * day)
    const again = await ask(client)
    expect(tokenIn(again.body)).toBe(token)
    expect(secondsIn(again.body)).toBe(30 * 86_400)
    clock.advance(day / 2)
    expect(secondsIn((await ask(client)).body)).toBe(30 * 86_400 - 43_200)
    clock.advance(29 * day)
    expect(await works(token)).toBe(true)
  })

  it('an app token is deleted by cron once it has expired, and no user token ever is', async () => {
    const client = await registerClient()
    const alice = await given.account()
    await ask(client)
    const createdAt = new Date(clock.now().getTime() - 31 * day)
    await givenOldTokens(client, 5, { scopes: 'read', createdAt })
    await sweep()
    expect(await rowsOf(client)).toHaveLength(1)
    clock.advance(30 * day)
    await sweep()
    expect(await rowsOf(client)).toHaveLength(0)
    expect((await as(alice).get('/api/v1/timelines/home')).status).toBe(200)
  })

  it('old ones are found by an index', async () => {
    const plan = await context().db.all<{ detail: string }>(
      sql`explain query plan select id from access_tokens where account_id is null
        and coalesce(last_used_at, created_at) <= ${1} limit 1000`,
    )
    expect(plan.map(({ detail }) => detail).join()).toContain('access_tokens_unused (<expr><?)')
  })
})
