import { describe, expect, it } from 'vitest'
import { mastoFailure, mastoOf } from '../support/masto'
import { aliceAndBob } from '../support/people'

describe('filters with masto', () => {
  it('are made, changed with several keywords at once, and removed', async () => {
    const { asAlice, asBob } = await aliceAndBob(mastoOf)
    const made = await asAlice.v2.filters.create({
      title: 'Birds',
      context: ['home', 'thread'],
      expiresIn: 3600,
      keywordsAttributes: [{ keyword: 'heron' }, { keyword: 'coot', wholeWord: false }],
    })
    expect(made).toMatchObject({
      title: 'Birds',
      context: ['home', 'thread'],
      filterAction: 'warn',
      statuses: [],
      keywords: [
        { keyword: 'heron', wholeWord: true },
        { keyword: 'coot', wholeWord: false },
      ],
    })
    const filter = asAlice.v2.filters.$select(made.id)
    const changed = await filter.update({
      title: 'Waders',
      filterAction: 'hide',
      keywordsAttributes: [
        { id: made.keywords[0]?.id ?? null, _destroy: true },
        { id: made.keywords[1]?.id ?? null, keyword: 'stilt' },
        { keyword: 'avocet' },
      ],
    })
    expect(changed).toMatchObject({ title: 'Waders', filterAction: 'hide' })
    expect(changed.keywords.map(({ keyword }) => keyword)).toEqual(['stilt', 'avocet'])
    expect(await asAlice.v2.filters.list()).toEqual([changed])
    expect(await mastoFailure(asBob.v2.filters.$select(made.id).fetch())).toMatchObject({ statusCode: 404 })
    await filter.remove()
    expect(await asAlice.v2.filters.list()).toEqual([])
  })

  it('have keywords and statuses of their own addresses', async () => {
    const { asAlice, asBob } = await aliceAndBob(mastoOf)
    const { id } = await asAlice.v2.filters.create({ title: 'Birds', context: ['home'] })
    const filter = asAlice.v2.filters.$select(id)
    const keyword = await filter.keywords.create({ keyword: 'heron' })
    const one = asAlice.v2.filters.keywords.$select(keyword.id)
    expect(await one.update({ keyword: 'egret', wholeWord: false })).toEqual({
      id: keyword.id,
      keyword: 'egret',
      wholeWord: false,
    })
    expect(await filter.keywords.list()).toEqual([await one.fetch()])
    await one.remove()
    expect(await filter.keywords.list()).toEqual([])
    const status = await asBob.v1.statuses.create({ status: 'Look' })
    const filtered = await filter.statuses.create({ statusId: status.id })
    expect(await filter.statuses.list()).toEqual([filtered])
    const seen = await asAlice.v1.statuses.$select(status.id).fetch()
    expect(seen.filtered).toMatchObject([{ filter: { id }, statusMatches: [status.id] }])
    await asAlice.v2.filters.statuses.$select(filtered.id).remove()
    expect(await filter.statuses.list()).toEqual([])
  })

  it('set filtered in home, thread, notifications and search, and hide from home', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    await asAlice.v1.accounts.$select(bob.id).follow()
    const status = await asBob.v1.statuses.create({ status: `${alice.acct} A HERON!` })
    const { id } = await asAlice.v2.filters.create({
      title: 'Birds',
      context: ['home', 'notifications', 'thread', 'public', 'account'],
      keywordsAttributes: [{ keyword: 'heron' }],
    })
    const match = [{ filter: { id, title: 'Birds' }, keywordMatches: ['heron'] }]
    const answer = await asBob.v1.statuses.create({ status: 'Heron again', inReplyToId: status.id })

    const home = await asAlice.v1.timelines.home.list()
    expect(home.find((one) => one.id === status.id)?.filtered).toMatchObject(match)
    const thread = await asAlice.v1.statuses.$select(status.id).context.fetch()
    expect(thread.descendants).toMatchObject([{ id: answer.id, filtered: match }])
    const [mention] = await asAlice.v1.notifications.list({ types: ['mention'] })
    expect(mention).toMatchObject({ status: { id: status.id, filtered: match } })
    const found = await asAlice.v2.search.list({ q: status.url ?? '', type: 'statuses' })
    expect(found.statuses).toMatchObject([{ id: status.id, filtered: match }])

    await asAlice.v2.filters.$select(id).update({ filterAction: 'hide' })
    expect((await asAlice.v1.timelines.home.list()).map((one) => one.id)).not.toContain(status.id)
  })
})
