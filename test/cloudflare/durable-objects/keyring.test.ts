import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openKeys } from '../../../src/cloudflare/durable-objects/courier/keyring'
import { accountKeys } from '../../../src/db/schema'
import { instanceSecrets } from '../../../src/lib/secrets'
import { unboundKeyPair } from '../../support/fediverse/keys'
import { given } from '../../support/given'
import { clock, context } from '../../support/test-app'

const open = (id: number, ctx = context()) => openKeys(ctx, [id], 'elsewhere.test')
const store = (id: number, values: Partial<typeof accountKeys.$inferInsert>) =>
  context().db.update(accountKeys).set(values).where(eq(accountKeys.accountId, id))

const damaged = 'aesgcm2$00000000$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA'

describe('keys of couriers', () => {
  it('keys of couriers open for their own account, and for nobody when copied to another row', async () => {
    const [alice, mallory] = [await given.account(), await given.account()]
    expect((await open(alice.id)).of(alice.id)).not.toBeNull()
    await context().db.run(sql`update account_keys set private_key =
      (select private_key from account_keys where account_id = ${alice.id}) where account_id = ${mallory.id}`)
    await expect(open(mallory.id)).rejects.toThrow(`The actor key of ${mallory.id} does not open`)
  })

  it('keys of couriers open in the form of earlier versions', async () => {
    const alice = await given.account()
    const { privateKey } = await unboundKeyPair(context().config.secrets)
    await store(alice.id, { privateKey })
    expect((await open(alice.id)).of(alice.id)).not.toBeNull()
  })

  it('keys of couriers name the missing secret', async () => {
    const alice = await given.account()
    const config = {
      ...context().config,
      secrets: instanceSecrets('another secret of more than 32 characters'),
    }
    const failure = open(alice.id, context({ config }))
    await expect(failure).rejects.toThrow(
      `is encrypted under the secret ${context().config.secrets.current.version}, which is not configured`,
    )
  })

  it('keys of couriers work without a previous key that does not open', async () => {
    const alice = await given.account()
    await store(alice.id, { previousPrivateKey: damaged, rotatedAt: clock.now() })
    expect((await open(alice.id)).of(alice.id)).toMatchObject({ previous: null })
  })
})
