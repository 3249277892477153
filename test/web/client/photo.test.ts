import { describe, expect, it } from 'vitest'
import { Browser } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { given } from '../../support/given'
import { storedPicture, storedStatus } from '../../support/given-stored'
import { signedIn } from '../../support/members'

const fromHere = { headers: { 'sec-fetch-site': 'same-origin' } }

/** A post with two pictures, and the path of its page. */
async function pictures(more: object = {}) {
  const author = await given.account()
  const attachments = [
    { ...storedPicture, description: 'A wren on a fence' },
    { ...storedPicture, description: 'A robin on a spade' },
  ]
  const id = await storedStatus({ accountId: author.id, content: '<p>Birds</p>', attachments, ...more })
  return { author, path: `/@${author.username}/${id}` }
}

describe('the page of a picture', () => {
  it('shows the picture with its description and its neighbours to members and visitors', async () => {
    const { path } = await pictures()
    const { browser } = await signedIn()
    for (const reader of [browser, new Browser()]) {
      const { status, html, costs } = await reader.get(`${path}/photo/1`)
      expect(status).toBe(200)
      for (const words of ['1 of 2', `href="${path}/photo/2" rel="next"`, `href="${path}"`])
        expect(html).toContain(words)
      expect(html).toContain('A wren on a fence</p>')
      expect(html).not.toContain('A robin on a spade')
      expect(html).not.toContain('rel="prev"')
      expectCosts(costs, { trips: 1 })
    }
    for (const number of [0, 3]) expect((await browser.get(`${path}/photo/${number}`)).status).toBe(404)
  })

  it('the page of a picture is behind the pictures of a post, and marks the post by its buttons', async () => {
    const { path } = await pictures()
    const { browser } = await signedIn()
    expect((await browser.get(path)).html).toContain(`class="frame" href="${path}/photo/2"`)
    const action = `/posts/${path.split('/').at(-1)}`
    const sent = await browser.fill(`${path}/photo/1`, { act: 'favourite' }, { action })
    expect(sent.location).toContain(`${path}/photo/1#p-`)
    expect((await browser.get(`${path}/photo/1`)).html).toContain('value="unfavourite"')
  })

  it('leads to the post, which covers it, unless the reader has come from there', async () => {
    const { path } = await pictures({ sensitive: true })
    const { browser } = await signedIn()
    for (const reader of [browser, new Browser()])
      expect((await reader.get(`${path}/photo/1`)).location).toBe(path)
    expect((await browser.get(`${path}/photo/1`, fromHere)).status).toBe(200)
    expect((await new Browser().get(`${path}/photo/1`, fromHere)).location).toBe(path)
  })

  it('the page of a picture is not found for readers who may not see the post', async () => {
    const { path } = await pictures({ visibility: 'private' })
    const { browser } = await signedIn()
    for (const reader of [browser, new Browser()]) {
      const { status, html } = await reader.get(`${path}/photo/1`)
      expect([status, html.includes('A wren on a fence')]).toEqual([404, false])
    }
  })

  it('passes over sounds and missing files between two pictures', async () => {
    const attachments = [
      storedPicture,
      { ...storedPicture, type: 'audio' as const },
      { ...storedPicture, type: 'unknown' as const },
      storedPicture,
    ]
    const { path } = await pictures({ attachments })
    const { browser } = await signedIn()
    const first = await browser.get(`${path}/photo/1`)
    expect(first.html).toContain('1 of 2')
    expect(first.html).toContain(`href="${path}/photo/4" rel="next"`)
    const last = await browser.get(`${path}/photo/4`)
    expect(last.html).toContain('2 of 2')
    expect(last.html).toContain(`href="${path}/photo/1" rel="prev"`)
    for (const number of [2, 3]) expect((await browser.get(`${path}/photo/${number}`)).status).toBe(404)
  })
})
