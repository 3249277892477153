import { runInDurableObject } from 'cloudflare:test'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accessTokens } from '../../src/db/schema'
import { deleteOwnAccount } from '../../src/domain/accounts/delete-own'
import { Changes, commit } from '../../src/domain/core/changes'
import { operator } from '../../src/domain/policy/permissions'
import { addUserToken, resetPassword } from '../../src/domain/users/passwords'
import { assignRole } from '../../src/domain/users/roles'
import { anonymous, as } from '../support/as'
import { hiddenFields } from '../support/browser'
import { given, type TestAccount } from '../support/given'
import { signedIn } from '../support/members'
import { moderate } from '../support/moderate'
import { type Client, exchange, givenCode, registerClient, tokenIn } from '../support/oauth'
import {
  connectionOf,
  type EventSourceClient,
  eventSource,
  message,
  openStreamSocket,
  type TestSocket,
} from '../support/streaming'
import { context, settleLateWork } from '../support/test-app'

interface Open {
  readonly socket: TestSocket
  readonly source: EventSourceClient
}

async function opened(token: string): Promise<Open> {
  const source = await eventSource(token, '/user')
  expect(await source.line()).toBe(':)')
  return { socket: await openStreamSocket(token, { stream: 'user' }), source }
}

async function expectClosed({ socket, source }: Open): Promise<void> {
  expect(await socket.closed).toEqual({ code: 1000, reason: 'The session has ended' })
  expect(await source.line()).toBeNull()
}

/** An open stream receives its owner's next status. */
async function expectOpen({ socket, source }: Open, owner: TestAccount | string): Promise<void> {
  await as(owner).post('/api/v1/statuses', { status: 'Still here' })
  expect((await socket.next()).event).toBe('update')
  expect(await source.line()).toBe('event: update')
  socket.close()
  await source.leave()
}

async function tokenOf(client: Client, { id }: Pick<TestAccount, 'id'>): Promise<string> {
  const code = await givenCode(client, id, { scopes: 'read write' })
  return tokenIn((await exchange(client, code)).body)
}

const credentials = (client: Client) => ({ client_id: client.clientId, client_secret: client.clientSecret })

describe('streams opened with a token', () => {
  it('streams opened with a token close when the token is revoked, and others of the account stay open [T-725]', async () => {
    const [alice, client] = [await given.account(), await registerClient()]
    const token = await tokenOf(client, alice)
    const [gone, kept] = [await opened(token), await opened(alice.token)]
    await anonymous.post('/oauth/revoke', { ...credentials(client), token })
    await expectClosed(gone)
    await expectOpen(kept, alice)
  })

  it('streams opened with a token close when the account revokes the application, and those of others stay open [T-726]', async () => {
    const { member, browser } = await signedIn()
    const [client, other] = [await registerClient(), await given.account()]
    const [gone, also] = [
      await opened(await tokenOf(client, member)),
      await opened(await tokenOf(client, member)),
    ]
    const kept = await opened(member.token)
    const theirs = await tokenOf(client, other)
    const strangers = await opened(theirs)
    const { csrf_token = '' } = hiddenFields((await browser.get('/auth/edit')).html, '/auth/sign_out')
    await browser.delete(`/oauth/authorized_applications/${client.id}`, { csrf_token })
    await expectClosed(gone)
    await expectClosed(also)
    await expectOpen(kept, member)
    await expectOpen(strangers, theirs)
  })
})

describe('all streams of an account', () => {
  const ends: Readonly<Record<string, (alice: TestAccount) => Promise<unknown>>> = {
    'is locked out': (alice) => moderate(alice, 'disable', { text: 'Enough' }),
    'is suspended': (alice) => moderate(alice, 'suspend'),
    'deletes the account': ({ id }) => deleteOwnAccount(context(), id),
    'resets the password': reset,
  }
  for (const [what, end] of Object.entries(ends))
    it(`all streams of an account close when the account ${what}`, async () => {
      const alice = await given.account()
      const open = await opened(alice.token)
      await end(alice)
      await settleLateWork()
      await expectClosed(open)
    })

  it('streams stay open when the account gets another role', async () => {
    const alice = await given.account()
    const open = await opened(alice.token)
    await assignRole(context(), operator, alice.id, 2)
    await settleLateWork()
    await expectOpen(open, alice)
  })
})

it('streams whose end was never published close with the next message after a while', async () => {
  const alice = await given.account()
  const open = await opened(alice.token)
  const { db } = context()
  await db.delete(accessTokens).where(sql`account_id = ${alice.id}`)
  const nothing = { blocks: new Set(), blockedBy: new Set(), mutes: new Map(), domains: new Set() }
  const rules = { hiding: { ...nothing, languages: null }, filters: [] }
  await runInDurableObject(connectionOf(alice), (_, { storage }) =>
    storage.kv.put('rules:1', { rules, readAt: new Date(Date.now() - 10 * 60_000) }),
  )
  await connectionOf(alice).deliver([message(['user'])])
  await expectClosed(open)
})

async function reset({ id, email }: TestAccount): Promise<void> {
  const ctx = context()
  const changes = new Changes()
  const token = await addUserToken(ctx, changes, { accountId: id, purpose: 'reset', email })
  await commit(ctx, changes)
  await resetPassword(ctx, token, 'a long enough secret')
}
