import { describe, expect, it } from 'vitest'
import { mastoFailure, mastoOf } from '../support/masto'
import { aliceAndBob, newName } from '../support/people'

describe('searching with masto', () => {
  it('finds people, hashtags and posts by their words', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const word = newName('wheatear').replaceAll('_', '')
    const status = await asAlice.v1.statuses.create({ status: `Zwei ${word} in den Dünen #${word}` })
    const ids = async (q: string, more = {}) =>
      (await asAlice.v2.search.list({ q, ...more })).statuses.map(({ id }) => id)
    const all = await asAlice.v2.search.list({ q: word })
    expect(all).toMatchObject({ hashtags: [{ name: word }], statuses: [{ id: status.id }], accounts: [] })
    for (const q of [
      `dunen ${word}`,
      `"zwei ${word}"`,
      `#${word}`,
      `${word} from:me`,
      `${word} in:library -has:media`,
    ])
      expect(await ids(q), q).toEqual([status.id])
    for (const q of [`${word} -dunen`, `${word} has:poll`, `${word} before:2020-01-01`, `${word} in:public`])
      expect(await ids(q), q).toEqual([])
    expect(await ids(word, { type: 'statuses', offset: 1 })).toEqual([])
    expect((await asBob.v2.search.list({ q: word })).statuses).toEqual([])
    const naming = await asAlice.v1.statuses.create({ status: `${word} for ${bob.acct}` })
    const found = await asBob.v2.search.list({ q: `${word} from:${alice.acct}`, type: 'statuses' })
    expect(found.statuses.map(({ id }) => id)).toEqual([naming.id])
    expect(await mastoFailure(asBob.v2.search.list({ q: 'before:yesterday' }))).toMatchObject({
      statusCode: 422,
    })
  })
})
