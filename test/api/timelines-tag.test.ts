import { describe, expect, it } from 'vitest'
import { blocks } from '../../src/db/schema'
import { anonymous, as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { freshName, given } from '../support/given'
import { storedPicture, storedStatus } from '../support/given-stored'
import { clock, context } from '../support/test-app'

const tagged = async (path: string, viewer: Parameters<typeof as>[0] = null) =>
  idsOf(await as(viewer).get(`/api/v1/timelines/tag/${path}`))

describe('GET timelines/tag/:hashtag', () => {
  it('shows public statuses with the tag, replies among them, and private ones never [T-617]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const tag = freshName('tag')
    const tags = [tag]
    const status = await storedStatus({ accountId: alice.id, tags })
    const reply = await storedStatus({
      accountId: alice.id,
      tags,
      inReplyToId: 1,
      inReplyToAccountId: bob.id,
    })
    for (const visibility of ['unlisted', 'private', 'direct'] as const)
      await storedStatus({ accountId: alice.id, visibility, tags })
    expect(await tagged(tag)).toEqual([reply, status].map(String))
    expect(await tagged(tag, alice)).toEqual([reply, status].map(String))
  })

  it('finds a tag in any spelling', async () => {
    const alice = await given.account()
    const tag = freshName('eule')
    const status = await storedStatus({ accountId: alice.id, tags: [tag] })
    expect(await tagged(encodeURIComponent(`#${tag.toUpperCase().replace('E', 'É')}`))).toEqual([
      String(status),
    ])
  })

  it('any[] widens, all[] narrows, none[] excludes [T-618]', async () => {
    const alice = await given.account()
    const [owl, wren, kite] = [freshName('owl'), freshName('wren'), freshName('kite')]
    const put = (...tags: string[]) => storedStatus({ accountId: alice.id, tags })
    const one = await put(owl)
    const two = await put(owl, wren)
    const three = await put(wren)
    const four = await put(owl, wren, kite)
    const shown = async (query: string) => tagged(`${owl}?${query}`)
    expect(await shown(`any[]=${wren}`)).toEqual([four, three, two, one].map(String))
    expect(await shown(`all[]=${wren}`)).toEqual([four, two].map(String))
    expect(await shown(`all[]=${wren}&all[]=${kite}`)).toEqual([String(four)])
    expect(await shown(`none[]=${wren}`)).toEqual([String(one)])
    expect(await shown(`any[]=${wren}&none[]=${kite}`)).toEqual([three, two, one].map(String))
    expect(await shown(`any[]=${wren}&all[]=${wren}&none[]=${kite}`)).toEqual([three, two].map(String))
    expect(await shown(`none[]=nobody-wrote-this`)).toEqual([four, two, one].map(String))
    expect(await shown(`all[]=nobody-wrote-this`)).toEqual([])
  })

  it('accepts at most four names of each kind [T-619]', async () => {
    const alice = await given.account()
    const tag = freshName('main')
    const others = Array.from({ length: 5 }, () => freshName('other'))
    const statuses: number[] = []
    for (const name of [tag, ...others])
      statuses.push(await storedStatus({ accountId: alice.id, tags: [name] }))
    const list = (kind: string) => others.map((name) => `${kind}[]=${name}`).join('&')
    expect(await tagged(`${tag}?${list('any')}`)).toEqual(statuses.slice(0, 5).reverse().map(String))
    const withFour = await storedStatus({ accountId: alice.id, tags: [tag, ...others.slice(0, 4)] })
    const withLast = await storedStatus({ accountId: alice.id, tags: [tag, ...others.slice(4)] })
    expect(await tagged(`${tag}?${list('all')}`)).toEqual([String(withFour)])
    expect(await tagged(`${tag}?${list('none')}`)).toEqual([withLast, statuses[0]].map(String))
  })

  it('returns an empty list for an unknown tag, whatever else is requested [T-620]', async () => {
    const alice = await given.account()
    const known = freshName('known')
    await storedStatus({ accountId: alice.id, tags: [known] })
    const answer = await anonymous.get(`/api/v1/timelines/tag/${freshName('unheard')}?any[]=${known}`)
    expect(answer).toMatchObject({ status: 200, body: [], links: {} })
    expect(await tagged(encodeURIComponent('!!!'))).toEqual([])
  })

  it('filters by local, remote and media', async () => {
    const alice = await given.account()
    const remote = await given.remoteAccount()
    const tag = freshName('tag')
    const near = await storedStatus({ accountId: alice.id, tags: [tag] })
    const far = await storedStatus({
      accountId: remote.id,
      local: false,
      tags: [tag],
      attachments: [storedPicture],
    })
    expect(await tagged(`${tag}?local=true`)).toEqual([String(near)])
    expect(await tagged(`${tag}?remote=true`)).toEqual([String(far)])
    expect(await tagged(`${tag}?local=true&remote=true`)).toEqual([String(near)])
    expect(await tagged(`${tag}?only_media=true`)).toEqual([String(far)])
  })

  it('leaves out blocked, silenced and suspended authors', async () => {
    const viewer = await given.account()
    const [blocked, silenced, suspended, fine] = [
      await given.account(),
      await given.account({ silencedAt: clock.now() }),
      await given.account({ suspendedAt: clock.now() }),
      await given.account(),
    ]
    const { db, ids } = context()
    await db.insert(blocks).values({
      id: ids.next(),
      accountId: viewer.id,
      targetAccountId: blocked.id,
      createdAt: clock.now(),
    })
    const tag = freshName('tag')
    const made: number[] = []
    for (const { id } of [blocked, silenced, suspended, fine])
      made.push(await storedStatus({ accountId: id, tags: [tag] }))
    expect(await tagged(tag, viewer)).toEqual([String(made[3])])
    expect(await tagged(tag)).toEqual([String(made[3]), String(made[0])])
  })
})
