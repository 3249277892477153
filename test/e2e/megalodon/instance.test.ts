import { detector } from 'megalodon'
import { describe, expect, it } from 'vitest'
import { megalodonOf } from '../support/megalodon'
import { domain, origin } from '../support/people'

describe('the instance with megalodon', () => {
  it('has its description and limits', async () => {
    const { data } = await megalodonOf(null).getInstance()
    expect(data).toMatchObject({
      uri: domain,
      title: 'The Hedge',
      registrations: true,
      approval_required: false,
      configuration: {
        statuses: { max_characters: 500, max_media_attachments: 4, characters_reserved_per_url: 23 },
        polls: { max_options: 4, max_characters_per_option: 50 },
      },
    })
    expect(data.urls?.streaming_api).toMatch(/^wss?:\/\//)
    expect(data.rules?.map(({ text }) => text)).toEqual(['Be kind to small birds', 'No cats'])
  })

  it('is found to speak the API of Mastodon', async () => {
    expect(await detector(origin)).toBe('mastodon')
    expect((await megalodonOf(null).getInstance()).data.version).toMatch(/^4\.6\.5\+fieldfare-\d/)
  })

  it('lists its emojis, peers and weeks', async () => {
    const client = megalodonOf(null)
    expect((await client.getInstanceCustomEmojis()).data).toEqual([])
    expect((await client.getInstancePeers()).data).toEqual([])
    const { data: weeks } = await client.getInstanceActivity()
    expect(weeks).toHaveLength(12)
    expect(Number(weeks[0]?.registrations)).toBeGreaterThan(0)
  })
})
