import { beforeAll, describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { givenFilter, idOf, listening } from '../../support/given-filter'

/** Filters as they were before 4.0: the same filters, seen a keyword at a time. */

describe('a phrase', () => {
  let alice: TestAccount
  let bob: TestAccount
  beforeAll(async () => {
    ;[alice, bob] = [await given.account(), await given.account()]
  })

  it('a phrase is a filter of one keyword, with the id of that, and Deprecation [T-327]', async () => {
    const { published, options } = listening()
    const made = await as(alice).post(
      '/api/v1/filters',
      { phrase: 'heron', context: ['home'], irreversible: true },
      options,
    )
    expect(made).toMatchObject({
      status: 200,
      body: { phrase: 'heron', context: ['home'], irreversible: true, whole_word: false, expires_at: null },
    })
    expect(made.headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(published).toEqual([{ kind: 'filters.changed', accountId: alice.id }])
    const { body } = await as(alice).get('/api/v2/filters')
    expect(body).toMatchObject([
      { title: 'heron', filter_action: 'hide', keywords: [{ id: idOf(made.body), keyword: 'heron' }] },
    ])
    expect((await as(alice).get('/api/v1/filters')).body).toEqual([made.body])
    expect((await as(alice).get(`/api/v1/filters/${idOf(made.body)}`)).body).toEqual(made.body)
  })

  for (const method of ['PUT', 'PATCH'] as const)
    it(`changes by ${method} with the filter around it [T-328]`, async () => {
      const made = await as(alice).post('/api/v1/filters', { phrase: 'coot', context: ['home'] })
      const path = `/api/v1/filters/${idOf(made.body)}`
      const { published, options } = listening()
      const sent = {
        phrase: 'crane',
        context: ['thread'],
        irreversible: 'true',
        whole_word: '1',
        expires_in: 60,
      }
      const after = await as(alice).call(method, path, sent, options)
      expect(after).toMatchObject({
        status: 200,
        body: {
          id: idOf(made.body),
          phrase: 'crane',
          context: ['thread'],
          irreversible: true,
          whole_word: true,
        },
      })
      expect(published).toHaveLength(1)
      const found = await as(alice).get('/api/v2/filters')
      expect(found.body).toContainEqual(expect.objectContaining({ title: 'crane', filter_action: 'hide' }))
      const later = await as(alice).call(method, path, {
        phrase: 'crane',
        context: ['thread'],
        expires_in: '',
      })
      expect(later.body).toMatchObject({ irreversible: true, expires_at: null })
    })

  it('keeps the filter of several keywords as it is [T-329]', async () => {
    const { id, keywords } = await givenFilter(alice, { words: ['heron', 'coot'], context: ['home'] })
    const path = `/api/v1/filters/${keywords[0]?.id}`
    const { published, options } = listening()
    for (const change of [{ context: ['thread'] }, { irreversible: true }, { expires_in: 60 }]) {
      const answer = await as(alice).put(path, { phrase: 'heron', context: ['home'], ...change }, options)
      expect(answer.status, JSON.stringify(change)).toBe(422)
      expect(answer.body).toMatchObject({ error: expect.stringContaining('more than one filter keyword') })
    }
    expect(published).toEqual([])
    const renamed = await as(alice).put(
      path,
      { phrase: 'egret', context: ['home'], irreversible: false },
      options,
    )
    expect(renamed).toMatchObject({ status: 200, body: { phrase: 'egret' } })
    expect((await as(alice).get(`/api/v2/filters/${id}`)).body).toMatchObject({
      title: 'Filtered',
      context: ['home'],
      keywords: [{ keyword: 'egret' }, { keyword: 'coot' }],
    })
  })

  it('a phrase keeps an unknown blur', async () => {
    const { id, keywords } = await givenFilter(alice, { words: ['heron'], filter_action: 'blur' })
    await as(alice).put(`/api/v1/filters/${keywords[0]?.id}`, { phrase: 'heron', irreversible: false })
    expect((await as(alice).get(`/api/v2/filters/${id}`)).body).toMatchObject({ filter_action: 'blur' })
  })

  it('deletes its filter with the last phrase', async () => {
    const { id, keywords } = await givenFilter(alice, { words: ['heron', 'coot'] })
    for (const [index, status] of [200, 404].entries()) {
      const { published, options } = listening()
      expect(
        await as(alice).delete(`/api/v1/filters/${keywords[index]?.id}`, undefined, options),
      ).toMatchObject({
        status: 200,
        body: {},
      })
      expect(published).toHaveLength(1)
      expect((await as(alice).get(`/api/v2/filters/${id}`)).status).toBe(status)
    }
  })

  it('a phrase is refused without words or context, and is 404 for others', async () => {
    for (const wrong of [
      { context: ['home'] },
      { phrase: '', context: ['home'] },
      { phrase: 'x' },
      { phrase: 'x', context: ['y'] },
    ])
      expect((await as(alice).post('/api/v1/filters', wrong)).status, JSON.stringify(wrong)).toBe(422)
    const { keywords } = await givenFilter(alice, { words: ['heron'] })
    const path = `/api/v1/filters/${keywords[0]?.id}`
    for (const refused of [as(bob).get(path), as(bob).put(path, { phrase: 'x' }), as(bob).delete(path)])
      expect(await refused).toMatchObject({ status: 404, body: { error: 'Record not found' } })
  })
})
