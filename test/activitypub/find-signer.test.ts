import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { signerByKeyId } from '../../src/activitypub/verify-request'
import { execute, openDb } from '../../src/db/query'
import { accounts } from '../../src/db/schema'
import { allowDomain } from '../../src/domain/moderation/limit-domain'
import { operator } from '../../src/domain/policy/permissions'
import { countingDb } from '../support/costs'
import { expectCosts } from '../support/expect-costs'
import { given } from '../support/given'
import { domainLimit } from '../support/given-limit'
import { clock, context } from '../support/test-app'

const signer = (keyId: string) => execute(context().db, signerByKeyId(context(), keyId))

describe('the owner of a key', () => {
  it('finds the owner of a key with everything needed to verify its activities', async () => {
    const bob = await given.peer()

    expect(await signer(bob.keyId)).toEqual({
      id: bob.id,
      uri: bob.uri,
      username: bob.username,
      domain: bob.host,
      suspended: false,
      followers: bob.at.followers,
      limit: null,
      relay: null,
    })
  })

  it('finds no owner of a key that no document lists', async () => {
    expect(await signer('https://nowhere.test/users/nobody#main-key')).toBeNull()
  })

  it('the owner of a key is suspended when moderators suspended the account', async () => {
    const bob = await given.peer()
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, bob.id))

    expect(await signer(bob.keyId)).toMatchObject({ suspended: true, limit: null })
  })

  it('the owner of a key is suspended with its server and its parent domains', async () => {
    await domainLimit('above-keys.test', 'suspend')
    const bob = await given.peer({ host: 'social.above-keys.test' })

    expect(await signer(bob.keyId)).toMatchObject({
      suspended: true,
      limit: { domain: 'above-keys.test', severity: 'suspend' },
    })
  })

  it('limits the owner of a key by the domain of its handle where its server has another name', async () => {
    await domainLimit('handles-keys.test', 'silence', { rejectMedia: true })
    const bob = await given.peer({ host: 'backend-keys.test', accountDomain: 'people.handles-keys.test' })

    const found = await signer(bob.keyId)

    expect(found?.limit).toMatchObject({ severity: 'silence', rejectMedia: true, rejectReports: false })
    expect(found?.suspended).toBe(false)
  })

  it('finds the owner of a key on a host with any number of labels', async () => {
    await domainLimit('deep-keys.test', 'silence')
    const bob = await given.peer({ host: `${'a.'.repeat(60)}deep-keys.test` })
    expect(await signer(bob.keyId)).toMatchObject({ limit: { domain: 'deep-keys.test' } })
  })

  it('suspends every owner of a key in allow-list mode unless its server is listed or this one', async () => {
    const { config } = context()
    const ctx = context({ config: { ...config, federation: { ...config.federation, limited: true } } })
    const [listed, stranger] = [await given.peer(), await given.peer()]
    await allowDomain(ctx, operator, listed.host)

    expect(await execute(ctx.db, signerByKeyId(ctx, listed.keyId))).toMatchObject({
      suspended: false,
      limit: null,
    })
    expect(await execute(ctx.db, signerByKeyId(ctx, stranger.keyId))).toMatchObject({
      suspended: true,
      limit: { domain: stranger.host, severity: 'suspend' },
    })
  })

  it('finding the owner of a key costs one round trip and at most ten rows', async () => {
    const bob = await given.peer({ host: 'many.labels.costs-keys.test' })
    const counted = countingDb(env.DB)
    const ctx = { ...context(), db: openDb(counted.db) }

    await execute(ctx.db, signerByKeyId(ctx, bob.keyId))

    expectCosts(counted.read(), { trips: 1, statements: 2, rowsWritten: 0 })
    expect(counted.read().rowsRead).toBeLessThanOrEqual(10)
  })
})
