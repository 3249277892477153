import { type SQL, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { accountDomainBlocks } from '../../../src/db/schema'
import { type ViewerRef, viewerById } from '../../../src/domain/core/viewer'
import { isVisibleAccount } from '../../../src/domain/policy/account-visibility'
import {
  accountNotBlockedOrMuted,
  allowedInDiscovery,
  authorNotBlockedOrMuted,
  notBlockedOrMutedBy,
  senderNotBlockedOrMuted,
} from '../../../src/domain/policy/blocks-and-mutes'
import { mayBeRecommended } from '../../../src/domain/policy/featuring'
import { visibleTo } from '../../../src/domain/policy/visibility'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

/** Every name a query around a predicate might give its table, those of the predicates' own tables among them. */
const names = [
  'a',
  'author',
  'blocked',
  'f',
  'friend',
  'r',
  's',
  'sender',
  'suspended',
  'target',
  'there',
  'x',
]

interface Met {
  readonly viewer: ViewerRef
  readonly open: { readonly id: number; readonly status: number }
  readonly hidden: readonly { readonly id: number; readonly status: number }[]
}

let met: Met

async function stranger(options: Parameters<typeof given.remoteAccount>[0] = {}) {
  const { id } = await given.remoteAccount({ discoverable: true, ...options })
  return { id, status: await storedStatus({ accountId: id, local: false }) }
}

beforeAll(async () => {
  const { db, ids } = context()
  const viewer = await given.account()
  const domain = 'captured.test'
  await db.insert(accountDomainBlocks).values({ accountId: viewer.id, domain, id: ids.next() })
  const [open, there, blocked, muted] = [
    await stranger(),
    await stranger({ domain }),
    await stranger(),
    await stranger(),
  ]
  await relation.block(viewer, blocked)
  await relation.mute(viewer, muted)
  met = { viewer: viewerById(viewer.id), open, hidden: [there, blocked, muted] }
})

/** Ids of the accounts or statuses for which the condition on the row called `name` holds. */
async function found(table: 'accounts' | 'statuses', name: string, condition: SQL): Promise<number[]> {
  const all = [met.open, ...met.hidden].map((one) => (table === 'accounts' ? one.id : one.status))
  const rows = await context().db.all<{
    id: number
  }>(sql`select ${sql.raw(`${name}.id as id from ${table} ${name}`)}
    where ${sql.raw(name)}.id in (select value from json_each(${JSON.stringify(all)})) and ${condition}`)
  return rows.map(({ id }) => id)
}

describe('predicates refer to the row of the surrounding query', () => {
  for (const name of names.filter((one) => one !== 'blocked' && one !== 'there'))
    it(`authorNotHidden works where that table is called ${name}`, async () => {
      const condition = authorNotBlockedOrMuted(met.viewer, clock.now(), `${name}.id`)
      expect(await found('accounts', name, condition)).toEqual([met.open.id])
    })

  for (const name of names.filter((one) => one !== 'blocked' && one !== 'sender'))
    it(`senderNotHidden works where that table is called ${name}`, async () => {
      const condition = senderNotBlockedOrMuted(met.viewer, clock.now(), sql.raw(`${name}.id`))
      expect(await found('accounts', name, condition)).toEqual([met.open.id])
    })

  for (const name of ['a', 'friend', 'moved', 'named', 'target'] as const)
    it(`accountNotHidden works where that table is called ${name}`, async () => {
      const condition = accountNotBlockedOrMuted(met.viewer, clock.now(), name)
      expect(await found('accounts', name, condition)).toEqual([met.open.id])
    })

  it('mayBeProposed works', async () => {
    expect(await found('accounts', 'a', mayBeRecommended(met.viewer, clock.now()))).toEqual([met.open.id])
  })

  for (const name of ['a', 'friend', 'moved', 'named', 'target'] as const)
    it(`inStanding works where that table is called ${name}`, async () => {
      expect(await found('accounts', name, isVisibleAccount(name))).toHaveLength(4)
    })

  for (const name of ['s', 'original', 'parent', 'statuses'] as const) {
    it(`notHiddenFrom and shownUnasked work where that table is called ${name}`, async () => {
      const now = clock.now()
      expect(await found('statuses', name, notBlockedOrMutedBy(met.viewer, now, name))).toEqual([
        met.open.status,
      ])
      expect(await found('statuses', name, allowedInDiscovery(met.viewer, now, name))).toEqual([
        met.open.status,
      ])
    })

    it(`visibleTo works where that table is called ${name}`, async () => {
      expect(await found('statuses', name, visibleTo(met.viewer, name))).toHaveLength(4)
    })
  }

  it('the tests refuse a predicate whose own table has the same name', async () => {
    const condition = authorNotBlockedOrMuted(met.viewer, clock.now(), 'there.id')
    await expect(found('accounts', 'there', condition)).rejects.toThrow('names of their own')
  })
})
