import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { statuses } from '../../../src/db/schema'
import { as, posted } from '../../support/as'
import { textOf } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { fakeQueue } from '../../support/fake-queue'
import { fediverse } from '../../support/fediverse'
import { collection } from '../../support/fediverse/documents'
import { processActivity } from '../../support/fediverse/process-activity'
import { given } from '../../support/given'
import { followed } from '../../support/given-remote'
import { signedIn } from '../../support/members'
import { context, settleLateWork } from '../../support/test-app'

const hrefs = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, path]) => path)

describe('the menu of a thread', () => {
  it('the menu of a thread mutes the conversation and offers its address', async () => {
    const { member, browser } = await signedIn()
    const { id, account } = await posted(await given.account(), { status: 'A wren' })
    const path = `/@${account.acct}/${id}`
    const { html } = await browser.get(path)
    const [menu = ''] = html.split('aria-label="More about this conversation"').slice(1)
    const sheet = menu.split('</details>')[0] ?? ''
    expect(hrefs(sheet)).toEqual([path, `${path}/embed`])
    expect(sheet).toContain(`data-copy="https://fieldfare.test${path}"`)
    expect(sheet).toContain(`data-share="https://fieldfare.test${path}" hidden`)
    const sent = await browser.fill(path, { act: 'mute' }, { action: `/posts/${id}` })
    expect(sent.status).toBe(303)
    expect(Status.parse((await as(member).get(`/api/v1/statuses/${id}`)).body).muted).toBe(true)
    expect((await browser.get(path)).html).toContain('Unmute this conversation')
  })

  it('the menu of a thread shares and embeds no post for followers', async () => {
    const { member, browser } = await signedIn()
    const { id } = await posted(member, { status: 'A wren', visibility: 'private' })
    const { html } = await browser.get(`/@${member.username}/${id}`)
    expect(html).not.toContain('data-share')
    expect(html).not.toContain('/embed"')
  })
})

describe('replies of a thread', () => {
  it('more than three replies below the second level are one line with their authors', async () => {
    const { browser } = await signedIn()
    const [author, other] = [await given.account(), await given.account({ displayName: 'Jun' })]
    const root = await posted(author, { status: 'root' })
    const answer = await posted(other, { status: 'one', in_reply_to_id: root.id })
    const deeper = await posted(author, { status: 'two', in_reply_to_id: answer.id })
    const add = (n: number) => posted(other, { status: `deep ${n}`, in_reply_to_id: deeper.id })
    for (const n of [1, 2, 3]) await add(n)
    const path = `/@${author.username}/${root.id}`
    expect((await browser.get(path)).html).not.toContain('class="stack"')
    await add(4)
    const { html } = await browser.get(path)
    expect(textOf(html)).toMatch(/4 replies, by Jun.*deep 1.*deep 4/s)
    expect(html).toContain('<details><summary class="fold">')
  })
})

describe('replies that other servers have', () => {
  async function remote(answers: number) {
    const jobs = fakeQueue()
    const { member, browser } = await signedIn()
    const peer = await given.peer()
    await followed(member, peer)
    const note = peer.note()
    const replies = `${note.id}/replies`
    const items = Array.from({ length: answers }, () => peer.note({ inReplyTo: note.id }))
    const first = { ...collection(`${replies}/first`, items), type: 'CollectionPage' }
    fediverse.network.serve(replies, { ...collection(replies, []), first })
    await processActivity(peer, peer.create(note), jobs.ctx)
    await jobs.work()
    const [row] = await context().db.select().from(statuses).where(eq(statuses.uri, note.id))
    const { body } = await as(member).get(`/api/v1/statuses/${row?.id}`)
    const { id, account } = Status.parse(body)
    const page = () => browser.get(`/@${account.acct}/${id}`, { overrides: { jobs: jobs.ctx.jobs } })
    return { ...jobs, member, page }
  }

  it('replies that other servers have are fetched behind the page, which says so until they are there', async () => {
    const { member, page, jobs, work } = await remote(2)
    const first = await page()
    expect(textOf(first.html)).toContain('Fetching more replies from other servers')
    expectCosts(first.costs, { trips: 2 })
    const [, id = ''] = /data-refresh="([^"]+)"/.exec(first.html) ?? []
    const ask = () => as(member).get(`/api/v1_alpha/async_refreshes/${encodeURIComponent(id)}`)
    expect((await ask()).body).toMatchObject({ async_refresh: { status: 'running' } })
    await settleLateWork()
    expect(jobs.filter(({ kind }) => kind === 'fetch-replies')).toHaveLength(1)
    await work()
    expect((await ask()).body).toMatchObject({ async_refresh: { status: 'finished', result_count: 2 } })
    const second = await page()
    expect(second.html).not.toContain('data-refresh')
    expect(second.html.split('<article').length - 1).toBe(3)
    expectCosts(second.costs, { trips: 1 })
  })

  it('replies that other servers have are not fetched for posts of this server', async () => {
    const { browser } = await signedIn()
    const { id, account } = await posted(await given.account(), { status: 'A wren' })
    expect((await browser.get(`/@${account.acct}/${id}`)).html).not.toContain('data-refresh')
  })
})
