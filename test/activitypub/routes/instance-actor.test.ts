import { describe, expect, it } from 'vitest'
import { expectCosts } from '../../support/expect-costs'
import { fetchDocument } from '../../support/fetch-document'
import { context } from '../../support/test-app'

const { config } = context()
const closed = (closing: Partial<typeof config.federation>) => ({
  overrides: { config: { ...config, federation: { ...config.federation, ...closing } } },
})

describe('the actor of the server', () => {
  it('serves the signing key of the server to everybody, always the same', async () => {
    const uri = 'https://fieldfare.test/actor'
    const { status, body, headers } = await fetchDocument('/actor')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        id: uri,
        webfinger: 'fieldfare.test@fieldfare.test',
        type: 'Application',
        preferredUsername: 'fieldfare.test',
        name: 'fieldfare.test',
        inbox: `${uri}/inbox`,
        outbox: `${uri}/outbox`,
        manuallyApprovesFollowers: true,
        endpoints: { sharedInbox: 'https://fieldfare.test/inbox' },
        publicKey: {
          id: `${uri}#main-key`,
          owner: uri,
          publicKeyPem: expect.stringContaining('BEGIN PUBLIC KEY'),
        },
      },
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect((await fetchDocument('/actor')).body).toEqual(body)
  })

  it.each([
    ['all have to sign', { signedOnly: true }],
    ['only listed servers are spoken with', { limited: true }],
  ])('serves the actor of the server without a signature also where %s [T-129]', async (_, closing) => {
    expect(await fetchDocument('/actor', closed(closing))).toMatchObject({ status: 200 })
  })

  it('serves no statuses, and redirects browsers to the about page', async () => {
    expect((await fetchDocument('/actor/outbox')).body).toMatchObject({ totalItems: 0, orderedItems: [] })
    const page = await fetchDocument('/actor', { accept: 'text/html' })
    expect(page.headers.get('location')).toBe('https://fieldfare.test/about')
  })

  it('costs one round trip once it is created', async () => {
    await fetchDocument('/actor')
    expectCosts((await fetchDocument('/actor')).costs, { trips: 1, rowsWritten: 0 })
  })
})
