import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { as } from '../../support/as'
import { given } from '../../support/given'
import { signedIn } from '../../support/members'

const path = '/publish'
const action = { action: path }

describe('the preview of the composer', () => {
  it('shows Markdown as the published post has it, with what was typed', async () => {
    const { member, browser } = await signedIn()
    const other = await given.account()
    const status = `Hello **you**, @${other.username}: #birds\n\n- one\n- two`
    const fields = { status, content_type: 'text/markdown', visibility: 'unlisted' }
    const previewed = await browser.fill(path, { ...fields, press: 'preview' }, action)
    expect(previewed.status).toBe(200)
    expect(previewed.html).toContain(`${status}</textarea>`)
    expect(previewed.html).toMatch(/value="text\/markdown" selected/)
    const list = `/api/v1/accounts/${member.id}/statuses`
    expect((await as(member).get(list)).body).toEqual([])
    await browser.fill(path, { ...fields, press: 'post' }, action)
    const [post] = Status.array().parse((await as(member).get(list)).body)
    expect(post?.content).toContain('<strong>you</strong>')
    expect(previewed.html).toContain(post?.content)
  })

  it('shows each post of a thread below its text, and leaves markup that is none visible', async () => {
    const { browser } = await signedIn()
    const fields = { posts: '3', status: '**bold**', status_2: ' ', status_3: '<script>alert(1)</script>' }
    const plain = await browser.fill(path, { ...fields, press: 'preview' }, action)
    expect(plain.html).toContain('<p>**bold**</p>')
    const { html } = await browser.fill(
      path,
      { ...fields, content_type: 'text/markdown', press: 'preview' },
      action,
    )
    expect(html).toContain('<strong>bold</strong>')
    expect(html).toContain('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
    expect(html).not.toContain('<script>alert')
    expect(html.split('aria-label="Preview"').length - 1).toBe(2)
  })

  it('says what is wrong with a text that is too long, and keeps it', async () => {
    const { browser } = await signedIn()
    const sent = await browser.fill(path, { press: 'preview', status: 'x'.repeat(6_000) }, action)
    expect(sent.status).toBe(422)
    expect(sent.html).toContain('role="alert"')
    expect(sent.html).toContain(`${'x'.repeat(6_000)}</textarea>`)
  })
})
