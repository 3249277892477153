import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openDb } from '../../src/db/query'
import type { StreamMessage } from '../../src/streaming/messages'
import { type KeyValueStore, RulesCache } from '../../src/streaming/rules-cache'
import type { Overrides } from '../../src/wire'
import { countingDb } from '../support/costs'
import { given, type TestAccount } from '../support/given'
import { relation } from '../support/given-relationships'
import { clock, context } from '../support/test-app'

/** Storage that copies, as that of an object does. */
function fakeStore(): KeyValueStore & { readonly kept: Map<string, unknown> } {
  const kept = new Map()
  return {
    kept,
    get: (key) => structuredClone(kept.get(key)),
    put: (key, value) => void kept.set(key, structuredClone(value)),
    delete: (key) => kept.delete(key),
  }
}

function from({ id }: TestAccount): StreamMessage {
  const about = { people: [{ id, domain: null, isAuthor: true }], language: null, statuses: [] }
  return { key: 'k', event: 'update', payload: '{}', channels: ['user'], about }
}

/** The database, with something that happens to every batch before it is answered. */
function throughBatches(happens: (result: unknown) => Promise<unknown>) {
  const proxy = new Proxy(env.DB, {
    get: (target, key) => {
      if (key === 'batch')
        return async (statements: D1PreparedStatement[]) => happens(await target.batch(statements))
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return openDb(proxy)
}

async function scene(overrides: Overrides = {}) {
  const [viewer, author] = await given.accounts(2)
  if (viewer === undefined || author === undefined) throw new Error('nobody')
  const counted = countingDb(env.DB)
  const ctx = context({ db: openDb(counted.db), ...overrides })
  const storage = fakeStore()
  const wake = () => new RulesCache(() => ctx, storage, viewer.id)
  return { viewer, author, storage, wake, trips: () => counted.read().trips }
}

it('writes nothing where nothing is stored', async () => {
  const { viewer } = await scene()
  let writes = 0
  const storage: KeyValueStore = {
    ...fakeStore(),
    delete: () => {
      writes += 1
      return false
    },
  }
  new RulesCache(() => context(), storage, viewer.id).invalidate()
  expect(writes).toBe(0)
})

it('reads the rules once, and not again when the object wakes', async () => {
  const { viewer, author, wake, trips } = await scene()
  await relation.block(viewer, author)
  const rules = wake()
  const answers = await Promise.all([1, 2, 3].map(() => rules.filter(from(author), 'user')))
  expect(answers).toEqual([null, null, null])
  expect(await rules.filter(from(viewer), 'user')).toEqual(from(viewer))
  expect(await wake().filter(from(author), 'user')).toBeNull()
  expect(trips()).toBe(1)
})

it('reads no rules for events that no rule applies to', async () => {
  const { author, wake, trips } = await scene()
  const message = { ...from(author), about: null }
  expect(await wake().filter(message, 'user')).toEqual(message)
  expect(trips()).toBe(0)
})

it('applies a new rule with the first message after its cache was cleared', async () => {
  const { viewer, author, wake } = await scene()
  const rules = wake()
  expect(await rules.filter(from(author), 'user')).toEqual(from(author))
  await relation.mute(viewer, author)
  expect(await rules.filter(from(author), 'user')).toEqual(from(author))
  rules.invalidate()
  expect(await rules.filter(from(author), 'user')).toBeNull()
  expect(await wake().filter(from(author), 'user')).toBeNull()
})

it('does not cache rules that changed while they were read', async () => {
  const changes: (() => Promise<unknown>)[] = []
  const db = throughBatches(async (result) => {
    await changes.pop()?.()
    return result
  })
  const { viewer, author, wake } = await scene({ db })
  const rules = wake()
  changes.push(async () => {
    await relation.block(viewer, author)
    rules.invalidate()
  })
  expect(await rules.filter(from(author), 'user')).toBeNull()
})

it('ends a mute on time', async () => {
  const { viewer, author, wake, trips } = await scene()
  await relation.mute(viewer, author, { expiresAt: new Date(clock.now().getTime() + 60_000) })
  const rules = wake()
  expect(await rules.filter(from(author), 'user')).toBeNull()
  clock.advance(60_000)
  expect(await rules.filter(from(author), 'user')).toEqual(from(author))
  expect(trips()).toBe(1)
})

it('reads rules again after a while, in case a change was lost', async () => {
  const { viewer, author, wake } = await scene()
  const rules = wake()
  expect(await rules.filter(from(author), 'user')).toEqual(from(author))
  await relation.block(viewer, author)
  clock.advance(10 * 60_000)
  expect(await rules.filter(from(author), 'user')).toBeNull()
})

it('sends nothing when rules cannot be read, logs it, and retries with the next message', async () => {
  const said: string[] = []
  const log = { info: () => undefined, error: (message: string) => void said.push(message) }
  let isDown = true
  const db = throughBatches(async (result) => {
    if (isDown) throw new Error('no database')
    return result
  })
  const { author, wake } = await scene({ db, log })
  const rules = wake()
  expect(await rules.filter(from(author), 'user')).toBeNull()
  expect(said).toEqual(['Failed to load the rules of a subscriber'])
  isDown = false
  expect(await rules.filter(from(author), 'user')).toEqual(from(author))
})

it('keeps rules that are too many for one value in memory only', async () => {
  const { viewer, author, storage, wake } = await scene()
  const { db } = context()
  await db.run(`insert into account_domain_blocks (account_id, domain, id)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000)
    select ${viewer.id}, 'a-long-name-of-some-host-' || i || '.test', i from n`)
  const rules = wake()
  expect(await rules.filter(from(author), 'user')).toEqual(from(author))
  expect(storage.kept.size).toBe(0)
})
