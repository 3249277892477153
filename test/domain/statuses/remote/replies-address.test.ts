import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { execute } from '../../../../src/db/query'
import { statuses } from '../../../../src/db/schema'
import { threadSourceOf } from '../../../../src/domain/statuses/find-thread'
import { expandRepliesUri, shortenRepliesUri } from '../../../../src/domain/statuses/remote/remote-status'
import { given } from '../../../support/given'
import { importedStatus } from '../../../support/given-remote'
import { storedStatus } from '../../../support/given-stored'
import { context } from '../../../support/test-app'

const uri = 'https://social.test/users/wren/statuses/1'

describe('the address of a replies collection', () => {
  it.each([
    [`${uri}/replies`, '/replies'],
    [`${uri}?replies=all`, '?replies=all'],
    [`${uri}2/replies`, `${uri}2/replies`],
    ['https://social.test/comments/1', 'https://social.test/comments/1'],
    [uri, uri],
  ])('stores %s as %s, and reads it unchanged', (address, stored) => {
    expect(shortenRepliesUri(uri, address)).toBe(stored)
    expect(expandRepliesUri(uri, stored)).toBe(address)
  })

  it('the address is absent where the status names none', () => {
    expect(shortenRepliesUri(uri, null)).toBeNull()
  })

  it('the address is found for addresses stored now and by earlier versions', async () => {
    const { db } = context()
    const author = await given.remoteAccount()
    const { id, uri: own } = await importedStatus(author)
    const withReplies = await importedStatus(author, { repliesUri: `${author.uri}/statuses/x/replies` })
    const [row] = await db.select().from(statuses).where(eq(statuses.id, withReplies.id))
    expect(row?.repliesUri).toBe(`${author.uri}/statuses/x/replies`)
    expect(await execute(db, threadSourceOf(context(), id))).toBeNull()

    await db.update(statuses).set({ repliesUri: '/replies' }).where(eq(statuses.id, id))
    expect(await execute(db, threadSourceOf(context(), id))).toEqual({
      uri: own,
      conversationId: id,
      repliesUri: `${own}/replies`,
      contextUri: null,
    })

    const old = await storedStatus({
      accountId: author.id,
      local: false,
      uri: `${own}0`,
      repliesUri: `${own}0/replies`,
    })
    expect(await execute(db, threadSourceOf(context(), old))).toMatchObject({
      repliesUri: `${own}0/replies`,
    })
  })

  it('the address is shortened where a status is stored', async () => {
    const author = await given.remoteAccount()
    const named = `${author.uri}/statuses/named`
    const { id } = await importedStatus(author, { uri: named, repliesUri: `${named}/replies` })
    const [row] = await context().db.select().from(statuses).where(eq(statuses.id, id))
    expect(row?.repliesUri).toBe('/replies')
  })
})
