import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { as } from '../../support/as'
import { Browser, textOf } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { signedIn } from '../../support/members'
import { clock } from '../../support/test-app'

async function editedPost(author: TestAccount, more: object = {}): Promise<string> {
  const fields = { status: 'A nightingale', ...more }
  const { id } = Status.parse((await as(author).post('/api/v1/statuses', fields)).body)
  clock.advance(60_000)
  await as(author).put(`/api/v1/statuses/${id}`, { status: 'A thrush, after all', spoiler_text: 'birds' })
  return id
}

describe('the history of a post', () => {
  it('shows all versions to members and visitors, the latest first, in two trips at most', async () => {
    const author = await given.account()
    const id = await editedPost(author)
    const { browser } = await signedIn()
    for (const reader of [browser, new Browser()]) {
      const { status, html, costs } = await reader.get(`/@${author.username}/${id}/history`)
      expect(status).toBe(200)
      const text = textOf(html)
      expect(text.indexOf('A thrush, after all')).toBeGreaterThan(0)
      expect(text.indexOf('A nightingale')).toBeGreaterThan(text.indexOf('A thrush, after all'))
      expect(text.indexOf('Original post')).toBeGreaterThan(text.indexOf('Current version'))
      expectCosts(costs, { trips: 1 })
    }
  })

  it('the history of a post is behind the mark of edited posts in timelines and threads', async () => {
    const author = await given.account()
    const id = await editedPost(author)
    const { browser } = await signedIn()
    const path = `/@${author.username}/${id}`
    for (const page of ['/public/local', path])
      expect((await browser.get(page)).html).toContain(`href="${path}/history"`)
  })

  it('shows no version to readers who may not see the post, and all to its followers', async () => {
    const author = await given.account()
    const id = await editedPost(author, { visibility: 'private' })
    const [follower, stranger] = [await signedIn(), await signedIn()]
    await relation.follow(follower.member, author)
    const path = `/@${author.username}/${id}/history`
    expect((await follower.browser.get(path)).html).toContain('A nightingale')
    for (const reader of [stranger.browser, new Browser()]) {
      const { status, html } = await reader.get(path)
      expect([status, html.includes('A nightingale')]).toEqual([404, false])
    }
  })

  it('the history of a post is not found below the name of another account', async () => {
    const [author, other] = [await given.account(), await given.account()]
    const id = await editedPost(author)
    const { browser } = await signedIn()
    for (const reader of [browser, new Browser()])
      expect((await reader.get(`/@${other.username}/${id}/history`)).status).toBe(404)
  })
})
