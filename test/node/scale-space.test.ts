import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { spaceIn } from '../bench/scale/storage'
import { buildInstance } from '../support/scale/on-disk'

it('measures the space of a row with its indexes, by the page', async () => {
  const { db } = await buildInstance(1_000)
  const space = Object.fromEntries(spaceIn(db).map((one) => [one.name, one]))
  const follow = space['follow']
  // Four integers and an address; three indexes of two integers.
  expect(follow?.bytes).toBeGreaterThan(100)
  expect(follow?.bytes).toBeLessThan(400)
  expect(follow?.inIndexes).toBeGreaterThan((follow?.bytes ?? 0) / 3)

  db.exec('create index wider on follows (uri, created_at, account_id, target_account_id)')
  const [, , wider] = spaceIn(db)
  expect(wider?.name).toBe('follow')
  expect(wider?.inIndexes).toBeGreaterThan((follow?.inIndexes ?? 0) + 30)
  db.close()
})

it('finds that a status takes at most 1,000 bytes on an instance of 30,000', async () => {
  const { db } = await buildInstance('30000')
  const bounded = spaceIn(db).filter(({ atMost }) => atMost !== null)
  expect(bounded).not.toEqual([])
  expect(bounded.filter(({ bytes, atMost }) => bytes > (atMost ?? 0))).toEqual([])
  db.close()
})

it('needs a database with statuses', () => {
  expect(() => spaceIn(new DatabaseSync(':memory:'))).toThrow('no such table')
})
