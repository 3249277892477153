import { describe, expect, it } from 'vitest'
import { as, posted } from '../../support/as'
import { textOf } from '../../support/browser'
import { given } from '../../support/given'
import { signedIn } from '../../support/members'

/** A thread with a reply by each of three accounts, and a member who reads it. */
async function thread() {
  const { member, browser } = await signedIn()
  const author = await given.account()
  const [one, two, three] = [await given.account(), await given.account(), await given.account()]
  const root = await posted(author, { status: 'root' })
  for (const [index, by] of [one, two, three].entries())
    await posted(by, { status: `secret reply ${index + 1}`, in_reply_to_id: root.id })
  const path = `/@${author.username}/${root.id}`
  return {
    member,
    browser,
    author,
    root,
    one,
    two,
    three,
    read: async () => textOf((await browser.get(path)).html),
  }
}

describe('posts that the choices of a member leave out of a thread', () => {
  it('says nothing about hidden posts where nothing is hidden', async () => {
    const { read } = await thread()
    expect(await read()).not.toContain('hidden')
  })

  it('counts replies by muted and blocked accounts without a word of theirs', async () => {
    const { member, one, two, read } = await thread()
    await as(member).post(`/api/v1/accounts/${one.id}/mute`)
    expect(await read()).toContain('1 post hidden because you mute or block its author')
    await as(member).post(`/api/v1/accounts/${two.id}/block`)
    const text = await read()
    expect(text).toContain('2 posts hidden because you mute or block their authors')
    expect(text).not.toMatch(/secret reply [12]/)
    expect(text).toContain('secret reply 3')
    for (const { username } of [one, two]) expect(text).not.toContain(username)
  })

  it('counts replies that a filter hides, and not those that it folds', async () => {
    const { member, read } = await thread()
    const filter = { context: ['thread'], filter_action: 'hide' }
    const words = (keyword: string) => ({ keywords_attributes: [{ keyword, whole_word: true }] })
    await as(member).post('/api/v2/filters', { ...filter, title: 'hides', ...words('reply 1') })
    await as(member).post('/api/v2/filters', {
      ...filter,
      title: 'folds',
      filter_action: 'warn',
      ...words('reply 2'),
    })
    const text = await read()
    expect(text).toContain('1 post hidden by your filters')
    expect(text).not.toContain('secret reply 1')
    expect(text).toContain('Filtered: folds')
  })

  it('does not count replies by accounts that block the member', async () => {
    const { member, one, read } = await thread()
    await as(one).post(`/api/v1/accounts/${member.id}/block`)
    const text = await read()
    expect(text).not.toContain('secret reply 1')
    expect(text).not.toContain('hidden')
  })

  it('keeps the count of a muted account when that account blocks the member', async () => {
    const { member, root, one, read } = await thread()
    const mentioning = `@${member.username} for you`
    await posted(one, { status: mentioning, visibility: 'private', in_reply_to_id: root.id })
    await as(member).post(`/api/v1/accounts/${one.id}/mute`)
    const before = await read()
    expect(before).toContain('1 post hidden because')
    await as(one).post(`/api/v1/accounts/${member.id}/block`)
    expect(await read()).toContain('1 post hidden because')
  })

  it('does not count replies that only some may read', async () => {
    const { member, root, one, read } = await thread()
    await posted(one, { status: 'to followers', visibility: 'private', in_reply_to_id: root.id })
    await as(member).post(`/api/v1/accounts/${one.id}/mute`)
    expect(await read()).toContain('1 post hidden because')
  })
})
