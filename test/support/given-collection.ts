import type { collections } from '../../src/db/schema'
import { collectionItems, collections as table } from '../../src/db/schema'
import type { ItemState } from '../../src/db/schema/collections'
import { clock, context } from './test-app'

interface Named {
  readonly id: number
}

type Options = Partial<Omit<typeof collections.$inferInsert, 'id' | 'accountId'>> & {
  readonly by: Named
  readonly of?: readonly Named[]
  readonly state?: ItemState
}

/** A collection straight in the tables, whoever is in it; answers its id and those of its items. */
export async function storedCollection({ by, of = [], state = 'accepted', ...row }: Options) {
  const { db, ids } = context()
  const id = ids.next()
  const now = clock.now()
  await db.insert(table).values({
    name: 'Birds',
    createdAt: now,
    updatedAt: now,
    ...row,
    id,
    accountId: by.id,
  })
  const items: number[] = []
  for (const member of of) {
    const itemId = ids.next()
    await db
      .insert(collectionItems)
      .values({ id: itemId, collectionId: id, accountId: member.id, state, createdAt: now })
    items.push(itemId)
  }
  return { id, items }
}
