import { describe, expect, it } from 'vitest'
import { megalodonFailure, megalodonOf, posted } from '../support/megalodon'
import { aliceAndBob } from '../support/people'

/** megalodon knows the filters of before 4.0: a single phrase each. */
describe('filters with megalodon', () => {
  it('are made, read, changed and deleted', async () => {
    const { asAlice, asBob } = await aliceAndBob(megalodonOf)
    const { data: made } = await asAlice.createFilter('heron', ['home'], { irreversible: true })
    expect(made).toMatchObject({ phrase: 'heron', context: ['home'], irreversible: true, whole_word: false })
    const { data: changed } = await asAlice.updateFilter(made.id, 'egret', ['home', 'thread'], {
      irreversible: false,
      whole_word: true,
      expires_in: '3600',
    })
    expect(changed).toMatchObject({ id: made.id, phrase: 'egret', irreversible: false, whole_word: true })
    expect((await asAlice.getFilter(made.id)).data).toEqual(changed)
    expect((await asAlice.getFilters()).data).toEqual([changed])
    expect(await megalodonFailure(asBob.getFilter(made.id))).toMatchObject({ status: 404 })
    await asAlice.deleteFilter(made.id)
    expect((await asAlice.getFilters()).data).toEqual([])
  })

  it('hide from home what they drop', async () => {
    const { bob, asAlice, asBob } = await aliceAndBob(megalodonOf)
    await asAlice.followAccount(bob.id)
    const { id } = posted(await asBob.postStatus('A heron', {}))
    expect((await asAlice.getHomeTimeline()).data.map((one) => one.id)).toContain(id)
    await asAlice.createFilter('heron', ['home'], { irreversible: true })
    expect((await asAlice.getHomeTimeline()).data.map((one) => one.id)).not.toContain(id)
  })
})
