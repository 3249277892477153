import { describe, expect, it } from 'vitest'
import { anonymous, as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { freshName, given } from '../support/given'
import { storedStatus } from '../support/given-stored'

/** Posts a status in each of three languages, and a status without a language, under one hashtag. */
async function babel() {
  const author = await given.account()
  const tags = [freshName('babel')]
  const put = async (language: string | null) =>
    String(await storedStatus({ accountId: author.id, language, tags }))
  const [de, en, fr, none] = [await put('de'), await put('en'), await put('fr'), await put(null)]
  const paths = [`public?since_id=${Number(de) - 1}`, `tag/${tags[0]}?x=1`, `tag/${tags[0]}?any[]=nothing`]
  return { de, en, fr, none, paths }
}

describe('chosen languages', () => {
  it('public and hashtag timelines show chosen languages only, and posts without a language [T-600]', async () => {
    const { de, en, none, paths } = await babel()
    const reader = await given.account({ user: { settings: { chosenLanguages: ['en', 'de'] } } })
    for (const path of paths) {
      const answer = await as(reader).get(`/api/v1/timelines/${path}`)
      expect(idsOf(answer)).toEqual([none, en, de])
      expect(answer.costs.trips).toBeLessThanOrEqual(1)
    }
  })

  it('chosen languages change nothing for anonymous viewers, and for accounts without any', async () => {
    const { de, en, fr, none, paths } = await babel()
    const readers = [
      anonymous,
      as(await given.account()),
      as(await given.account({ user: { settings: { chosenLanguages: null } } })),
      as(await given.account({ user: { settings: { chosenLanguages: [] } } })),
    ]
    for (const reader of readers)
      for (const path of paths)
        expect(idsOf(await reader.get(`/api/v1/timelines/${path}`))).toEqual([none, fr, en, de])
  })
})
