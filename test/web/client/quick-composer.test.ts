import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { as } from '../../support/as'
import { given } from '../../support/given'
import { signedIn } from '../../support/members'

const action = { action: '/publish' }

async function newest(member: Parameters<typeof as>[0] & { readonly id: number }): Promise<Status> {
  const { body } = await as(member).get(`/api/v1/accounts/${member.id}/statuses`)
  const [first] = Status.array().parse(body)
  if (first === undefined) throw new Error('there is no post')
  return first
}

describe('the composer in place', () => {
  it('posts from home with the usual audience and language of the account', async () => {
    const { member, browser } = await signedIn()
    const source = { privacy: 'private', language: 'fr', quote_policy: 'nobody' }
    await as(member).patch('/api/v1/accounts/update_credentials', { source })
    const sent = await browser.fill('/home', { status: 'Un merle', press: 'post' }, action)
    const status = await newest(member)
    expect(sent.location).toBe(`/@${member.username}/${status.id}?sent=1`)
    expect(status).toMatchObject({
      visibility: 'private',
      language: 'fr',
      content: '<p>Un merle</p>',
      quote_approval: { automatic: [] },
    })
  })

  it('replies in a thread to everybody in it, with the audience and the warning of what is answered', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    const { body: answered } = await as(author).post('/api/v1/statuses', {
      status: `Quietly, @${member.username}`,
      visibility: 'direct',
      spoiler_text: 'birds',
    })
    const { id } = Status.parse(answered)
    const page = `/@${author.username}/${id}`
    const { html } = await browser.get(page)
    expect(html).toContain(`>@${author.username} </textarea>`)
    await browser.fill(page, { status: `@${author.username} Yes`, press: 'post' }, action)
    const { body } = await as(author).get(`/api/v1/statuses/${id}/context`)
    expect(body).toMatchObject({
      descendants: [{ visibility: 'direct', spoiler_text: 'birds', in_reply_to_id: id }],
    })
  })

  it('opens the whole composer with what was typed for all else', async () => {
    const { member, browser } = await signedIn()
    await as(member).patch('/api/v1/accounts/update_credentials', { source: { privacy: 'unlisted' } })
    for (const press of ['attach', 'poll', 'open']) {
      const { status, html } = await browser.fill('/home', { status: 'A wren', press }, action)
      expect([press, status]).toEqual([press, 200])
      expect(html).toContain('>A wren</textarea>')
      expect(html).toMatch(/value="unlisted" checked/)
    }
    expect((await as(member).get(`/api/v1/accounts/${member.id}/statuses`)).body).toEqual([])
  })

  it('gives way to a draft about the same thing, which typing anew would replace', async () => {
    const { browser } = await signedIn()
    await browser.fill('/publish', { press: 'draft', status: 'Half a song' }, action)
    const home = await browser.get('/home')
    expect(home.html).toContain('Half a song')
    expect(home.html).not.toContain('name="status"')
    const author = await given.account()
    const { body } = await as(author).post('/api/v1/statuses', { status: 'Hello' })
    const { id } = Status.parse(body)
    expect((await browser.get(`/@${author.username}/${id}`)).html).toContain('name="status"')
  })

  it('limits who can reply as the whole composer says', async () => {
    const { member, browser } = await signedIn()
    const fields = { press: 'post', status: 'For a few', reply_policy: 'mentioned' }
    await browser.fill('/publish', fields, action)
    expect(await newest(member)).toMatchObject({ reply_policy: 'mentioned' })
  })
})
