import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { as } from '../../support/as'
import { Browser, textOf } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { given } from '../../support/given'
import { signedIn } from '../../support/members'

/** A member who follows an author, and their browser. */
async function follower() {
  const { member, browser } = await signedIn()
  const author = await given.account()
  await as(member).post(`/api/v1/accounts/${author.id}/follow`)
  return { member, browser, author }
}

async function post(author: Parameters<typeof as>[0], fields: Record<string, unknown>): Promise<string> {
  return Status.parse((await as(author).post('/api/v1/statuses', fields)).body).id
}

describe('the home page', () => {
  it('shows posts of followed accounts with the state of the member', async () => {
    const { member, browser, author } = await follower()
    const id = await post(author, { status: 'A wren in the hedge' })
    await as(member).post(`/api/v1/statuses/${id}/favourite`)
    const { status, html } = await browser.get('/home')
    expect(status).toBe(200)
    expect(textOf(html)).toContain('A wren in the hedge')
    expect(html).toMatch(/value="unfavourite" aria-pressed="true"/)
    expect(html).toMatch(/value="bookmark" aria-pressed="false"/)
  })

  it('hides posts that the filters of the member hide, and folds those they warn about', async () => {
    const { member, browser, author } = await follower()
    await post(author, { status: 'An owl at night' })
    await post(author, { status: 'A cuckoo at noon' })
    for (const [title, action] of [
      ['owl', 'hide'],
      ['cuckoo', 'warn'],
    ])
      await as(member).post('/api/v2/filters', {
        title,
        context: ['home'],
        filter_action: action,
        keywords_attributes: [{ keyword: title, whole_word: true }],
      })
    const { html } = await browser.get('/home')
    expect(html).not.toContain('An owl at night')
    expect(html).toContain('Filtered: cuckoo')
  })

  it('pages to older posts and back to newer ones', async () => {
    const { browser, author } = await follower()
    for (let count = 0; count < 22; count += 1) await post(author, { status: `number ${count};` })
    const newest = await browser.get('/home')
    expect(newest.html).not.toContain('number 1;')
    const [, older] = /href="(\/home\?max_id=\d+)" rel="next"/.exec(newest.html) ?? []
    const oldest = await browser.get(older ?? '')
    expect(oldest.html).toContain('number 1;')
    expect(oldest.html).toContain('Newest')
  })

  it('counts newer posts without the kinds that the member left out', async () => {
    const { member, browser, author } = await follower()
    const first = await post(author, { status: 'first' })
    const second = await post(author, { status: 'second' })
    const boosted = await post(await given.account(), { status: 'boosted' })
    await as(author).post(`/api/v1/statuses/${boosted}/reblog`)
    const path = `/home?min_id=${first}`
    expect(textOf((await browser.get(path)).html)).toContain('2 new')
    await browser.fill('/home', { replies: 'true', quotes: 'true' }, { action: '/home' })
    expect(textOf((await browser.get(path)).html)).toContain('1 new')
    const { html } = await browser.get('/home')
    expect(html).toContain(`data-without="boosts" data-me="${member.id}"`)
    expect(html).toContain(`id="p-${second}"`)
  })

  it('marks where the member had read until', async () => {
    const { member, browser, author } = await follower()
    const read = await post(author, { status: 'read' })
    await as(member).post('/api/v1/markers', { home: { last_read_id: read } })
    await post(author, { status: 'new' })
    const { html } = await browser.get('/home')
    expect(textOf(html)).toMatch(/new.*You had read until here.*read/s)
  })

  it('marks it also where an older page begins with it, and on no page behind', async () => {
    const { member, browser, author } = await follower()
    for (let index = 0; index < 22; index += 1) await post(author, { status: `older ${index}` })
    const read = await post(author, { status: 'read' })
    await as(member).post('/api/v1/markers', { home: { last_read_id: read } })
    for (let index = 0; index < 20; index += 1) await post(author, { status: `new ${index}` })
    const pages: string[] = []
    let url: string | undefined = '/home'
    while (url !== undefined && pages.length < 3) {
      const { html } = await browser.get(url)
      pages.push(textOf(html))
      url = /href="(\/home\?max_id=\d+)"/.exec(html)?.[1]
    }
    const [newest, next, last] = pages
    expect(newest).not.toContain('You had read until here')
    expect(next).toMatch(/You had read until here.*\bread\b.*older 21/s)
    expect(last).toContain('older 0')
    expect(last).not.toContain('You had read until here')
  })

  it('requires sign-in, and is never cached', async () => {
    expect((await new Browser().get('/home')).location).toContain('/auth/sign_in?return_to=%2Fhome')
    const { browser } = await follower()
    expect((await browser.get('/home')).headers.get('cache-control')).toBe('private, no-store')
  })

  it('costs one round trip, and at most 25 KiB of HTML for 20 posts', async () => {
    const { browser, author } = await follower()
    for (let count = 0; count < 20; count += 1)
      await post(author, { status: `A post about wrens, number ${count}` })
    await browser.get('/home')
    const { html, costs } = await browser.get('/home')
    expectCosts(costs, { trips: 1, rowsRead: 400 })
    expect(gzipSync(html).byteLength).toBeLessThanOrEqual(25 * 1024)
  })
})

describe('buttons of a post', () => {
  it.each([
    ['favourite', 'favourited'],
    ['boost', 'reblogged'],
    ['bookmark', 'bookmarked'],
    ['mute', 'muted'],
  ] as const)('%s and take it back, and lead back to the post', async (name, key) => {
    const { member, browser, author } = await follower()
    const id = await post(author, { status: 'A wren' })
    for (const [act, value] of [
      [name, true],
      [`un${name}`, false],
    ] as const) {
      const sent = await browser.fill('/home', { act }, { action: `/posts/${id}` })
      expect([sent.status, sent.location]).toEqual([303, `/home#p-${id}`])
      const { body } = await as(member).get(`/api/v1/statuses/${id}`)
      expect(Status.parse(body)).toMatchObject({ [key]: value })
    }
  })

  it('buttons of a post count a vote', async () => {
    const { member, browser, author } = await follower()
    const id = await post(author, { status: 'Which?', poll: { options: ['wren', 'owl'], expires_in: 3_600 } })
    const { poll } = Status.parse((await as(member).get(`/api/v1/statuses/${id}`)).body)
    const sent = await browser.fill('/home', { choice: '1' }, { action: `/polls/${poll?.id}` })
    expect(sent.status).toBe(303)
    const after = Status.parse((await as(member).get(`/api/v1/statuses/${id}`)).body)
    expect(after.poll).toMatchObject({ voted: true, own_votes: [1] })
  })

  it('buttons of a post do nothing without the token of the page, and nothing for a post that may not be seen', async () => {
    const { browser, author } = await follower()
    const id = await post(author, { status: 'A wren' })
    expect((await browser.post(`/posts/${id}`, { act: 'favourite' })).status).toBe(422)
    const hidden = await post(await given.account(), { status: 'not for you', visibility: 'private' })
    const [fields] = [await browser.get('/home')]
    const [, token] = /name="csrf_token" value="([^"]+)"/.exec(fields.html) ?? []
    const sent = await browser.post(`/posts/${hidden}`, { act: 'favourite', csrf_token: token ?? '' })
    expect(sent.status).toBe(404)
  })

  it('buttons of a post lead nowhere but to a page of this server', async () => {
    const { browser, author } = await follower()
    const id = await post(author, { status: 'A wren' })
    const sent = await browser.fill(
      '/home',
      { act: 'favourite', return_to: '//elsewhere.test/' },
      { action: `/posts/${id}` },
    )
    expect(sent.location).toBe('/home')
  })
})
