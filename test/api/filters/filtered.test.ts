import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { givenFilter } from '../../support/given-filter'
import { storedListOfFollowed } from '../../support/given-list'
import { relation } from '../../support/given-relationships'
import { clock } from '../../support/test-app'

/** Filters are applied on the server: every status says which of its reader's filters it matches. */

const Loose = z.looseObject({ id: z.string() })
const statusesIn = (body: unknown) => z.array(Loose).parse(body)
const titles = (status: unknown) => {
  const { filtered } = z
    .looseObject({ filtered: z.array(z.looseObject({ filter: z.looseObject({ title: z.string() }) })) })
    .parse(status)
  return filtered.map(({ filter }) => filter.title)
}

describe('a status that matches', () => {
  let alice: TestAccount
  let bob: TestAccount
  let matching: string
  let harmless: string
  beforeAll(async () => {
    ;[alice, bob] = [await given.account(), await given.account()]
    await relation.follow(alice, bob)
    matching = (await given.status({ by: bob, text: 'A Heron at the lake #birds' })).id
    harmless = (await given.status({ by: bob, text: 'Nothing but herons' })).id
    await givenFilter(alice, { title: 'Herons', words: ['heron'] })
  })

  it('names filter and keyword, with the filter as it is without contents [T-309]', async () => {
    const { body, costs } = await as(alice).get(`/api/v1/statuses/${matching}`)
    expect(body).toMatchObject({
      filtered: [
        {
          filter: {
            title: 'Herons',
            filter_action: 'warn',
            expires_at: null,
            context: ['home', 'notifications', 'public', 'thread', 'account'],
          },
          keyword_matches: ['heron'],
          status_matches: null,
        },
      ],
    })
    expect(
      Object.keys(
        z.looseObject({ filtered: z.array(z.object({ filter: z.looseObject({}) })) }).parse(body).filtered[0]
          ?.filter ?? {},
      ),
    ).not.toContain('keywords')
    expect(costs.trips).toBeLessThanOrEqual(1)
  })

  const lists: Readonly<Record<string, () => string>> = {
    home: () => '/api/v1/timelines/home',
    public: () => '/api/v1/timelines/public',
    tag: () => '/api/v1/timelines/tag/birds',
    account: () => `/api/v1/accounts/${bob.id}/statuses`,
    'several by id': () => `/api/v1/statuses?id[]=${matching}`,
  }
  for (const [name, path] of Object.entries(lists))
    it(`a matching status has filtered in ${name}, and others have none`, async () => {
      const { body, costs } = await as(alice).get(path())
      const found = statusesIn(body)
      expect(titles(found.find(({ id }) => id === matching))).toEqual(['Herons'])
      for (const other of found.filter(({ id }) => id === harmless)) expect(titles(other)).toEqual([])
      expect(costs.trips).toBeLessThanOrEqual(1)
    })

  it('a matching status has filtered among favourites, bookmarks and pins, and in responses to interactions', async () => {
    for (const mark of ['favourite', 'bookmark'])
      expect(titles((await as(alice).post(`/api/v1/statuses/${matching}/${mark}`)).body), mark).toEqual([
        'Herons',
      ])
    for (const list of ['favourites', 'bookmarks'])
      expect(titles(statusesIn((await as(alice).get(`/api/v1/${list}`)).body)[0]), list).toEqual(['Herons'])
  })

  it('a matching status has filtered in a thread', async () => {
    const answer = await given.status({ by: bob, text: 'another heron', inReplyTo: { id: matching } })
    const Thread = z.object({ ancestors: z.array(z.unknown()), descendants: z.array(z.unknown()) })
    const below = Thread.parse((await as(alice).get(`/api/v1/statuses/${matching}/context`)).body)
    expect(below.descendants.map(titles)).toEqual([['Herons']])
    const above = Thread.parse((await as(alice).get(`/api/v1/statuses/${answer.id}/context`)).body)
    expect(above.ancestors.map(titles)).toEqual([['Herons']])
  })

  it('a matching status has filtered in notifications, all of them and one', async () => {
    const mention = await given.status({ by: bob, text: `@${alice.username} a heron` })
    const { body } = await as(alice).get('/api/v1/notifications?types[]=mention')
    const [first] = z
      .array(z.looseObject({ id: z.string(), status: z.looseObject({ id: z.string() }) }))
      .parse(body)
    expect(first?.status.id).toBe(mention.id)
    expect(titles(first?.status)).toEqual(['Herons'])
    const one = await as(alice).get(`/api/v1/notifications/${first?.id}`)
    expect(titles(z.looseObject({ status: z.unknown() }).parse(one.body).status)).toEqual(['Herons'])
  })

  it('a matching status has filtered in search results', async () => {
    const q = encodeURIComponent(`https://fieldfare.test/@${bob.username}/${matching}`)
    const { body } = await as(alice).get(`/api/v2/search?q=${q}&type=statuses`)
    const { statuses } = z.looseObject({ statuses: z.array(z.unknown()) }).parse(body)
    expect(statuses.map(titles)).toEqual([['Herons']])
  })

  it('a matching status has filtered as a reblog and as the reblogged status [T-310]', async () => {
    const carol = await given.account()
    await relation.follow(alice, carol)
    await as(carol).post(`/api/v1/statuses/${matching}/reblog`)
    const found = statusesIn((await as(alice).get(`/api/v1/accounts/${carol.id}/statuses`)).body)
    expect(titles(found[0])).toEqual(['Herons'])
    expect(titles(found[0]?.['reblog'])).toEqual(['Herons'])
    const one = await as(alice).get(`/api/v1/statuses/${found[0]?.id}`)
    expect(titles(z.looseObject({ reblog: z.unknown() }).parse(one.body).reblog)).toEqual(['Herons'])
  })

  it('a matching status has filtered as a quote, for itself alone', async () => {
    const quoting = await as(bob).post('/api/v1/statuses', {
      status: 'Look at this',
      quoted_status_id: matching,
    })
    const { id } = Loose.parse(quoting.body)
    const { body } = await as(alice).get(`/api/v1/statuses/${id}`)
    expect(titles(body)).toEqual([])
    expect(
      titles(
        z.looseObject({ quote: z.looseObject({ quoted_status: z.unknown() }) }).parse(body).quote
          .quoted_status,
      ),
    ).toEqual(['Herons'])
  })

  it('matches by content warning, by a poll and by pictures', async () => {
    const poll = { options: ['coot', 'heron'], expires_in: 3600 }
    for (const sent of [
      { status: 'x', spoiler_text: 'heron' },
      { status: 'x', poll },
    ]) {
      const { id } = Loose.parse((await as(bob).post('/api/v1/statuses', sent)).body)
      expect(titles((await as(alice).get(`/api/v1/statuses/${id}`)).body)).toEqual(['Herons'])
    }
  })

  it('a matching status has filtered for the owner of the filter alone, and nothing for anonymous visitors [T-311]', async () => {
    const carol = await given.account()
    await givenFilter(carol, { title: 'Lakes', words: ['lake'] })
    expect(titles((await as(carol).get(`/api/v1/statuses/${matching}`)).body)).toEqual(['Lakes'])
    expect(titles((await as(bob).get(`/api/v1/statuses/${matching}`)).body)).toEqual([])
    expect((await as(null).get(`/api/v1/statuses/${matching}`)).body).not.toHaveProperty('filtered')
    const app = await given.token({ scopes: 'read' })
    expect((await as(app).get(`/api/v1/statuses/${matching}`)).body).not.toHaveProperty('filtered')
  })

  it('a matching status has status_matches for a filtered status, also as a reblog [T-312]', async () => {
    const dave = await given.account()
    const { id } = await givenFilter(dave, { title: 'This one' })
    await as(dave).post(`/api/v2/filters/${id}/statuses`, { status_id: harmless })
    expect((await as(dave).get(`/api/v1/statuses/${harmless}`)).body).toMatchObject({
      filtered: [{ filter: { id }, keyword_matches: null, status_matches: [harmless] }],
    })
    expect(titles((await as(dave).get(`/api/v1/statuses/${matching}`)).body)).toEqual([])
    const reblog = Loose.parse((await as(alice).post(`/api/v1/statuses/${harmless}/reblog`)).body)
    expect((await as(dave).get(`/api/v1/statuses/${reblog.id}`)).body).toMatchObject({
      filtered: [{ status_matches: [harmless] }],
      reblog: { filtered: [{ status_matches: [harmless] }] },
    })
  })
})

describe('`filtered`', () => {
  it('changes with its filters at once, for every token', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const phone = await given.token({ accountId: alice.id, scopes: 'read' })
    const { id } = await given.status({ by: bob, text: 'heron and coot' })
    const keywords = async (who: TestAccount | string) => {
      const { body } = await as(who).get(`/api/v1/statuses/${id}`)
      return z
        .looseObject({ filtered: z.array(z.looseObject({ keyword_matches: z.array(z.string()) })) })
        .parse(body)
        .filtered.flatMap(({ keyword_matches }) => keyword_matches)
    }
    const both = async () => [await keywords(alice), await keywords(phone)]
    expect(await both()).toEqual([[], []])
    const filter = await givenFilter(alice, { words: ['heron'] })
    expect(await both()).toEqual([['heron'], ['heron']])
    expect(await both()).toEqual([['heron'], ['heron']])
    const added = await as(alice).post(`/api/v2/filters/${filter.id}/keywords`, { keyword: 'coot' })
    expect(await both()).toEqual([
      ['heron', 'coot'],
      ['heron', 'coot'],
    ])
    await as(alice).delete(`/api/v2/filters/keywords/${filter.keywords[0]?.id}`)
    expect(await both()).toEqual([['coot'], ['coot']])
    await as(alice).put(`/api/v2/filter_keywords/${Loose.parse(added.body).id}`, { keyword: 'and' })
    expect(await both()).toEqual([['and'], ['and']])
    await as(alice).delete(`/api/v2/filters/${filter.id}`)
    expect(await both()).toEqual([[], []])
  })

  it('`filtered` is read from the database once, and then only its version', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: bob })
    const bare = await as(alice).get(`/api/v1/statuses/${id}`)
    await givenFilter(alice, { words: Array.from({ length: 100 }, (_, index) => `word${index}`) })
    const first = await as(alice).get(`/api/v1/statuses/${id}`)
    const second = await as(alice).get(`/api/v1/statuses/${id}`)
    expect(first.costs.rowsRead).toBeGreaterThan(100)
    expect(second.costs).toMatchObject({ trips: 1, statements: bare.costs.statements })
    expect(second.costs.rowsRead - bare.costs.rowsRead).toBeLessThanOrEqual(1)
  })

  it('`filtered` ends with the filter [T-313]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: bob, text: 'heron' })
    await givenFilter(alice, { title: 'Today', words: ['heron'], expires_in: 60 })
    expect(titles((await as(alice).get(`/api/v1/statuses/${id}`)).body)).toEqual(['Today'])
    clock.advance(60_000)
    expect(titles((await as(alice).get(`/api/v1/statuses/${id}`)).body)).toEqual([])
    expect((await as(alice).get('/api/v2/filters')).body).toMatchObject([{ title: 'Today' }])
  })
})

describe('a filter that hides', () => {
  const shown = async (who: TestAccount, path: string) =>
    statusesIn((await as(who).get(path)).body).map(({ id }) => id)

  it('removes matching posts from home, and pages continue after them [T-314]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.follow(alice, bob)
    const all: string[] = []
    for (const text of ['first', 'heron', 'heron', 'last'])
      all.push((await given.status({ by: bob, text })).id)
    const [first, , , last] = all
    const { id } = await givenFilter(alice, { words: ['heron'], context: ['home'], filter_action: 'hide' })
    expect(await shown(alice, '/api/v1/timelines/home')).toEqual([last, first])

    const top = await as(alice).get('/api/v1/timelines/home?limit=2')
    expect(statusesIn(top.body).map((status) => status.id)).toEqual([last])
    const empty = await as(alice).get('/api/v1/timelines/home?limit=1&max_id='.concat(String(last)))
    expect(empty.body).toEqual([])
    expect(empty.links.next).toContain(`max_id=${all[2]}`)
    expect(await shown(alice, String(top.links.next))).toEqual([first])

    await as(alice).put(`/api/v2/filters/${id}`, { filter_action: 'warn' })
    expect(await shown(alice, '/api/v1/timelines/home')).toEqual([...all].reverse())
  })

  it('removes matching posts from lists, which are homes as well', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const list = await storedListOfFollowed({ of: alice, members: [bob] })
    const path = `/api/v1/timelines/list/${list}`
    const { id } = await given.status({ by: bob, text: 'heron' })
    expect(await shown(alice, path)).toEqual([id])
    await givenFilter(alice, { words: ['heron'], context: ['home'], filter_action: 'hide' })
    const { body, links } = await as(alice).get(path)
    expect(body).toEqual([])
    expect(links.next).toContain(`max_id=${id}`)
  })

  it('removes reblogs of matching posts as well', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    await relation.follow(alice, bob)
    const { id } = await given.status({ by: carol, text: 'heron' })
    await as(bob).post(`/api/v1/statuses/${id}/reblog`)
    expect(await shown(alice, '/api/v1/timelines/home')).toHaveLength(1)
    await givenFilter(alice, { words: ['heron'], filter_action: 'hide' })
    expect(await shown(alice, '/api/v1/timelines/home')).toEqual([])
  })

  it('sets `filtered` everywhere else, and clients decide by context [T-315]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.follow(alice, bob)
    const { id } = await given.status({ by: bob, text: `@${alice.username} heron` })
    await givenFilter(alice, { title: 'Gone', words: ['heron'], filter_action: 'hide' })
    const profile = statusesIn((await as(alice).get(`/api/v1/accounts/${bob.id}/statuses`)).body)
    expect(profile.map(titles)).toEqual([['Gone']])
    expect(titles((await as(alice).get(`/api/v1/statuses/${id}`)).body)).toEqual(['Gone'])
    const { body } = await as(alice).get('/api/v1/notifications')
    expect(
      z
        .array(z.looseObject({ status: z.unknown() }))
        .parse(body)
        .map(({ status }) => titles(status)),
    ).toEqual([['Gone']])
  })

  it('hides nothing in home when its contexts are others', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.follow(alice, bob)
    const { id } = await given.status({ by: bob, text: 'heron' })
    await givenFilter(alice, { words: ['heron'], context: ['public', 'thread'], filter_action: 'hide' })
    expect(await shown(alice, '/api/v1/timelines/home')).toEqual([id])
  })

  it('never hides the owner’s own statuses', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice, text: 'my own heron' })
    await givenFilter(alice, { words: ['heron'], filter_action: 'hide' })
    expect(await shown(alice, '/api/v1/timelines/home')).toEqual([id])
  })
})
