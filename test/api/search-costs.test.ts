import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { linkTrait } from '../../src/domain/search/document'
import { tokensOf } from '../../src/domain/search/words'
import { dayMilliseconds } from '../../src/lib/days'
import { idAt } from '../../src/lib/ids'
import { as } from '../support/as'
import { expectCosts } from '../support/expect-costs'
import { given, type TestAccount } from '../support/given'
import { relation } from '../support/given-relationships'
import { foundStatusIds, searchPath, searchStatuses, updateSearchIndex } from '../support/searching'
import { clock } from '../support/test-app'

/** Costs of a search among 20,000 indexed statuses of 100 accounts, every one with the word `thrush`. */

const posts = 20_000
const perInsert = 1_000
const commonPage = 'https://pages.example/common?x=1'
const rarePage = 'https://pages.example/rare'

interface Place {
  readonly me: TestAccount
  readonly loud: TestAccount
  readonly others: readonly TestAccount[]
}

/** A tenth is by somebody loud, half of the rest by people who let nobody search; the oldest are mine. */
async function build(): Promise<Place> {
  const [me, loud] = [await given.account(), await given.account({ indexable: true })]
  const others: TestAccount[] = []
  for (let index = 0; index < 40; index += 1) others.push(await given.account({ indexable: index % 2 === 0 }))
  const at = (index: number) => idAt(new Date(clock.now().getTime() - (index + 1) * 60_000), 7)
  for (let start = 0; start < posts; start += perInsert) {
    const rows = Array.from({ length: perInsert }, (_, offset) => {
      const index = start + offset
      const other = others[index % others.length] ?? me
      const author = index >= posts - 20 ? me : index < 2_000 ? loud : other
      const isOpen = author === loud || (author === other && index % 2 === 0)
      const text = `Two thrush numbers${index} in the apple tree this morning ${index % 1_000 === 0 ? 'ouzel' : ''}`
      const linked = linkTrait(index % 1_000 === 0 ? rarePage : commonPage)
      return {
        id: at(index),
        author: author.id,
        text: tokensOf(text).join(' '),
        content: `<p>${text}</p>`,
        traits: `f${author.id} len0 ${linked} w${author.id}${isOpen ? ' pub' : ''}`,
        at: clock.now().getTime() - (index + 1) * 60_000,
      }
    })
    await env.DB.batch([
      env.DB.prepare(
        `insert into statuses (id, account_id, local, visibility, content, conversation_id, created_at)
          select value ->> 'id', value ->> 'author', 1, 'public', value ->> 'content', value ->> 'id', value ->> 'at'
          from json_each(?)`,
      ).bind(JSON.stringify(rows)),
      env.DB.prepare(
        `insert into status_search (rowid, text, traits)
          select value ->> 'id', value ->> 'text', value ->> 'traits' from json_each(?)`,
      ).bind(JSON.stringify(rows)),
    ])
  }
  return { me, loud, others }
}

describe('costs of a search', () => {
  let place: Place
  beforeAll(async () => {
    await updateSearchIndex()
    place = await build()
  }, 240_000)

  it.each([
    ['a word in everything', 'thrush', 20],
    ['a rare word', 'ouzel', 20],
    ['a phrase of common words', '"two thrush"', 20],
    ['the rest of a common word', 'thrush -ouzel', 20],
    ['a common word of mine, from long ago', 'thrush from:me', 20],
    ['a common word in my library', 'thrush in:library', 20],
    ['a page linked by many, with a word', `thrush ${commonPage}`, 20],
    ['a page linked by few, of those of mine', `thrush ${rarePage} -${commonPage}`, 20],
  ])('%s: one round trip and 400 rows for a page of 20', async (_, q, count) => {
    const answer = await searchStatuses(place.me, q)
    expect(await foundStatusIds(place.me, q)).toHaveLength(count)
    expectCosts(answer.costs, { trips: 1, statements: 3, rowsWritten: 0 })
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(400)
  })

  it.each([
    [commonPage, {}, 20],
    [`${commonPage}#top`, { offset: '20' }, 20],
    [rarePage, {}, 20],
    ['https://pages.example/none', {}, 0],
    [`https://pages.example/${'x'.repeat(8_000)}`, {}, 0],
  ])('an address: at most three round trips and 500 rows: %s', async (q, more, count) => {
    const answer = await searchStatuses(place.me, q, more)
    expect(await foundStatusIds(place.me, q, more)).toHaveLength(count)
    expect(answer.costs.trips).toBeLessThanOrEqual(3)
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(500)
    expect(answer.costs.rowsWritten).toBe(0)
  })

  it('all kinds at once stay within it', async () => {
    const { costs } = await as(place.me).get(searchPath('thrush', { resolve: 'true' }))
    expect(costs.trips).toBe(1)
    expect(costs.rowsRead).toBeLessThanOrEqual(400)
  })

  it('later pages and hidden candidates stop at 370 rows', async () => {
    const deep = await searchStatuses(place.me, 'thrush', { offset: '340' })
    expect(deep.costs.rowsRead).toBeLessThanOrEqual(2_000)
    expect(await foundStatusIds(place.me, 'thrush', { offset: '340' })).toHaveLength(20)
    await relation.mute(place.me, place.loud)
    const hidden = await searchStatuses(place.me, 'thrush')
    expect(hidden.costs.rowsRead).toBeLessThanOrEqual(2_000)
  })

  it('accounts and days in the query cost one round trip more', async () => {
    const author = place.others[0]?.username ?? ''
    const later = new Date(clock.now().getTime() + 7 * dayMilliseconds).toISOString().slice(0, 10)
    const answer = await searchStatuses(place.me, `thrush from:${author} before:${later}`)
    expect(answer.costs.trips).toBeLessThanOrEqual(3)
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(400)
  })

  it('the index takes less than 150 bytes for each of such short posts', async () => {
    const found = await env.DB.prepare(
      `select (select sum(length(block)) from status_search_data)
        + (select sum(length(term) + 8) from status_search_idx)
        + (select sum(length(sz) + 8) from status_search_docsize) as bytes`,
    ).first<number>('bytes')
    expect((found ?? 0) / posts).toBeGreaterThan(50)
    expect((found ?? 0) / posts).toBeLessThan(150)
  })
})
