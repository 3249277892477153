import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { instanceActorId } from '../../../src/contract/ids'
import { execute } from '../../../src/db/query'
import { accounts } from '../../../src/db/schema'
import { ensureInstanceActor, findInstanceActor } from '../../../src/domain/instance/keys'
import { as } from '../../support/as'
import { given } from '../../support/given'
import { context } from '../../support/test-app'

it('creates the instance actor once, however many requests ask for it at the same moment', async () => {
  const ctx = context()
  const made = await Promise.all([1, 2, 3].map(() => ensureInstanceActor(ctx, null)))
  expect(new Set(made.map(({ publicKey }) => publicKey)).size).toBe(1)
  expect(await execute(ctx.db, findInstanceActor(ctx))).toEqual(made[0])
})

it('signs as the instance actor so that its published key verifies it', async () => {
  const ctx = context()
  const actor = await ensureInstanceActor(ctx, await execute(ctx.db, findInstanceActor(ctx)))
  const bytes = new TextEncoder().encode('a request')
  const der = Uint8Array.fromBase64(actor.publicKey.replaceAll(/-----[^-]+-----|\s/g, ''))
  const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('spki', der, rsa, false, ['verify'])
  expect(
    await crypto.subtle.verify(
      rsa,
      key,
      await ctx.vault.sign(actor.privateKey, bytes, instanceActorId),
      bytes,
    ),
  ).toBe(true)
})

it('the instance actor is an Application named after the domain, and not searchable', async () => {
  const ctx = context()
  await ensureInstanceActor(ctx, await execute(ctx.db, findInstanceActor(ctx)))
  const [row] = await ctx.db.select().from(accounts).where(eq(accounts.id, -99))
  expect(row).toMatchObject({ username: 'fieldfare.test', domain: null, actorType: 'Application' })
  const alice = await given.account()
  expect((await as(alice).get('/api/v1/accounts/-99')).status).toBe(404)
  expect((await as(alice).get('/api/v1/accounts/lookup?acct=fieldfare.test')).status).toBe(404)
})
