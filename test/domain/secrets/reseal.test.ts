import { env } from 'cloudflare:workers'
import { eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { openKeys } from '../../../src/cloudflare/durable-objects/courier/keyring'
import { execute } from '../../../src/db/query'
import {
  accountKeys,
  browserPushSubscriptions,
  passkeys,
  pushSubscriptions,
  settings,
  totpSecrets,
  webhooks,
} from '../../../src/db/schema'
import { loadVapidKey, loadVapidPair } from '../../../src/domain/instance/keys'
import { openPushToken } from '../../../src/domain/notifications/subscribe-push'
import { isResealed, renewLostKeys, resealPart } from '../../../src/domain/secrets/reseal'
import { loadSecretsStatus } from '../../../src/domain/secrets/status'
import { webhookSecret } from '../../../src/domain/webhooks/find'
import { sealedPrefix, unseal } from '../../../src/lib/sealing'
import { instanceSecrets, sign } from '../../../src/lib/secrets'
import type { Ctx } from '../../../src/ports/ctx'
import { tasks } from '../../../src/tasks'
import { countingDb } from '../../support/costs'
import { fakeQueue } from '../../support/fake-queue'
import { unboundKeyPair } from '../../support/fediverse/keys'
import {
  contextUnder,
  formerSecret,
  givenFormerKey,
  givenFormerValues,
  oldestSecret,
  ownSecret,
} from '../../support/former-secrets'
import { given } from '../../support/given'
import { subscribedBrowser, subscribedDevice } from '../../support/given-push'
import { signedIn } from '../../support/members'
import { runJob } from '../../support/run-job'
import { runTasks } from '../../support/run-tasks'
import { clock, context } from '../../support/test-app'

const start = clock.now()
afterEach(async () => {
  clock.set(start)
  for (const table of [
    'account_keys',
    'totp_secrets',
    'push_subscriptions',
    'webhooks',
    'passkeys',
    'settings',
  ])
    await env.DB.prepare(`delete from ${table}`).run()
})

const statusOf = (ctx: Ctx) => execute(ctx.db, loadSecretsStatus(ctx))
const keyOf = async (id: number) =>
  (await context().db.select().from(accountKeys).where(eq(accountKeys.accountId, id)))[0]?.privateKey ?? ''

async function resealAll(ctx: Ctx): Promise<void> {
  for (let part = 0; part < 40; part += 1) if (isResealed(ctx.config.secrets, await resealPart(ctx))) return
  throw new Error('Encrypting anew does not end')
}

describe('stored secrets after a rotation', () => {
  it('stored secrets open with the current secret alone, once all were encrypted again', async () => {
    const { account, token, webhookId, passkeyId, secrets } = await givenFormerValues()
    await resealAll(contextUnder(ownSecret, formerSecret))
    const ctx = contextUnder(ownSecret)
    expect(await statusOf(ctx)).toMatchObject({ isComplete: true, unopenable: 0 })
    expect((await statusOf(ctx)).stores.every(({ remaining }) => remaining === 0)).toBe(true)
    expect((await openKeys(ctx, [account.id], 'elsewhere.test')).of(account.id)).not.toBeNull()
    // The vault of tests has never had the former secret.
    const signature = await ctx.vault.sign(await keyOf(account.id), new Uint8Array(3), account.id)
    // Keys of tests have 1,024 bits.
    expect(signature.byteLength).toBe(128)
    const [totp] = await ctx.db.select().from(totpSecrets)
    const binding = { kind: 'authenticator app', owner: account.id } as const
    expect((await unseal(ctx.config.secrets, binding, totp?.sealedSecret ?? '')).byteLength).toBe(20)
    const [push] = await ctx.db.select().from(pushSubscriptions)
    expect(await openPushToken(ctx, push?.accessTokenId ?? 0, push?.sealedToken ?? '')).toBe(token)
    const [webhook] = await ctx.db.select().from(webhooks)
    if (webhook === undefined) throw new Error('The webhook is gone')
    expect(await webhookSecret(ctx, webhook)).toBe(await sign(secrets, 'webhook', `${webhookId} 1`))
    const pair = await execute(ctx.db, loadVapidPair(ctx))
    const pushKey = await unseal(ctx.config.secrets, { kind: 'push key', owner: 0 }, pair?.privateKey ?? '')
    expect([pair?.publicKey, pushKey.byteLength]).toEqual(['B', 10])
    const [passkey] = await ctx.db.select().from(passkeys).where(eq(passkeys.id, passkeyId))
    expect(passkey?.userHandle).toBe(await sign(secrets, 'passkey user handle', String(account.id)))
  })

  it('stored secrets open after two rotations in a row, the first of which was incomplete', async () => {
    const accounts = await Promise.all(Array.from({ length: 30 }, () => givenFormerKey(oldestSecret)))
    await resealPart(contextUnder(formerSecret, oldestSecret))
    const prefixes = async () =>
      new Set(await Promise.all(accounts.map(async ({ id }) => (await keyOf(id)).slice(0, 17))))
    expect(await prefixes()).toEqual(
      new Set([formerSecret, oldestSecret].map((text) => sealedPrefix(instanceSecrets(text)))),
    )
    await resealAll(contextUnder(ownSecret, formerSecret, oldestSecret))
    expect(await prefixes()).toEqual(new Set([sealedPrefix(instanceSecrets(ownSecret))]))
  })

  it('secrets of earlier versions are bound to their rows', async () => {
    const alice = await given.account()
    const { privateKey } = await unboundKeyPair(context().config.secrets)
    await context().db.update(accountKeys).set({ privateKey }).where(eq(accountKeys.accountId, alice.id))
    await resealAll(context())
    expect((await openKeys(context(), [alice.id], 'elsewhere.test')).of(alice.id)).not.toBeNull()
    const binding = { kind: 'actor key', owner: alice.id + 1 } as const
    await expect(unseal(context().config.secrets, binding, await keyOf(alice.id))).rejects.toThrow(
      'another row',
    )
  })
})

describe('encrypting again', () => {
  it('continues where it was interrupted, also in two runs at once', async () => {
    const accounts = await Promise.all(Array.from({ length: 30 }, () => givenFormerKey()))
    const ctx = contextUnder(ownSecret, formerSecret)
    await resealPart(ctx)
    const remaining = async () =>
      (await statusOf(ctx)).stores.find(({ name }) => name === 'actor keys')?.remaining
    expect(await remaining()).toBe(5)
    await Promise.all([resealPart(ctx), resealPart(ctx)])
    expect(await remaining()).toBe(0)
    await resealAll(ctx)
    const keys = await openKeys(
      contextUnder(ownSecret),
      accounts.map(({ id }) => id),
      'elsewhere.test',
    )
    expect(accounts.every(({ id }) => keys.of(id) !== null)).toBe(true)
  })

  it('changes nothing where its commit fails, and repeats the same part', async () => {
    const alice = await givenFormerKey()
    const before = await keyOf(alice.id)
    const failing = contextUnder(ownSecret, formerSecret)
    const broken = new Proxy(env.DB, {
      get: (target, name) =>
        name === 'batch'
          ? () => Promise.reject(new Error('The database is gone'))
          : Reflect.get(target, name).bind(target),
    })
    await expect(resealPart(context({ config: failing.config }, broken))).rejects.toThrow()
    expect(await keyOf(alice.id)).toBe(before)
    await resealPart(failing)
    expect(await keyOf(alice.id)).not.toBe(before)
  })

  it('keeps a key that was replaced in the meantime', async () => {
    const alice = await givenFormerKey()
    let trips = 0
    const meanwhile = new Proxy(env.DB, {
      get: (target, name) =>
        name === 'batch'
          ? async (statements: D1PreparedStatement[]) => {
              trips += 1
              // The third one writes what the second has read.
              if (trips === 3) await target.prepare("update account_keys set private_key = 'replaced'").run()
              return target.batch(statements)
            }
          : Reflect.get(target, name).bind(target),
    })
    await resealPart(context({ config: contextUnder(ownSecret, formerSecret).config }, meanwhile))
    expect([trips, await keyOf(alice.id)]).toEqual([3, 'replaced'])
  })

  it('keeps a secret that does not open, counts it, and logs which former secret is missing without its value', async () => {
    const alice = await givenFormerKey()
    const before = await keyOf(alice.id)
    const logged: string[] = []
    const log = {
      info: () => undefined,
      error: (text: string, facts: object = {}) =>
        void logged.push(`${text} ${Object.values(facts).map(String)}`),
    }
    const ctx = context({ log: { ...context().log, ...log } })
    await resealAll(ctx)
    expect(await keyOf(alice.id)).toBe(before)
    const status = await statusOf(ctx)
    expect(status).toMatchObject({ isComplete: true, unopenable: 1 })
    expect(status.stores[0]).toEqual({ name: 'actor keys', total: 1, remaining: 1, unknown: 1 })
    expect(logged.join('\n')).toContain(instanceSecrets(formerSecret).current.version)
    expect(logged.join('\n')).not.toContain(ownSecret)
  })

  it('runs as a task: due after a rotation, in parts, with no further row once it is complete', async () => {
    const own = tasks.filter(({ name }) => name === 'reseal-secrets')
    const accounts = await Promise.all(Array.from({ length: 30 }, () => givenFormerKey()))
    const queue = fakeQueue()
    const ctx = contextUnder(ownSecret, formerSecret)
    const { jobs } = queue.ctx
    const run = context({ config: ctx.config, jobs })
    await runTasks(run, own)
    expect(queue.jobs).toMatchObject([{ kind: 'run-task', task: 'reseal-secrets' }])
    for (let next = queue.jobs.shift(); next !== undefined; next = queue.jobs.shift()) await runJob(run, next)
    expect(JSON.stringify(await env.DB.prepare('select * from settings').all())).not.toContain('aesgcm')
    const dropped = contextUnder(ownSecret)
    const keys = await openKeys(
      dropped,
      accounts.map(({ id }) => id),
      'elsewhere.test',
    )
    expect(accounts.every(({ id }) => keys.of(id) !== null)).toBe(true)
    const idle = countingDb(env.DB)
    await runTasks(context({ config: dropped.config, jobs }, idle.db), own)
    expect(idle.read()).toMatchObject({ trips: 1, statements: 1, rowsWritten: 0 })
    expect(queue.jobs).toEqual([])
  })

  it('checks again every day while a former secret is accepted', async () => {
    const own = tasks.filter(({ name }) => name === 'reseal-secrets')
    const ctx = contextUnder(ownSecret, formerSecret)
    await resealAll(ctx)
    // Stored by an isolate that had the former secret still.
    const late = await givenFormerKey()
    await runTasks(ctx, own)
    expect(await keyOf(late.id)).toContain(instanceSecrets(formerSecret).current.version)
    clock.advance(86_400_000)
    await runTasks(ctx, own)
    expect(await keyOf(late.id)).toContain(context().config.secrets.current.version)
  })
})

describe('keys whose secret is lost', () => {
  it('renews keys whose secret is lost, including the key of the instance actor, and no others', async () => {
    const [lost, well] = [await givenFormerKey(), await given.account()]
    const before = [await keyOf(lost.id), await keyOf(well.id)]
    const ctx = context()
    let after: number | null = null
    do after = await renewLostKeys(ctx, after)
    while (after !== null)
    expect((await openKeys(ctx, [lost.id], 'elsewhere.test')).of(lost.id)).toMatchObject({ previous: null })
    expect(await keyOf(lost.id)).not.toBe(before[0])
    expect(await keyOf(well.id)).toBe(before[1])
    expect((await statusOf(ctx)).stores.every(({ remaining }) => remaining === 0)).toBe(true)
  })

  it('ends the push subscriptions of apps and browsers with a lost push key, under which they were made', async () => {
    const [{ member, browser }, ctx] = [await signedIn(), context()]
    await subscribedDevice(member)
    await subscribedBrowser(browser)
    const value = JSON.stringify({ publicKey: 'B', privateKey: 'under another secret' })
    await ctx.db
      .update(settings)
      .set({ value: sql`${value}` })
      .where(eq(settings.key, 'vapid'))
    await renewLostKeys(ctx, null)
    expect(await ctx.db.select().from(pushSubscriptions)).toEqual([])
    expect(await ctx.db.select().from(browserPushSubscriptions)).toEqual([])
    expect(await execute(ctx.db, loadVapidKey(ctx))).not.toBe('B')
  })
})
