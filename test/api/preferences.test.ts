import { describe, expect, it } from 'vitest'
import type { UserSettings } from '../../src/db/schema/accounts'
import { as } from '../support/as'
import { given } from '../support/given'

describe('GET /api/v1/preferences', () => {
  it('GET preferences → the flat posting:* and reading:* keys, in one round trip [T-445]', async () => {
    const alice = await given.account({ user: { locale: 'de' } })
    const answer = await as(alice).get('/api/v1/preferences')
    expect(answer.body).toEqual({
      'posting:default:visibility': 'public',
      'posting:default:sensitive': false,
      'posting:default:language': 'de',
      'posting:default:quote_policy': 'public',
      'reading:expand:media': 'default',
      'reading:expand:spoilers': false,
      'reading:autoplay:gifs': false,
    })
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
  })

  it('GET /api/v1/preferences has private as the default for locked accounts', async () => {
    const alice = await given.account({ locked: true })
    expect((await as(alice).get('/api/v1/preferences')).body).toMatchObject({
      'posting:default:visibility': 'private',
    })
  })

  it('GET /api/v1/preferences has the chosen values', async () => {
    const settings: UserSettings = {
      defaultVisibility: 'unlisted',
      defaultSensitive: true,
      defaultLanguage: 'fr',
      defaultQuotePolicy: 'nobody',
      expandMedia: 'hide_all',
      expandSpoilers: true,
      autoplayGifs: true,
    }
    const alice = await given.account({ locked: true, user: { settings } })
    expect((await as(alice).get('/api/v1/preferences')).body).toEqual({
      'posting:default:visibility': 'unlisted',
      'posting:default:sensitive': true,
      'posting:default:language': 'fr',
      'posting:default:quote_policy': 'nobody',
      'reading:expand:media': 'hide_all',
      'reading:expand:spoilers': true,
      'reading:autoplay:gifs': true,
    })
  })
})
