import { describe, expect, it } from 'vitest'
import { mastoAnonymous, mastoFailure, mastoOf } from '../support/masto'
import { operate } from '../support/operator'
import { domain, newPerson, origin } from '../support/people'

describe('the instance with masto', () => {
  it('introduces itself in the new shape', async () => {
    const instance = await mastoAnonymous().v2.instance.fetch()
    expect(instance).toMatchObject({
      domain,
      title: 'The Hedge',
      languages: ['en'],
      registrations: { enabled: true, approvalRequired: false },
      configuration: {
        statuses: { maxCharacters: 500, charactersReservedPerUrl: 23 },
        accounts: { maxProfileFields: expect.any(Number) },
        polls: { maxOptions: 4 },
      },
    })
    expect(instance.rules.map(({ text }) => text)).toEqual(['Be kind to small birds', 'No cats'])
    expect(instance.configuration.urls.streaming).toMatch(/^wss?:\/\//)
    expect(instance.configuration.mediaAttachments.supportedMimeTypes).toContain('image/png')
    const thumbnail = await fetch(instance.thumbnail.url)
    expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  it('introduces itself in the old shape', async () => {
    const instance = await mastoAnonymous().v1.instance.fetch()
    expect(instance).toMatchObject({
      uri: domain,
      title: 'The Hedge',
      registrations: true,
      approvalRequired: false,
      stats: { userCount: expect.any(Number), statusCount: expect.any(Number), domainCount: 0 },
    })
    expect(instance.version).toMatch(/^4\.6\.5\+fieldfare-\d/)
    expect((await mastoAnonymous().v2.instance.fetch()).apiVersions).toEqual({ mastodon: 11 })
  })

  it('lists what belongs to it', async () => {
    const client = mastoAnonymous()
    expect(await client.v1.customEmojis.list()).toEqual([])
    expect(await client.v1.instance.peers.list()).toEqual([])
    expect(await client.v1.instance.activity.list()).toHaveLength(12)
    expect(await client.v1.instance.languages.list()).toEqual(
      expect.arrayContaining([{ code: 'en', name: 'English' }]),
    )
    expect(await client.v1.instance.extendedDescription.fetch()).toMatchObject({
      content: expect.any(String),
    })
  })

  it('lists its blocked domains with the reasons', async () => {
    const domain = 'cuckoo.example'
    await operate('POST', 'domains/limit', { domain, severity: 'suspend', public_comment: 'Lays eggs' })
    const blocks = await mastoAnonymous().v1.instance.domainBlocks.fetch()
    expect(blocks).toMatchObject([{ domain, severity: 'suspend', comment: 'Lays eggs' }])
    expect(blocks[0]?.digest).toMatch(/^[0-9a-f]{64}$/)
    await operate('POST', 'domains/lift', { domain })
    expect(await mastoAnonymous().v1.instance.domainBlocks.fetch()).toEqual([])
  })

  it('translates nothing without a service, and its instance entity has translation off', async () => {
    const client = mastoOf(await newPerson())
    expect(await client.v1.instance.translationLanguages.list()).toEqual({})
    expect((await client.v2.instance.fetch()).configuration.translation).toEqual({ enabled: false })
    const { id } = await client.v1.statuses.create({ status: 'Zaunkönig singt', language: 'de' })
    expect(await mastoFailure(client.v1.statuses.$select(id).translate({ lang: 'en' }))).toMatchObject({
      statusCode: 404,
      message: 'Record not found',
    })
  })

  it('offers no report of a year in which an account wrote too little', async () => {
    const client = mastoOf(await newPerson())
    const year = client.v1.annualReports.$select(String(new Date().getUTCFullYear()))
    expect(await year.state.fetch()).toEqual({ state: 'ineligible' })
    await year.generate()
    expect(await mastoFailure(year.fetch())).toMatchObject({ statusCode: 404 })
    expect(await mastoFailure(year.read())).toMatchObject({ statusCode: 404 })
    expect(await client.v1.annualReports.list()).toMatchObject({ annualReports: [], accounts: [] })
  })

  it('is found through the well-known documents', async () => {
    const links = await read('/.well-known/nodeinfo')
    expect(links).toMatchObject({
      links: expect.arrayContaining([
        expect.objectContaining({
          href: `${origin}/nodeinfo/2.0`,
        }),
      ]),
    })
    expect(await read('/nodeinfo/2.0')).toMatchObject({
      version: '2.0',
      software: { name: 'fieldfare' },
      openRegistrations: true,
    })
    expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
      issuer: `${origin}/`,
      authorization_endpoint: `${origin}/oauth/authorize`,
      token_endpoint: `${origin}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
    })
  })
})

async function read(path: string): Promise<unknown> {
  const response = await fetch(`${origin}${path}`)
  return response.json()
}
