import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { signerByKeyId } from '../../src/activitypub/keys'
import { openDb } from '../../src/db/db'
import { ask } from '../../src/db/query'
import { counting } from '../support/costs'
import { domainLimit, remoteActor } from '../support/given-actor'
import { clock, context } from '../support/world'

const signer = (keyId: string) => ask(context().db, signerByKeyId(context(), keyId))

describe('the owner of a key', () => {
  it('is found with what is needed to judge its activities', async () => {
    const bob = await remoteActor()

    expect(await signer(bob.keyId)).toEqual({
      ...{ id: bob.id, uri: bob.uri, username: bob.username, domain: bob.domain },
      ...{ suspended: false, followers: bob.followers, limit: null },
    })
  })

  it('is nobody for a key that no document lists', async () => {
    expect(await signer('https://nowhere.test/users/nobody#main-key')).toBeNull()
  })

  it('is suspended when moderators suspended the account', async () => {
    const bob = await remoteActor({ suspendedAt: clock.now() })

    expect(await signer(bob.keyId)).toMatchObject({ suspended: true, limit: null })
  })

  it('is suspended with its server, and with the domain above it', async () => {
    await domainLimit('above-keys.test', 'suspend')
    const bob = await remoteActor({ domain: 'social.above-keys.test' })

    expect(await signer(bob.keyId)).toMatchObject({
      suspended: true,
      limit: { domain: 'above-keys.test', severity: 'suspend' },
    })
  })

  it('is limited by the domain of its handle where its server has another name', async () => {
    await domainLimit('handles-keys.test', 'silence', { rejectMedia: true })
    const host = 'https://backend-keys.test'
    const bob = await remoteActor({ domain: 'people.handles-keys.test', uri: `${host}/users/bob` })

    const found = await signer(bob.keyId)

    expect(found?.limit).toMatchObject({ severity: 'silence', rejectMedia: true, rejectReports: false })
    expect(found?.suspended).toBe(false)
  })

  it('may live at a name of any number of parts', async () => {
    await domainLimit('deep-keys.test', 'silence')
    const bob = await remoteActor({ domain: `${'a.'.repeat(60)}deep-keys.test` })
    expect(await signer(bob.keyId)).toMatchObject({ limit: { domain: 'deep-keys.test' } })
  })

  it('costs one trip and at most ten rows', async () => {
    const bob = await remoteActor({ domain: 'many.labels.costs-keys.test' })
    const counted = counting(env.DB)
    const ctx = { ...context(), db: openDb(counted.db) }

    await ask(ctx.db, signerByKeyId(ctx, bob.keyId))

    expect(counted.read()).toMatchObject({ trips: 1, statements: 2, rowsWritten: 0 })
    expect(counted.read().rowsRead).toBeLessThanOrEqual(10)
  })
})
