import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { operator } from '../../../src/domain/policy/permissions'
import { pruneAged } from '../../../src/domain/pruning/prune-aged'
import { as } from '../../support/as'
import { given } from '../../support/given'
import { recordingDb, scannedTables } from '../../support/recording-db'
import { storedRow } from '../../support/stored-row'
import { clock, context } from '../../support/test-app'

const day = 86_400_000
const ago = (days: number) => new Date(clock.now().getTime() - days * day)
const count = async (table: string, where = '1') => {
  const [row] = await context().db.all<{ n: number }>(
    sql`select count(*) as n from ${sql.raw(table)} where ${sql.raw(where)}`,
  )
  return row?.n
}

it('deletes notifications after a year, or after the days of the setting', async () => {
  const [owner, other] = [await given.account(), await given.account()]
  for (const days of [400, 366, 364, 40])
    await storedRow('notifications', {
      id: context().ids.next(ago(days)),
      account_id: owner.id,
      type: 'follow',
      from_account_id: other.id,
      subject_id: days,
    })
  await saveSettings(context(), operator, { keepNotificationDays: 36_500 })
  await pruneAged(context())
  expect(await count('notifications')).toBe(4)
  await saveSettings(context(), operator, { keepNotificationDays: 365 })
  await pruneAged(context())
  expect(await count('notifications')).toBe(2)
  await saveSettings(context(), operator, { keepNotificationDays: 30 })
  await pruneAged(context())
  expect(await count('notifications')).toBe(0)
  await saveSettings(context(), operator, { keepNotificationDays: 365 })
})

it('deletes tombstones of statuses after a year, and never those of accounts', async () => {
  const origin = 'https://fieldfare.test'
  const rows = [
    [`${origin}/users/a/statuses/1`, 366],
    [`${origin}/users/a/statuses/2`, 364],
    [`${origin}/users/a`, 900],
  ] as const
  for (const [uri, days] of rows)
    await storedRow('tombstones', { uri, deleted_at: ago(days).getTime(), published: 1 })
  await pruneAged(context())
  const left = await context().db.all<{ uri: string }>(sql`select uri from tombstones order by uri`)
  expect(left.map(({ uri }) => uri)).toEqual([`${origin}/users/a`, `${origin}/users/a/statuses/2`])
})

it('clears addresses of sign-ups after 90 days', async () => {
  const [old, young] = [
    await given.account({ user: { signUpIp: '192.0.2.1', createdAt: ago(91) } }),
    await given.account({ user: { signUpIp: '192.0.2.2', createdAt: ago(89) } }),
  ]
  await pruneAged(context())
  expect(await count('users', `account_id in (${old.id}, ${young.id}) and sign_up_ip is not null`)).toBe(1)
  expect(await count('users', `account_id = ${young.id} and sign_up_ip is not null`)).toBe(1)
})

it('deletes applications that never had a user, and no other', async () => {
  const used = await given.application()
  const person = await given.account()
  await storedRow('access_tokens', { application_id: used.id, account_id: person.id })
  const waiting = await given.application()
  await storedRow('access_tokens', { application_id: waiting.id, account_id: null })
  const idle = await given.application()
  clock.advance(31 * day)
  const fresh = await given.application()
  // Statuses name it after the user has revoked it.
  await env.DB.prepare('delete from access_tokens where application_id = ?').bind(used.id).run()
  await pruneAged(context())
  const ids = [used, waiting, idle, fresh].map(({ id }) => id)
  const left = await context().db.all<{ id: number }>(
    sql`select id from applications where id in (select value from json_each(${JSON.stringify(ids)})) order by id`,
  )
  expect(left.map(({ id }) => id)).toEqual([used.id, waiting.id, fresh.id])
})

it('deletes lists of severed follows after a year, and their notification says so', async () => {
  const [alice, other] = [await given.account(), await given.remoteAccount()]
  const event = context().ids.next(ago(366))
  await storedRow('severance_events', {
    id: event,
    type: 'domain_block',
    target: 'far.test',
    created_at: ago(366).getTime(),
  })
  await storedRow('account_severances', {
    event_id: event,
    account_id: alice.id,
    followers_count: 0,
    following_count: 1,
  })
  await storedRow('severed_follows', {
    event_id: event,
    account_id: alice.id,
    other_account_id: other.id,
    followed: 1,
  })
  await storedRow('notifications', {
    account_id: alice.id,
    type: 'severed_relationships',
    from_account_id: alice.id,
    subject_id: event,
    created_at: clock.now().getTime(),
  })
  const purged = async () => (await as(alice).get('/api/v1/notifications')).body
  expect(await purged()).toMatchObject([{ event: { purged: false, following_count: 1 } }])
  await pruneAged(context())
  expect(await count('severed_follows')).toBe(0)
  expect(await purged()).toMatchObject([{ event: { purged: true, following_count: 1 } }])
})

it('finds old rows by an index', async () => {
  const { db, asked } = recordingDb()
  await pruneAged(context({ db }))
  const scanned = await Promise.all(asked.map(scannedTables))
  expect(asked.length).toBeGreaterThan(4)
  expect(scanned.flat()).toEqual([])
})
