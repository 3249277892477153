import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { featuredTags, tags } from '../../src/db/schema'
import { anonymous, as } from '../support/as'
import { Browser } from '../support/browser'
import { freshName, given, type TestAccount } from '../support/given'
import { clock, context } from '../support/test-app'

const path = '/api/v1/featured_tags'
const open = (page: string) => new Browser().get(page)
const feature = (who: TestAccount, name: string) => as(who).post(path, { name })

describe('/api/v1/featured_tags', () => {
  it('POST → FeaturedTag as written, the leading # dropped, with what was posted so far [T-304]', async () => {
    const alice = await given.account()
    const tag = freshName('Bird')
    for (const visibility of ['public', 'unlisted', 'private'])
      await as(alice).post('/api/v1/statuses', { status: `a #${tag.toLowerCase()}`, visibility })
    const answer = await feature(alice, `#${tag}`)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        name: tag,
        statuses_count: '2',
        last_status_at: clock.now().toISOString().slice(0, 10),
        url: `https://fieldfare.test/@${alice.username}/tagged/${tag.toLowerCase()}`,
      },
    })
    const again = await feature(alice, tag.toUpperCase())
    expect(again).toMatchObject({ status: 200, body: answer.body })
    expect((await as(alice).get(path)).body).toEqual([answer.body])
  })

  it('counts later posts and deletions', async () => {
    const alice = await given.account()
    const tag = freshName('bird')
    await feature(alice, tag)
    const { body } = await as(alice).post('/api/v1/statuses', { status: `#${tag}` })
    await as(alice).post('/api/v1/statuses', { status: `#${tag}`, visibility: 'direct' })
    expect((await as(alice).get(path)).body).toMatchObject([{ statuses_count: '1' }])
    await as(alice).delete(`/api/v1/statuses/${(body as { id: string }).id}`)
    expect((await as(alice).get(path)).body).toMatchObject([{ statuses_count: '0' }])
  })

  it('bad name → 422, no name → 400 or 422, the eleventh → 422 [T-305]', async () => {
    const alice = await given.account()
    for (const name of ['two words', '#', '', '123', '##bird'])
      expect((await feature(alice, name)).status).toBe(422)
    expect([400, 422]).toContain((await as(alice).post(path, {})).status)
    for (let count = 0; count < 10; count += 1)
      expect((await feature(alice, freshName('tag'))).status).toBe(200)
    expect((await feature(alice, freshName('tag'))).status).toBe(422)
    expect((await as(alice).get(path)).body).toHaveLength(10)
  })

  it('DELETE own → {}, foreign or unknown → 404 [T-306]', async () => {
    const [alice, bob] = await given.accounts(2)
    if (alice === undefined || bob === undefined) throw new Error('nobody was made')
    const { body } = await feature(alice, freshName('tag'))
    const { id } = body as { id: string }
    expect((await as(bob).delete(`${path}/${id}`)).status).toBe(404)
    expect(await as(alice).delete(`${path}/${id}`)).toMatchObject({ status: 200, body: {} })
    expect((await as(alice).delete(`${path}/${id}`)).status).toBe(404)
  })

  it('GET accounts/:id/featured_tags → FeaturedTag[]; unknown → 404, suspended → [] [T-307]', async () => {
    const alice = await given.account()
    const tag = freshName('tag')
    await feature(alice, tag)
    const list = (id: number | string) => anonymous.get(`/api/v1/accounts/${id}/featured_tags`)
    expect((await list(alice.id)).body).toMatchObject([{ name: tag }])
    expect((await list('1')).status).toBe(404)
    const there = await given.remoteAccount()
    const { db, ids } = context()
    const [made] = await db.select().from(tags).where(eq(tags.name, tag))
    const row = {
      id: ids.next(),
      accountId: there.id,
      tagId: made?.id ?? 0,
      name: tag,
      createdAt: clock.now(),
    }
    await db.insert(featuredTags).values(row)
    const url = `https://fieldfare.test/@${there.username}@${there.domain}/tagged/${tag}`
    expect((await list(there.id)).body).toMatchObject([{ url }])
    const gone = await given.account({ suspendedAt: clock.now() })
    expect((await list(gone.id)).body).toEqual([])
  })

  it('suggestions → recently used, most used first, not yet featured, with their use by day [T-308]', async () => {
    const alice = await given.account()
    const [often, once, shown] = [freshName('tag'), freshName('tag'), freshName('tag')]
    for (const text of [`#${often} #${shown}`, `#${often} #${once}`])
      await as(alice).post('/api/v1/statuses', { status: text })
    await feature(alice, shown)
    const { body } = await as(alice).get(`${path}/suggestions`)
    expect(body).toMatchObject([{ name: often, featuring: false }, { name: once }])
    const [first] = body as { history: { day: string; uses: string; accounts: string }[] }[]
    expect(first?.history).toHaveLength(7)
    const midnight = Math.floor(clock.now().getTime() / 86_400_000) * 86_400
    expect(first?.history[0]).toEqual({ day: String(midnight), uses: '2', accounts: '1' })
    expect(first?.history[1]).toMatchObject({ uses: '0', accounts: '0' })
  })
})

describe('posts of an account with a hashtag', () => {
  it('shows posts with the hashtag, replies included, and redirects to the other server for remote accounts', async () => {
    const alice = await given.account()
    const tag = freshName('tag')
    await as(alice).post('/api/v1/statuses', { status: `the-wren #${tag}` })
    await as(alice).post('/api/v1/statuses', { status: 'the-owl' })
    const { html } = await open(`/@${alice.username}/tagged/${tag.toUpperCase()}`)
    expect(html).toContain('the-wren')
    expect(html).not.toContain('the-owl')
    const there = await given.remoteAccount()
    const elsewhere = await open(`/@${there.username}@${there.domain}/tagged/${tag}`)
    expect(elsewhere.html).toContain(`<a href="https://${there.domain}/@${there.username}"`)
  })
})
