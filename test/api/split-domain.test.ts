import { describe, expect, it } from 'vitest'
import { fetchDocument } from '../../src/activitypub/fetch'
import { parseConfig } from '../../src/config'
import { anonymous, as } from '../support/as'
import { fediverse } from '../support/fediverse'
import { given } from '../support/given'
import { context } from '../support/test-app'
import { verify } from '../support/verify-signature'

const base = { ORIGIN: 'https://a.test', INSTANCE_SECRET: 'x'.repeat(43) }
const split = {
  overrides: {
    config: { ...context().config, domain: 'birds.test', ownDomains: ['birds.test', 'fieldfare.test'] },
  },
}

describe('a server whose handles have another domain than its pages', () => {
  it('a split domain is configured, and off by default', () => {
    expect(parseConfig(base)).toMatchObject({ domain: 'a.test', ownDomains: ['a.test'] })
    expect(parseConfig({ ...base, ACCOUNT_DOMAIN: 'Birds.Test' })).toMatchObject({
      domain: 'birds.test',
      ownDomains: ['birds.test', 'a.test'],
    })
    expect(() => parseConfig({ ...base, ACCOUNT_DOMAIN: 'https://birds.test/x' })).toThrow('ACCOUNT_DOMAIN')
  })

  it('shows apps the domain of handles', async () => {
    const answer = await anonymous.get('/api/v2/instance', split)
    expect(answer.body).toMatchObject({ domain: 'birds.test' })
  })

  it.each(['birds.test', 'fieldfare.test'])('sends no request to itself at %s', async (host) => {
    const mark = fediverse.network.mark()
    const ctx = context(split.overrides)
    const sending = ctx.http.send({ method: 'GET', url: `https://${host}/x`, headers: {} })
    await expect(sending).rejects.toThrow('is our own')
    expect(await fetchDocument(ctx, `https://${host}/users/x`)).toMatchObject({ kind: 'refused' })
    const keyId = `https://${host}/users/x#main-key`
    expect((await verify({ keyId, key: 'rsa' }, split.overrides)).verdict.kind).toBe('refused')
    expect(fediverse.network.since(mark)).toEqual([])
  })

  it.each(['birds.test', 'fieldfare.test'])('treats handles at %s as local', async (domain) => {
    const [alice, bob] = [await given.account(), await given.account()]
    const acct = `${bob.username}@${domain}`

    const found = await as(alice).get(`/api/v1/accounts/lookup?acct=${acct}`, split)
    const posted = await as(alice).post('/api/v1/statuses', { status: `@${acct}` }, split)

    expect(found).toMatchObject({ status: 200, body: { id: String(bob.id), acct: bob.username } })
    expect(posted.body).toMatchObject({ mentions: [{ id: String(bob.id) }] })
  })
})
