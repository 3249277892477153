import { afterAll, describe, expect, it } from 'vitest'
import { anonymous, as } from '../support/as'
import { freshName, given } from '../support/given'
import { importedStatus } from '../support/given-remote'
import { storedUpload } from '../support/given-upload'
import { foundStatusIds, searchPath, searchStatuses, updateSearchIndex } from '../support/searching'
import { clock } from '../support/test-app'

const start = clock.now()
// The clock is shared with the files that run after this one.
afterAll(() => clock.set(start))

/** A word nobody else wrote. */
const word = () => `${freshName('wren')}x`

const post = async (by: Awaited<ReturnType<typeof given.account>>, text: string, more = {}) =>
  Number((await given.status({ by, text, ...more })).id)

describe('GET /api/v2/search for statuses', () => {
  it('finds own, mentioned-in, favourited, bookmarked and indexable public statuses [T-477]', async () => {
    const w = word()
    const [me, shy, open] = [
      await given.account(),
      await given.account(),
      await given.account({ indexable: true }),
    ]
    const own = await post(me, `${w} mine`, { visibility: 'direct' })
    const naming = await post(shy, `${w} @${me.username}`, { visibility: 'private' })
    const [favourited, bookmarked, shared] = [await post(shy, w), await post(shy, w), await post(shy, w)]
    await post(shy, `${w} of nobody's concern`)
    const voted = await given.status({
      by: shy,
      text: w,
      poll: { options: ['a', 'b'], multiple: true, hideTotals: false, expiresInSeconds: 3_600 },
    })
    const opted = await post(open, w)
    await post(open, `${w} unlisted`, { visibility: 'unlisted' })
    await as(me).post(`/api/v1/statuses/${favourited}/favourite`)
    await as(me).post(`/api/v1/statuses/${bookmarked}/bookmark`)
    await as(me).post(`/api/v1/statuses/${shared}/reblog`)
    const poll = (await as(me).get(`/api/v1/statuses/${voted.id}`)).body
    await as(me).post(`/api/v1/polls/${Object(poll).poll.id}/votes`, { choices: [0, 1] })
    expect(await foundStatusIds(me, w)).toEqual([opted, naming, own])
    await updateSearchIndex()
    const library = [Number(voted.id), shared, bookmarked, favourited, naming, own]
    expect(await foundStatusIds(me, w)).toEqual([opted, ...library])
    expect(await foundStatusIds(me, `${w} in:library`)).toEqual(library)
    expect(await foundStatusIds(me, `${w} in:public`)).toEqual([opted])
    expect(await foundStatusIds(await given.account(), w)).toEqual([opted])
  })

  it('hides statuses at once when the interaction or consent behind them is undone', async () => {
    const w = word()
    const [me, shy] = [await given.account(), await given.account({ indexable: true })]
    const id = await post(shy, w)
    const stranger = await given.account()
    expect(await foundStatusIds(stranger, w)).toEqual([id])
    await as(me).post(`/api/v1/statuses/${id}/favourite`)
    await updateSearchIndex()
    await as(shy).patch('/api/v1/accounts/update_credentials', { indexable: false })
    expect([await foundStatusIds(stranger, w), await foundStatusIds(me, w)]).toEqual([[], [id]])
    await as(me).post(`/api/v1/statuses/${id}/unfavourite`)
    expect(await foundStatusIds(me, w)).toEqual([])
    await as(shy).patch('/api/v1/accounts/update_credentials', { indexable: true })
    await updateSearchIndex()
    expect(await foundStatusIds(stranger, w)).toEqual([id])
  })

  it('updates with edits and deletions', async () => {
    const [before, after] = [word(), word()]
    const me = await given.account()
    const id = await post(me, before)
    await as(me).put(`/api/v1/statuses/${id}`, { status: after })
    await updateSearchIndex()
    expect([await foundStatusIds(me, before), await foundStatusIds(me, after)]).toEqual([[], [id]])
    await as(me).delete(`/api/v1/statuses/${id}`)
    expect(await foundStatusIds(me, after)).toEqual([])
  })

  it('finds text under accents, stems, in scripts without spaces, in warnings, polls and descriptions', async () => {
    const [w, me] = [word(), await given.account()]
    const poll = {
      options: ['Roggen', 'Dinkel'],
      multiple: false,
      hideTotals: false,
      expiresInSeconds: 3_600,
    }
    const upload = Number(await storedUpload(me, { description: 'Amsel im Geäst' }))
    const first = await post(me, `${w} Die Vögel singen; wrens are singing. 今日は東京都で鳥を見た`, {
      spoilerText: 'Ornithologie',
    })
    const second = await post(me, w, { poll })
    const third = await post(me, w, { mediaIds: [upload] })
    for (const q of [
      'vogel',
      'VÖGEL',
      'Wren sing',
      '東京',
      '東京都',
      '鳥',
      '京都で',
      'ornithologie',
      '"die vogel singen"',
    ])
      expect(await foundStatusIds(me, `${w} ${q}`), q).toEqual([first])
    for (const q of ['東都', '見鳥', '"singen die"', 'vog'])
      expect(await foundStatusIds(me, `${w} ${q}`), q).toEqual([])
    expect(await foundStatusIds(me, `${w} dinkel`)).toEqual([second])
    expect(await foundStatusIds(me, `${w} geast`)).toEqual([third])
    expect(await foundStatusIds(me, `${w} -geast -roggen`)).toEqual([first])
  })

  it('filters by kind with has: and is:, language: and #tags as well', async () => {
    const [w, me] = [word(), await given.account()]
    const upload = Number(await storedUpload(me))
    const poll = { options: ['a', 'b'], multiple: false, hideTotals: false, expiresInSeconds: 3_600 }
    const plain = await post(me, `${w} ${w}tag`, { language: 'de' })
    const picture = await post(me, w, { mediaIds: [upload], sensitive: true })
    const asked = await post(me, w, { poll })
    const link = await post(me, `${w} https://birds.test/wren`)
    const answer = await post(me, w, { inReplyTo: { id: String(plain) } })
    const tagged = await post(me, `${w} #${w}tag`)
    const cases: Readonly<Record<string, readonly number[]>> = {
      'has:media': [picture],
      'has:image': [picture],
      'has:video': [],
      'has:audio': [],
      'has:poll': [asked],
      'has:link': [link],
      'has:embed': [],
      'is:reply': [answer],
      'is:sensitive': [picture],
      '-is:reply -has:media -has:poll -has:link': [tagged, plain],
      'language:de': [plain],
      [`#${w.toUpperCase()}TAG`]: [tagged],
      'has:unheard': [],
    }
    for (const [q, ids] of Object.entries(cases))
      expect(await foundStatusIds(me, `${w} ${q}`), q).toEqual(ids)
  })

  it('filters by local and remote accounts with from:, account_id as well', async () => {
    const w = word()
    const [me, open] = [await given.account({ indexable: true }), await given.account({ indexable: true })]
    const far = await given.remoteAccount({ indexable: true, domain: 'birds.test' })
    const [mine, theirs] = [await post(me, w), await post(open, w)]
    const { id: remote } = await importedStatus(far, { content: `<p>${w}</p>` })
    const cases: Readonly<Record<string, readonly number[]>> = {
      'from:me': [mine],
      [`from:${open.username}`]: [theirs],
      [`from:@${open.username.toUpperCase()}@fieldfare.test`]: [theirs],
      [`from:@${far.username}@BIRDS.test`]: [remote],
      [`from:${far.username}`]: [],
      'from:me from:nobody': [],
      '-from:me': [remote, theirs],
      '-from:nobody': [remote, theirs, mine],
    }
    for (const [q, ids] of Object.entries(cases))
      expect(await foundStatusIds(me, `${w} ${q}`), q).toEqual(ids)
    expect(await foundStatusIds(me, w, { account_id: String(open.id) })).toEqual([theirs])
    expect(await foundStatusIds(me, w, { account_id: 'nonsense' })).toEqual([])
    expect(await foundStatusIds(me, `${w} from:nobody`)).toEqual([])
  })

  it('uses days in the time zone of the searcher for before:, after: and during: [T-478]', async () => {
    const w = word()
    const [here, east] = [
      await given.account({ indexable: true }),
      await given.account({ user: { timeZone: 'Asia/Tokyo' } }),
    ]
    const day = (offset: number) =>
      new Date(Math.ceil(clock.now().getTime() / 86_400_000 + offset) * 86_400_000)
    const nameOf = (at: Date) => at.toISOString().slice(0, 10)
    clock.set(new Date(day(1).getTime() + 20 * 3_600_000))
    const late = await post(here, w)
    const today = nameOf(clock.now())
    const tomorrow = nameOf(new Date(clock.now().getTime() + 86_400_000))
    const cases = [
      [`during:${today}`, [late], []],
      [`during:${tomorrow}`, [], [late]],
      [`before:${tomorrow}`, [late], []],
      [`after:${today}`, [], [late]],
      [`-during:${today}`, [], [late]],
      [`during:${today.slice(0, 4)}`, [late], [late]],
    ] as const
    for (const [q, inUtc, inTokyo] of cases)
      expect([await foundStatusIds(here, `${w} ${q}`), await foundStatusIds(east, `${w} ${q}`)], q).toEqual([
        inUtc,
        inTokyo,
      ])
    expect((await searchStatuses(here, 'during:yesterday')).status).toBe(422)
    expect((await anonymous.get(searchPath('during:yesterday'))).status).toBe(200)
  })

  it('pages by offset, max_id and min_id, newest first', async () => {
    const [w, me] = [word(), await given.account()]
    const ids: number[] = []
    for (let count = 0; count < 5; count += 1) ids.unshift(await post(me, w))
    const [first, second, third, fourth, fifth] = ids
    const page = (more: Readonly<Record<string, string>>) => foundStatusIds(me, w, { limit: '2', ...more })
    expect(await page({})).toEqual([first, second])
    expect(await page({ offset: '2' })).toEqual([third, fourth])
    expect(await page({ offset: '90' })).toEqual([])
    expect(await page({ max_id: String(third) })).toEqual([fourth, fifth])
    expect(await page({ min_id: String(fourth) })).toEqual([second, third])
    expect(await page({ limit: '0' })).toEqual([])
    expect(await foundStatusIds(me, w, { limit: '900' })).toEqual(ids)
    expect(await foundStatusIds(me, w, { limit: '2', offset: '2', type: '' })).toEqual([first, second])
  })

  it('finds remote posts only where the viewer may search for them', async () => {
    const [w, me] = [word(), await given.account()]
    const [shy, open] = [await given.remoteAccount(), await given.remoteAccount({ indexable: true })]
    const content = `<p>${w}</p>`
    const unconcerned = await importedStatus(shy, { content })
    const opted = await importedStatus(open, { content })
    const naming = await importedStatus(shy, {
      content,
      visibility: 'direct',
      mentioned: [`https://fieldfare.test/users/${me.username}`],
    })
    expect(await foundStatusIds(me, w)).toEqual([naming.id, opted.id])
    await as(me).post(`/api/v1/statuses/${unconcerned.id}/bookmark`)
    await updateSearchIndex()
    expect(await foundStatusIds(me, w)).toEqual([naming.id, opted.id, unconcerned.id])
  })

  it('finds no statuses for anonymous visitors and applications', async () => {
    const [w, open] = [word(), await given.account({ indexable: true })]
    await post(open, w)
    expect(await foundStatusIds(null, w)).toEqual([])
    expect(await foundStatusIds(await given.token({ scopes: 'read' }), w)).toEqual([])
  })

  it('GET /api/v2/search for statuses accepts any text', async () => {
    const me = await given.account()
    const odd = [
      '"',
      '""',
      '*',
      'a OR b',
      'text : a',
      'NEAR(a b)',
      '-',
      '((',
      '%',
      '\\',
      '\u0000a',
      '🪶',
      'traits:pub',
      '{text}:a',
    ]
    const long = [
      'x'.repeat(10_000),
      '"y '.repeat(3_000),
      '-a '.repeat(3_000),
      '鳥'.repeat(5_000),
      `from:${'x'.repeat(5_000)}`,
      '#'.repeat(9_000),
    ]
    for (const q of [...odd, ...long]) expect((await searchStatuses(me, q)).status, q.slice(0, 20)).toBe(200)
    expect((await searchStatuses(me, 'in:library')).status).toBe(200)
  })
})

describe('GET /api/v1/search', () => {
  it('GET /api/v1/search stays missing', async () => {
    const me = await given.account()
    expect((await as(me).get('/api/v1/search?q=wren')).status).toBe(404)
    expect((await anonymous.get('/api/v1/search?q=wren')).status).toBe(404)
  })
})
