import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accessTokens, accounts, roles, users } from '../../src/db/schema'
import { permissions } from '../../src/domain/policy/permissions'
import { hashToken } from '../../src/domain/sessions/find'
import { encodeConnectionRequest } from '../../src/streaming/connection-request'
import { given, type TestAccount } from '../support/given'
import { withSettings } from '../support/settings'
import {
  connectionOf,
  eventSource,
  isActiveTopic,
  message,
  openStreamSocket,
  presenceOf,
  topicOf,
} from '../support/streaming'
import { context, settleLateWork } from '../support/test-app'

const ended = { code: 1000, reason: 'The session has ended' }

async function tokenId(token: string): Promise<number> {
  const { db } = context()
  const hash = await hashToken(token)
  const [row] = await db
    .select({ id: accessTokens.id })
    .from(accessTokens)
    .where(sql`${accessTokens.tokenHash} = ${hash}`)
  if (row === undefined) throw new Error('No such token')
  return row.id
}

async function second(alice: TestAccount): Promise<string> {
  return given.token({ accountId: alice.id, scopes: 'read' })
}

describe('the end of a token', () => {
  it('the end of a token closes its sockets and event sources, and no others [T-713]', async () => {
    const alice = await given.account()
    const other = await second(alice)
    const [gone, also] = [
      await openStreamSocket(alice, { stream: 'user' }),
      await openStreamSocket(alice, { stream: 'public' }),
    ]
    const source = await eventSource(alice, '/direct')
    const stays = await openStreamSocket(other, { stream: 'user' })
    await connectionOf(alice).end([await tokenId(alice.token)])
    expect(await gone.closed).toEqual(ended)
    expect(await also.closed).toEqual(ended)
    expect([await source.line(), await source.line()]).toEqual([':)', null])
    expect(await presenceOf(alice)).toEqual(['user'])
    expect(await isActiveTopic('public')).toBe(false)
    await connectionOf(alice).deliver([message(['user'])])
    expect(await stays.rest()).toHaveLength(1)
    stays.close()
  })

  it('the end of all tokens closes everything', async () => {
    const alice = await given.account()
    const sockets = [
      await openStreamSocket(alice, { stream: 'user' }),
      await openStreamSocket(await second(alice)),
    ]
    await connectionOf(alice).end(null)
    for (const one of sockets) expect(await one.closed).toEqual(ended)
    expect(await presenceOf(alice)).toBeNull()
  })

  it('the end of a token closes a connection that was being opened at the time [T-714]', async () => {
    const alice = await given.account()
    const listener = {
      accountId: alice.id,
      kind: 'token' as const,
      tokenId: await tokenId(alice.token),
      scopes: ['read'],
      permissions: 0,
    }
    await context().db.delete(accessTokens).where(sql`account_id = ${alice.id}`)
    const subscription = { id: 'user', name: ['user'], channel: 'user' }
    const asked = { stream: 'user', tag: null, list: null }
    for (const call of [
      encodeConnectionRequest({ kind: 'socket', listener, asked }),
      encodeConnectionRequest({ kind: 'feed', listener, subscription }),
    ])
      expect((await connectionOf(alice).fetch(call)).status).toBe(401)
    expect(await presenceOf(alice)).toBeNull()
  })
})

describe('a changed account status', () => {
  it.each([
    [
      'suspension',
      (id: number) =>
        context()
          .db.update(accounts)
          .set({ suspendedAt: new Date(0) })
          .where(sql`id = ${id}`),
    ],
    [
      'being disabled',
      (id: number) =>
        context()
          .db.update(users)
          .set({ disabledAt: new Date(0) })
          .where(sql`account_id = ${id}`),
    ],
    [
      'the loss of the token',
      (id: number) => context().db.delete(accessTokens).where(sql`account_id = ${id}`),
    ],
  ])('a changed account status by %s closes everything [T-715]', async (_, change) => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'user' })
    await change(alice.id)
    await connectionOf(alice).recheck()
    expect(await socket.closed).toEqual(ended)
    expect(await presenceOf(alice)).toBeNull()
  })

  it('a changed account status keeps connections that are still allowed', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'user' })
    await connectionOf(alice).recheck()
    await connectionOf(alice).deliver([message(['user'])])
    expect(await socket.rest()).toHaveLength(1)
    socket.close()
  })

  it('a changed role opens and closes feeds that the operator shows to some roles only', async () => {
    const { db, ids, clock } = context()
    const alice = await given.account()
    const roleId = ids.next()
    const now = clock.now()
    await db.insert(roles).values({
      id: roleId,
      name: 'Watcher',
      position: 1,
      permissions: permissions.viewFeeds,
      createdAt: now,
      updatedAt: now,
    })
    await withSettings({ localFeedAccess: 'disabled', remoteFeedAccess: 'disabled' }, async () => {
      const socket = await openStreamSocket(alice, { stream: 'public' })
      await topicOf('public').spread([message([])])
      await db.update(users).set({ roleId }).where(sql`account_id = ${alice.id}`)
      await connectionOf(alice).recheck()
      await topicOf('public').spread([message([], { payload: 'seen' })])
      await db.update(users).set({ roleId: null }).where(sql`account_id = ${alice.id}`)
      await connectionOf(alice).recheck()
      await topicOf('public').spread([message([])])
      expect((await socket.rest()).map(({ payload }) => payload)).toEqual(['seen'])
      socket.close()
    })
  })

  it('closes nothing where the operator changes who can read feeds', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'public' })
    await socket.subscribe({ stream: 'hashtag', tag: 'shut' })
    const spread = async (payload: string) => {
      await settleLateWork()
      for (const channel of ['public', 'hashtag:shut'])
        await topicOf(channel).spread([message([], { payload })])
    }
    const told = async () => (await socket.rest()).map(({ stream, payload }) => [stream?.[0], payload])
    await withSettings({ localFeedAccess: 'disabled', remoteFeedAccess: 'disabled' }, () => spread('hidden'))
    expect(await told()).toEqual([['hashtag', 'hidden']])
    await spread('open')
    expect(await told()).toEqual([
      ['public', 'open'],
      ['hashtag', 'open'],
    ])
    socket.close()
  })
})
