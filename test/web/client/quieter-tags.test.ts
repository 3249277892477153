import { describe, expect, it } from 'vitest'
import { as, posted } from '../../support/as'
import { type Browser, textOf } from '../../support/browser'
import { freshName, given, type TestAccount } from '../../support/given'
import { signedIn } from '../../support/members'
import { clock } from '../../support/test-app'

/** A member who follows a hashtag. */
async function scene() {
  const { member, browser } = await signedIn()
  const tag = freshName('bird')
  await as(member).post(`/api/v1/tags/${tag}/follow`)
  return { member, browser, tag, path: `/tags/${tag}`, author: await given.account() }
}

async function homeOf(member: TestAccount): Promise<number> {
  const { body } = await as(member).get('/api/v1/timelines/home')
  return Array.isArray(body) ? body.length : -1
}

async function press(browser: Browser, path: string, act: string): Promise<void> {
  const sent = await browser.fill(path, { act }, { action: path })
  expect([sent.status, sent.location]).toEqual([303, path])
}

describe('the page of a followed hashtag', () => {
  it('the page of a followed hashtag snoozes the hashtag for a day by one press, says so, and ends it by another', async () => {
    const { member, browser, tag, path, author } = await scene()
    await posted(author, { status: `A wren #${tag}` })
    expect(await homeOf(member)).toBe(1)
    await press(browser, path, 'snooze')
    expect(await homeOf(member)).toBe(0)
    const { html } = await browser.get(path)
    expect(textOf(html)).toContain('Snoozed until')
    expect(html).not.toContain('value="snooze"')
    // The page itself goes on showing posts.
    expect(html).toContain('A wren')
    await press(browser, path, 'unsnooze')
    expect(await homeOf(member)).toBe(1)
    expect(textOf((await browser.get(path)).html)).not.toContain('Snoozed until')
  })

  it('the page of a followed hashtag forgets a snooze that is over', async () => {
    const { browser, path } = await scene()
    await press(browser, path, 'snooze')
    clock.advance(86_400_000)
    const { html } = await browser.get(path)
    expect(textOf(html)).not.toContain('Snoozed until')
    expect(html).toContain('value="snooze"')
  })

  it('the page of a followed hashtag limits the hashtag to one post a day in home, says so, and undoes it', async () => {
    const { member, browser, tag, path, author } = await scene()
    await press(browser, path, 'fewer')
    for (const status of ['A wren', 'An owl']) await posted(author, { status: `${status} #${tag}` })
    expect(await homeOf(member)).toBe(1)
    expect(textOf((await browser.get(path)).html)).toContain('at most one post a day')
    await press(browser, path, 'all')
    expect(await homeOf(member)).toBe(2)
    expect((await browser.get(path)).html).toContain('value="fewer"')
  })

  it('the page of a followed hashtag offers nothing for a hashtag that is not followed, and refuses to change it', async () => {
    const { browser } = await scene()
    const path = `/tags/${freshName('owl')}`
    const { html } = await browser.get(path)
    for (const act of ['snooze', 'fewer']) {
      expect(html).not.toContain(`value="${act}"`)
      expect((await browser.fill(path, { act }, { action: path })).status).toBe(404)
    }
    expect((await browser.get(path)).html).toContain('value="follow"')
  })
})
