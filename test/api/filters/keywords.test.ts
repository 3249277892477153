import { beforeAll, describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { givenFilter, idOf, listening } from '../../support/given-filter'

const lists = ['/api/v2/filters', '/api/v1/filters']
const places = ['/api/v2/filters/keywords', '/api/v1/filters/keywords', '/api/v2/filter_keywords']

describe('keywords', () => {
  let alice: TestAccount
  let bob: TestAccount
  beforeAll(async () => {
    ;[alice, bob] = [await given.account(), await given.account()]
  })
  const event = () => ({ kind: 'filters.changed', accountId: alice.id })

  for (const prefix of lists)
    it(`lists and adds keywords under ${prefix} [T-323]`, async () => {
      const { id } = await givenFilter(alice, { words: ['heron'] })
      const { published, options } = listening()
      const path = `${prefix}/${id}/keywords`
      const made = await as(alice).post(path, { keyword: ' coot ', whole_word: 'off' }, options)
      expect(made).toMatchObject({ status: 200, body: { keyword: 'coot', whole_word: false } })
      expect(published).toEqual([event()])
      expect((await as(alice).get(path)).body).toMatchObject([{ keyword: 'heron' }, { keyword: 'coot' }])

      for (const wrong of [{}, { keyword: '' }, { keyword: 'x'.repeat(513) }, { keyword: 'heron' }])
        expect((await as(alice).post(path, wrong, options)).status, JSON.stringify(wrong)).toBe(422)
      expect((await as(bob).get(path)).status).toBe(404)
      expect((await as(bob).post(path, { keyword: 'x' }, options)).status).toBe(404)
      expect(published).toHaveLength(1)
    })

  for (const place of places)
    it(`reads, changes and deletes keywords under ${place} [T-324]`, async () => {
      const { id, keywords } = await givenFilter(alice, { words: ['heron', 'coot'] })
      const path = `${place}/${keywords[0]?.id}`
      const { published, options } = listening()
      const before = { id: keywords[0]?.id, keyword: 'heron', whole_word: true }
      expect((await as(alice).get(path)).body).toEqual(before)
      const after = { ...before, keyword: 'egret', whole_word: false }
      expect((await as(alice).put(path, { keyword: 'egret', whole_word: 0 }, options)).body).toEqual(after)
      expect((await as(alice).get(path)).body).toEqual(after)
      expect((await as(alice).put(path, { keyword: ' ' }, options)).status).toBe(422)

      for (const refused of [
        as(bob).get(path),
        as(bob).put(path, { keyword: 'x' }, options),
        as(bob).delete(path),
      ])
        expect(await refused).toMatchObject({ status: 404, body: { error: 'Record not found' } })
      expect(published).toEqual([event()])

      expect(await as(alice).delete(path, undefined, options)).toMatchObject({ status: 200, body: {} })
      expect(published).toEqual([event(), event()])
      expect((await as(alice).get(path)).status).toBe(404)
      expect((await as(alice).get(`/api/v2/filters/${id}`)).body).toMatchObject({
        keywords: [{ keyword: 'coot' }],
      })
    })

  it('a POST to the id of a keyword in the filter changes that keyword', async () => {
    const { id, keywords } = await givenFilter(alice, { words: ['heron'] })
    const { published, options } = listening()
    const path = `/api/v2/filters/${id}/keywords/${keywords[0]?.id}`
    const after = { id: keywords[0]?.id, keyword: 'heron', whole_word: false }
    expect((await as(alice).post(path, { whole_word: false }, options)).body).toEqual(after)
    expect((await as(alice).get(`/api/v2/filters/${id}/keywords`)).body).toEqual([after])
    expect(published).toEqual([event()])
  })

  it('a POST to any other id adds a keyword and keeps the keyword with that id', async () => {
    const { id } = await givenFilter(alice, { words: ['heron'] })
    const [elsewhere, bobs] = [
      await givenFilter(alice, { words: ['coot'] }),
      await givenFilter(bob, { words: ['secret'] }),
    ]
    const path = (last: unknown) => `/api/v2/filters/${id}/keywords/${last}`
    const others = [elsewhere.keywords[0]?.id, bobs.keywords[0]?.id, id, '1', 'x', '99999999999999999999']
    const { published, options } = listening()
    for (const [index, other] of others.entries()) {
      const answer = await as(alice).post(path(other), { keyword: `egret ${index}` }, options)
      expect(answer, other).toMatchObject({
        status: 200,
        body: { keyword: `egret ${index}`, whole_word: true },
      })
      expect(idOf(answer.body), other).not.toBe(other)
    }
    expect(published).toEqual(others.map(event))
    expect((await as(alice).get(`/api/v2/filters/${id}/keywords`)).body).toMatchObject([
      { keyword: 'heron' },
      ...others.map((_, index) => ({ keyword: `egret ${index}` })),
    ])
    expect((await as(alice).get(`/api/v2/filters/${elsewhere.id}`)).body).toEqual(elsewhere)
    expect((await as(bob).get(`/api/v2/filters/${bobs.id}`)).body).toEqual(bobs)
  })

  it('a POST to an id answers the same for ids of other accounts and unknown ones', async () => {
    const { id, keywords } = await givenFilter(alice, { words: ['heron'] })
    const bobs = await givenFilter(bob, { words: ['secret'] })
    const { published, options } = listening()
    const post = (filter: string, last: unknown, body: Readonly<Record<string, unknown>>) =>
      as(alice).post(`/api/v2/filters/${filter}/keywords/${last}`, body, options)
    for (const wrong of [{}, { keyword: ' ' }, { whole_word: true }, { keyword: 'heron' }]) {
      const ofNothing = await post(id, 1, wrong)
      expect(ofNothing.status, JSON.stringify(wrong)).toBe(422)
      const ofBob = await post(id, bobs.keywords[0]?.id, wrong)
      expect([ofBob.status, ofBob.body]).toEqual([ofNothing.status, ofNothing.body])
    }
    for (const last of [keywords[0]?.id, bobs.keywords[0]?.id, 1])
      expect((await post(bobs.id, last, { keyword: 'x' })).status).toBe(404)
    expect(published).toEqual([])
    expect((await as(bob).get(`/api/v2/filters/${bobs.id}`)).body).toEqual(bobs)
  })
})

describe('statuses in a filter', () => {
  for (const prefix of lists)
    it(`adds, reads and removes statuses of a filter under ${prefix} [T-325]`, async () => {
      const [alice, bob] = [await given.account(), await given.account()]
      const event = { kind: 'filters.changed', accountId: alice.id }
      const { id } = await givenFilter(alice)
      const status = await given.status({ by: bob })
      const { published, options } = listening()
      const path = `${prefix}/${id}/statuses`
      const made = await as(alice).post(path, { status_id: status.id }, options)
      expect(made).toMatchObject({ status: 200, body: { status_id: String(status.id) } })
      expect((await as(alice).get(path)).body).toEqual([made.body])
      expect((await as(alice).get(`/api/v2/filters/${id}`)).body).toMatchObject({ statuses: [made.body] })
      expect(published).toEqual([event])

      const secret = await given.status({ by: bob, visibility: 'direct' })
      expect((await as(alice).post(path, { status_id: status.id }, options)).status).toBe(422)
      for (const status_id of [secret.id, 1, 'x', undefined])
        expect((await as(alice).post(path, { status_id }, options)).status, String(status_id)).toBe(404)
      expect((await as(bob).get(path)).status).toBe(404)
      expect((await as(bob).post(path, { status_id: status.id }, options)).status).toBe(404)

      const one = `${prefix}/statuses/${idOf(made.body)}`
      expect((await as(alice).get(one)).body).toEqual(made.body)
      expect((await as(bob).get(one)).status).toBe(404)
      expect((await as(bob).delete(one, undefined, options)).status).toBe(404)
      expect(published).toEqual([event])
      expect(await as(alice).delete(one, undefined, options)).toMatchObject({ status: 200, body: {} })
      expect(published).toEqual([event, event])
      expect((await as(alice).get(path)).body).toEqual([])
    })

  it('removes a status from filters when it is deleted', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await givenFilter(alice)
    const status = await given.status({ by: bob })
    await as(alice).post(`/api/v2/filters/${id}/statuses`, { status_id: status.id })
    expect((await as(bob).delete(`/api/v1/statuses/${status.id}`)).status).toBe(200)
    expect((await as(alice).get(`/api/v2/filters/${id}/statuses`)).body).toEqual([])
  })
})
