import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoints } from '../../src/api/index'
import { NotificationType } from '../../src/contract/entities/notification'
import { softwareVersion } from '../../src/contract/version'
import { anonymous, as } from '../support/as'
import {
  isGlitchToElk,
  offeredByPhanpy,
  phanpyFeatures,
  readAsMastodonPy,
  readAsSemver,
  softwareToMegalodon,
} from '../support/client-version-parsers'
import { given } from '../support/given'
import { direct } from '../support/given-direct'

const Said = z.object({ version: z.string() })
const said = async (path: string) => Said.parse((await anonymous.get(path)).body).version

/** Versions that forks send, and that this server sent before. */
const others = {
  mastodon: '4.6.5',
  candidate: '4.7.0-rc.1',
  glitch: '4.6.5+glitch',
  hometown: '4.0.0+hometown-1.1.1',
  compatible: '4.5.0 (compatible; Fieldfare 0.1.0)',
}

describe.each(['/api/v1/instance', '/api/v2/instance'])('the version in %s', (path) => {
  it('the version is Mastodon’s with Fieldfare’s own as build metadata', async () => {
    expect(await said(path)).toBe(`4.6.5+fieldfare-${softwareVersion}`)
  })

  it('the version is Mastodon’s to Mastodon.py, which reads the part behind the + as Hometown’s', async () => {
    expect(readAsMastodonPy(await said(path))).toEqual([4, 6, 5])
    expect(readAsMastodonPy(others.glitch)).toEqual([4, 6, 5])
    expect(readAsMastodonPy('1.0.6+4.0.2')).toEqual([4, 0, 2])
  })

  it('the version is a semantic version, unlike the former one', async () => {
    expect(readAsSemver(await said(path))).toMatchObject({ triple: [4, 6, 5], preRelease: [] })
    expect(readAsSemver(others.candidate)).toMatchObject({ triple: [4, 7, 0], preRelease: ['rc', '1'] })
    expect(readAsSemver(others.hometown)).not.toBeNull()
    expect(readAsSemver(others.compatible)).toBeNull()
  })

  it('enables every Mastodon feature of Phanpy that depends on the version', async () => {
    expect(offeredByPhanpy(await said(path), null)).toEqual(Object.keys(phanpyFeatures))
    expect(offeredByPhanpy(await said(path), 'mastodon')).toEqual(
      offeredByPhanpy(others.mastodon, 'mastodon'),
    )
    expect(offeredByPhanpy(others.compatible, 'mastodon')).toEqual([])
  })

  it('the version is not recognised as glitch-soc’s by Elk', async () => {
    expect([await said(path), others.glitch].map(isGlitchToElk)).toEqual([false, true])
  })
})

describe('NodeInfo', () => {
  const Document = z.object({
    software: z.object({ name: z.string(), version: z.string() }),
    metadata: z.object({ upstream: z.object({ name: z.string() }) }),
  })

  it.each(['2.0', '2.1'])(
    '%s has the version of the software itself, and megalodon reads it',
    async (version) => {
      const document = Document.parse((await anonymous.get(`/nodeinfo/${version}`)).body)
      expect(document.software).toMatchObject({ name: 'fieldfare', version: softwareVersion })
      expect(softwareToMegalodon(document)).toBe('mastodon')
      expect(softwareToMegalodon({ ...document, metadata: {} })).toBeNull()
    },
  )

  it('NodeInfo has a name that Phanpy does not recognise as Mastodon, so that a reachable NodeInfo hides features', async () => {
    const { software } = Document.parse((await anonymous.get('/nodeinfo/2.0')).body)
    expect(offeredByPhanpy(await said('/api/v2/instance'), software.name)).toEqual([])
  })
})

/** Additions of each number, by the documentation and changelog of Mastodon 4.6. */
describe('api_versions.mastodon 11 includes', () => {
  const has = (method: string, path: string) =>
    endpoints.some((endpoint) => endpoint.method === method && endpoint.path === path)

  it('8 added: exclude_direct, and reports of a year on demand', async () => {
    const alice = await given.account()
    await direct(alice, [])
    const path = `/api/v1/accounts/${alice.id}/statuses`
    expect((await as(alice).get(path)).body).toHaveLength(1)
    expect((await as(alice).get(`${path}?exclude_direct=true`)).body).toEqual([])
    expect(has('GET', '/api/v1/annual_reports/:year/state')).toBe(true)
    expect(has('POST', '/api/v1/annual_reports/:year/generate')).toBe(true)
  })

  it.each([
    ['9', '/api/v1/profile'],
    ['11', '/api/v1/accounts/update_credentials'],
  ])('%s added: descriptions of avatar and header by PATCH %s', async (_number, path) => {
    const alice = await given.account()
    const descriptions = { avatar_description: 'A heron', header_description: 'The sea' }
    expect((await as(alice).patch(path, descriptions)).body).toMatchObject(descriptions)
    expect((await as(alice).get('/api/v1/profile')).body).toMatchObject(descriptions)
    expect((await anonymous.get(`/api/v1/accounts/${alice.id}`)).body).toMatchObject(descriptions)
  })

  it('10 added: collections, and notifications of them', () => {
    for (const [method, path] of [
      ['GET', '/api/v1/accounts/:account_id/collections'],
      ['GET', '/api/v1/accounts/:account_id/in_collections'],
      ['POST', '/api/v1/collections'],
      ['GET', '/api/v1/collections/:id'],
      ['PATCH', '/api/v1/collections/:id'],
      ['DELETE', '/api/v1/collections/:id'],
      ['POST', '/api/v1/collections/:collection_id/items'],
      ['DELETE', '/api/v1/collections/:collection_id/items/:id'],
      ['POST', '/api/v1/collections/:collection_id/items/:id/revoke'],
    ] as const)
      expect(has(method, path), `${method} ${path}`).toBe(true)
    expect(NotificationType.options).toEqual(
      expect.arrayContaining(['added_to_collection', 'collection_update']),
    )
  })
})
