import { describe, expect, it } from 'vitest'
import { megalodonFailure, megalodonOf, posted } from '../support/megalodon'
import { aliceAndBob, newName } from '../support/people'

describe('searching with megalodon', () => {
  it('finds posts by their text, for allowed viewers', async () => {
    const { asAlice, asBob } = await aliceAndBob(megalodonOf)
    const word = newName('dipper').replaceAll('_', '')
    const { id } = posted(await asAlice.postStatus(`${word} 東京の鳥`, { visibility: 'private' }))
    const find = async (client: typeof asAlice, q: string, more = {}) =>
      (await client.search(q, { type: 'statuses', limit: 5, ...more })).data.statuses.map((one) => one.id)
    for (const q of [word, `${word} 東京`, `${word} from:me -is:reply`])
      expect(await find(asAlice, q), q).toEqual([id])
    expect(await find(asAlice, word, { max_id: id })).toEqual([])
    expect(await find(asBob, word)).toEqual([])
    expect(await find(megalodonOf(null), word)).toEqual([])
    expect(await megalodonFailure(asAlice.search('during:now', { type: 'statuses' }))).toMatchObject({
      status: 422,
    })
  })
})
