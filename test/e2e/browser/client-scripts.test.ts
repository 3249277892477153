import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { openAsMember } from '../support/member-page'
import { newPerson, origin } from '../support/people'
import { eventually } from '../support/receiver'

withChromium('the web client with scripts', () => {
  const place = useBrowser()

  /** Calls the API as the page does: with its session and its token. */
  function call(page: Page, method: string, path: string, body?: unknown): Promise<unknown> {
    const [data, type] =
      body === undefined ? ['undefined', ''] : [JSON.stringify(JSON.stringify(body)), 'application/json']
    return page.evaluate(`fetch(${JSON.stringify(path)}, {
      method: ${JSON.stringify(method)},
      headers: { 'X-CSRF-Token': document.querySelector('[data-client]').dataset.client, 'Content-Type': '${type}' },
      body: ${data},
    }).then((answer) => answer.json())`)
  }

  /** A member who follows an author with `count` posts, at home. */
  async function homeWith(count: number) {
    const author = await newPerson('wren')
    const client = mastoOf(author)
    const { page, ...rest } = await openAsMember(place.browser, '/home')
    await call(page, 'POST', `/api/v1/accounts/${author.id}/follow`)
    const posts: { readonly id: string }[] = []
    for (let number = 1; number <= count; number += 1)
      posts.push(await client.v1.statuses.create({ status: `Song ${number}` }))
    await eventually(async () =>
      expect(await call(page, 'GET', '/api/v1/timelines/home')).toHaveLength(count),
    )
    await page.reload()
    return { author, client, page, posts, ...rest }
  }

  it('marks show at once, are saved, and the boost can be undone', async () => {
    const { client, page, posts, complaints, close } = await homeWith(1)
    const [post] = posts
    const saved = async () => client.v1.statuses.$select(post?.id ?? '').fetch()
    const star = page.getByRole('button', { name: 'Favourite' })
    await star.click()
    expect(await star.getAttribute('aria-pressed')).toBe('true')
    await eventually(async () => expect((await saved()).favouritesCount).toBe(1))
    await star.click()
    await eventually(async () => expect((await saved()).favouritesCount).toBe(0))
    await page.getByRole('button', { name: 'Boost' }).click()
    await page.getByText('Boosted', { exact: true }).waitFor()
    await eventually(async () => expect((await saved()).reblogsCount).toBe(1))
    await page.keyboard.press('z')
    await eventually(async () => expect((await saved()).reblogsCount).toBe(0))
    expect(complaints).toEqual([])
    await close()
  })

  it('a mark goes back with a sentence when the author has blocked the reader', async () => {
    const { client, page, close } = await homeWith(1)
    const id = await page.evaluate(
      "fetch('/api/v1/accounts/verify_credentials').then((answer) => answer.json()).then(({ id }) => id)",
    )
    await client.v1.accounts.$select(String(id)).block()
    const star = page.getByRole('button', { name: 'Favourite' })
    await star.click()
    await page.getByText('This post is gone.').waitFor()
    expect(await star.getAttribute('aria-pressed')).toBe('false')
    await close()
  })

  it('new posts wait above for a press, and what is read stays in its place', async () => {
    const { client, page, complaints, close } = await homeWith(8)
    await page.evaluate('window.scrollTo(0, 400)')
    const first = page.locator('article', { hasText: 'Song 4' })
    const before = (await first.boundingBox())?.y
    await client.v1.statuses.create({ status: 'Song 9' })
    const pill = page.locator('.head .newer')
    await pill.filter({ hasText: 'New posts (' }).waitFor()
    expect((await first.boundingBox())?.y).toBe(before)
    expect(await page.getByText('Song 9').count()).toBe(0)
    await page.keyboard.press('.')
    await page.getByText('Song 9').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Song 9')
    expect(complaints).toEqual([])
    await close()
  })

  it('a post that its author deletes says so where it is read', async () => {
    const { client, page, posts, close } = await homeWith(2)
    await page.getByText('Song 2').waitFor()
    await client.v1.statuses.$select(posts[1]?.id ?? '').remove()
    await page.getByText('Deleted by its author').waitFor()
    expect(await page.getByText('Song 2').count()).toBe(0)
    await close()
  })

  it('a vote shows its result in place', async () => {
    const { client, page, complaints, close } = await homeWith(0)
    await client.v1.statuses.create({
      status: 'Which bird sings first?',
      poll: { options: ['Wren', 'Robin'], expiresIn: 3_600 },
    })
    await eventually(async () => {
      await page.reload()
      expect(await page.getByRole('radio', { name: 'Wren' }).count()).toBe(1)
    })
    await page.getByRole('radio', { name: 'Wren' }).check()
    await page.getByRole('button', { name: 'Vote' }).click()
    await page.locator('.bar-row.mine').waitFor()
    expect(page.url()).toBe(`${origin}/home`)
    expect(complaints).toEqual([])
    await close()
  })

  it('the keyboard reaches posts, marks them, and leads to places', async () => {
    const { client, page, posts, close } = await homeWith(3)
    const focused = () => page.evaluate('document.activeElement.textContent')
    await page.keyboard.press('j')
    expect(await focused()).toContain('Song 3')
    await page.keyboard.press('j')
    expect(await focused()).toContain('Song 2')
    await page.keyboard.press('f')
    const marked = async () => (await client.v1.statuses.$select(posts[1]?.id ?? '').fetch()).favouritesCount
    await eventually(async () => expect(await marked()).toBe(1))
    await page.keyboard.press('?')
    await page.waitForURL(`${origin}/keyboard`)
    await page.getByLabel('Use keyboard shortcuts in this browser').uncheck()
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    expect(page.url()).toBe(`${origin}/keyboard`)
    await page.getByLabel('Use keyboard shortcuts in this browser').check()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await page.waitForURL(`${origin}/notifications`)
    await close()
  })

  it('an own post is gone at once, comes back by Undo, and is deleted when the page is left', async () => {
    const { page, close } = await homeWith(0)
    await call(page, 'POST', '/api/v1/statuses', { status: 'Not my best' })
    await page.reload()
    const remove = async () => {
      await page.locator('article summary').click()
      await page.getByRole('link', { name: 'Delete' }).click()
      await page.getByText('Post deleted').waitFor()
    }
    await remove()
    expect(await page.getByText('Not my best').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(await page.getByText('Not my best').isVisible()).toBe(true)
    await remove()
    await page.goto(`${origin}/keyboard`)
    await eventually(async () => expect(await call(page, 'GET', '/api/v1/timelines/home')).toEqual([]))
    await close()
  })

  it('home opens where it was read, and the marker is the one of apps', async () => {
    const { client, page, close } = await homeWith(4)
    const marker = () => call(page, 'GET', '/api/v1/markers?timeline[]=home')
    await eventually(async () => expect(await marker()).toMatchObject({ home: expect.anything() }))
    await client.v1.statuses.create({ status: 'Song 5' })
    await eventually(async () => expect(await call(page, 'GET', '/api/v1/timelines/home')).toHaveLength(5))
    await page.reload()
    await page.getByText('You had read until here').waitFor()
    await close()
  })
})
