import { describe, expect, it } from 'vitest'
import { usernameFromResource } from '../../../src/activitypub/routes/webfinger'
import { tombstones } from '../../../src/db/schema'
import { expectCosts } from '../../support/expect-costs'
import { fetchDocument } from '../../support/fetch-document'
import { given } from '../../support/given'
import { clock, context } from '../../support/test-app'

const split = {
  overrides: {
    config: { ...context().config, domain: 'birds.test', ownDomains: ['birds.test', 'fieldfare.test'] },
  },
}

const finger = (resource: string, options: Parameters<typeof fetchDocument>[1] = {}) =>
  fetchDocument(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`, {
    accept: null,
    ...options,
  })

const authorize = 'https://fieldfare.test/authorize_interaction?uri={object}'
/** Activity intents (FEP-3b86). */
const intents = [
  { rel: 'https://w3id.org/fep/3b86/Create', template: 'https://fieldfare.test/share?text={content}' },
  { rel: 'https://w3id.org/fep/3b86/Object', template: authorize },
  { rel: 'https://w3id.org/fep/3b86/Follow', template: authorize },
  { rel: 'https://w3id.org/fep/3b86/Announce', template: `${authorize}&type=reblog` },
  { rel: 'https://w3id.org/fep/3b86/Like', template: `${authorize}&type=favourite` },
]

describe('WebFinger', () => {
  it('resolves a handle to actor and page, for every origin [T-137]', async () => {
    const { username } = await given.account({ avatar: { key: 'avatars/1.png' } })

    const { status, body, headers, costs } = await finger(`acct:${username}@fieldfare.test`)

    const page = `https://fieldfare.test/@${username}`
    const uri = `https://fieldfare.test/users/${username}`
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        subject: `acct:${username}@fieldfare.test`,
        aliases: [page, uri],
        links: [
          { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: page },
          { rel: 'self', type: 'application/activity+json', href: uri },
          {
            rel: 'http://ostatus.org/schema/1.0/subscribe',
            template: 'https://fieldfare.test/authorize_interaction?uri={uri}',
          },
          ...intents,
          {
            rel: 'http://webfinger.net/rel/avatar',
            type: 'image/png',
            href: 'https://fieldfare.test/media/avatars/1.png',
          },
        ],
      },
    })
    expect(headers.get('content-type')).toMatch(/^application\/jrd\+json/)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    expectCosts(costs, { trips: 1 })
    expect(costs.statements).toBeLessThanOrEqual(6)
    expect(costs.rowsRead).toBeLessThanOrEqual(20)
  })

  it('accepts a name in any case and every form of address [T-138]', async () => {
    const { username } = await given.account()
    const forms = [
      `acct:${username.toUpperCase()}@FIELDFARE.test`,
      `ACCT:@${username}@fieldfare.test`,
      `${username}@fieldfare.test`,
      `https://fieldfare.test/users/${username}`,
      `https://fieldfare.test/users/${username}/`,
      `https://fieldfare.test/@${username}`,
    ]
    for (const form of forms)
      expect(await finger(form), form).toMatchObject({
        status: 200,
        body: { subject: `acct:${username}@fieldfare.test` },
      })
  })

  it('accepts a port in the host where it is this server’s', async () => {
    const { username } = await given.account()
    const found = { status: 200, body: { subject: `acct:${username}@fieldfare.test` } }
    for (const form of [`acct:${username}@fieldfare.test:443`, `https://fieldfare.test:443/@${username}`])
      expect(await finger(form), form).toMatchObject(found)
    for (const form of [`acct:${username}@fieldfare.test:8443`, `https://fieldfare.test:8443/@${username}`])
      expect(await finger(form), form).toMatchObject({ status: 404 })
  })

  it.each([
    ['acct:wren@localhost:8787', 'wren'],
    ['http://localhost:8787/@wren', 'wren'],
    ['http://localhost:8787/users/wren', 'wren'],
    ['acct:wren@localhost', null],
    ['acct:wren@localhost:8788', null],
    ['http://localhost:8788/@wren', null],
  ])('does not treat the port of a local instance as part of a name: %s', (resource, name) => {
    const domain = 'localhost:8787'
    const config = { ...context().config, origin: `http://${domain}`, domain, ownDomains: [domain] }
    expect(usernameFromResource(config, resource)).toBe(name)
  })

  it('answers for both domains of a split server with the handle domain [T-139]', async () => {
    const { username } = await given.account()
    for (const domain of ['birds.test', 'fieldfare.test'])
      expect(await finger(`acct:${username}@${domain}`, split)).toMatchObject({
        status: 200,
        body: {
          subject: `acct:${username}@birds.test`,
          aliases: [`https://fieldfare.test/@${username}`, `https://fieldfare.test/users/${username}`],
        },
      })
  })

  it('WebFinger finds the instance actor [T-140]', async () => {
    for (const resource of [
      'acct:fieldfare.test@fieldfare.test',
      'https://fieldfare.test/actor',
      'https://fieldfare.test',
    ])
      expect(await finger(resource), resource).toMatchObject({
        status: 200,
        body: {
          subject: 'acct:fieldfare.test@fieldfare.test',
          links: [
            {},
            { rel: 'self', href: 'https://fieldfare.test/actor' },
            { rel: 'http://ostatus.org/schema/1.0/subscribe' },
            ...intents,
          ],
        },
      })
  })

  it('returns only the requested link relations', async () => {
    const { username } = await given.account()
    const { body } = await fetchDocument(
      `/.well-known/webfinger?resource=acct:${username}@fieldfare.test&rel=self`,
    )
    expect(body['links']).toMatchObject([{ rel: 'self' }])
  })

  it('WebFinger requires a resource [T-141]', async () => {
    expect(await fetchDocument('/.well-known/webfinger')).toMatchObject({ status: 400 })
  })

  it('answers 404 for remote and unconfirmed accounts and malformed names [T-142]', async () => {
    const remote = await given.remoteAccount()
    const newcomer = await given.account({ user: { confirmedAt: null } })
    const resources = [
      'acct:nobody@fieldfare.test',
      `acct:${remote.username}@elsewhere.test`,
      `acct:${newcomer.username}@fieldfare.test`,
      remote.uri,
      'https://fieldfare.test/about',
      'https://elsewhere.test/actor',
      'acct:nobody',
      'mailto:a@fieldfare.test',
      'https://',
      '%',
    ]
    for (const resource of resources) expect(await finger(resource), resource).toMatchObject({ status: 404 })
  })

  it('answers for suspended accounts without their picture, and 410 for deleted ones [T-143]', async () => {
    const suspended = await given.account({ suspendedAt: clock.now(), avatar: { key: 'avatars/1.png' } })
    const { body } = await finger(`acct:${suspended.username}@fieldfare.test`)
    expect(body['links']).toHaveLength(8)

    const uri = 'https://fieldfare.test/users/deleted-finger'
    await context().db.insert(tombstones).values({ uri, deletedAt: clock.now(), published: true })
    expect(await finger('acct:deleted-finger@fieldfare.test')).toMatchObject({ status: 410 })
  })
})

describe('host-meta', () => {
  const template = 'https://fieldfare.test/.well-known/webfinger?resource={uri}'

  it('serves host-meta in XML [T-144]', async () => {
    const { status, text, headers } = await fetchDocument('/.well-known/host-meta', { accept: null })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/xrd\+xml/)
    expect(text).toContain(`<Link rel="lrdd" template="${template}"/>`)
  })

  it.each([
    ['/.well-known/host-meta', 'application/json'],
    ['/.well-known/host-meta.json', null],
  ])('serves host-meta in JSON: %s for %s', async (path, accept) => {
    const { body } = await fetchDocument(path, { accept })
    expect(body).toEqual({ links: [{ rel: 'lrdd', template }] })
  })
})
