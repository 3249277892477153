import { expect } from 'vitest'
import * as z from 'zod'
import { mastoFailure } from '../../support/masto'
import { operate } from '../../support/operator'
import { aliceAndBob, domain, newPerson, newTag } from '../../support/people'
import type { ResourceV1, ResourceV2, Uses } from './use'

export const server: Uses<
  Extract<ResourceV1, 'annualReports' | 'announcements' | 'customEmojis' | 'instance'>
> = {
  async annualReports(as) {
    const { annualReports } = as(await newPerson()).v1
    const year = annualReports.$select(String(new Date().getUTCFullYear()))
    expect(await year.state.fetch()).toEqual({ state: 'ineligible' })
    await year.generate()
    expect(await mastoFailure(year.fetch())).toMatchObject({ statusCode: 404 })
    expect(await mastoFailure(year.read())).toMatchObject({ statusCode: 404 })
    expect(await annualReports.list()).toMatchObject({ annualReports: [], accounts: [] })
  },

  async announcements(as) {
    const { alice, asAlice, asBob } = await aliceAndBob(as)
    const text = `Counting on Sunday, ${alice.acct}. See #${newTag('count')}`
    const { id } = z
      .object({ id: z.string() })
      .parse(await operate('POST', '/api/fieldfare/v1/admin/announcements', { text }))
    const read = async (client: typeof asAlice) =>
      (await client.v1.announcements.list()).find((one) => one.id === id)
    expect(await read(asAlice)).toMatchObject({
      content: expect.stringContaining('Counting on Sunday'),
      allDay: false,
      read: false,
      mentions: [{ id: alice.id }],
      tags: [{ name: expect.any(String) }],
      statuses: [],
      emojis: [],
      reactions: [],
    })
    const one = asAlice.v1.announcements.$select(id)
    await one.reactions.$select('🐦').update()
    expect((await read(asAlice))?.reactions).toMatchObject([{ name: '🐦', count: 1, me: true }])
    expect((await read(asBob))?.reactions).toMatchObject([{ name: '🐦', count: 1, me: false }])
    await one.reactions.$select('🐦').remove()
    await one.dismiss()
    expect(await read(asAlice)).toMatchObject({ read: true, reactions: [] })
    await operate('DELETE', `/api/fieldfare/v1/admin/announcements/${id}`, {})
    expect(await mastoFailure(one.dismiss())).toMatchObject({ statusCode: 404 })
  },

  async customEmojis(as) {
    expect(Array.isArray(await as(null).v1.customEmojis.list())).toBe(true)
  },

  async instance(as) {
    const { instance } = as(null).v1
    const about = await instance.fetch()
    expect(about).toMatchObject({
      uri: domain,
      title: 'The Hedge',
      registrations: true,
      approvalRequired: false,
      stats: { userCount: expect.any(Number), statusCount: expect.any(Number), domainCount: 0 },
    })
    expect(about.version).toMatch(/^4\.6\.5\+fieldfare-\d/)
    expect(await instance.peers.list()).toEqual([])
    expect(await instance.activity.list()).toHaveLength(12)
    expect(await instance.languages.list()).toEqual(expect.arrayContaining([{ code: 'en', name: 'English' }]))
    expect(await instance.extendedDescription.fetch()).toMatchObject({ content: expect.any(String) })
    expect(await instance.translationLanguages.list()).toEqual({})
    const limit = { domain: 'cuckoo.example', severity: 'suspend', public_comment: 'Lays eggs' }
    const { id } = z
      .object({ id: z.string() })
      .parse(await operate('POST', '/api/v1/admin/domain_blocks', limit))
    const blocks = await instance.domainBlocks.fetch()
    expect(blocks.filter((block) => block.domain === limit.domain)).toEqual([
      {
        domain: limit.domain,
        severity: 'suspend',
        comment: 'Lays eggs',
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    await operate('DELETE', `/api/v1/admin/domain_blocks/${id}`, {})
  },
}

export const serverV2: Uses<Extract<ResourceV2, 'instance'>> = {
  async instance(as) {
    const instance = await as(null).v2.instance.fetch()
    expect(instance).toMatchObject({
      domain,
      title: 'The Hedge',
      languages: ['en'],
      apiVersions: { mastodon: 11 },
      registrations: { enabled: true, approvalRequired: false },
      configuration: {
        statuses: { maxCharacters: 500, charactersReservedPerUrl: 23 },
        accounts: { maxProfileFields: expect.any(Number) },
        polls: { maxOptions: 4 },
        translation: { enabled: false },
      },
    })
    expect(instance.rules.map(({ text }) => text)).toEqual(['Be kind to small birds', 'No cats'])
    expect(instance.configuration.urls.streaming).toMatch(/^wss?:\/\//)
    expect(instance.configuration.mediaAttachments.supportedMimeTypes).toContain('image/png')
    const thumbnail = await fetch(instance.thumbnail.url)
    expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/png'])
  },
}
