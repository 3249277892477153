import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { expireMutes } from '../../../src/domain/relationships/block'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { clock, context } from '../../support/test-app'

it('removes expired mutes, and no others', async () => {
  const [alice, a, b, c] = await Promise.all([1, 2, 3, 4].map(() => given.account()))
  if (!alice || !a || !b || !c) throw new Error('nobody')
  const now = clock.now().getTime()
  await relation.mute(alice, a, { expiresAt: new Date(now) })
  await relation.mute(alice, b, { expiresAt: new Date(now + 1) })
  await relation.mute(alice, c)
  await expireMutes(context())
  const left = await context().db.all<{ id: number }>(
    sql`select target_account_id as id from mutes where account_id = ${alice.id} order by mutes.id`,
  )
  expect(left.map(({ id }) => id)).toEqual([b.id, c.id])
})
