import { listAccounts, lists } from '../../src/db/schema'
import { relation } from './given-relationships'
import { clock, context } from './test-app'

interface Named {
  readonly id: number
}

type ListOptions = Partial<Omit<typeof lists.$inferInsert, 'id' | 'accountId'>> & {
  readonly of: Named
  /** Members, whom the owner already follows. */
  readonly members?: readonly Named[]
}

/** A list with members, straight in the tables and with an empty feed. */
export async function storedList({ of: owner, members = [], ...row }: ListOptions): Promise<number> {
  const { db, ids } = context()
  const id = ids.next()
  await db.insert(lists).values({ title: 'friends', createdAt: clock.now(), ...row, id, accountId: owner.id })
  for (const member of members) await db.insert(listAccounts).values(memberRow(id, owner, member))
  return id
}

/** Stores a list after making its owner follow the members. */
export async function storedListOfFollowed(options: ListOptions): Promise<number> {
  for (const member of options.members ?? []) await relation.follow(options.of, member)
  return storedList(options)
}

function memberRow(listId: number, owner: Named, member: Named) {
  return { id: context().ids.next(), listId, ownerId: owner.id, accountId: member.id }
}
