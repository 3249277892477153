import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openDb } from '../../src/db/query'
import { deleteOwnAccount } from '../../src/domain/accounts/delete-own'
import { as } from '../support/as'
import { countingDb } from '../support/costs'
import { given } from '../support/given'
import { jobsOf } from '../support/job-list'
import { numbers } from '../support/masses'
import { runJob } from '../support/run-job'
import { clock, context, settleLateWork } from '../support/test-app'

const tables = [
  'users',
  'sessions',
  'known_devices',
  'sign_in_addresses',
  'access_tokens',
  'crypto_devices',
] as const

let made = 0

/** A member with so many sessions, devices, addresses and tokens, of which some have devices that encrypt. */
async function muchSignedIn(count: number) {
  const owner = await given.account()
  const token = await given.token({ accountId: owner.id, scopes: 'read write' })
  made += 1
  const [from, now] = [made * 1_000_000, clock.now().getTime()]
  const many = numbers(count)
  const few = numbers(Math.ceil(count / 20))
  await env.DB.batch(
    [
      `insert into sessions (id, token_hash, account_id, created_at, last_seen_at, expires_at)
        select ${from} + i, 's${owner.id}-' || i, ${owner.id}, ${now}, ${now}, ${now} + 1000000000 from ${many}`,
      `insert into known_devices (token_hash, account_id, last_used_at) select 'd' || i, ${owner.id}, ${now} from ${many}`,
      `insert into sign_in_addresses (account_id, ip, last_used_at) select ${owner.id}, 'a' || i, ${now} from ${many}`,
      `insert into access_tokens (id, token_hash, application_id, account_id, scopes, created_at)
        select ${from} + i, 't${owner.id}-' || i, (select application_id from access_tokens where account_id = ${owner.id}), ${owner.id}, 'read', ${now}
        from ${many}`,
      `insert into crypto_devices (token_id, account_id, device_id, name, fingerprint_key, identity_key)
        select ${from} + i, ${owner.id}, 'x' || i, '', 'f' || i, 'k' || i from ${few}`,
      `insert into one_time_keys (token_id, key_id, key, signature)
        select ${from} + n.i, 'k' || k.i, 'x', 'x' from ${few} cross join (select i from ${numbers(100)}) k`,
    ].map((text) => env.DB.prepare(text)),
  )
  const batches: number[] = []
  const counted = countingDb(env.DB, (statements) =>
    batches.push(statements.reduce((sum, { rowsRead, rowsWritten }) => sum + rowsRead + rowsWritten, 0)),
  )
  const { waiting, jobs, runAll } = jobsOf('continue-account-deletion')
  const couriers = { enqueue: async () => undefined, wake: async () => undefined }
  const ctx = context({ db: openDb(counted.db), jobs, couriers })
  return {
    owner,
    token,
    waiting,
    batches,
    ctx,
    read: () => counted.read().rowsRead,
    start: async () => {
      await deleteOwnAccount(ctx, owner.id)
      await settleLateWork()
    },
    runAll: (times?: number) => runAll(ctx, times),
    left: () =>
      env.DB.prepare(
        `select ${tables.map((table) => `(select count(*) from ${table} where account_id = ?1) as ${table}`).join(', ')}`,
      )
        .bind(owner.id)
        .first(),
  }
}

const nothing = Object.fromEntries(tables.map((table) => [table, 0]))
const users = () => env.DB.prepare("select value from counters where name = 'users'").first<number>('value')

describe('the deletion of an account with very many sessions and tokens', () => {
  it('reads 2,000 rows at most, continues in parts, and costs twice as much for twice as many', async () => {
    const cost = async (count: number) => {
      const place = await muchSignedIn(count)
      await place.start()
      expect(place.read()).toBeLessThanOrEqual(2_000)
      await place.runAll()
      expect(await place.left()).toEqual(nothing)
      expect(Math.max(...place.batches)).toBeLessThanOrEqual(20_000)
      return place.read()
    }
    const [few, many] = [await cost(1_500), await cost(3_000)]
    expect(many).toBeLessThanOrEqual(2.2 * few)
  })

  it('the deletion of an account with very many sessions and tokens signs its owner out at once, and is counted down once where parts are repeated', async () => {
    const [before, place] = [await users(), await muchSignedIn(1_200)]
    const reader = await given.account()
    await place.start()
    expect((await as(place.token).get('/api/v1/accounts/verify_credentials')).status).toBeGreaterThanOrEqual(
      400,
    )
    const profile = await as(reader).get(`/api/v1/accounts/${place.owner.id}`)
    expect(profile.status === 404 || JSON.stringify(profile.body).includes('"suspended":true')).toBe(true)
    const [first] = place.waiting
    expect(await place.runAll(2)).toBeGreaterThanOrEqual(2)
    if (first !== undefined) await runJob(place.ctx, first)
    expect(await place.left()).toEqual(nothing)
    // The reader is new.
    expect(await users()).toBe((before ?? 0) + 1)
  })

  it('the deletion is not continued by a job without a request', async () => {
    const place = await muchSignedIn(300)
    await runJob(place.ctx, { kind: 'continue-account-deletion', accountId: place.owner.id })
    expect(await place.left()).toMatchObject({ users: 1, sessions: 300 })
  })
})
