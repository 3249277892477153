import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts } from '../../../src/db/schema'
import { fediverse } from '../../support/fediverse'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { context } from '../../support/test-app'

const idOf = async (uri: string) => {
  const { db } = context()
  const [row] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.uri, uri))
  if (row === undefined) throw new Error(`${uri} is not known here`)
  return row
}

describe('a document fetched by another server', () => {
  it.each(['cavage', 'rfc9421'] as const)(
    'serves the document to a follower who signs with %s',
    async (signature) => {
      const alice = await given.account()
      const { id } = await given.status({ by: alice, text: 'for friends', visibility: 'private' })
      const peer = await fediverse.actor()
      const path = `/users/${alice.username}/statuses/${id}`

      expect(await peer.get(path, { signature })).toMatchObject({ status: 404 })
      await relation.follow(await idOf(peer.uri), alice)
      const answer = await peer.get(path, { signature })

      expect(answer.status).toBe(200)
      expect(JSON.parse(answer.text)).toMatchObject({ type: 'Note', content: '<p>for friends</p>' })
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
      expect(answer.costs.trips).toBeLessThanOrEqual(2)
      expect(await peer.get(path, { signature: 'none' })).toMatchObject({ status: 404 })
      expect(await peer.get(path, { signature, key: 'rsa-other' })).toMatchObject({ status: 404 })
    },
  )
})
