import { describe, expect, it } from 'vitest'
import { as, posted } from '../../support/as'
import { Browser, textOf } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { freshName, given } from '../../support/given'
import { signedIn } from '../../support/members'

const url = (fields: Record<string, string>) => `/search?${new URLSearchParams(fields)}`

describe('the search page', () => {
  it('finds people, hashtags and own posts in two round trips, and follows in place', async () => {
    const { member, browser } = await signedIn()
    const word = freshName('ptarmigan')
    const person = await given.account({ username: word, discoverable: true })
    await posted(member, { status: `${word} seen #${word}s` })
    const { html, costs } = await browser.get(url({ q: word }))
    expect(html).toContain(`action="/accounts/${person.id}"`)
    expect(html).toContain(`action="/tags/${word}s"`)
    expect(textOf(html)).toMatch(/People.*Hashtags/s)
    expectCosts(costs, { trips: 2 })
    const sent = await browser.fill(url({ q: word }), { act: 'follow' }, { action: `/accounts/${person.id}` })
    expect(sent.location).toBe(`${url({ q: word })}#a-${person.id}`)
    const { body } = await as(member).get(`/api/v1/accounts/relationships?id[]=${person.id}`)
    expect(body).toMatchObject([{ following: true }])
    const posts = await browser.get(url({ q: `from:me ${word}`, type: 'statuses' }))
    expect(posts.html).toContain(`${word} seen`)
    expect(posts.html).toContain('value="favourite"')
  })

  it('opens posts by their address, and none that are hidden from the member', async () => {
    const { browser } = await signedIn()
    const author = await given.account()
    const open = await posted(author, { status: 'open words' })
    const hidden = await posted(author, { status: 'hidden words', visibility: 'private' })
    expect((await browser.get(url({ q: open.url ?? '' }))).html).toContain('open words')
    const nothing = await browser.get(url({ q: hidden.url ?? '' }))
    expect(nothing.html).not.toContain('hidden words')
    expect(textOf(nothing.html)).toContain('Nothing found for')
  })

  it('pages through results of a kind', async () => {
    const { browser } = await signedIn()
    const word = freshName('snipe')
    for (let count = 0; count < 22; count += 1)
      await given.account({ username: `${word}${count}`, discoverable: true })
    const first = await browser.get(url({ q: word, type: 'accounts' }))
    const [, more = ''] = /href="([^"]+)" rel="next"/.exec(first.html) ?? []
    const second = await browser.get(more.replaceAll('&amp;', '&'))
    const rows = (html: string) => html.match(/id="a-\d+"/g)?.length
    expect([rows(first.html), rows(second.html)]).toEqual([20, 2])
    expect(second.html).not.toContain('rel="next"')
  })

  it('says how to search before anything is typed, and what is wrong with a search', async () => {
    const { browser } = await signedIn()
    const start = await browser.get('/search')
    expect(start.html).toContain('from:me')
    expectCosts(start.costs, { trips: 1 })
    const wrong = await browser.get(url({ q: 'wren before:yesterday' }))
    expect(wrong.status).toBe(200)
    expect(wrong.html).toContain('role="alert"')
    expect(wrong.html).toContain('value="wren before:yesterday"')
    for (const odd of ['offset=-1', 'offset=x', 'type=nonsense', 'q=%00'])
      expect((await browser.get(`/search?q=wren&type=accounts&${odd}`)).status).toBe(200)
    expect((await browser.get(url({ q: `"><script>${'x'.repeat(5_000)}` }))).html).not.toContain('<script>x')
  })

  it('the search page leads visitors to explore', async () => {
    expect((await new Browser().get('/search?q=wren')).location).toBe('/explore')
  })
})
