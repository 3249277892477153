import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountDeletions, accounts, follows, users } from '../../../src/db/schema'
import { unsuspendAccount } from '../../../src/domain/moderation/act'
import { removeDueAccounts } from '../../../src/domain/moderation/delete-account'
import { endFollowsOfSuspended } from '../../../src/domain/moderation/suspend-account'
import { operator } from '../../../src/domain/policy/permissions'
import { as } from '../../support/as'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { moderate } from '../../support/moderate'
import { clock, context } from '../../support/test-app'

const day = 86_400_000
const { db } = context()

async function rowOf(id: number) {
  const [row] = await db.select().from(accounts).where(eq(accounts.id, id))
  return row
}

describe('the data of a suspended account', () => {
  it('keeps the data of a suspended account for 30 days and deletes it afterwards', async () => {
    const alice = await given.account({ displayName: 'Alice' })
    const remote = await given.remoteAccount({ displayName: 'Spam' })
    const spared = await given.account({ displayName: 'Bob' })
    for (const one of [alice, remote, spared]) await moderate(one, 'suspend')
    clock.advance(30 * day - 1)
    await removeDueAccounts(context())
    expect(await rowOf(alice.id)).toMatchObject({ displayName: 'Alice' })
    await unsuspendAccount(context(), operator, spared.id)
    clock.advance(1)
    // An account each run.
    for (const _ of [alice, remote]) await removeDueAccounts(context())
    expect(await rowOf(alice.id)).toMatchObject({ displayName: '', username: alice.username })
    expect(await rowOf(remote.id)).toMatchObject({ displayName: '', uri: remote.uri })
    expect(await rowOf(spared.id)).toMatchObject({ displayName: 'Bob', suspendedAt: null })
    expect(await db.select().from(users).where(eq(users.accountId, alice.id))).toEqual([])
    expect(await db.select().from(accountDeletions)).toEqual([])
  })
})

describe('suspending a remote account', () => {
  it('ends its follows of local accounts in parts, with a Reject each, and notifies their owners', async () => {
    const remote = await given.peer()
    const [alice, bob] = await given.accounts(2)
    if (alice === undefined || bob === undefined) throw new Error('nobody')
    await relation.follow(remote, alice)
    await relation.follow(bob, remote)
    await moderate(remote, 'suspend')
    await endFollowsOfSuspended(context(), remote.id, context().ids.next())
    expect(await db.select().from(follows).where(eq(follows.accountId, remote.id))).toEqual([])
    // Follows by local accounts stay, and return with the account.
    expect(await db.select().from(follows).where(eq(follows.targetAccountId, remote.id))).toHaveLength(1)
    const told = await as(alice).get('/api/v1/notifications')
    expect(told.body).toMatchObject([
      { type: 'severed_relationships', event: { type: 'account_suspension', followers_count: 1 } },
    ])
  })

  it('changes nothing once the suspension was lifted', async () => {
    const remote = await given.remoteAccount()
    const alice = await given.account()
    await relation.follow(remote, alice)
    await moderate(remote, 'suspend')
    await unsuspendAccount(context(), operator, remote.id)
    await endFollowsOfSuspended(context(), remote.id, context().ids.next())
    expect(await db.select().from(follows).where(eq(follows.accountId, remote.id))).toHaveLength(1)
  })
})
