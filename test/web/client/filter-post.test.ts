import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Status } from '../../../src/contract/entities/status'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { signedIn } from '../../support/members'

const Filters = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    keywords: z.array(z.object({ keyword: z.string() })),
    statuses: z.array(z.object({ status_id: z.string() })),
  }),
)

async function post(author: TestAccount, fields: Record<string, unknown> = {}): Promise<string> {
  return Status.parse((await as(author).post('/api/v1/statuses', { status: 'A wren', ...fields })).body).id
}

async function scene(text: string) {
  const { member, browser } = await signedIn()
  const author = await given.account()
  await relation.follow(member, author)
  const id = await post(author, { status: text })
  const filters = async () => Filters.parse((await as(member).get('/api/v2/filters')).body)
  return { member, browser, author, id, filters }
}

const href = (html: string, start: string) => {
  const [, link = ''] = new RegExp(`href="(${start}[^"]*)"`).exec(html) ?? []
  return link.replaceAll('&amp;', '&')
}

describe('filtering from a post', () => {
  it('leads to a new filter with the hashtags of the post, and back to where it was', async () => {
    const { browser, author, id, filters } = await scene('Cricket again #Cricket #ashes')
    const page = await browser.get(href((await browser.get('/home')).html, `/posts/${id}/filter`))
    const path = href(page.html, '/settings/filters')
    const form = await browser.get(path)
    expect(form.html).toContain('#cricket\n#ashes</textarea>')
    expect(form.html).toMatch(/<details class="\w+" open/)
    const fields = { title: 'Cricket', keywords: '#cricket', 'in-home': 'true', filter_action: 'hide' }
    const sent = await browser.fill(path, fields)
    expect([sent.status, sent.location]).toEqual([303, `/home#p-${id}`])
    expect(await filters()).toMatchObject([{ title: 'Cricket', keywords: [{ keyword: '#cricket' }] }])
    await post(author, { status: 'More of it #cricket' })
    expect((await browser.get('/home')).html).not.toContain('More of it')
  })

  it('takes the beginning of the text where the post has no hashtags, and keeps the way back after a refusal', async () => {
    const { browser, id } = await scene('The chimney sweep came twice this year and never left a bill')
    const path = `/settings/filters?post=${id}&return_to=${encodeURIComponent('/public/local')}`
    expect((await browser.get(path)).html).toContain('value="The chimney sweep came twice this year"')
    const refused = await browser.fill(path, { title: '', keywords: 'sweep', 'in-home': 'true' })
    expect([refused.status, refused.html.includes('name="return_to" value="/public/local"')]).toEqual([
      422,
      true,
    ])
  })

  it('puts the post alone into a filter, and says where it is already', async () => {
    const { member, browser, id, filters } = await scene('A wren')
    await as(member).post('/api/v2/filters', { title: 'Birds', context: ['home'], filter_action: 'hide' })
    const [filter] = await filters()
    const path = `/posts/${id}/filter`
    const sent = await browser.fill(path, { filter: filter?.id ?? '' })
    expect([sent.status, sent.location]).toEqual([303, '/home'])
    expect(await filters()).toMatchObject([{ statuses: [{ status_id: id }] }])
    expect((await browser.get('/home')).html).not.toContain('A wren')
    const again = await browser.fill(path, { filter: filter?.id ?? '' })
    expect([again.status, again.html.includes('This post is already in the filter.')]).toEqual([422, true])
  })

  it('the page that filters from a post is not found for posts that the member may not see, and for filters of others', async () => {
    const { member, browser, id } = await scene('A wren')
    await as(member).post('/api/v2/filters', { title: 'Birds', context: ['home'] })
    const other = await signedIn()
    await as(other.member).post('/api/v2/filters', { title: 'Birds', context: ['home'] })
    const [theirs] = Filters.parse((await as(other.member).get('/api/v2/filters')).body)
    expect((await browser.fill(`/posts/${id}/filter`, { filter: theirs?.id ?? '' })).status).toBe(404)
    const hidden = await post(await given.account(), { status: 'a secret wren', visibility: 'private' })
    expect((await browser.get(`/posts/${hidden}/filter`)).status).toBe(404)
    expect((await browser.get(`/settings/filters?post=${hidden}`)).html).not.toContain('secret')
  })
})
