import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { authorizationCodes, sessions } from '../../../src/db/schema'
import { hashCode } from '../../../src/domain/sessions/authorize'
import { pruneExpired } from '../../../src/domain/sessions/expire'
import { signedIn } from '../../support/members'
import { givenCode, registerClient } from '../../support/oauth'
import { clock, context } from '../../support/test-app'

it('deletes expired sessions and codes, and no others', async () => {
  const ctx = context()
  const { member } = await signedIn()
  const codeHash = await hashCode(await givenCode(await registerClient(), member.id))
  const kept = async () => [
    (await ctx.db.select().from(sessions).where(eq(sessions.accountId, member.id))).length,
    (await ctx.db.select().from(authorizationCodes).where(eq(authorizationCodes.codeHash, codeHash))).length,
  ]
  await pruneExpired(ctx)
  expect(await kept()).toEqual([1, 1])
  const start = clock.now()
  clock.advance(3_600_000)
  await pruneExpired(ctx)
  const later = await kept()
  clock.advance(30 * 86_400_000)
  await pruneExpired(ctx)
  const last = await kept()
  clock.set(start)
  expect([later, last]).toEqual([
    [1, 0],
    [0, 0],
  ])
})
