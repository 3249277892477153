import { beforeAll, describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { givenFilter, listening } from '../../support/given-filter'
import { clock } from '../../support/test-app'

const changed = (somebody: TestAccount) => [{ kind: 'filters.changed', accountId: somebody.id }]

describe('a filter', () => {
  let alice: TestAccount
  let bob: TestAccount
  beforeAll(async () => {
    ;[alice, bob] = [await given.account(), await given.account()]
  })

  it('a filter is created with its keywords, and read, listed and deleted [T-316]', async () => {
    const { published, options } = listening()
    const made = await as(alice).post(
      '/api/v2/filters',
      {
        title: 'Birds',
        context: ['thread', 'home'],
        filter_action: 'blur',
        expires_in: 3600,
        keywords_attributes: [{ keyword: 'heron' }, { keyword: 'coot', whole_word: 'false' }],
      },
      options,
    )
    expect(made).toMatchObject({
      status: 200,
      body: {
        title: 'Birds',
        context: ['home', 'thread'],
        filter_action: 'blur',
        statuses: [],
        expires_at: new Date(clock.now().getTime() + 3_600_000).toISOString(),
        keywords: [
          { keyword: 'heron', whole_word: true },
          { keyword: 'coot', whole_word: false },
        ],
      },
    })
    expect(made.costs.trips).toBeLessThanOrEqual(2)
    expect(published).toEqual(changed(alice))
    const [first] = await listOf(alice)
    expect(first).toEqual(made.body)
    const path = `/api/v2/filters/${first?.id}`
    expect((await as(alice).get(path)).body).toEqual(made.body)

    const removed = await as(alice).delete(path, undefined, options)
    expect(removed).toMatchObject({ status: 200, body: {} })
    expect(published).toEqual([...changed(alice), ...changed(alice)])
    expect((await as(alice).get(path)).status).toBe(404)
    expect(await listOf(alice)).toEqual([])
  })

  it('warns and never expires by default [T-317]', async () => {
    for (const expires_in of [undefined, '', null])
      expect(await givenFilter(alice, { expires_in })).toMatchObject({
        filter_action: 'warn',
        expires_at: null,
      })
  })

  it('a filter is still listed when it is expired [T-318]', async () => {
    const carol = await given.account()
    await givenFilter(carol, { expires_in: -5 })
    expect(await listOf(carol)).toMatchObject([{ expires_at: clock.now().toISOString() }])
  })

  const refused = {
    'no title': { title: '' },
    'no title at all': { title: undefined },
    'an over-long title': { title: 'x'.repeat(257) },
    'no context': { context: [] },
    'no context at all': { context: undefined },
    'an unknown context': { context: ['home', 'nowhere'] },
    'an unknown action': { filter_action: 'explode' },
    'a blank keyword': { keywords_attributes: [{ keyword: '', whole_word: true }] },
    'a keyword that is a list': { keywords_attributes: [{ keyword: ['a'] }] },
    'keywords that are text': { keywords_attributes: 'heron' },
    'an end that is no number': { expires_in: 'soon' },
    'an end beyond all calendars': { expires_in: 1e300 },
  }
  for (const [what, wrong] of Object.entries(refused))
    it(`a filter is refused with ${what}, and nothing is stored or published [T-319]`, async () => {
      const { published, options } = listening()
      const before = await listOf(alice)
      const answer = await as(alice).post(
        '/api/v2/filters',
        { title: 'x', context: ['home'], ...wrong },
        options,
      )
      expect(answer).toMatchObject({
        status: 422,
        body: { error: expect.stringMatching(/^Validation failed: /) },
      })
      expect(published).toEqual([])
      expect(await listOf(alice)).toEqual(before)
    })

  it('refuses ids of keywords in a new filter', async () => {
    const { keywords } = await givenFilter(alice, { words: ['heron'] })
    const sent = {
      title: 'x',
      context: ['home'],
      keywords_attributes: [{ id: keywords[0]?.id, keyword: 'y' }],
    }
    expect((await as(alice).post('/api/v2/filters', sent)).status).toBe(404)
  })

  it('answers 404 for filters of other accounts [T-320]', async () => {
    const { id } = await givenFilter(alice, { words: ['heron'] })
    const { published, options } = listening()
    const path = `/api/v2/filters/${id}`
    const missing = { status: 404, body: { error: 'Record not found' } }
    expect(await as(bob).get(path)).toMatchObject(missing)
    expect(await as(bob).put(path, { title: 'x' }, options)).toMatchObject(missing)
    expect(await as(bob).patch(path, { title: 'x' }, options)).toMatchObject(missing)
    expect(await as(bob).delete(path, undefined, options)).toMatchObject(missing)
    expect(published).toEqual([])
    expect((await as(alice).get(path)).body).toMatchObject({ title: 'Filtered' })
  })

  it('an account has two hundred filters at most', async () => {
    const carol = await given.account()
    for (let count = 0; count < 200; count += 1) await givenFilter(carol)
    expect((await as(carol).post('/api/v2/filters', { title: 'x', context: ['home'] })).status).toBe(422)
  })

  it('changes with three keywords and two deletions in one request, which is one event [T-321]', async () => {
    const { id, keywords } = await givenFilter(alice, { words: ['a1', 'b1', 'c1', 'd1'] })
    const [a, b, c] = keywords
    const { published, options } = listening()
    const after = await as(alice).put(
      `/api/v2/filters/${id}`,
      {
        title: 'Renamed',
        keywords_attributes: [
          { id: a?.id, _destroy: true },
          { id: b?.id, _destroy: '1' },
          { id: c?.id, keyword: 'c2', whole_word: false },
          { keyword: 'e1' },
          { keyword: 'f1' },
        ],
      },
      options,
    )
    expect(after).toMatchObject({ status: 200, body: { title: 'Renamed' } })
    expect(after.costs.trips).toBeLessThanOrEqual(3)
    expect(await words(alice, id)).toEqual(['c2', 'd1', 'e1', 'f1'])
    expect((await as(alice).get(`/api/v2/filters/${id}`)).body).toEqual(after.body)
    expect(published).toEqual(changed(alice))
  })

  it('does not change for a keyword of another filter, and publishes no event [T-322]', async () => {
    const own = await givenFilter(alice, { words: ['heron', 'coot'] })
    const foreign = await givenFilter(bob, { words: ['private word'] })
    const { published, options } = listening()
    const answer = await as(alice).put(
      `/api/v2/filters/${own.id}`,
      {
        title: 'Renamed',
        keywords_attributes: [
          { id: own.keywords[0]?.id, _destroy: true },
          { keyword: 'egret' },
          { id: foreign.keywords[0]?.id, _destroy: true },
        ],
      },
      options,
    )
    expect(answer).toMatchObject({ status: 404, body: { error: 'Record not found' } })
    expect(published).toEqual([])
    expect((await as(alice).get(`/api/v2/filters/${own.id}`)).body).toEqual(own)
    expect(await words(bob, foreign.id)).toEqual(['private word'])
  })

  it('publishes even an update that changes nothing', async () => {
    const { id } = await givenFilter(alice)
    const { published, options } = listening()
    expect((await as(alice).put(`/api/v2/filters/${id}`, {}, options)).status).toBe(200)
    expect(published).toEqual(changed(alice))
  })

  it('a filter removes its expiry when it is sent blank, and keeps it when it is missing', async () => {
    const { id } = await givenFilter(alice, { expires_in: 60 })
    const path = `/api/v2/filters/${id}`
    expect((await as(alice).put(path, { title: 'x' })).body).not.toMatchObject({ expires_at: null })
    expect((await as(alice).put(path, { expires_in: '' })).body).toMatchObject({ expires_at: null })
  })
})

describe('keywords of an update', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account()
  })

  async function wordsAfter(
    body: (ids: readonly string[]) => Record<string, unknown> | URLSearchParams | FormData,
  ) {
    const { id, keywords } = await givenFilter(alice, { words: ['one', 'two'] })
    const sent = body(keywords.map((keyword) => keyword.id))
    const answer = await as(alice).put(`/api/v2/filters/${id}`, sent)
    expect(answer.status).toBe(200)
    return words(alice, id)
  }
  const pairs = (ids: readonly string[]): [string, string][] => [
    ['title', 'Form'],
    ['keywords_attributes[][id]', ids[0] ?? ''],
    ['keywords_attributes[][_destroy]', 'true'],
    ['keywords_attributes[][id]', ids[1] ?? ''],
    ['keywords_attributes[][keyword]', 'zwei'],
    ['keywords_attributes[][keyword]', 'drei'],
    ['keywords_attributes[][whole_word]', 'false'],
  ]
  const expected = ['zwei', 'drei']

  it('keywords of an update are read from a list in JSON', async () => {
    const list = (ids: readonly string[]) => [
      { id: ids[0], _destroy: true },
      { id: Number(ids[1]), keyword: 'zwei' },
      { keyword: 'drei' },
    ]
    expect(await wordsAfter((ids) => ({ keywords_attributes: list(ids) }))).toEqual(expected)
    expect(await wordsAfter((ids) => ({ keywords_attributes: { ...list(ids) } }))).toEqual(expected)
  })

  it('keywords of an update are read from repeated keys of a form, in the way of Rails', async () => {
    expect(await wordsAfter((ids) => new URLSearchParams(pairs(ids)))).toEqual(expected)
    const multipart = (ids: readonly string[]) => {
      const form = new FormData()
      for (const [name, value] of pairs(ids)) form.append(name, value)
      return form
    }
    expect(await wordsAfter(multipart)).toEqual(expected)
  })

  it('keywords of an update are read from a form that numbers them', async () => {
    const numbered = (ids: readonly string[]) =>
      new URLSearchParams([
        ['keywords_attributes[0][id]', ids[0] ?? ''],
        ['keywords_attributes[0][_destroy]', '1'],
        ['keywords_attributes[1][id]', ids[1] ?? ''],
        ['keywords_attributes[1][keyword]', 'zwei'],
        ['keywords_attributes[1][_destroy]', '0'],
        ['keywords_attributes[2][keyword]', 'drei'],
      ])
    expect(await wordsAfter(numbered)).toEqual(expected)
  })

  for (const sent of [true, 1, '1', 'true', 'TRUE', 'on', 't', 'yes'])
    it(`keywords of an update are deleted when _destroy is ${JSON.stringify(sent)}`, async () => {
      expect(await wordsAfter((ids) => ({ keywords_attributes: [{ id: ids[0], _destroy: sent }] }))).toEqual([
        'two',
      ])
    })

  for (const sent of [false, 0, '0', 'false', 'FALSE', 'off', 'f', '', null])
    it(`keywords of an update are kept when _destroy is ${JSON.stringify(sent)}`, async () => {
      const stay = (ids: readonly string[]) => ({ keywords_attributes: [{ id: ids[0], _destroy: sent }] })
      expect(await wordsAfter(stay)).toEqual(['one', 'two'])
    })
})

async function listOf(somebody: TestAccount): Promise<readonly { readonly id: string }[]> {
  const { body } = await as(somebody).get('/api/v2/filters')
  if (!Array.isArray(body)) throw new Error('no list')
  return body
}

async function words(somebody: TestAccount, id: string): Promise<unknown> {
  const { body } = await as(somebody).get(`/api/v2/filters/${id}/keywords`)
  return Array.isArray(body) ? body.map(({ keyword }) => keyword) : body
}
